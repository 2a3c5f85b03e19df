#include "analyzer/address/address_probe.h"

#include <fmt/core.h>

#include "analyzer/address/slice_branch.h"

namespace flagstone {
namespace {

constexpr uint64_t kMaxStepsPerThread = uint64_t{1} << 20;

}  // namespace

AddressProbe::AddressProbe(const KernelLaunch& launch, const KernelStructure& structure,
                           uint32_t pc)
    : launch_(&launch), structure_(&structure), program_(launch, structure), thread_(launch) {
  const Slice slice = structure.slicer.OfAddress(pc);
  if (!slice.reads.empty()) {
    problem_ = fmt::format("depends on a value read in line {}",
                           launch.kernel->instructions[slice.reads.front()].location.line);
    return;
  }
  const uint32_t accesses[] = {pc};
  problem_ = program_.Decode(slice, accesses);
  if (!problem_.empty()) return;
  thread_.Load(program_);
  FindBlocksThatReach(structure.flow.BlockOf(pc));
  if (!reaches_[0]) problem_ = "no path leads to it";
}

void AddressProbe::FindBlocksThatReach(ptx::BlockId access) {
  reaches_.assign(structure_->flow.blocks().size(), false);
  reaches_[access] = true;
  std::vector<ptx::BlockId> work = {access};
  while (!work.empty()) {
    const ptx::BlockId block = work.back();
    work.pop_back();
    const uint32_t loop = structure_->forest.HeaderOf(block);
    for (const ptx::BlockId before : structure_->flow.blocks()[block].predecessors) {
      const bool turns = loop != kNoLoop && structure_->forest.Contains(loop, before);
      if (turns || reaches_[before]) continue;
      reaches_[before] = true;
      work.push_back(before);
    }
  }
}

std::optional<uint64_t> AddressProbe::At(const Dim3& tb, uint32_t thread) {
  if (!problem_.empty()) return std::nullopt;
  thread_.Become(tb, thread);
  uint64_t steps = 0;
  for (ptx::BlockId block = 0; steps < kMaxStepsPerThread; block = Next(block)) {
    const SliceBlock& here = program_.blocks()[block];
    steps += here.steps.size() + 1;
    steps_ += here.steps.size() + 1;
    for (const SliceStep& step : here.steps) {
      if (step.is_access) return thread_.Address(step);
      if (thread_.GuardHolds(*step.instruction) && !thread_.Run(step)) {
        problem_ = fmt::format("'{}' in line {} has no defined result", step.instruction->text,
                               step.instruction->location.line);
        return std::nullopt;
      }
    }
  }
  problem_ = fmt::format("more than {} instructions to evaluate", kMaxStepsPerThread);
  return std::nullopt;
}

ptx::BlockId AddressProbe::Next(ptx::BlockId block) const {
  const ptx::BasicBlock& here = structure_->flow.blocks()[block];
  const ptx::Instruction& last = launch_->kernel->instructions[program_.blocks()[block].terminator];
  ptx::BlockId wanted = ptx::kNoBlock;
  if (last.guard) {
    wanted = program_.blocks()[block].follows_branch
                 ? BranchTarget(*launch_->kernel, here, last, thread_.GuardHolds(last))
                 : structure_->flow.ImmediatePostDominator(block);
  }
  if (wanted != ptx::kNoBlock && reaches_[wanted]) return wanted;
  for (const ptx::BlockId next : here.successors) {
    if (reaches_[next]) return next;
  }
  return wanted;  // unreachable: a block that reaches the access has a successor that does
}

}  // namespace flagstone
