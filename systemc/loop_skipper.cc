#include "systemc/loop_skipper.h"

#include <algorithm>

#include "gpu_model/sm/coalescer.h"
#include "systemc/collect.h"

namespace flagstone {

LoopSkipper::LoopSkipper(const LoopSample& loop, const Program& program, DeviceMemory* memory,
                         const AddressMap& map, const ClockConfig& clock,
                         const std::atomic<bool>* interrupted, GpuModule* gpu)
    : loop_(loop),
      program_(program),
      map_(map),
      clock_(clock),
      interrupted_(interrupted),
      gpu_(gpu),
      rest_(program, memory, loop.branch, loop.body) {}

bool LoopSkipper::AllWait() const {
  for (const SmModule* sm : gpu_->sms()) {
    if (!sm->core->AllWait()) return false;
  }
  for (const auto& [core, name] : gpu_->cores()) {
    const bool has_tbs = dynamic_cast<const Sm*>(core) != nullptr ||
                         dynamic_cast<const TbDispatch*>(core) != nullptr;
    if (!has_tbs && !core->Drained()) return false;
  }
  return true;
}

void LoopSkipper::KeepTotals(uint64_t now) {
  counts_ = {};
  bool waits = false;
  for (const SmModule* sm : gpu_->sms()) {
    counts_ += sm->core->loop_counts();
    waits |= sm->core->waiting_warps() != 0;
  }
  if (waits && !waits_) first_waits_ = counts_.iterations;
  waits_ = waits;
  progress_.simulated = counts_.iterations;
  if (counts_.iterations < next_mark_) return;
  progress_.marks.push_back({counts_, CollectTotals(*gpu_, clock_, now + 1)});
  const TbStatistics& tbs = progress_.marks.back().totals.tb;
  const uint64_t live = (tbs.issued - tbs.completed) * program_.launch().WarpsPerTb();
  next_mark_ = counts_.iterations + std::max<uint64_t>(1, live / 2);
}

void LoopSkipper::Watch(uint64_t now) {
  KeepTotals(now);
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
  if (!waits_) return;  // none is there
  LoopProgress::Gap& gap = progress_.gaps.emplace_back();
  gap.cycle = now;
  gap.counts = counts_;
  gap.first_waits = first_waits_;
  std::vector<ThreadBlock*> blocks;
  for (SmModule* sm : gpu_->sms()) {
    gap.warps += sm->core->waiting_warps();
    for (ThreadBlock* block : sm->core->WaitingTbs()) blocks.push_back(block);
  }
  const auto touch = [](void* skipper, uint64_t /*tb*/, uint32_t /*warp*/, const StepResult& step) {
    static_cast<LoopSkipper*>(skipper)->Touch(step);
  };
  const auto goes_on = [&] {
    return interrupted_ == nullptr || !interrupted_->load(std::memory_order_relaxed);
  };
  const uint64_t before = rest_.iterations();
  for (uint32_t i = 0; i < loop_.count && !blocks.empty() && goes_on(); ++i) {
    std::erase_if(blocks, [&](ThreadBlock* block) { return !rest_.Iterate(block, touch, this); });
  }
  gap.skipped = rest_.iterations() - before;
  uint64_t first = kNever;
  for (const SmModule* sm : gpu_->sms()) first = std::min(first, sm->core->FirstWaiting());
  for (SmModule* sm : gpu_->sms()) sm->core->ReleaseAfter(now + 1 - first);
}

void LoopSkipper::Touch(const StepResult& step) {
  if (step.space != MemorySpace::kGlobal || step.in_space == 0) return;
  const InstructionInfo& info = program_.info(step.pc);
  const bool writes = info.is_store || info.is_atomic;
  LoopProgress::Gap& gap = progress_.gaps.back();
  CoalescedRequests requests;
  Coalesce(*step.addresses, step.in_space, &requests);
  for (uint32_t i = 0; i < requests.count; ++i) {
    const AddressMap::SliceLine place = map_.Slice(requests.lines[i]);
    const TagArray::Entered entered =
        gpu_->l2()[place.slice]->core->Enter(place.local, requests.sectors[i], writes);
    // A written sector is not fetched, unless it is by an atomic.
    if (!info.is_store) gap.reads += entered.missing;
    gap.writes += entered.written_back;
  }
}

}  // namespace flagstone
