// Self-contained: it knows registers and element types, and nothing of rows, columns, k or blocks.
// One slot of A at a time is 1, and every slot of B holds a code of its own, so each element of D
// that is not zero names its partner in B. A slot is a place for one element of an operand:
// 64 * item + lane, where item n of a lane begins at bit n * width of its registers.
//
// The result is JSON on standard output: for each run, which slots of D each slot of A reaches, and
// through which slots of B.

#include <hip/hip_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

constexpr int LANES = 64;

// Registers of all operands: word[64 * register + lane], one after the other for each probe.
struct Inputs {
  const unsigned* a;
  const unsigned* b;
  const unsigned* c;
  const unsigned* index;
  const unsigned* scale_a;
  const unsigned* scale_b;
  size_t a_step, b_step;  // words from one probe to the next
};

template <class T>
static __device__ T load(const unsigned* words, int lane) {
  struct Registers {
    unsigned word[sizeof(T) / 4];
  } found;
  for (size_t r = 0; r < sizeof(T) / 4; ++r) found.word[r] = words[LANES * r + static_cast<size_t>(lane)];
  return __builtin_bit_cast(T, found);
}

template <class Call>
__global__ void __launch_bounds__(64) run(Inputs in, unsigned* d) {
  using D = typename Call::D;
  struct Registers {
    unsigned word[sizeof(D) / 4];
  };
  const int lane = static_cast<int>(threadIdx.x);
  const size_t probe = static_cast<size_t>(blockIdx.x);
  const D result = Call::call(
      load<typename Call::A>(in.a + probe * in.a_step, lane),
      load<typename Call::B>(in.b + probe * in.b_step, lane),
      load<D>(in.c, lane),
      static_cast<int>(in.index[lane]),
      static_cast<int>(in.scale_a[lane]),
      static_cast<int>(in.scale_b[lane]));
  const Registers found = __builtin_bit_cast(Registers, result);
  const size_t count = sizeof(D) / 4;
  for (size_t r = 0; r < count; ++r) {
    d[probe * count * LANES + LANES * r + static_cast<size_t>(lane)] = found.word[r];
  }
}

// An operand: registers of a lane, elements of a lane and their width, and codes[n], the bits of n.
struct Operand {
  int registers, items, bits, largest;
  const unsigned long long* codes;
};

struct Case {
  const char* instruction;
  const char* modifiers;
  int rotation;  // of the pairs of indices; -1: the instruction has no index
  bool scaled;
  char kind;     // of D: f FP32, d FP64, i INT32
  void (*kernel)(Inputs, unsigned*);
  Operand a, b;
  int d_registers;
};
