// Enough of HIP's header for a compiler without ROCm to compile device code.
#pragma once

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __launch_bounds__(n) __attribute__((launch_bounds(n)))

#define LAYOUTGEN_INDEX(name, builtin)                                             \
  struct name##Type {                                                              \
    struct X { __device__ operator unsigned() const { return builtin##_x(); } } x; \
    struct Y { __device__ operator unsigned() const { return builtin##_y(); } } y; \
  };                                                                               \
  static __device__ const name##Type name = {};
LAYOUTGEN_INDEX(threadIdx, __builtin_amdgcn_workitem_id)
LAYOUTGEN_INDEX(blockIdx, __builtin_amdgcn_workgroup_id)
#undef LAYOUTGEN_INDEX

static inline __device__ void __syncthreads() { __builtin_amdgcn_s_barrier(); }

struct dim3 {
  unsigned x, y, z;
  __host__ __device__ constexpr dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1)
      : x(x_), y(y_), z(z_) {}
};

enum hipError_t { hipSuccess };
typedef struct ihipStream_t* hipStream_t;
struct hipDeviceProp_t {
  char name[256];
  char gcnArchName[256];
};
hipError_t hipGetDeviceCount(int* count);
hipError_t hipGetDeviceProperties(hipDeviceProp_t* properties, int device);
hipError_t hipMallocManaged(void** pointer, __SIZE_TYPE__ size, unsigned flags = 1);
hipError_t hipFree(void* pointer);
hipError_t hipGetLastError();
hipError_t hipDeviceSynchronize();
const char* hipGetErrorString(hipError_t error);
template <class T>
hipError_t hipMallocManaged(T** pointer, __SIZE_TYPE__ size, unsigned flags = 1) {
  return hipMallocManaged(reinterpret_cast<void**>(pointer), size, flags);
}

extern "C" hipError_t hipLaunchKernel(
    const void* kernel, dim3 grid, dim3 block, void** arguments, __SIZE_TYPE__ shared, hipStream_t);
extern "C" unsigned __hipPushCallConfiguration(
    dim3 grid, dim3 block, __SIZE_TYPE__ shared = 0, hipStream_t stream = 0);
#define hipLaunchKernelGGL(kernel, grid, block, shared, stream, ...) \
  (kernel)<<<(grid), (block), (shared), (stream)>>>(__VA_ARGS__)
