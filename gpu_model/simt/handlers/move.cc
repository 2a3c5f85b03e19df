// mov, with packing and unpacking of vectors, and cvta (PTX ISA 9.7.9).
#include "gpu_model/simt/handlers/lanes.h"

namespace flagstone::simt::FLAGSTONE_SIMT_VARIANT {
namespace {

using ptx::Operand;

template <class S>
void Move(Context& c, const Inst& inst, LaneMask mask) {
  const S* a = Source<S>(c, inst.source[0]);
  ForLanes(Destination<S>(c, inst.destination), mask, [=](uint32_t i) { return a[i]; });
}

// mov.b64 %rd, {%r1, %r2}: the first element is the least significant.
template <class S>
void Pack(Context& c, const Inst& inst, LaneMask mask) {
  const uint32_t bits = 8U * inst.element_bytes;
  const uint64_t element_mask = (uint64_t{1} << bits) - 1;
  const uint32_t* elements[4] = {};
  for (uint32_t e = 0; e < inst.vector; ++e) elements[e] = Source<uint32_t>(c, inst.elements[e]);
  ForLanes(Destination<S>(c, inst.destination), mask, [&](uint32_t i) {
    uint64_t value = 0;
    for (uint32_t e = 0; e < inst.vector; ++e) {
      value |= (elements[e][i] & element_mask) << (bits * e);
    }
    return static_cast<S>(value);
  });
}

template <class S>
void Unpack(Context& c, const Inst& inst, LaneMask mask) {
  const uint32_t bits = 8U * inst.element_bytes;
  const uint64_t element_mask = (uint64_t{1} << bits) - 1;
  alignas(64) S value[kWarpSize];  // the source may be one of the destinations
  __builtin_memcpy(value, Source<S>(c, inst.source[0]), sizeof(value));
  for (uint32_t e = 0; e < inst.vector; ++e) {
    if (inst.elements[e] == kNoSlot) continue;
    ForLanes(Destination<uint32_t>(c, inst.elements[e]), mask, [&](uint32_t i) {
      return static_cast<uint32_t>(uint64_t{value[i]} >> (bits * e) & element_mask);
    });
  }
}

template <class S, S kWindow, bool kTo>
void ConvertAddress(Context& c, const Inst& inst, LaneMask mask) {
  const S* a = Source<S>(c, inst.source[0]);
  ForLanes(Destination<S>(c, inst.destination), mask,
           [=](uint32_t i) { return kTo ? a[i] - kWindow : a[i] + kWindow; });
}

template <uint64_t kWindow>
Handler PickCvta(bool wide, bool to) {
  constexpr uint32_t kNarrow = Narrow(kWindow);
  if (!wide) {
    return to ? &ConvertAddress<uint32_t, kNarrow, true>
              : &ConvertAddress<uint32_t, kNarrow, false>;
  }
  return to ? &ConvertAddress<uint64_t, kWindow, true> : &ConvertAddress<uint64_t, kWindow, false>;
}

}  // namespace

Handler SelectMove(const ptx::Instruction& instruction, Shape shape) {
  if (instruction.opcode != ptx::Opcode::kMov) return nullptr;
  if (instruction.operands.at(0).kind == Operand::Kind::kVector) {
    return shape.wide_source ? &Unpack<uint64_t> : &Unpack<uint32_t>;
  }
  if (instruction.operands.at(1).kind == Operand::Kind::kVector) {
    return shape.wide_destination ? &Pack<uint64_t> : &Pack<uint32_t>;
  }
  return shape.wide_destination ? &Move<uint64_t> : &Move<uint32_t>;
}

Handler SelectCvta(const ptx::Instruction& instruction) {
  const bool wide = ptx::SizeInBytes(instruction.type) == 8;
  const bool to = instruction.modifiers.to;
  switch (instruction.space) {
    case ptx::Space::kGlobal:
    case ptx::Space::kConst:
      return wide ? &Move<uint64_t> : &Move<uint32_t>;
    case ptx::Space::kShared:
      return PickCvta<kSharedWindow>(wide, to);
    case ptx::Space::kLocal:
      return PickCvta<kLocalWindow>(wide, to);
    case ptx::Space::kParam:
      return PickCvta<kParamWindow>(wide, to);
    default:
      return nullptr;
  }
}

}  // namespace flagstone::simt::FLAGSTONE_SIMT_VARIANT
