static void check(hipError_t error, const char* what) {
  if (error == hipSuccess) return;
  fprintf(stderr, "%s: %s\n", what, hipGetErrorString(error));
  exit(1);
}

template <class T>
static T* allocate(size_t count) {
  T* pointer = nullptr;
  check(hipMallocManaged(&pointer, count * sizeof(T)), "cannot allocate memory");
  memset(pointer, 0, count * sizeof(T));
  return pointer;
}

static void release(void* pointer) { check(hipFree(pointer), "cannot free memory"); }

static size_t slots(const Operand& operand) { return LANES * static_cast<size_t>(operand.items); }
static size_t words(int registers) { return LANES * static_cast<size_t>(registers); }

// Put the bits of an element into its slot.
static void put(unsigned* registers, const Operand& operand, size_t slot, unsigned long long code) {
  const size_t lane = slot % LANES, start = slot / LANES * static_cast<size_t>(operand.bits);
  for (size_t bit = 0; bit < static_cast<size_t>(operand.bits); ++bit) {
    const unsigned value = static_cast<unsigned>(code >> bit & 1) << ((start + bit) % 32);
    registers[LANES * ((start + bit) / 32) + lane] |= value;
  }
}

struct Memory {
  unsigned *a, *b, *c, *d, *index, *scale_a, *scale_b;
  size_t probes, d_words;
};

static Memory make_memory(const Case& it, size_t a_probes, size_t b_probes) {
  const size_t probes = a_probes > b_probes ? a_probes : b_probes;
  Memory m = {};
  m.probes = probes;
  m.d_words = words(it.d_registers);
  m.a = allocate<unsigned>(a_probes * words(it.a.registers));
  m.b = allocate<unsigned>(b_probes * words(it.b.registers));
  m.c = allocate<unsigned>(m.d_words);
  m.d = allocate<unsigned>(probes * m.d_words);
  m.index = allocate<unsigned>(LANES);
  m.scale_a = allocate<unsigned>(LANES);
  m.scale_b = allocate<unsigned>(LANES);
  for (size_t lane = 0; lane < LANES; ++lane) {
    m.scale_a[lane] = m.scale_b[lane] = 0x7f7f7f7f;  // 1 in E8M0, in each byte
    // Nibble n of a lane has pair (lane / 4 + lane + n + rotation) mod 6 of the six ascending ones.
    static const unsigned pairs[] = {0x4, 0x8, 0xc, 0x9, 0xd, 0xe};
    for (size_t n = 0; n < 8 && it.rotation >= 0; ++n) {
      m.index[lane] |= pairs[(lane / 4 + lane + n + static_cast<size_t>(it.rotation)) % 6] << (4 * n);
    }
  }
  return m;
}

static void release(const Memory& m) {
  unsigned* const all[] = {m.a, m.b, m.c, m.d, m.index, m.scale_a, m.scale_b};
  for (unsigned* pointer : all) release(pointer);
}

static void launch(const Case& it, const Memory& m, size_t a_step, size_t b_step) {
  const Inputs in = {m.a,       m.b,       m.c, m.index,
                     m.scale_a, m.scale_b, static_cast<unsigned>(a_step),
                     static_cast<unsigned>(b_step)};
  const dim3 grid(static_cast<unsigned>(m.probes)), block(LANES);
  hipLaunchKernelGGL(it.kernel, grid, block, 0, 0, in, m.d);
  check(hipGetLastError(), it.instruction);
  check(hipDeviceSynchronize(), it.instruction);
}

// The number in a slot of D of one probe.
static double number(const Case& it, const Memory& m, size_t probe, size_t slot) {
  const unsigned* d = m.d + probe * m.d_words;
  if (it.kind == 'd') {
    unsigned pair[2] = {d[LANES * (2 * (slot / LANES)) + slot % LANES],
                        d[LANES * (2 * (slot / LANES) + 1) + slot % LANES]};
    double value;
    memcpy(&value, pair, sizeof value);
    return value;
  }
  if (it.kind == 'i') return static_cast<double>(static_cast<int>(d[slot]));
  float value;
  memcpy(&value, d + slot, sizeof value);
  return static_cast<double>(value);
}

