// Tiled matrix multiplication C = A * B whose arithmetic is a template parameter: a scalar FMA
// policy, and policies for the matrix cores of CDNA GPUs. All matrices are row-major and of any
// size; what a tile has beyond their edges counts as zero and is not stored.
//
//   amdclang++ -O3 -std=c++17 --offload-arch=gfx908 matrix_multiply_cdna_mfma.hip -o mm_cdna_mfma
//   ./mm_cdna_mfma [M N K]
//
// The program multiplies random matrices with every policy that the GPU can run, and compares each
// element with a product computed on the host. Exit code 0: all are equal; 1: one is not, or
// there is no GPU, or the program was compiled without what its GPU has; 2: wrong arguments.

#include <hip/hip_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Targets that have the builtins of this file. The compiler defines these names when it compiles
// for the GPU, and none of them when it compiles for the host.
#if defined(__gfx908__) || defined(__gfx90a__) || defined(__gfx942__) || defined(__gfx950__) || \
    defined(__gfx9_4_generic__)
#define HAS_MFMA 1
#else
#define HAS_MFMA 0
#endif

constexpr int WAVE = 64;

// A compute policy says how a group of `effective_lanes` lanes multiplies a tile of
// thread_tile_m x k_step elements of A by one of k_step x thread_tile_n elements of B:
//   Element              type of the elements of A and B in shared memory
//   FragmentA/FragmentB  what one lane holds of them
//   Accumulator          what one lane holds of C
//   load_a/load_b        from shared memory to a fragment
//   mma                  Accumulator += FragmentA * FragmentB
//   store_c              calls store(i, j, value) for every element that the lane holds

// One lane multiplies and adds by itself.
struct ScalarFMAPolicy {
  static constexpr const char* name = "scalar FMA";
  static constexpr int thread_tile_m = 4;
  static constexpr int thread_tile_n = 4;
  static constexpr int k_step = 1;
  static constexpr int effective_lanes = 1;

  using Element = float;
  struct FragmentA { float value[thread_tile_m]; };
  struct FragmentB { float value[thread_tile_n]; };
  struct Accumulator { float value[thread_tile_m][thread_tile_n] = {}; };

  template <class Tile>
  static __device__ FragmentA load_a(const Tile& tile, int tile_a_row, int ki, int) {
    FragmentA a;
    for (int i = 0; i < thread_tile_m; ++i) a.value[i] = tile[tile_a_row + i][ki];
    return a;
  }

  template <class Tile>
  static __device__ FragmentB load_b(const Tile& tile, int tile_b_col, int ki, int) {
    FragmentB b;
    for (int j = 0; j < thread_tile_n; ++j) b.value[j] = tile[ki][tile_b_col + j];
    return b;
  }

  static __device__ void mma(Accumulator& c, const FragmentA& a, const FragmentB& b) {
    for (int i = 0; i < thread_tile_m; ++i) {
      for (int j = 0; j < thread_tile_n; ++j) c.value[i][j] += a.value[i] * b.value[j];
    }
  }

  template <class Store>
  static __device__ void store_c(const Accumulator& c, int, Store store) {
    for (int i = 0; i < thread_tile_m; ++i) {
      for (int j = 0; j < thread_tile_n; ++j) store(i, j, c.value[i][j]);
    }
  }
};

// [Sphinx mfma cdna policy start]
// v_mfma_f32_32x32x1f32 makes two independent products of a 32 x 1 by a 1 x 32
// matrix: block 0 in lanes 0-31, block 1 in lanes 32-63. If the upper lanes
// repeated what the lower ones do, half of the work would be done twice. Here
// each block has rows of its own: together they compute a tile of 64 x 32,
// block 0 its upper half and block 1 its lower half, both with the same columns
// of B.
struct MfmaCdnaPolicy {
  static constexpr const char* name = "MFMA f32 32x32x1";
  static constexpr int thread_tile_m = 64;  // two blocks of 32 rows
  static constexpr int thread_tile_n = 32;
  static constexpr int k_step = 1;
  static constexpr int effective_lanes = WAVE;

