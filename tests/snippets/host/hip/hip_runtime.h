// HIP on a processor: what the kernels under test need, each lane a thread of its own.
// The functions whose names begin with "host_" are in host.py.
#pragma once

#define __global__
#define __device__
#define __host__
#define __shared__ static
#define __launch_bounds__(n)

struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
};

inline thread_local dim3 threadIdx, blockIdx;
inline dim3 blockDim, gridDim;

#define HOST __attribute__((used, visibility("default")))
extern "C" {
HOST inline void (*host_builtin)(int number, const void* const* operands, const int* fields, void* d);
HOST inline void (*host_barrier)();
HOST inline void (*host_run)(const dim3* grid, const dim3* block, void (*body)(void*), void* data);

HOST inline void host_place(const dim3* block, const dim3* thread) {
  blockIdx = *block;
  threadIdx = *thread;
}
}

inline void __syncthreads() { host_barrier(); }

template <class Kernel, class... Arguments>
void hipLaunchKernelGGL(
    Kernel kernel, dim3 grid, dim3 block, unsigned, int, Arguments... arguments) {
  auto body = [=] { kernel(arguments...); };
  gridDim = grid;
  blockDim = block;
  host_run(&grid, &block, [](void* data) { (*static_cast<decltype(body)*>(data))(); }, &body);
}

// Memory and device: the host's own memory, and a GPU whose names a test sets, or none.
#include <stdlib.h>
#include <string.h>

enum hipError_t { hipSuccess, hipErrorNoDevice };
struct hipDeviceProp_t {
  char name[256];
  char gcnArchName[256];
};
extern "C" {
HOST inline char host_device[256];
HOST inline char host_name[256] = "emulator";
}
inline hipError_t hipGetDeviceCount(int* count) {
  *count = host_device[0] != 0;
  return *count ? hipSuccess : hipErrorNoDevice;
}
inline hipError_t hipGetDeviceProperties(hipDeviceProp_t* properties, int) {
  memcpy(properties->name, host_name, sizeof host_name);
  memcpy(properties->gcnArchName, host_device, sizeof host_device);
  return hipSuccess;
}
template <class T>
hipError_t hipMallocManaged(T** pointer, size_t size) {
  *pointer = static_cast<T*>(malloc(size));
  return hipSuccess;
}
inline hipError_t hipFree(void* pointer) {
  free(pointer);
  return hipSuccess;
}
inline hipError_t hipGetLastError() { return hipSuccess; }
inline hipError_t hipDeviceSynchronize() { return hipSuccess; }
inline const char* hipGetErrorString(hipError_t) { return "error"; }