static size_t d_slots(const Case& it) { return words(it.d_registers) / (it.kind == 'd' ? 2 : 1); }

// Lists of numbers, each printed once.
struct Lists {
  int* values;
  size_t *begin, count;
};

static size_t remember(Lists& lists, const int* values, size_t size) {
  for (size_t n = 0; n < lists.count; ++n) {
    const size_t first = lists.begin[n];
    if (lists.begin[n + 1] - first != size) continue;
    if (memcmp(lists.values + first, values, size * sizeof(int)) == 0) return n;
  }
  const size_t end = lists.begin[lists.count];
  memcpy(lists.values + end, values, size * sizeof(int));
  lists.begin[++lists.count] = end + size;
  return lists.count - 1;
}

static void print_list(const int* values, size_t size) {
  printf("[");
  for (size_t n = 0; n < size; ++n) printf(n ? ",%d" : "%d", values[n]);
  printf("]");
}

// The products: for each slot of A the list of the slots of D, and that of the slots of B.
static void products(const Case& it) {
  const size_t a_slots = slots(it.a), b_slots = slots(it.b), count = d_slots(it);
  const size_t largest = static_cast<size_t>(it.b.largest);
  const size_t base = b_slots < largest ? b_slots : largest;
  size_t rounds = 2;
  for (size_t weight = base; weight < b_slots; weight *= base) ++rounds;
  const Memory m = make_memory(it, a_slots, 1);
  for (size_t slot = 0; slot < a_slots; ++slot) {
    put(m.a + slot * words(it.a.registers), it.a, slot, it.a.codes[1]);
  }
  int* seen = allocate<int>(rounds * a_slots * count);
  for (size_t round = 0; round < rounds; ++round) {
    memset(m.b, 0, words(it.b.registers) * sizeof(unsigned));
    size_t weight = 1;
    for (size_t n = 1; n < round; ++n) weight *= base;
    for (size_t slot = 0; slot < b_slots; ++slot) {
      const size_t digit = slot / weight % base;
      put(m.b, it.b, slot, it.b.codes[round == 1 ? base - digit : digit + 1]);
    }
    launch(it, m, words(it.a.registers), 0);
    for (size_t probe = 0; probe < a_slots; ++probe) {
      for (size_t slot = 0; slot < count; ++slot) {
        const double value = number(it, m, probe, slot);
        const bool whole = value > -1e6 && value < 1e6 && value == static_cast<int>(value);
        seen[(round * a_slots + probe) * count + slot] = whole ? static_cast<int>(value) : 9999999;
      }
    }
  }
  release(m);

  // Codes are digits plus 1; the second round has base minus the first digit. So both sum to
  // base + 1 where there is one partner, and no two partners can pass for one.
  Lists lists = {allocate<int>(2 * a_slots * count + 1), allocate<size_t>(2 * a_slots + 2), 0};
  int *d_list = allocate<int>(count), *b_list = allocate<int>(count);
  int* unclear = allocate<int>(2 * a_slots * count + 1);
  int* chosen = allocate<int>(2 * a_slots);
  size_t unclear_count = 0, positive = 0, negative = 0;
  for (size_t probe = 0; probe < a_slots; ++probe) {
    size_t size = 0;
    for (size_t slot = 0; slot < count; ++slot) {
      const int* found = seen + probe * count + slot;
      const size_t step = a_slots * count;
      bool zero = true;
      for (size_t n = 0; n < rounds; ++n) zero = zero && found[n * step] == 0;
      if (zero) continue;
      const int sign = found[0] < 0 ? -1 : 1;
      bool clear = sign * (found[0] + found[step]) == static_cast<int>(base) + 1;
      long long partner = 0, weight = 1;
      for (size_t n = 0; n < rounds; ++n) {
        const int digit = sign * found[n * step] - 1;
        clear = clear && digit >= 0 && digit < static_cast<int>(base);
        if (n == 1) continue;
        partner += weight * digit;
        weight *= static_cast<long long>(base);
      }
      if (!clear || partner >= static_cast<long long>(b_slots)) {
        unclear[unclear_count++] = static_cast<int>(probe);
        unclear[unclear_count++] = static_cast<int>(slot);
        continue;
      }
      ++(sign < 0 ? negative : positive);
      d_list[size] = static_cast<int>(slot);
      b_list[size++] = static_cast<int>(partner);
    }
    chosen[2 * probe] = static_cast<int>(remember(lists, d_list, size));
    chosen[2 * probe + 1] = static_cast<int>(remember(lists, b_list, size));
  }
  printf(", \"sign\": %d,\n  \"lists\": [", negative == 0 ? 1 : positive == 0 ? -1 : 0);
  for (size_t n = 0; n < lists.count; ++n) {
    if (n) printf(",\n    ");
    print_list(lists.values + lists.begin[n], lists.begin[n + 1] - lists.begin[n]);
  }
  printf("],\n  \"products\": ");
  print_list(chosen, 2 * a_slots);
  printf(",\n  \"unclear\": ");
  print_list(unclear, unclear_count < 200 ? unclear_count : 200);
  void* const all[] = {seen, lists.values, lists.begin, d_list, b_list, unclear, chosen};
  for (void* pointer : all) release(pointer);
}