  using v32float = float [[clang::ext_vector_type(32)]];
  using Element = float;
  using FragmentA = float;
  using FragmentB = float;
  // accVGPRs 0-15 are of block 0, 16-31 of block 1.
  struct Accumulator { v32float value = {}; };

  // A: block = lane / 32, i = lane % 32. Lane and row of the tile are the same
  // number.
  template <class Tile>
  static __device__ FragmentA load_a(const Tile& tile, int tile_a_row, int ki,
                                     int lane) {
    return tile[tile_a_row + lane][ki];
  }

  // B: block = lane / 32, j = lane % 32. Both blocks take the same columns.
  template <class Tile>
  static __device__ FragmentB load_b(const Tile& tile, int tile_b_col, int ki,
                                     int lane) {
    return tile[ki][tile_b_col + lane % 32];
  }

  static __device__ void mma([[maybe_unused]] Accumulator& c,
                             [[maybe_unused]] FragmentA a,
                             [[maybe_unused]] FragmentB b) {
#if HAS_MFMA
    c.value = __builtin_amdgcn_mfma_f32_32x32x1f32(a, b, c.value, 0, 0, 0);
#else
    __builtin_trap();  // main() does not come here
#endif
  }

  template <class Store>
  static __device__ void store_c(const Accumulator& c, int lane, Store store) {
    for (int item = 0; item < 32; ++item) {
      const int block = item / 16;
      const int i = 8 * (item / 4 % 4) + 4 * (lane / 32) + item % 4;
      const int j = lane % 32;
      store(32 * block + i, j, c.value[item]);
    }
  }
};
// [Sphinx mfma cdna policy end]

// v_mfma_f32_32x32x2f32 has one block and two k: the same number of operations in the same time, in
// half the accumulation registers. It is the better choice for a tile of 32 x 32, where two
// blocks could only share out the k and would have to be added up at the end.
struct MfmaOneBlockPolicy {
  static constexpr const char* name = "MFMA f32 32x32x2";
  static constexpr int thread_tile_m = 32;
  static constexpr int thread_tile_n = 32;
  static constexpr int k_step = 2;
  static constexpr int effective_lanes = WAVE;

  using v16float = float [[clang::ext_vector_type(16)]];
  using Element = float;
  using FragmentA = float;
  using FragmentB = float;
  struct Accumulator { v16float value = {}; };

  // A: i = lane % 32, k = lane / 32
  template <class Tile>
  static __device__ FragmentA load_a(const Tile& tile, int tile_a_row, int ki, int lane) {
    return tile[tile_a_row + lane % 32][ki + lane / 32];
  }

  // B: k = lane / 32, j = lane % 32
  template <class Tile>
  static __device__ FragmentB load_b(const Tile& tile, int tile_b_col, int ki, int lane) {
    return tile[ki + lane / 32][tile_b_col + lane % 32];
  }

  static __device__ void mma([[maybe_unused]] Accumulator& c,
                             [[maybe_unused]] FragmentA a,
                             [[maybe_unused]] FragmentB b) {
#if HAS_MFMA
    c.value = __builtin_amdgcn_mfma_f32_32x32x2f32(a, b, c.value, 0, 0, 0);
#else
    __builtin_trap();  // main() does not come here
#endif
  }

  template <class Store>
  static __device__ void store_c(const Accumulator& c, int lane, Store store) {
    for (int item = 0; item < 16; ++item) {
      store(8 * (item / 4) + 4 * (lane / 32) + item % 4, lane % 32, c.value[item]);
    }
  }
};

// v_mfma_f32_32x32x8f16 takes four packed FP16 elements of A and of B from each lane: four k in a
// row, the first in the lowest bits. It adds up in FP32.
struct MfmaF16Policy {
  static constexpr const char* name = "MFMA f16 32x32x8";
  static constexpr int thread_tile_m = 32;
  static constexpr int thread_tile_n = 32;
  static constexpr int k_step = 8;
  static constexpr int effective_lanes = WAVE;

  using v4half = _Float16 [[clang::ext_vector_type(4)]];
  using v16float = float [[clang::ext_vector_type(16)]];
  using Element = _Float16;
  using FragmentA = v4half;
  using FragmentB = v4half;
  struct Accumulator { v16float value = {}; };

