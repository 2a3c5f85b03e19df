#include "analyzer/address/slice_evaluator.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>

#include "analyzer/address/slice_branch.h"

namespace flagstone {
namespace {

constexpr uint64_t kNoSuchAddress = uint64_t{1} << 62;  // no memory reaches so far; one bit

}  // namespace

SliceEvaluator::SliceEvaluator(const KernelLaunch& launch, const KernelStructure& structure,
                               std::span<const uint32_t> accesses, const ConstantBytes* constants)
    : launch_(&launch),
      structure_(&structure),
      functions_(FunctionsFor(launch, structure, accesses)),
      program_(launch, structure, functions_.get()),
      warp_(launch, functions_.get(), constants) {
  turns_.assign(structure.forest.loops().size(), {});
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
      problem = SliceProgram(launch, structure, functions_.get()).Decode(slice, one);
    }
    if (problem.empty() && !slice.constants.empty() && constants == nullptr) {
      problem = fmt::format("depends on a table read in line {}",
                            kernel.instructions[slice.constants.front()].location.line);
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
  warp_.Load(program_);
}

bool SliceEvaluator::Evaluate(uint64_t tb, std::vector<Executed>& executed) {
  for (uint32_t warp = 0; warp < launch_->WarpsPerTb(); ++warp) {
    if (!EvaluateWarp(tb, warp, executed)) return false;
  }
  return true;
}

bool SliceEvaluator::EvaluateWarp(uint64_t tb, uint32_t warp, std::vector<Executed>& executed) {
  const size_t first = executed.size();
  const bool evaluated = VisitWarp(tb, warp, [&](const Together& at) {
    for (uint32_t left = at.lanes; left != 0; left &= left - 1) {
      const auto lane = static_cast<uint32_t>(std::countr_zero(left));
      executed.push_back(
          {at.pc, kSliceLanes * warp + lane, at.addresses[lane], TurnOf(at.pc, lane)});
    }
  });
  std::stable_sort(executed.begin() + static_cast<std::ptrdiff_t>(first), executed.end(),
                   [](const Executed& a, const Executed& b) { return a.thread < b.thread; });
  return evaluated;
}

bool SliceEvaluator::VisitWarp(uint64_t tb, uint32_t warp, const Visit& visit) {
  if (access_count_ == 0) return true;
  paths_.Clear();
  Go(ptx::kNoBlock, 0, warp_.Become(TbCoordinates(tb, launch_->grid), warp));
  while (!paths_.Done()) {
    const LanePaths::Group at = paths_.Take();
    if (!RunBlock(at, visit)) return false;
    GoOn(at);
  }
  return true;
}

bool SliceEvaluator::RunBlock(const LanePaths::Group& at, const Visit& visit) {
  const std::vector<SliceStep>& steps = program_.blocks()[at.block].steps;
  steps_ += (steps.size() + 1) * static_cast<uint64_t>(std::popcount(at.lanes));
  if (steps_ > step_limit_) {
    problem_ = fmt::format("more than {} instructions to evaluate", step_limit_);
    return false;
  }
  for (const SliceStep& step : steps) {
    const uint32_t lanes = warp_.Guarded(*step.instruction, at.lanes);
    if (lanes == 0) continue;
    if (step.is_access) {
      if (!RunAccess(step, lanes, visit)) return false;
    } else if (!warp_.Run(step, lanes)) {
      problem_ = fmt::format("'{}' in line {} has no defined result", step.instruction->text,
                             step.instruction->location.line);
      return false;
    }
  }
  return true;
}

bool SliceEvaluator::RunAccess(const SliceStep& step, uint32_t lanes, const Visit& visit) {
  together_.pc = step.pc;
  together_.lanes = lanes;
  // All lanes at once, in one loop that a compiler can turn into vectors; those that do not run the
  // access count for nothing.
  uint64_t reached = 0;
  for (uint32_t lane = 0; lane < kSliceLanes; ++lane) {
    together_.addresses[lane] = warp_.Address(step, lane);
    reached |= together_.addresses[lane];
  }
  if (lanes != kAllSliceLanes) {
    reached = 0;
    for (uint32_t left = lanes; left != 0; left &= left - 1) {
      reached |= together_.addresses[static_cast<size_t>(std::countr_zero(left))];
    }
  }
  if (reached >= kNoSuchAddress) {
    problem_ =
        fmt::format("the address in line {} goes beyond 64 bits", step.instruction->location.line);
    return false;
  }
  visit(together_);
  return true;
}

uint64_t SliceEvaluator::TurnOf(uint32_t pc, uint32_t lane) const {
  uint64_t turn = 0;
  const ptx::BlockId block = structure_->flow.BlockOf(pc);
  for (uint32_t loop = structure_->forest.InnermostOf(block); loop != kNoLoop;
       loop = structure_->forest.loops()[loop].parent) {
    turn = (turn ^ turns_[loop][lane]) * 0x9e3779b97f4a7c15U;
  }
  return turn;
}

// A branch outside the slice decides nothing here: on to where its paths meet again.
void SliceEvaluator::GoOn(const LanePaths::Group& from) {
  const SliceBlock& block = program_.blocks()[from.block];
  const ptx::Instruction& last = launch_->kernel->instructions[block.terminator];
  const bool branches = last.opcode == ptx::Opcode::kBra || EndsThread(*launch_->kernel, last);
  if (last.guard && branches && !block.follows_branch) {
    Go(from.block, structure_->flow.ImmediatePostDominator(from.block), from.lanes);
    return;
  }
  const ptx::BasicBlock& here = structure_->flow.blocks()[from.block];
  const uint32_t taken = warp_.Guarded(last, from.lanes);
  Go(from.block, BranchTarget(*launch_->kernel, here, last, true), taken);
  Go(from.block, BranchTarget(*launch_->kernel, here, last, false), from.lanes & ~taken);
}

// Moves lanes along an edge, and counts the turn where it leads to a loop's head.
void SliceEvaluator::Go(ptx::BlockId from, ptx::BlockId to, uint32_t lanes) {
  if (to == ptx::kNoBlock || lanes == 0) return;
  paths_.Go(to, lanes);
  const uint32_t loop = structure_->forest.HeaderOf(to);
  if (loop == kNoLoop) return;
  const bool turns = from != ptx::kNoBlock && structure_->forest.Contains(loop, from);
  for (uint32_t left = lanes; left != 0; left &= left - 1) {
    uint64_t& turn = turns_[loop][static_cast<size_t>(std::countr_zero(left))];
    turn = turns ? turn + 1 : 0;
  }
}

}  // namespace flagstone
