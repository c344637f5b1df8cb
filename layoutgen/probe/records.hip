// From here on host code, which a compiler for the GPU need not see.
#if !defined(__HIP_DEVICE_COMPILE__)

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