  // A: i = lane % 32, k = 4 * (lane / 32) + item
  template <class Tile>
  static __device__ FragmentA load_a(const Tile& tile, int tile_a_row, int ki, int lane) {
    FragmentA a;
    for (int item = 0; item < 4; ++item) {
      a[item] = tile[tile_a_row + lane % 32][ki + 4 * (lane / 32) + item];
    }
    return a;
  }

  // B: k = 4 * (lane / 32) + item, j = lane % 32
  template <class Tile>
  static __device__ FragmentB load_b(const Tile& tile, int tile_b_col, int ki, int lane) {
    FragmentB b;
    for (int item = 0; item < 4; ++item) {
      b[item] = tile[ki + 4 * (lane / 32) + item][tile_b_col + lane % 32];
    }
    return b;
  }

  static __device__ void mma([[maybe_unused]] Accumulator& c,
                             [[maybe_unused]] FragmentA a,
                             [[maybe_unused]] FragmentB b) {
#if HAS_MFMA
    c.value = __builtin_amdgcn_mfma_f32_32x32x8f16(a, b, c.value, 0, 0, 0);
#else
    __builtin_trap();  // main() does not come here
#endif
  }

  template <class Store>
  static __device__ void store_c(const Accumulator& c, int lane, Store store) {
    for (int item = 0; item < 16; ++item) {
      store(8 * (item / 4) + 4 * (lane / 32) + item % 4, lane % 32, c.value[item]);
    }
  }
};

// How large a tile a block of threads computes, and how many k of it lie in shared memory at once.
template <int M, int N, int K>
struct TilePolicy {
  static constexpr int block_tile_m = M;
  static constexpr int block_tile_n = N;
  static constexpr int k_tile_size = K;
};

// How many threads a block has: `effective_lanes` for each thread tile.
template <class ComputePolicy, class Tile>
constexpr int block_threads = Tile::block_tile_m / ComputePolicy::thread_tile_m *
                              (Tile::block_tile_n / ComputePolicy::thread_tile_n) *
                              ComputePolicy::effective_lanes;

template <class ComputePolicy, class Tile>
__global__ void __launch_bounds__((block_threads<ComputePolicy, Tile>))
matrix_multiply(const float* a, const float* b, float* c, int m, int n, int k) {
  using Element = typename ComputePolicy::Element;
  constexpr int tile_m = Tile::block_tile_m, tile_n = Tile::block_tile_n;
  constexpr int tile_k = Tile::k_tile_size;
  constexpr int threads = block_threads<ComputePolicy, Tile>;
  constexpr int groups_n = tile_n / ComputePolicy::thread_tile_n;
  static_assert(tile_m % ComputePolicy::thread_tile_m == 0,
                "block_tile_m must be a multiple of thread_tile_m");
  static_assert(tile_n % ComputePolicy::thread_tile_n == 0,
                "block_tile_n must be a multiple of thread_tile_n");
  static_assert(tile_k % ComputePolicy::k_step == 0, "k_tile_size must be a multiple of k_step");

  // One element more in a row, so that neighbouring rows begin in different banks.
  __shared__ Element a_tile[tile_m][tile_k + 1];
  __shared__ Element b_tile[tile_k][tile_n + 1];

  const int thread = static_cast<int>(threadIdx.x);
  const int group = thread / ComputePolicy::effective_lanes;
  const int lane = thread % ComputePolicy::effective_lanes;
  const int block_row = static_cast<int>(blockIdx.y) * tile_m;
  const int block_col = static_cast<int>(blockIdx.x) * tile_n;
  const int tile_a_row = group / groups_n * ComputePolicy::thread_tile_m;
  const int tile_b_col = group % groups_n * ComputePolicy::thread_tile_n;

  typename ComputePolicy::Accumulator accumulator;
  for (int k0 = 0; k0 < k; k0 += tile_k) {
    for (int at = thread; at < tile_m * tile_k; at += threads) {
      const int row = at / tile_k, ki = at % tile_k;
      const bool inside = block_row + row < m && k0 + ki < k;
      a_tile[row][ki] = static_cast<Element>(inside ? a[(block_row + row) * k + k0 + ki] : 0.0f);
    }
    for (int at = thread; at < tile_k * tile_n; at += threads) {
      const int ki = at / tile_n, col = at % tile_n;
      const bool inside = k0 + ki < k && block_col + col < n;
      b_tile[ki][col] = static_cast<Element>(inside ? b[(k0 + ki) * n + block_col + col] : 0.0f);
    }
    __syncthreads();
    for (int ki = 0; ki < tile_k; ki += ComputePolicy::k_step) {
      const auto fragment_a = ComputePolicy::load_a(a_tile, tile_a_row, ki, lane);
      const auto fragment_b = ComputePolicy::load_b(b_tile, tile_b_col, ki, lane);
      ComputePolicy::mma(accumulator, fragment_a, fragment_b);
    }
    __syncthreads();
  }

  ComputePolicy::store_c(accumulator, lane, [=](int i, int j, float value) {
    const int row = block_row + tile_a_row + i, col = block_col + tile_b_col + j;
    if (row < m && col < n) c[row * n + col] = value;
  });
}

