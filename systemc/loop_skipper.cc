#include "systemc/loop_skipper.h"

#include <algorithm>

#include "gpu_model/sm/coalescer.h"

namespace flagstone {

LoopSkipper::LoopSkipper(const LoopSample& loop, const Program& program, DeviceMemory* memory,
                         const AddressMap& map, const std::atomic<bool>* interrupted,
                         GpuModule* gpu)
    : program_(program),
      map_(map),
      interrupted_(interrupted),
      gpu_(gpu),
      rest_(program, memory, loop.branch, loop.body) {}

bool LoopSkipper::AllWait() const {
  for (const SmModule* sm : gpu_->sms()) {
    if (!sm->core.AllParked()) return false;
  }
  for (const auto& [core, name] : gpu_->cores()) {
    const bool has_tbs = dynamic_cast<const Sm*>(core) != nullptr ||
                         dynamic_cast<const TbDispatch*>(core) != nullptr;
    if (!has_tbs && !core->Drained()) return false;
  }
  return true;
}

void LoopSkipper::Watch(uint64_t now) {
  const uint64_t issued = gpu_->Tbs().issued;
  if (issued != issued_ || !AllWait()) {
    issued_ = issued;
    waiting_since_ = kNever;
    return;
  }
  if (waiting_since_ == kNever) waiting_since_ = now;
  if (now < waiting_since_ + kPatience) return;
  waiting_since_ = kNever;
  Skip(now);
}

void LoopSkipper::Skip(uint64_t now) {
  std::vector<SmCore::AtGap> blocks;
  for (SmModule* sm : gpu_->sms()) {
    for (const SmCore::AtGap& block : sm->core.Parked()) blocks.push_back(block);
  }
  if (blocks.empty()) return;
  const auto touch = [](void* skipper, uint64_t /*tb*/, uint32_t /*warp*/, const StepResult& step) {
    static_cast<LoopSkipper*>(skipper)->Touch(step);
  };
  const auto goes_on = [&] {
    return interrupted_ == nullptr || !interrupted_->load(std::memory_order_relaxed);
  };
  while (!blocks.empty() && goes_on()) {
    std::erase_if(blocks, [&](SmCore::AtGap& at) {
      return at.iterations-- == 0 || !rest_.Iterate(at.block, touch, this);
    });
  }
  uint64_t first = kNever;
  for (const SmModule* sm : gpu_->sms()) first = std::min(first, sm->core.FirstParked());
  for (SmModule* sm : gpu_->sms()) sm->core.ReleaseAfter(now + 1 - first);
}

void LoopSkipper::Touch(const StepResult& step) {
  if (step.space != MemorySpace::kGlobal || step.in_space == 0) return;
  const InstructionInfo& info = program_.info(step.pc);
  const bool writes = info.is_store || info.is_atomic;
  CoalescedRequests requests;
  Coalesce(*step.addresses, step.in_space, &requests);
  for (uint32_t i = 0; i < requests.count; ++i) {
    const AddressMap::SliceLine place = map_.Slice(requests.lines[i]);
    const TagArray::Entered entered =
        gpu_->l2()[place.slice]->core.Enter(place.local, requests.sectors[i], writes);
    // A written sector is not fetched, unless it is by an atomic.
    if (!info.is_store) reads_ += entered.missing;
    writes_ += entered.written_back;
  }
}

SkippedLoop LoopSkipper::Counts() const {
  SkippedLoop counts = {.skipped = rest_.iterations(), .reads = reads_, .writes = writes_};
  for (const SmModule* sm : gpu_->sms()) counts.simulated += sm->core.iterations();
  return counts;
}

}  // namespace flagstone
