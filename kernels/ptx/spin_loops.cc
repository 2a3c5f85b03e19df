#include "kernels/ptx/spin_loops.h"

#include <unordered_map>
#include <unordered_set>

#include "kernels/ptx/liveness.h"

namespace flagstone::ptx {
namespace {

// The natural loop of one edge back to its header, or of all: what in it writes which register, and
// how it is left.
class Loop {
 public:
  Loop(const Kernel& kernel, const ControlFlow& flow, BlockId header)
      : kernel_(kernel), flow_(flow), in_loop_(flow.blocks().size(), false), body_{header} {
    in_loop_[header] = true;
  }

  // The loop has this edge back to its header.
  void AddLatch(BlockId latch) {
    std::vector<BlockId> work = {latch};
    while (!work.empty()) {
      const BlockId block = work.back();
      work.pop_back();
      if (in_loop_[block]) continue;
      in_loop_[block] = true;
      body_.push_back(block);
      const std::vector<BlockId>& before = flow_.blocks()[block].predecessors;
      work.insert(work.end(), before.begin(), before.end());
    }
  }

  // Marks its exits, if all hang on what others write.
  void MarkExits(std::vector<Stays>* stays) {
    NoteWriters();
    std::vector<uint32_t> exits;
    for (const BlockId block : body_) {
      const uint32_t pc = flow_.blocks()[block].end - 1;
      const Instruction& last = kernel_.instructions[pc];
      if (StaysOf(block, last) == Stays::kNowhere && !LeavesKernel(last.opcode)) continue;
      if (!HangsOnOthers(last)) return;
      exits.push_back(pc);
    }
    for (const uint32_t pc : exits) {
      (*stays)[pc] = StaysOf(flow_.BlockOf(pc), kernel_.instructions[pc]);
    }
  }

 private:
  static bool LeavesKernel(Opcode opcode) {
    return opcode == Opcode::kRet || opcode == Opcode::kExit;
  }

  Stays StaysOf(BlockId block, const Instruction& last) const {
    if (last.opcode != Opcode::kBra || !last.guard.has_value()) return Stays::kNowhere;
    const uint32_t next = flow_.blocks()[block].end;
    const bool next_stays = next < kernel_.instructions.size() && in_loop_[flow_.BlockOf(next)];
    const uint32_t target = last.operands[0].target;
    const bool target_stays =
        target < kernel_.instructions.size() && in_loop_[flow_.BlockOf(target)];
    if (next_stays == target_stays) return Stays::kNowhere;
    return target_stays ? Stays::kAtTarget : Stays::kAtNext;
  }

  void NoteWriters() {
    for (const BlockId block : body_) {
      for (uint32_t pc = flow_.blocks()[block].begin; pc < flow_.blocks()[block].end; ++pc) {
        ForEachWritten(kernel_.instructions[pc],
                       [&](RegisterId reg) { writers_[reg].push_back(pc); });
      }
    }
  }

  static bool ReadsMemory(const Instruction& instruction) {
    const bool tests = instruction.modifiers.mbarrier_op == MbarrierOp::kTestWait ||
                       instruction.modifiers.mbarrier_op == MbarrierOp::kTryWait;
    if (instruction.opcode != Opcode::kLd && instruction.opcode != Opcode::kAtom && !tests) {
      return false;
    }
    return instruction.space != Space::kParam && instruction.space != Space::kConst;
  }

  // Whether the register has the same value each time round: nothing in the loop writes it but from
  // such registers. What is computed in more steps than an address takes is not looked into.
  bool IsFixed(RegisterId reg, uint32_t steps = 32) {
    if (steps == 0) return false;
    const auto [known, is_new] = fixed_.try_emplace(reg, false);  // what hangs on itself changes
    if (!is_new) return known->second;
    const auto writers = writers_.find(reg);
    bool fixed = true;
    if (writers != writers_.end()) {
      for (const uint32_t pc : writers->second) {
        const Instruction& writer = kernel_.instructions[pc];
        if (ReadsMemory(writer) || writer.modifiers.lane_op != LaneOp::kNone) fixed = false;
        ForEachRead(writer,
                    [&](RegisterId source) { fixed = fixed && IsFixed(source, steps - 1); });
      }
    }
    fixed_[reg] = fixed;
    return fixed;
  }

  bool IsAtFixedAddress(const Instruction& access) {
    const Operand* const address = access.Address();
    return address != nullptr && (!address->has_register_base || IsFixed(address->reg));
  }

  // Whether what guards the exit comes from a value that others may have written.
  bool HangsOnOthers(const Instruction& exit) {
    if (!exit.guard.has_value()) return false;
    std::vector<RegisterId> work = {*exit.guard};
    std::unordered_set<RegisterId> seen(work.begin(), work.end());
    while (!work.empty()) {
      const auto writers = writers_.find(work.back());
      work.pop_back();
      if (writers == writers_.end()) continue;
      for (const uint32_t pc : writers->second) {
        const Instruction& writer = kernel_.instructions[pc];
        if (ReadsMemory(writer)) {
          if (IsAtFixedAddress(writer)) return true;
          continue;
        }
        ForEachRead(writer, [&](RegisterId source) {
          if (seen.insert(source).second) work.push_back(source);
        });
      }
    }
    return false;
  }

  const Kernel& kernel_;
  const ControlFlow& flow_;
  std::vector<bool> in_loop_;  // by block
  std::vector<BlockId> body_;  // the blocks of the loop
  std::unordered_map<RegisterId, std::vector<uint32_t>> writers_;
  std::unordered_map<RegisterId, bool> fixed_;
};

}  // namespace

std::vector<Stays> FindSpinLoops(const Kernel& kernel, const ControlFlow& flow) {
  std::vector<Stays> stays(kernel.instructions.size(), Stays::kNowhere);
  for (BlockId header = 0; header < flow.blocks().size(); ++header) {
    const std::vector<BlockId>& before = flow.blocks()[header].predecessors;
    Loop all(kernel, flow, header);
    uint32_t latches = 0;
    for (const BlockId from : before) {
      if (!flow.Dominates(header, from)) continue;
      // Loops one in the other may begin at the same block.
      Loop one(kernel, flow, header);
      one.AddLatch(from);
      one.MarkExits(&stays);
      all.AddLatch(from);
      ++latches;
    }
    if (latches > 1) all.MarkExits(&stays);
  }
  return stays;
}

}  // namespace flagstone::ptx