// [Sphinx mfma policy aliases start]
using ScalarTile = TilePolicy<32, 32, 16>;  // 64 threads
// 2 wavefronts with MfmaCdnaPolicy, 4 with the other MFMA policies
using MfmaTile = TilePolicy<64, 64, 16>;
// [Sphinx mfma policy aliases end]

static void check(hipError_t error, const char* what) {
  if (error == hipSuccess) return;
  fprintf(stderr, "%s: %s\n", what, hipGetErrorString(error));
  exit(1);
}

static float* allocate(size_t count) {
  float* pointer = nullptr;
  check(hipMallocManaged(&pointer, count * sizeof(float)), "cannot allocate memory");
  return pointer;
}

struct Problem {
  int m, n, k;
  float *a, *b, *c;
  float* expected;
};

// Small whole numbers: every type of this file holds them, and every sum of their products is exact.
static float random_number() {
  static unsigned state = 20260101;
  state = state * 1664525u + 1013904223u;
  return static_cast<float>(static_cast<int>(state >> 16) % 17 - 8);
}

// So many products can take the host a second or more: it then says what it computes.
constexpr size_t LONG_WORK = size_t{1} << 31;

static Problem make_problem(int m, int n, int k) {
  const size_t rows = static_cast<size_t>(m), columns = static_cast<size_t>(n);
  const size_t depth = static_cast<size_t>(k);
  Problem p = {m, n, k, allocate(rows * depth), allocate(depth * columns),
               allocate(rows * columns), allocate(rows * columns)};
  for (size_t at = 0; at < rows * depth; ++at) p.a[at] = random_number();
  for (size_t at = 0; at < depth * columns; ++at) p.b[at] = random_number();
  if (rows * columns * depth >= LONG_WORK) {
    fprintf(stderr, "computing %d x %d x %d on the host to compare with\n", m, n, k);
  }
  // The innermost loop runs along rows of B and of the product, as they lie in memory.
  for (size_t i = 0; i < rows; ++i) {
    float* const sums = p.expected + i * columns;
    for (size_t j = 0; j < columns; ++j) sums[j] = 0;
    for (size_t x = 0; x < depth; ++x) {
      const float factor = p.a[i * depth + x];
      const float* const row = p.b + x * columns;
      for (size_t j = 0; j < columns; ++j) sums[j] += factor * row[j];
    }
  }
  return p;
}

