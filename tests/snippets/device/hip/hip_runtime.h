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
