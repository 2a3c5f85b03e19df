#include "analyzer/address/address_probe.h"

#include <fmt/core.h>

#include <bit>

#include "analyzer/address/slice_branch.h"

namespace flagstone {
namespace {

constexpr uint64_t kMaxStepsOfWarp = uint64_t{1} << 25;

}  // namespace

AddressProbe::AddressProbe(const KernelLaunch& launch, const KernelStructure& structure,
                           uint32_t pc, const ConstantBytes* constants)
    : launch_(&launch),
      structure_(&structure),
      functions_(FunctionsFor(launch, structure, std::span(&pc, 1))),
      program_(launch, structure, functions_.get()),
      warp_(launch, functions_.get(), constants) {
  const Slice slice = structure.slicer.OfAddress(pc);
  if (!slice.reads.empty()) {
    problem_ = fmt::format("depends on a value read in line {}",
                           launch.kernel->instructions[slice.reads.front()].location.line);
    return;
  }
  if (!slice.constants.empty() && constants == nullptr) {
    problem_ = fmt::format("depends on a table read in line {}",
                           launch.kernel->instructions[slice.constants.front()].location.line);
    return;
  }
  const uint32_t accesses[] = {pc};
  problem_ = program_.Decode(slice, accesses);
  if (!problem_.empty()) return;
  warp_.Load(program_);
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

bool AddressProbe::Warp(const Dim3& tb, uint32_t warp, std::vector<uint64_t>& addresses) {
  if (!problem_.empty()) return false;
  paths_.Clear();
  const uint32_t lanes = warp_.Become(tb, warp);
  addresses.assign(static_cast<size_t>(std::popcount(lanes)), 0);
  paths_.Go(0, lanes);
  const uint64_t limit = steps_ + kMaxStepsOfWarp;
  while (!paths_.Done() && steps_ < limit) {
    const LanePaths::Group at = paths_.Take();
    const std::optional<uint32_t> on = RunBlock(at, addresses);
    if (!on) return false;
    GoOn(at.block, *on);
  }
  if (paths_.Done()) return true;
  problem_ = fmt::format("more than {} instructions to evaluate", kMaxStepsOfWarp);
  return false;
}

std::optional<uint32_t> AddressProbe::RunBlock(const LanePaths::Group& at,
                                               std::vector<uint64_t>& addresses) {
  const std::vector<SliceStep>& steps = program_.blocks()[at.block].steps;
  steps_ += (steps.size() + 1) * static_cast<uint64_t>(std::popcount(at.lanes));
  for (const SliceStep& step : steps) {
    if (step.is_access) {
      for (uint32_t left = at.lanes; left != 0; left &= left - 1) {
        const auto lane = static_cast<uint32_t>(std::countr_zero(left));
        addresses[lane] = warp_.Address(step, lane);
      }
      return 0;
    }
    if (!warp_.Run(step, warp_.Guarded(*step.instruction, at.lanes))) {
      problem_ = fmt::format("'{}' in line {} has no defined result", step.instruction->text,
                             step.instruction->location.line);
      return std::nullopt;
    }
  }
  return at.lanes;
}

void AddressProbe::GoOn(ptx::BlockId block, uint32_t lanes) {
  const ptx::BasicBlock& here = structure_->flow.blocks()[block];
  const ptx::Instruction& last = launch_->kernel->instructions[program_.blocks()[block].terminator];
  if (last.guard && program_.blocks()[block].follows_branch) {
    const uint32_t taken = warp_.Guarded(last, lanes);
    paths_.Go(Towards(block, BranchTarget(*launch_->kernel, here, last, true)), taken);
    paths_.Go(Towards(block, BranchTarget(*launch_->kernel, here, last, false)), lanes & ~taken);
  } else {
    const ptx::BlockId wanted =
        last.guard ? structure_->flow.ImmediatePostDominator(block) : ptx::kNoBlock;
    paths_.Go(Towards(block, wanted), lanes);
  }
}

// The block itself where it leads to the access, else another one after `block` that does: a block
// that reaches the access has such a successor.
ptx::BlockId AddressProbe::Towards(ptx::BlockId block, ptx::BlockId wanted) const {
  if (wanted != ptx::kNoBlock && reaches_[wanted]) return wanted;
  for (const ptx::BlockId next : structure_->flow.blocks()[block].successors) {
    if (reaches_[next]) return next;
  }
  return ptx::kNoBlock;
}

}  // namespace flagstone
