#include "analyzer/address/slice_evaluator.h"

#include <fmt/core.h>

#include "analyzer/address/slice_branch.h"

namespace flagstone {
namespace {

constexpr uint64_t kNoSuchAddress = uint64_t{1} << 62;  // no memory reaches so far

}  // namespace

SliceEvaluator::SliceEvaluator(const KernelLaunch& launch, const KernelStructure& structure,
                               std::span<const uint32_t> accesses)
    : launch_(&launch), structure_(&structure), program_(launch, structure), thread_(launch) {
  turns_.assign(structure.forest.loops().size(), 0);
  const ptx::Kernel& kernel = *launch.kernel;
  Slice all;
  all.contains = std::vector<bool>(kernel.instructions.size());
  std::vector<uint32_t> wanted;
  for (const uint32_t pc : accesses) {
    const Slice slice = structure.slicer.OfAccess(pc);
    std::string problem;
    if (!slice.reads.empty()) {
      problem = fmt::format("depends on a value read in line {}",
                            kernel.instructions[slice.reads.front()].location.line);
    } else {
      const uint32_t one[] = {pc};
      problem = SliceProgram(launch, structure).Decode(slice, one);
    }
    if (!problem.empty()) {
      refused_.push_back({pc, problem});
      continue;
    }
    wanted.push_back(pc);
    for (size_t i = 0; i < all.contains.size(); ++i) {
      if (slice.contains[i]) all.contains[i] = true;
    }
  }
  access_count_ = wanted.size();
  program_.Decode(all, wanted);
  thread_.Load(program_);
}

bool SliceEvaluator::Evaluate(uint64_t tb, std::vector<Executed>& executed) {
  for (uint32_t warp = 0; warp < launch_->WarpsPerTb(); ++warp) {
    if (!EvaluateWarp(tb, warp, executed)) return false;
  }
  return true;
}

bool SliceEvaluator::EvaluateWarp(uint64_t tb, uint32_t warp, std::vector<Executed>& executed) {
  if (access_count_ == 0) return true;
  const Dim3 at = TbCoordinates(tb, launch_->grid);
  const uint32_t end = std::min(32 * (warp + 1), launch_->ThreadsPerTb());
  for (uint32_t thread = 32 * warp; thread < end; ++thread) {
    thread_.Become(at, thread);
    if (!RunThread(thread, executed)) return false;
  }
  return true;
}

bool SliceEvaluator::RunThread(uint32_t thread, std::vector<Executed>& executed) {
  ptx::BlockId before = ptx::kNoBlock;
  for (ptx::BlockId block = 0; block != ptx::kNoBlock; before = block, block = Next(block)) {
    CountTurn(before, block);
    steps_ += program_.blocks()[block].steps.size() + 1;
    if (steps_ > step_limit_) {
      problem_ = fmt::format("more than {} instructions to evaluate", step_limit_);
      return false;
    }
    for (const SliceStep& step : program_.blocks()[block].steps) {
      if (!RunStep(step, thread, executed)) return false;
    }
  }
  return true;
}

bool SliceEvaluator::RunStep(const SliceStep& step, uint32_t thread,
                             std::vector<Executed>& executed) {
  if (!thread_.GuardHolds(*step.instruction)) return true;
  if (step.is_access) {
    if (thread_.Address(step) >= kNoSuchAddress) {
      problem_ = fmt::format("the address in line {} goes beyond 64 bits",
                             step.instruction->location.line);
      return false;
    }
    executed.push_back(
        {step.pc, thread, thread_.Address(step), TurnOf(structure_->flow.BlockOf(step.pc))});
    return true;
  }
  if (thread_.Run(step)) return true;
  problem_ = fmt::format("'{}' in line {} has no defined result", step.instruction->text,
                         step.instruction->location.line);
  return false;
}

void SliceEvaluator::CountTurn(ptx::BlockId from, ptx::BlockId to) {
  const uint32_t loop = structure_->forest.HeaderOf(to);
  if (loop == kNoLoop) return;
  const bool turns = from != ptx::kNoBlock && structure_->forest.Contains(loop, from);
  turns_[loop] = turns ? turns_[loop] + 1 : 0;
}

uint64_t SliceEvaluator::TurnOf(ptx::BlockId block) const {
  uint64_t turn = 0;
  for (uint32_t loop = structure_->forest.InnermostOf(block); loop != kNoLoop;
       loop = structure_->forest.loops()[loop].parent) {
    turn = (turn ^ turns_[loop]) * 0x9e3779b97f4a7c15U;
  }
  return turn;
}

// A branch outside the slice decides nothing here: on to where its paths meet again.
ptx::BlockId SliceEvaluator::Next(ptx::BlockId block) const {
  const ptx::Instruction& last = launch_->kernel->instructions[program_.blocks()[block].terminator];
  const bool branches = last.opcode == ptx::Opcode::kBra || EndsThread(*launch_->kernel, last);
  if (last.guard && branches && !program_.blocks()[block].follows_branch) {
    return structure_->flow.ImmediatePostDominator(block);
  }
  return BranchTarget(*launch_->kernel, structure_->flow.blocks()[block], last,
                      thread_.GuardHolds(last));
}

}  // namespace flagstone