// The accumulators: which slot of C each slot of D begins with; a negative number is -1 - slot
// of one whose sign is changed, and what is no slot at all is null.
static void accumulators(const Case& it) {
  const Memory m = make_memory(it, 1, 1);
  for (size_t slot = 0; slot < d_slots(it); ++slot) {
    const double value = static_cast<double>(slot + 1);
    const float single = static_cast<float>(value);
    unsigned code[2] = {static_cast<unsigned>(slot + 1), 0};
    if (it.kind == 'f') memcpy(code, &single, sizeof single);
    if (it.kind == 'd') memcpy(code, &value, sizeof value);
    const size_t wide = it.kind == 'd' ? 2 : 1;
    for (size_t n = 0; n < wide; ++n) m.c[LANES * (wide * (slot / LANES) + n) + slot % LANES] = code[n];
  }
  launch(it, m, 0, 0);
  printf(",\n  \"accumulators\": [");
  for (size_t slot = 0; slot < d_slots(it); ++slot) {
    const double value = number(it, m, 0, slot);
    const double size = value < 0 ? -value : value;
    const bool named = size >= 1 && size <= static_cast<double>(d_slots(it)) && size == static_cast<int>(size);
    if (slot) printf(",");
    if (named) printf("%d", static_cast<int>(value < 0 ? value : value - 1));
    else printf("null");
  }
  printf("]");
  release(m);
}

