// Which operands an instruction takes in the form at hand: some depend on its modifiers.
#include "kernels/ptx/instruction_table.h"

namespace flagstone::ptx {
namespace {

// bar.sync a{, b}; bar.arrive a, b; bar.red p|d, a{, b}, c; bar.warp.sync mask.
std::string BarrierLetters(const Instruction& instruction, size_t found) {
  switch (instruction.modifiers.barrier_op) {
    case BarrierOp::kRed: {
      const std::string result = instruction.type == Type::kPred ? "Q" : "N";
      return result + (found == 4 ? "12B" : "1B");
    }
    case BarrierOp::kArrive:
      return "12";
    case BarrierOp::kSync:
      return found == 2 ? "12" : "1";
    case BarrierOp::kClusterArrive:
    case BarrierOp::kClusterWait:
      return "";
    default:
      return "1";
  }
}

// A count may be left out, and so may what a try_wait says of how long it would wait.
std::string MbarrierLetters(const Instruction& instruction, size_t found) {
  const Modifiers& m = instruction.modifiers;
  switch (m.mbarrier_op) {
    case MbarrierOp::kInval:
      return "M";
    case MbarrierOp::kArrive:
      return found == 2 && !m.transaction ? "TM" : "TMU";
    case MbarrierOp::kTestWait:
    case MbarrierOp::kTryWait: {
      const std::string letters = m.parity ? "QMU" : "QMA";
      return found == 4 && m.mbarrier_op == MbarrierOp::kTryWait ? letters + "U" : letters;
    }
    case MbarrierOp::kPendingCount:
      return "NA";
    default:
      return "MU";
  }
}

bool HasOffsets(TensorMode mode) {
  return mode == TensorMode::kIm2col || mode >= TensorMode::kIm2colW;
}

// cp.async [to], [from], bytes{, bytes that are there}: the parser has put `from` first.
std::string AsyncLetters(const Instruction& instruction, size_t found) {
  const Modifiers& m = instruction.modifiers;
  switch (m.async_op) {
    case AsyncOp::kCopy: {
      const std::string policy = m.cache_policy ? "H" : "";
      return (found > 3 + policy.size() ? "MmJU" : "MmJ") + policy;
    }
    case AsyncOp::kWaitGroup:
    case AsyncOp::kBulkWait:
      return "J";
    case AsyncOp::kMbarrierArrive:
      return "M";
    case AsyncOp::kBulkCopy:
      return std::string(m.prefetch      ? "MU"
                         : m.transaction ? "MqUq"
                                         : "MqU") +
             (m.multicast ? "c" : "") + (m.cache_policy ? "H" : "");
    case AsyncOp::kTensorCopy:
      return std::string(m.prefetch ? "g"
                         : m.to     ? "gq"
                                    : "gqq") +
             (HasOffsets(m.tensor_mode) ? "i" : "") + (m.multicast ? "c" : "") +
             (m.cache_policy ? "H" : "");
    default:
      return "";
  }
}

// Fields that each dimension has are named by its number; a copy is as in AsyncLetters.
std::string TensormapLetters(const Modifiers& m) {
  if (m.tensor_field == TensorField::kNone) return "MqU";
  const bool by_dimension =
      m.tensor_field >= TensorField::kBoxDim && m.tensor_field <= TensorField::kElementStride;
  return by_dimension ? "MjA" : "MA";
}

// A fraction may be left out; a range has an address, and its sizes.
std::string PolicyLetters(const Instruction& instruction, size_t found) {
  switch (instruction.modifiers.policy_kind) {
    case PolicyKind::kFractional:
      return found == 1 ? "D" : "DF";
    case PolicyKind::kRange:
      return "DMUU";
    default:
      return "DA";
  }
}

}  // namespace

std::string OperandLetters(const InstructionRule& rule, const Instruction& instruction,
                           size_t found) {
  const Modifiers& m = instruction.modifiers;
  if (rule.opcode == Opcode::kBar) return BarrierLetters(instruction, found);
  if (rule.opcode == Opcode::kCpAsync) return AsyncLetters(instruction, found);
  if (rule.opcode == Opcode::kMbarrier) return MbarrierLetters(instruction, found);
  if (rule.opcode == Opcode::kTensormap) return TensormapLetters(m);
  if (rule.opcode == Opcode::kFence) return m.of_map ? "MJ" : "";
  if (rule.opcode == Opcode::kCreatepolicy) return PolicyLetters(instruction, found);
  std::string letters(rule.operands);
  if (rule.opcode == Opcode::kAlloca) return found > 2 ? "DAJ" : letters;
  if (rule.opcode == Opcode::kMma) {
    return letters + (m.sparse ? "UJ" : "") + (m.block_scale ? "UeUe" : "");
  }
  if (rule.opcode == Opcode::kTxq) return m.level ? letters + 'U' : letters;
  if (rule.opcode == Opcode::kTex && m.sampler) letters.insert(2, 1, 'k');
  if (rule.opcode == Opcode::kCvt && IsPackedByFour(instruction.type)) return "DfU";
  if (rule.opcode == Opcode::kCvt && IsPacked(instruction.type)) {
    if (m.rounding == Rounding::kRs) return "DSSU";
    return instruction.source_type == Type::kF32 ? "DSS" : "DS";
  }
  if (rule.opcode == Opcode::kCvt && IsPacked(instruction.source_type)) return "DS";
  if (rule.opcode == Opcode::kCvtPack) {
    return instruction.third_type == Type::kNone ? "NSS" : letters;
  }
  if (rule.opcode == Opcode::kLop3) {
    return m.boolean_op == BooleanOp::kNone ? "DAAAI" : letters;
  }
  if (m.vector > 1 && (rule.opcode == Opcode::kAtom || rule.opcode == Opcode::kRed)) {
    letters = rule.opcode == Opcode::kAtom ? "vMw" : "Mw";
  }
  // The carry is the last source, once the parser has put it there.
  if (m.carry_in && instruction.destinations != 0) return letters + 'P';
  if (rule.opcode == Opcode::kVote) {
    letters = m.lane_op == LaneOp::kBallot ? "NBY" : "QBY";
  } else if (letters.ends_with('B') && m.boolean_op == BooleanOp::kNone) {
    letters.pop_back();
  }
  if (letters.ends_with('K') && m.atomic_op != AtomicOp::kCas) letters.pop_back();
  if (letters.ends_with('Y') && !m.lane_sync) letters.pop_back();
  if (letters.ends_with('O') && !m.level) letters.pop_back();
  if (m.cache_policy) letters += 'H';
  return letters;
}

}  // namespace flagstone::ptx