template <class ComputePolicy, class Tile>
static bool run(const Problem& p) {
  const int elements = p.m * p.n;
  for (int at = 0; at < elements; ++at) p.c[at] = -1;

  // [Sphinx mfma launch config start]
  const dim3 block(block_threads<ComputePolicy, Tile>);
  const int tiles_m = (p.m + Tile::block_tile_m - 1) / Tile::block_tile_m;
  const int tiles_n = (p.n + Tile::block_tile_n - 1) / Tile::block_tile_n;
  const dim3 grid(static_cast<unsigned>(tiles_n),
                  static_cast<unsigned>(tiles_m));
  // [Sphinx mfma launch config end]

  // [Sphinx mfma kernel launch start]
  const auto kernel = matrix_multiply<ComputePolicy, Tile>;
  hipLaunchKernelGGL(kernel, grid, block, 0, 0, p.a, p.b, p.c, p.m, p.n, p.k);
  check(hipGetLastError(), "cannot launch the kernel");
  check(hipDeviceSynchronize(), "the kernel failed");
  // [Sphinx mfma kernel launch end]

  for (int at = 0; at < elements; ++at) {
    if (p.c[at] != p.expected[at]) {
      printf("%s: C[%d][%d] is %g, and must be %g\n", ComputePolicy::name, at / p.n, at % p.n,
             static_cast<double>(p.c[at]), static_cast<double>(p.expected[at]));
      return false;
    }
  }
  printf("%s: all %d elements are right\n", ComputePolicy::name, elements);
  return true;
}

// Whether a GPU has the builtins: its name is "gfx90a:sramecc+:xnack-", say.
static bool has_mfma(const char* name) {
  const char* const targets[] = {"gfx908", "gfx90a", "gfx942", "gfx950"};
  for (const char* target : targets) {
    const size_t length = strlen(target);
    if (strncmp(name, target, length) == 0 && (name[length] == ':' || name[length] == 0)) return true;
  }
  return false;
}

__global__ void tell_code(float* answer) {
  if (threadIdx.x == 0) *answer = HAS_MFMA;
}

// Whether the code that runs on the GPU was compiled with the builtins.
static bool code_has_mfma(float* answer) {
  hipLaunchKernelGGL(tell_code, dim3(1), dim3(WAVE), 0, 0, answer);
  check(hipGetLastError(), "cannot launch a kernel");
  check(hipDeviceSynchronize(), "the kernel failed");
  return *answer == 1;
}

// The size that an argument tells, or 0 if it is no whole number from 1 to 4096.
static int size_of(const char* text) {
  char* end = nullptr;
  const long size = strtol(text, &end, 10);
  return end != text && *end == 0 && size >= 1 && size <= 4096 ? static_cast<int>(size) : 0;
}

int main(int argc, char** argv) {
  int sizes[] = {200, 150, 100};
  if (argc != 1 && argc != 4) {
    fprintf(stderr, "usage: %s [M N K]\n", argv[0]);
    return 2;
  }
  for (int n = 1; n < argc; ++n) {
    sizes[n - 1] = size_of(argv[n]);
    if (sizes[n - 1] == 0) {
      fprintf(stderr, "%s: %s is not a whole number from 1 to 4096\n", argv[0], argv[n]);
      return 2;
    }
  }
  int devices = 0;
  if (hipGetDeviceCount(&devices) != hipSuccess || devices == 0) {
    fprintf(stderr, "no AMD GPU found: this example needs one\n");
    return 1;
  }
  hipDeviceProp_t device;
  check(hipGetDeviceProperties(&device, 0), "cannot ask for the properties of the GPU");

  const Problem p = make_problem(sizes[0], sizes[1], sizes[2]);
  printf("%d x %d x %d on %s\n", p.m, p.n, p.k, device.gcnArchName);
  bool right = run<ScalarFMAPolicy, ScalarTile>(p);
  if (!has_mfma(device.gcnArchName)) {
    printf("%s has none of the builtins: scalar policy only\n", device.gcnArchName);
  } else if (!code_has_mfma(p.c)) {
    fprintf(stderr, "%s has the builtins, but this program was compiled without: see HAS_MFMA\n",
            device.gcnArchName);
    right = false;
  } else {
    right &= run<MfmaCdnaPolicy, MfmaTile>(p);
    right &= run<MfmaOneBlockPolicy, MfmaTile>(p);
    right &= run<MfmaF16Policy, MfmaTile>(p);
  }
  float* const memory[] = {p.a, p.b, p.c, p.expected};
  for (float* pointer : memory) check(hipFree(pointer), "cannot free memory");
  return right ? 0 : 1;
}
