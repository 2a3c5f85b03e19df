#include "analyzer/address/slice_evaluator.h"

#include <fmt/format.h>

#include <array>
#include <optional>

#include "analyzer/address/integer_ops.h"

namespace flagstone {
namespace {

using ptx::Opcode;
using Special = ptx::SpecialRegister;

}  // namespace

SliceEvaluator::SliceEvaluator(const KernelLaunch& launch, const KernelStructure& structure,
                               std::span<const uint32_t> accesses)
    : launch_(&launch), structure_(&structure), program_(launch, structure) {
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
  slots_ = program_.slots();
}

void SliceEvaluator::SetThread(const Dim3& tb, uint32_t thread) {
  const Dim3& block = launch_->block;
  const auto set = [&](Special special, uint64_t value) {
    slots_[program_.SlotOf(special)] = value;
  };
  set(Special::kTidX, thread % block.x);
  set(Special::kTidY, thread / block.x % block.y);
  set(Special::kTidZ, thread / block.x / block.y);
  set(Special::kCtaidX, tb.x);
  set(Special::kCtaidY, tb.y);
  set(Special::kCtaidZ, tb.z);
  set(Special::kNtidX, block.x);
  set(Special::kNtidY, block.y);
  set(Special::kNtidZ, block.z);
  set(Special::kNctaidX, launch_->grid.x);
  set(Special::kNctaidY, launch_->grid.y);
  set(Special::kNctaidZ, launch_->grid.z);
  const uint32_t lane = thread % 32;
  set(Special::kLaneid, lane);
  set(Special::kWarpid, thread / 32);
  set(Special::kLanemaskEq, uint64_t{1} << lane);
  set(Special::kLanemaskLt, (uint64_t{1} << lane) - 1);
  set(Special::kLanemaskLe, (uint64_t{2} << lane) - 1);
  set(Special::kLanemaskGt, Truncate(~((uint64_t{2} << lane) - 1), 32));
  set(Special::kLanemaskGe, Truncate(~((uint64_t{1} << lane) - 1), 32));
  set(Special::kDynamicSmemSize, launch_->dynamic_shared_bytes);
  set(Special::kTotalSmemSize, launch_->SharedBytes());
}

bool SliceEvaluator::Evaluate(uint64_t tb, std::vector<Executed>& executed) {
  if (access_count_ == 0) return true;
  const Dim3 at = TbCoordinates(tb, launch_->grid);
  for (uint32_t thread = 0; thread < launch_->ThreadsPerTb(); ++thread) {
    SetThread(at, thread);
    if (!RunThread(executed)) return false;
  }
  return true;
}

bool SliceEvaluator::RunThread(std::vector<Executed>& executed) {
  for (ptx::BlockId block = 0; block != ptx::kNoBlock; block = Next(block)) {
    steps_ += program_.blocks()[block].steps.size() + 1;
    if (steps_ > step_limit_) {
      problem_ = fmt::format("more than {} instructions to evaluate", step_limit_);
      return false;
    }
    for (const SliceStep& step : program_.blocks()[block].steps) {
      if (!RunStep(step, executed)) return false;
    }
  }
  return true;
}

bool SliceEvaluator::GuardHolds(const ptx::Instruction& instruction) const {
  return !instruction.guard || ((slots_[*instruction.guard] & 1) != 0) != instruction.guard_negated;
}

bool SliceEvaluator::RunStep(const SliceStep& step, std::vector<Executed>& executed) {
  if (!GuardHolds(*step.instruction)) return true;
  if (step.is_access) {
    executed.push_back({step.pc, slots_[step.sources[0]] + static_cast<uint64_t>(step.offset)});
    return true;
  }
  std::array<uint64_t, 4> sources = {};
  for (size_t i = 0; i < step.source_count; ++i) {
    sources[i] = slots_[step.sources[i]];
    if (step.negated[i]) sources[i] ^= 1;
  }
  const std::optional<uint64_t> result =
      EvaluateInteger(*step.instruction, std::span(sources).first(step.source_count));
  if (!result) {
    problem_ = fmt::format("'{}' in line {} has no defined result", step.instruction->text,
                           step.instruction->location.line);
    return false;
  }
  if (step.instruction->operands.empty() ||
      step.instruction->operands[0].kind != ptx::Operand::Kind::kSink) {
    slots_[step.destination] = *result;
  }
  if (step.instruction->destinations == 2) slots_[step.second] = *result ^ 1;
  return true;
}

// A branch outside the slice decides nothing here: on to where its paths meet again.
ptx::BlockId SliceEvaluator::Next(ptx::BlockId block) const {
  const ptx::BasicBlock& here = structure_->flow.blocks()[block];
  const ptx::Instruction& terminator =
      launch_->kernel->instructions[program_.blocks()[block].terminator];
  const bool is_branch = terminator.opcode == Opcode::kBra;
  const bool leaves =
      terminator.opcode == Opcode::kRet || terminator.opcode == Opcode::kExit ||
      terminator.opcode == Opcode::kTrap ||
      (is_branch && terminator.operands[0].target >= launch_->kernel->instructions.size());
  if (terminator.guard && (is_branch || leaves)) {
    if (!program_.blocks()[block].follows_branch)
      return structure_->flow.ImmediatePostDominator(block);
    const bool holds = GuardHolds(terminator);
    if (leaves && holds) return ptx::kNoBlock;
    if (here.successors.empty()) return ptx::kNoBlock;
    return holds ? here.successors.back() : here.successors.front();
  }
  if (leaves || here.successors.empty()) return ptx::kNoBlock;
  return here.successors.front();
}

}  // namespace flagstone
