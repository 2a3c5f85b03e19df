// Arithmetic of several words: add, sub and mad with .cc, addc, subc, madc (PTX ISA, section
// 9.7.2). The carry is a predicate: what the parser has made the last source and the second
// destination.
#include "gpu_model/simt/handlers/handlers.h"
#include "gpu_model/simt/handlers/lanes.h"

namespace flagstone::simt {
namespace {

using namespace baseline;  // NOLINT: this file belongs to the baseline set
using ptx::Opcode;

__extension__ typedef unsigned __int128 UnsignedWide;
__extension__ typedef __int128 SignedWide;

template <class T>
T Product(bool high, bool is_signed, T a, T b) {
  if (!high) return static_cast<T>(UnsignedWide{a} * b);
  constexpr int kBits = 8 * sizeof(T);
  if (!is_signed) return static_cast<T>(UnsignedWide{a} * b >> kBits);
  using S = std::make_signed_t<T>;
  return static_cast<T>(SignedWide{static_cast<S>(a)} * static_cast<S>(b) >> kBits);
}

// a + b + carry, or a - b - borrow; `*carry` takes the new one.
template <class T>
T Sum(bool subtract, T a, T b, bool* carry) {
  const UnsignedWide in = *carry ? 1 : 0;
  const UnsignedWide sum = subtract ? UnsignedWide{a} - b - in : UnsignedWide{a} + b + in;
  *carry = (sum >> (8 * sizeof(T)) & 1) != 0;
  return static_cast<T>(sum);
}

template <Opcode kOpcode, class T>
void Carry(Context& c, const Inst& inst, LaneMask mask) {
  constexpr size_t kSources = kOpcode == Opcode::kMadCarry ? 3 : 2;
  const T* a = Source<T>(c, inst.source[0]);
  const T* b = Source<T>(c, inst.source[1]);
  const T* d = kSources == 3 ? Source<T>(c, inst.source[2]) : a;
  const LaneMask in = inst.modifiers.carry_in ? PredicateSource(c, inst, kSources) : 0;
  const bool high = inst.modifiers.mul_part == ptx::MulPart::kHi;
  const bool is_signed = ptx::IsSigned(inst.type);
  LaneMask out = 0;
  auto* destination = Destination<T>(c, inst.destination);
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
    const int i = __builtin_ctz(rest);
    bool carry = (in >> i & 1) != 0;
    T first = a[i];
    T second = b[i];
    if (kOpcode == Opcode::kMadCarry) {
      first = Product<T>(high, is_signed, a[i], b[i]);
      second = d[i];
    }
    destination[i] = Sum<T>(kOpcode == Opcode::kSubCarry, first, second, &carry);
    if (carry) out |= 1U << i;
  }
  if (inst.destination2 != kNoSlot) WritePredicate(c, inst.destination2, mask, out);
}

template <Opcode kOpcode>
Handler OfWidth(const ptx::Instruction& instruction) {
  return ptx::SizeInBytes(instruction.type) == 8 ? &Carry<kOpcode, uint64_t>
                                                 : &Carry<kOpcode, uint32_t>;
}

}  // namespace

Handler SelectCarry(const ptx::Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::kAddCarry:
      return OfWidth<Opcode::kAddCarry>(instruction);
    case Opcode::kSubCarry:
      return OfWidth<Opcode::kSubCarry>(instruction);
    case Opcode::kMadCarry:
      return OfWidth<Opcode::kMadCarry>(instruction);
    default:
      return nullptr;
  }
}

}  // namespace flagstone::simt
