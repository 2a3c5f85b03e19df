// When blocks run.
#include <vector>

#include "analyzer/address/value_analysis.h"

namespace flagstone {

ConditionPtr ValueAnalysis::InstructionCondition(uint32_t pc) {
  const ptx::Instruction& instruction = kernel_->instructions[pc];
  ConditionPtr block = BlockCondition(flow_->BlockOf(pc));
  if (!instruction.guard) return block;
  return And(block, GuardCondition(pc));
}

ConditionPtr ValueAnalysis::GuardCondition(uint32_t pc) {
  const ptx::Instruction& instruction = kernel_->instructions[pc];
  const AbstractValue guard = EvaluateAt(ssa_->Read(pc, *instruction.guard), flow_->BlockOf(pc));
  const ConditionPtr holds = guard.condition ? guard.condition : UnknownCondition(guard.reason);
  return instruction.guard_negated ? Not(holds) : holds;
}

ConditionPtr ValueAnalysis::BlockCondition(ptx::BlockId block) {
  BlockMemo& memo = blocks_[block];
  if (memo.state == State::kDone) return memo.condition;
  if (memo.state == State::kRunning) return UnknownCondition("control flow without structure");
  FindConditionsAbove(block);
  if (memo.state != State::kNew) return BlockCondition(block);
  memo.state = State::kRunning;
  ConditionPtr condition = ComputeBlockCondition(block);
  memo.state = State::kDone;
  memo.condition = condition;
  trail_.emplace_back(Kind::kBlock, block);
  return condition;
}

// Of a long row of blocks every so many from its front, so that recursion along it stays short.
void ValueAnalysis::FindConditionsAbove(ptx::BlockId block) {
  constexpr size_t kLong = 500;
  std::vector<ptx::BlockId> row;
  while (block != ptx::kNoBlock && blocks_[block].state == State::kNew) {
    row.push_back(block);
    block = flow_->ImmediateDominator(block);
  }
  for (size_t left = row.size() - row.size() % kLong; left > 0 && row.size() > kLong;
       left -= kLong) {
    BlockCondition(row[left - 1]);
  }
}

ConditionPtr ValueAnalysis::ComputeBlockCondition(ptx::BlockId block) {
  if (!forest_->Reachable(block)) return Never();
  const uint32_t loop = forest_->HeaderOf(block);
  return loop == kNoLoop ? Reached(block) : HeaderCondition(loop);
}

// A loop's header runs when the loop is entered, and, at counter c > 0 of a loop whose trip count
// varies, where the loop's condition to go on held at c - 1.
ConditionPtr ValueAnalysis::HeaderCondition(uint32_t loop) {
  ConditionPtr entered = Reached(forest_->loops()[loop].header);
  const TripCount& trips = TripsOf(loop);
  if (!trips.bounded) return entered;
  AffineForm before = trips.again;  // at c - 1
  AffineForm first;                 // -c
  SetLoopCoefficient(first, loop, -1);
  if (!AddScaled(before, Constant(LoopCoefficient(trips.again, loop)), -1)) {
    return UnknownCondition("a loop bound beyond 64 bits");
  }
  AffineForm at_entry = before;
  SetLoopCoefficient(at_entry, loop, 0);
  const ConditionPtr turns = AtLeastZero(before, ranges_);
  if (ranges_.Of(at_entry, Flatten(entered, ranges_).atoms).low >= 0) return And(entered, turns);
  return And(entered, Or(AtLeastZero(first, ranges_), turns));
}

// Over all ways into the block; into a loop's header, from outside the loop only.
ConditionPtr ValueAnalysis::Reached(ptx::BlockId block) {
  if (block == 0) return Always();
  const ptx::BlockId dominator = flow_->ImmediateDominator(block);
  const uint32_t around = forest_->InnermostOf(dominator);
  if ((around == kNoLoop || forest_->Contains(around, block)) && AlwaysReaches(dominator, block)) {
    return BlockCondition(dominator);
  }
  const uint32_t loop = forest_->HeaderOf(block);
  ConditionPtr reached = Never();
  for (const ptx::BlockId before : flow_->blocks()[block].predecessors) {
    if (!forest_->Reachable(before)) continue;
    if (loop != kNoLoop && forest_->Contains(loop, before)) continue;
    reached = Or(reached, PathThrough(before, block));
  }
  return reached;
}

// Whether each path from `from` comes to `to` before the loops around `from` turn again or the
// thread ends. Loops between them are taken to end.
bool ValueAnalysis::AlwaysReaches(ptx::BlockId from, ptx::BlockId to) {
  if (from == to) return false;
  enum class Known : uint8_t { kNothing, kNo, kYes };
  // What leads to `to` at all is soon found from there, and whatever leaves that never comes back.
  std::vector<Known> known(flow_->blocks().size(), Known::kNo);
  for (const ptx::BlockId block : BlocksBetween(from, to)) known[block] = Known::kNothing;
  known[to] = Known::kYes;
  known[from] = Known::kNo;
  struct Visit {
    ptx::BlockId block = 0;
    size_t next = 0;  // of its successors
  };
  std::vector<Visit> path = {{from, 0}};  // no recursion: kernels have ten thousands of blocks
  while (!path.empty()) {
    Visit& visit = path.back();
    const ptx::BlockId block = visit.block;
    const ptx::BasicBlock& here = flow_->blocks()[block];
    const uint32_t last = here.end - 1;
    bool all = !here.successors.empty();
    if (visit.next == 0 && EndsThread(last) && kernel_->instructions[last].guard) {
      all = all && GuardKind(last) == Condition::Kind::kFalse;
    }
    bool deeper = false;
    for (; all && visit.next < here.successors.size(); ++visit.next) {
      const ptx::BlockId next = here.successors[visit.next];
      const uint32_t header_of = forest_->HeaderOf(next);
      const bool back = header_of != kNoLoop && forest_->Contains(header_of, block);
      if (back && !forest_->Contains(header_of, from)) continue;
      if (EdgeNeverTaken(block, next)) continue;
      all = !back || next == to;
      if (!all) break;
      if (known[next] == Known::kNothing) {
        known[next] = Known::kNo;
        deeper = true;
        path.push_back({next, 0});  // `visit` is gone; the same successor is looked at again after
        break;
      }
      all = known[next] == Known::kYes;
    }
    if (deeper) continue;
    known[block] = all ? Known::kYes : Known::kNo;
    path.pop_back();
  }
  return known[from] == Known::kYes;
}

// Those on paths from `from`, which dominates `to`, to there that no loop around `from` turns on.
std::vector<ptx::BlockId> ValueAnalysis::BlocksBetween(ptx::BlockId from, ptx::BlockId to) const {
  std::vector<ptx::BlockId> between = {to};
  std::vector<bool> seen(flow_->blocks().size());
  seen[from] = seen[to] = true;
  for (size_t i = 0; i < between.size(); ++i) {
    const ptx::BlockId block = between[i];
    const uint32_t loop = forest_->HeaderOf(block);
    const bool turns = loop != kNoLoop && forest_->Contains(loop, from);
    for (const ptx::BlockId before : flow_->blocks()[block].predecessors) {
      if (seen[before] || (turns && forest_->Contains(loop, before))) continue;
      seen[before] = true;
      between.push_back(before);
    }
  }
  return between;
}

ConditionPtr ValueAnalysis::EdgeCondition(ptx::BlockId from, ptx::BlockId to) {
  const ptx::BasicBlock& block = flow_->blocks()[from];
  const uint32_t last = block.end - 1;
  const ptx::Instruction& terminator = kernel_->instructions[last];
  if (!terminator.guard) return Always();
  if (EndsThread(last)) return Not(GuardCondition(last));
  if (terminator.opcode != ptx::Opcode::kBra || block.successors.size() < 2) return Always();
  const ConditionPtr taken = GuardCondition(last);
  return to == block.successors[1] ? taken : Not(taken);
}

// As EdgeCondition(), without its parts: paths are looked at again and again.
bool ValueAnalysis::EdgeNeverTaken(ptx::BlockId from, ptx::BlockId to) {
  const ptx::BasicBlock& block = flow_->blocks()[from];
  const uint32_t last = block.end - 1;
  const ptx::Instruction& terminator = kernel_->instructions[last];
  if (!terminator.guard) return false;
  const bool ends = EndsThread(last);
  if (!ends && (terminator.opcode != ptx::Opcode::kBra || block.successors.size() < 2)) {
    return false;
  }
  const bool taken = !ends && to == block.successors[1];
  return GuardKind(last) == (taken ? Condition::Kind::kFalse : Condition::Kind::kTrue);
}

// The kind of GuardCondition(), from what is known of the predicate where its loop is still around.
Condition::Kind ValueAnalysis::GuardKind(uint32_t pc) {
  const ptx::Instruction& instruction = kernel_->instructions[pc];
  const ValueId predicate = ssa_->Read(pc, *instruction.guard);
  const ValueMemo& memo = values_[predicate];
  const bool here = memo.state == State::kDone && memo.value.condition &&
                    forest_->InnermostOf(ssa_->values()[predicate].block) ==
                        forest_->InnermostOf(flow_->BlockOf(pc));
  if (!here) return GuardCondition(pc)->kind;
  const Condition::Kind kind = memo.value.condition->kind;
  if (!instruction.guard_negated) return kind;
  if (kind == Condition::Kind::kTrue) return Condition::Kind::kFalse;
  return kind == Condition::Kind::kFalse ? Condition::Kind::kTrue : kind;
}

// Whether the instruction, where its guard holds, is the thread's last.
bool ValueAnalysis::EndsThread(uint32_t pc) const {
  const ptx::Instruction& instruction = kernel_->instructions[pc];
  if (instruction.opcode == ptx::Opcode::kBra) {
    return instruction.operands[0].target >= kernel_->instructions.size();
  }
  return instruction.opcode == ptx::Opcode::kRet || instruction.opcode == ptx::Opcode::kExit ||
         instruction.opcode == ptx::Opcode::kTrap;
}

bool ValueAnalysis::EdgeIsDead(ptx::BlockId from, ptx::BlockId to) {
  return EdgeNeverTaken(from, to) || BlockCondition(from)->kind == Condition::Kind::kFalse;
}

ConditionPtr ValueAnalysis::PathThrough(ptx::BlockId from, ptx::BlockId to) {
  ConditionPtr path = And(BlockCondition(from), EdgeCondition(from, to));
  for (uint32_t loop = forest_->InnermostOf(from); loop != kNoLoop && !forest_->Contains(loop, to);
       loop = forest_->loops()[loop].parent) {
    if (path->kind == Condition::Kind::kFalse) return path;
    if (LiveWaysOut(loop) == 1) {  // the loop ends, and it ends here
      path = Reached(forest_->loops()[loop].header);
      continue;
    }
    const TripCount& trips = TripsOf(loop);
    if (!trips.uniform) return UnknownCondition("an exit from a loop: " + trips.reason);
    path = Substitute(path, loop, static_cast<int64_t>(trips.count) - 1, ranges_);
  }
  return path;
}

size_t ValueAnalysis::LiveWaysOut(uint32_t loop) {
  size_t ways = 0;
  for (const ptx::BlockId block : forest_->order()) {
    if (!forest_->Contains(loop, block)) continue;
    const uint32_t last = flow_->blocks()[block].end - 1;
    const ptx::Instruction& terminator = kernel_->instructions[last];
    if (EndsThread(last) && (!terminator.guard || GuardKind(last) != Condition::Kind::kFalse)) {
      ++ways;
    }
    for (const ptx::BlockId next : flow_->blocks()[block].successors) {
      if (forest_->Contains(loop, next)) continue;
      if (!EdgeNeverTaken(block, next)) ++ways;
    }
  }
  return ways;
}

std::span<const Guard> ValueAnalysis::GuardsOf(ptx::BlockId block) {
  const ConditionPtr condition = BlockCondition(block);
  BlockMemo& memo = blocks_[block];
  if (memo.state != State::kDone) return {};
  if (!memo.has_guards) {
    memo.guards = Flatten(condition, ranges_).atoms;
    memo.has_guards = true;
  }
  return memo.guards;
}

}  // namespace flagstone
