// Operations on predicates, which are lane masks, and selp, which reads one.
#include "gpu_model/simt/handlers/lanes.h"

namespace flagstone::simt::FLAGSTONE_SIMT_VARIANT {
namespace {

using ptx::Opcode;

struct PredicateAnd {
  FLAGSTONE_INLINE static LaneMask Apply(LaneMask a, LaneMask b) { return a & b; }
};
struct PredicateOr {
  FLAGSTONE_INLINE static LaneMask Apply(LaneMask a, LaneMask b) { return a | b; }
};
struct PredicateXor {
  FLAGSTONE_INLINE static LaneMask Apply(LaneMask a, LaneMask b) { return a ^ b; }
};

template <class Op>
void PredicateBinary(Context& c, const Inst& inst, LaneMask mask) {
  WritePredicate(c, inst.destination, mask,
                 Op::Apply(PredicateSource(c, inst, 0), PredicateSource(c, inst, 1)));
}

void PredicateNot(Context& c, const Inst& inst, LaneMask mask) {
  WritePredicate(c, inst.destination, mask, ~PredicateSource(c, inst, 0));
}

void PredicateMove(Context& c, const Inst& inst, LaneMask mask) {
  WritePredicate(c, inst.destination, mask, PredicateSource(c, inst, 0));
}

template <class S>
void SelectByPredicate(Context& c, const Inst& inst, LaneMask mask) {
  const S* a = Source<S>(c, inst.source[0]);
  const S* b = Source<S>(c, inst.source[1]);
  const LaneMask p = PredicateSource(c, inst, 2);
  ForLanes(Destination<S>(c, inst.destination), mask, [=](uint32_t i) {
    const S if_true = a[i];
    const S if_false = b[i];
    return (p & (1U << i)) != 0 ? if_true : if_false;
  });
}

}  // namespace

Handler SelectPredicate(const ptx::Instruction& instruction) {
  if (instruction.opcode == Opcode::kSelp) {
    return ptx::SizeInBytes(instruction.type) == 8 ? SelectByPredicate<uint64_t>
                                                   : SelectByPredicate<uint32_t>;
  }
  if (instruction.type != ptx::Type::kPred) return nullptr;
  switch (instruction.opcode) {
    case Opcode::kAnd:
      return PredicateBinary<PredicateAnd>;
    case Opcode::kOr:
      return PredicateBinary<PredicateOr>;
    case Opcode::kXor:
      return PredicateBinary<PredicateXor>;
    case Opcode::kNot:
      return PredicateNot;
    case Opcode::kMov:
      return PredicateMove;
    default:
      return nullptr;
  }
}

}  // namespace flagstone::simt::FLAGSTONE_SIMT_VARIANT