// The scales: which slot of the register of scales (64 * byte + lane) serves each slot of an
// operand; the other operand is all ones. The exponent of a scale names first its lane, then its byte.
static void scales(const Case& it, bool of_a) {
  const Operand &one = of_a ? it.a : it.b, &other = of_a ? it.b : it.a;
  const size_t probes = slots(one);
  const Memory m = make_memory(it, of_a ? probes : 1, of_a ? 1 : probes);
  unsigned *single = of_a ? m.a : m.b, *full = of_a ? m.b : m.a;
  for (size_t slot = 0; slot < probes; ++slot) {
    put(single + slot * words(one.registers), one, slot, one.codes[1]);
  }
  for (size_t slot = 0; slot < slots(other); ++slot) put(full, other, slot, other.codes[1]);
  int* named = allocate<int>(probes);
  for (size_t slot = 0; slot < probes; ++slot) named[slot] = 0;
  for (int round = 0; round < 2; ++round) {
    unsigned* scale = of_a ? m.scale_a : m.scale_b;
    for (unsigned lane = 0; lane < LANES; ++lane) {
      scale[lane] = 0;
      for (unsigned byte = 0; byte < 4; ++byte) {
        scale[lane] |= (127 + (round ? byte : lane)) << (8 * byte);
      }
    }
    launch(it, m, of_a ? words(one.registers) : 0, of_a ? 0 : words(one.registers));
    for (size_t probe = 0; probe < probes; ++probe) {
      double value = 0;
      for (size_t slot = 0; slot < d_slots(it) && named[probe] >= 0; ++slot) {
        const double found = number(it, m, probe, slot);
        if (found == 0) continue;
        if (value != 0 && found != value) named[probe] = -1;
        value = found;
      }
      int exponent = 0;
      while (exponent < 64 && value != static_cast<double>(1ull << exponent)) ++exponent;
      if (named[probe] >= 0) named[probe] = exponent < 64 ? named[probe] + (round ? static_cast<int>(LANES) : 1) * exponent : -1;
    }
  }
  printf(",\n  \"scale_%c\": ", of_a ? 'a' : 'b');
  print_list(named, probes);
  release(named);
  release(m);
}

// A text of JSON: what is no printable ASCII, a quote or a backslash is written by its number.
static void print_text(const char* text) {
  printf("\"");
  for (; *text; ++text) {
    const unsigned char c = static_cast<unsigned char>(*text);
    printf(c < ' ' || c > '~' || c == '"' || c == '\\' ? "\\u%04x" : "%c", static_cast<unsigned>(c));
  }
  printf("\"");
}

static bool asked_for(const char* instruction, int count, char** names) {
  for (int n = 1; n < count; ++n) {
    if (strcmp(names[n], instruction) == 0) return true;
  }
  return count == 1;
}

// Arguments: mnemonics of the instructions to run; without any, all of them.
int main(int argc, char** argv) {
  int devices = 0;
  if (hipGetDeviceCount(&devices) != hipSuccess || devices == 0) {
    fprintf(stderr, "no AMD GPU found: this program needs a %s\n", ARCH);
    return 1;
  }
  hipDeviceProp_t device;
  check(hipGetDeviceProperties(&device, 0), "cannot ask for the properties of the GPU");
  const size_t length = strlen(ARCH);
  const char after = strlen(device.gcnArchName) < length ? 'x' : device.gcnArchName[length];
  if (strncmp(device.gcnArchName, ARCH, length) != 0 || (after != 0 && after != ':')) {
    fprintf(stderr, "this GPU is a %s, and the program was made for %s\n", device.gcnArchName, ARCH);
    return 1;
  }
  printf("{\"format\": \"layoutgen-probe\", \"version\": 1, \"arch\": \"%s\",\n", ARCH);
  printf(" \"gpu\": ");
  print_text(device.name);
  printf(", \"target\": ");
  print_text(device.gcnArchName);
  printf(",\n \"runs\": [");
  bool first = true;
  for (const Case& it : CASES) {
    if (!asked_for(it.instruction, argc, argv)) continue;
    printf(first ? "\n {" : ",\n {");
    first = false;
    printf("\"instruction\": \"%s\", \"modifiers\": {%s}", it.instruction, it.modifiers);
    if (it.rotation >= 0) printf(", \"rotation\": %d", it.rotation);
    products(it);
    accumulators(it);
    if (it.scaled) {
      scales(it, true);
      scales(it, false);
    }
    printf("}");
  }
  printf("\n]}\n");
  if (fflush(stdout) != 0 || ferror(stdout)) {
    fprintf(stderr, "cannot write the output: it is not complete\n");
    return 1;
  }
  return 0;
}

#endif
