// What each instruction may look like: the modifiers, types and operands that it takes. Whatever is
// outside this table is an unsupported instruction (PTX ISA, chapter 9).
#ifndef FLAGSTONE_KERNELS_PTX_INSTRUCTION_TABLE_H_
#define FLAGSTONE_KERNELS_PTX_INSTRUCTION_TABLE_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "kernels/ptx/kernel.h"
#include "kernels/ptx/opcode.h"
#include "kernels/ptx/types.h"

namespace flagstone::ptx {

// Groups of modifiers; a rule's `modifiers` is a set of them.
enum class ModifierClass : uint8_t {
  kComparison,
  kBoolean,
  kRounding,
  kMulPart,
  kAtomic,
  kBarrier,
  kVector,
  kFlush,
  kSaturate,
  kApproximate,
  kFull,
  kUniform,
  kTo,
  kVolatile,
  kNonCoherent,
  kCache,
  kOrder,
  kScope,
  kSpace,
  kLaneOp,
  kLaneSync,
  kShiftDirection,
  kShiftMode,
  kShiftAmount,
  kPermute,
  kNumberClass,
  kAccumulate,
  kGeometry,
  kLevel,
  kCachePolicy,
  kRelu,
  kNan,
  kXorSign,
  kFinite,
  kCarry,
  kTranspose,
  kMatrices,
  kAsync,
  kMbarrier,
  kParity,
  kSurface,
  kShape,
  kIgnored,  // changes nothing that Flagstone models: .aligned, prefetch and eviction hints
};
constexpr uint64_t Bit(ModifierClass modifier) {
  return uint64_t{1} << static_cast<unsigned>(modifier);
}
constexpr uint64_t Bit(Type type) { return uint64_t{1} << static_cast<unsigned>(type); }
template <class... T>
constexpr uint64_t SetOf(T... members) {
  return (Bit(members) | ...);
}

// One letter per operand, in the order of the text. "Type" is the instruction's (first) type,
// "source type" its second, or the first where there is only one.
//   D  destination register of Type        W  the same, twice as wide with .wide
//   N  destination register, 32 bits       Q  destination predicate, or two: "%p|%q"
//   A  source of Type                      C  the same, twice as wide with .wide
//   S  source of the source type           U  source of 32 bits
//   P  source predicate                    B  source predicate, "!%p" too; only with .and/.or/.xor
//   M  [address]                           L  label
//   d, s  destination, source that may be wider than its type (cvt)
//   v, w  destination, source of ld and st: may be wider than its type, or a vector
//   x, y  destination, source of mov: also a vector that is (un)packed; y: special registers too
//   G  source of cvta: address
//   T  destination of atom: Type or "_"
//   K  third source of atom.cas
//   1, 2  barrier number, thread count: 32 bits; 2 is needed by bar.arrive only
//   R  as N; "%r|%p" writes a predicate too
//   Y  mask of lanes, 32 bits; only with .sync
//   E  address of 32 or 64 bits in a register
//   I  number from 0 to 255
//   V  vector of four destinations of tex
//   n  [texture or surface or sampler]
//   k  sampler of tex: a variable or a register
//   X  [texture, coordinates]
//   O  level of detail; only with .level
//   Z, z  matrices in registers, as destination, source: a vector, or one register
//   t  as z, and of the type of the sums
//   e  which byte and which thread of four have the scales: a vector of two of 16 bits
//   f  what a cvt packs by four: a vector of sources of the source type
//   m  [address] in shared memory, beside the one in global memory
//   J, j  number that is known when the text is read; j: one source among others
//   F  fraction as f32: above 0, at most 1
//   H  cache policy, 64 bits; only with .L2::cache_hint
//   q  [address] beside the first one of a bulk copy
//   g  [tensor map, coordinates]
//   i  offsets of a tensor copy by columns of images: a vector of 16 bits each
//   c  mask of the TBs of a cluster, 16 bits
struct InstructionRule {
  std::string_view name;
  Opcode opcode = Opcode::kInvalid;
  std::string_view operands;
  uint64_t types = 0;         // bits of Type; 0: takes no type; with kNone it may go without
  uint64_t source_types = 0;  // 0: takes no second type; with kNone the last one may be absent
  uint64_t modifiers = 0;     // bits of ModifierClass
  bool third_type = false;    // takes a second source type
};

std::span<const InstructionRule> InstructionRules();                // ordered by name
const InstructionRule* FindInstructionRule(std::string_view name);  // null if there is none

// Sets what the word ("rn", without its dot) says; false where `rule` does not take it or a word of
// its kind has been seen. `seen` holds bits of ModifierClass.
bool ApplyModifier(const InstructionRule& rule, std::string_view word, Modifiers* modifiers,
                   Space* space, uint64_t* seen);

// The letters of the operands that this form of the instruction takes, where `found` stand in the
// text: some are there with certain modifiers only.
std::string OperandLetters(const InstructionRule& rule, const Instruction& instruction,
                           size_t found);

// Turns add, sub and mad with .cc into the opcodes that carry, and notes who reads a carry.
void FindCarries(Instruction* instruction);

// What this combination of modifiers and types still lacks or may not have, as "expected ..."
// without that word; empty if it is whole.
std::string_view MissingPart(const Instruction& instruction);

}  // namespace flagstone::ptx

#endif  // FLAGSTONE_KERNELS_PTX_INSTRUCTION_TABLE_H_
