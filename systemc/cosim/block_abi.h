// The C interface between the program and one Verilated block, a loaded library: the same for
// every block, since ports are known by name.
//
// This header and verilated_block.h are also compiled into the libraries, so they depend on nothing
// but Verilator's own headers.
#ifndef FLAGSTONE_SYSTEMC_COSIM_BLOCK_ABI_H_
#define FLAGSTONE_SYSTEMC_COSIM_BLOCK_ABI_H_

#include <cstdint>

namespace flagstone {

inline constexpr uint32_t kBlockAbiVersion = 3;

// The name of the one symbol that a loaded library exports: `const BlockAbi* symbol(void)`.
inline constexpr char kBlockAbiSymbol[] = "flagstone_block_abi";

// One port of the RTL's top module. Verilator keeps it in the narrowest of 1, 2, 4 and 8 bytes that
// holds it, else in 32-bit words, the lowest first; bits above its width are zero.
struct BlockPort {
  const char* name;  // the RTL's, with `_i` or `_o`
  uint32_t bits;
  bool output;
  void* data;
};

// The bytes of a port's storage.
inline uint32_t StorageBytes(uint32_t bits) {
  if (bits <= 8) return 1;
  if (bits <= 16) return 2;
  return bits <= 32 ? 4 : bits <= 64 ? 8 : 4 * ((bits + 31) / 32);
}

// `body` is what create returned. edge and edge_traced return false when an assertion in the RTL
// has failed; open_wave when the file cannot be written. The ports stay where they are for the
// body's life.
struct BlockAbi {
  uint32_t version;
  // Out of reset. `scope`: where waves show the ports, one scope per word ("gpu tb_scheduler").
  // `reset_seed` other than 0 fills all registers with random bits before reset, so that a register
  // that reset forgets shows.
  void* (*create)(const char* scope, uint64_t reset_seed);
  void (*destroy)(void* body);
  const BlockPort* (*ports)(void* body, uint32_t* count);
  void (*reset)(void* body);   // one rising edge with rst_ni = 0 and zero inputs
  void (*settle)(void* body);  // outputs that depend on inputs within the cycle follow them
  bool (*edge)(void* body);    // the rising edge that ends the cycle
  // Null where the library was not made for waves, or for coverage.
  bool (*edge_traced)(void* body, uint64_t cycle);  // and the cycle goes into the open wave
  bool (*open_wave)(void* body, const char* file);
  void (*close_wave)(void* body);
  void (*write_coverage)(void* body, const char* file);  // of all bodies with the same context
};

}  // namespace flagstone

#endif  // FLAGSTONE_SYSTEMC_COSIM_BLOCK_ABI_H_
