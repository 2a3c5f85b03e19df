// add, min and max of u16x2 and s16x2, two integers in one register; min and max with .relu, which
// s32 has too (PTX ISA 9.7.1).
#include <algorithm>

#include "gpu_model/simt/handlers/handlers.h"
#include "gpu_model/simt/handlers/lanes.h"

namespace flagstone::simt {
namespace {

using namespace baseline;  // NOLINT: this file belongs to the baseline set
using ptx::Opcode;
using ptx::Type;

template <Opcode kOpcode, bool kRelu, class T>
FLAGSTONE_INLINE T OfOne(T a, T b) {
  if (kOpcode == Opcode::kAdd) return static_cast<T>(a + b);
  const T extreme = kOpcode == Opcode::kMax ? std::max(a, b) : std::min(a, b);
  return kRelu ? std::max(extreme, T{0}) : extreme;
}

template <Opcode kOpcode, bool kRelu, class Half>
void InHalves(Context& context, const Inst& inst, LaneMask mask) {
  const uint32_t* a = Source<uint32_t>(context, inst.source[0]);
  const uint32_t* b = Source<uint32_t>(context, inst.source[1]);
  const auto half = [=](uint32_t lane, int shift) -> uint32_t {
    const Half result = OfOne<kOpcode, kRelu>(static_cast<Half>(a[lane] >> shift),
                                              static_cast<Half>(b[lane] >> shift));
    return static_cast<uint16_t>(result);
  };
  ForLanes(Destination<uint32_t>(context, inst.destination), mask,
           [=](uint32_t lane) { return half(lane, 0) | half(lane, 16) << 16; });
}

template <Opcode kOpcode>
struct Relu {
  template <class T>
  FLAGSTONE_INLINE static T Apply(T a, T b) {
    return OfOne<kOpcode, true>(a, b);
  }
};

template <Opcode kOpcode>
Handler Extreme(const ptx::Instruction& instruction) {
  const bool relu = instruction.modifiers.relu;
  switch (instruction.type) {
    case Type::kU16x2:
      return InHalves<kOpcode, false, uint16_t>;
    case Type::kS16x2:
      return relu ? InHalves<kOpcode, true, int16_t> : InHalves<kOpcode, false, int16_t>;
    case Type::kS32:
      return relu ? Binary<Relu<kOpcode>, int32_t> : nullptr;
    default:
      return nullptr;
  }
}

}  // namespace

Handler SelectIntegerPairs(const ptx::Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::kAdd:  // the sums of signed halves have the same bits
      return ptx::IsPackedInteger(instruction.type) ? InHalves<Opcode::kAdd, false, uint16_t>
                                                    : nullptr;
    case Opcode::kMin:
      return Extreme<Opcode::kMin>(instruction);
    case Opcode::kMax:
      return Extreme<Opcode::kMax>(instruction);
    default:
      return nullptr;
  }
}

}  // namespace flagstone::simt
