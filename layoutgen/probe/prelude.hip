// Self-contained: it knows registers and element types, and nothing of rows, columns, k or blocks.
// One slot of A at a time is 1, and every slot of B holds a code of its own, so each element of D
// that is not zero names its partner in B. A slot is a place for one element of an operand:
// 64 * item + lane, where item n of a lane begins at bit n * width of its registers.
//
// The result is JSON on standard output: for each run, which slots of D each slot of A reaches, and
// through which slots of B.

#include <hip/hip_runtime.h>

constexpr unsigned LANES = 64;

// Registers of all operands: word[64 * register + lane], one after the other for each probe.
struct Inputs {
  const unsigned* a;
  const unsigned* b;
  const unsigned* c;
  const unsigned* index;
  const unsigned* scale_a;
  const unsigned* scale_b;
  unsigned a_step, b_step;  // words from one probe to the next
};

// One lane's share of an operand, as registers.
template <class T>
struct Registers {
  static constexpr unsigned count = sizeof(T) / 4;
  unsigned word[count];
};

template <class T>
static __device__ T load(const unsigned* words, unsigned lane) {
  Registers<T> found;
  for (unsigned r = 0; r < found.count; ++r) found.word[r] = words[LANES * r + lane];
  return __builtin_bit_cast(T, found);
}

template <class Call>
__global__ void __launch_bounds__(64) run(Inputs in, unsigned* d) {
  using D = typename Call::D;
  const unsigned lane = threadIdx.x, probe = blockIdx.x;
  const D result = Call::call(
      load<typename Call::A>(in.a + probe * in.a_step, lane),
      load<typename Call::B>(in.b + probe * in.b_step, lane),
      load<D>(in.c, lane),
      static_cast<int>(in.index[lane]),
      static_cast<int>(in.scale_a[lane]),
      static_cast<int>(in.scale_b[lane]));
  const Registers<D> found = __builtin_bit_cast(Registers<D>, result);
  for (unsigned r = 0; r < found.count; ++r) {
    d[(probe * found.count + r) * LANES + lane] = found.word[r];
  }
}
