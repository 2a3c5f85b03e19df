// wmma (PTX ISA, section 9.7.14.4): matrices that a warp loads, multiplies and stores. The ISA
// leaves open where their elements lie in registers, so they lie here as those of mma.sync, and a
// wmma becomes the loads, stores and mma instructions of its parts: execution, timing and analysis
// know no other.
//
// m8n32k16 is the transposed product of m32n8k16: A and B change places, and rows are columns.
//
// Elements of 4 bits and of 1 bit lie along A's rows and B's columns alone, so a register of them
// is a word of memory.
#ifndef FLAGSTONE_KERNELS_PTX_WMMA_H_
#define FLAGSTONE_KERNELS_PTX_WMMA_H_

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "kernels/ptx/kernel.h"

namespace flagstone::ptx {

struct WmmaForm {
  enum class Op : uint8_t { kLoad, kStore, kMma };
  Op op = Op::kLoad;
  char matrix = 'a';    // that a load or store moves: a, b, c or d
  bool by_rows = true;  // how it lies in memory
  uint8_t m = 0, n = 0, k = 0;
  Space space = Space::kGeneric;
  // The first is that of a load or store; of an mma: d, a, b, c.
  Type d = Type::kNone, a = Type::kNone, b = Type::kNone, c = Type::kNone;
  bool finite = false;                   // .satfinite
  BooleanOp bits_by = BooleanOp::kNone;  // of b1: what is counted of A's and B's bits

  // Registers of matrix a, b, c or d of this form, as the text has them, and the type of each.
  uint32_t Registers(char matrix) const;
  Type RegisterType(char matrix) const;
};

// Of "load.a.sync.aligned.row.m16n16k16.global.f16", word by word; nothing where the ISA or
// Flagstone has no such form.
std::optional<WmmaForm> FindWmma(const std::vector<std::string_view>& words);

// The instructions in the place of one whose operands fit its form: [address], registers and the
// stride if there is one, in the order of the text; registers of a matrix are a vector. `like` has
// the guard, the text and the place.
std::vector<Instruction> LowerWmma(const WmmaForm& form, const std::vector<Operand>& operands,
                                   const Instruction& like, Kernel* kernel);

}  // namespace flagstone::ptx

#endif  // FLAGSTONE_KERNELS_PTX_WMMA_H_
