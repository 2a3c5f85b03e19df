#include "systemc/recorder.h"

#include <array>
#include <utility>

#include "kernels/ptx/kernel.h"
#include "systemc/clock_domain.h"
#include "systemc/gpu.h"

namespace flagstone {

void Recorder::Connect(const GpuModule* gpu, uint32_t slots, const ptx::Kernel* kernel) {
  gpu_ = gpu;
  kernel_ = kernel;
  logs_.assign(gpu->sms().size(), TbLog(slots));
  loads_.assign(gpu->sms().size(), std::vector<LoadCounts>(kernel->instructions.size()));
  for (size_t i = 0; i < gpu->sms().size(); ++i) {
    gpu->sms()[i]->core->KeepLog(&logs_[i]);
    gpu->sms()[i]->core->CountLoads(&loads_[i]);
  }
  if (counters_ == nullptr) return;
  counters_->gpu.Restart();
  counters_->sms.Restart();
  sm_sums_.resize(counters_->sms.columns());
  if (gpu->fabric == nullptr) return;
  link_sums_.resize(gpu->fabric->core->Loads(0).size());
  if (!counters_->links) counters_->links.emplace(link_sums_.size(), RunCounters::kMostSmBuckets);
  counters_->links->Restart();
}

uint64_t Recorder::Sample(uint64_t now) {
  if (counters_ == nullptr) return kNever;
  const uint64_t cycle = first_cycle_ + now;
  // The bucket that ends here.
  const uint64_t in_bucket = cycle == 0 ? 0 : cycle - 1;
  SampleGpu(in_bucket, now);
  SampleSms(in_bucket, now);
  if (gpu_->fabric != nullptr) {
    gpu_->fabric->core->BytesSoFar(&link_sums_);
    counters_->links->Add(in_bucket, link_sums_);
  }
  const uint64_t width = counters_->gpu.width();
  return now + width - cycle % width;
}

void Recorder::SampleGpu(uint64_t cycle, uint64_t now) {
  std::array<uint64_t, kGpuCounts.size()> sums = {};
  const auto add = [&](GpuCount count, uint64_t value) {
    sums[static_cast<size_t>(count)] += value;
  };
  for (const SmModule* sm : gpu_->sms()) {
    const L1Statistics l1 = sm->core->L1(now);
    add(GpuCount::kL1Accesses, l1.accesses);
    add(GpuCount::kL1Misses, l1.misses);
    add(GpuCount::kLoads, l1.load_latency.count);
    add(GpuCount::kLoadCycles, l1.load_latency.cycles);
  }
  for (const L2Module* slice : gpu_->l2()) {
    const L2Statistics& l2 = slice->core->statistics();
    add(GpuCount::kL2Accesses, l2.accesses);
    add(GpuCount::kL2Misses, l2.misses);
  }
  for (const DramBody* channel : gpu_->dram()) {
    const DramStatistics dram = channel->statistics();
    add(GpuCount::kDramSectors, dram.reads + dram.writes);
  }
  for (const TbLog& log : logs_) active_sms_ += log.running() != 0 ? 1U : 0U;
  add(GpuCount::kActiveSms, active_sms_);
  add(GpuCount::kSamples, ++samples_);
  counters_->gpu.Add(cycle, sums);
}

void Recorder::SampleSms(uint64_t cycle, uint64_t now) {
  for (size_t sm = 0; sm < gpu_->sms().size(); ++sm) {
    const Sm& core = *gpu_->sms()[sm]->core;
    const auto put = [&](SmCount count, uint64_t value) {
      sm_sums_[sm * kSmCounts.size() + static_cast<size_t>(count)] = value;
    };
    const L1Statistics l1 = core.L1(now);
    put(SmCount::kL1Accesses, l1.accesses);
    put(SmCount::kL1Misses, l1.misses);
    put(SmCount::kLoads, l1.load_latency.count);
    put(SmCount::kLoadCycles, l1.load_latency.cycles);
    put(SmCount::kWarpInstructions, core.warp_instructions());
  }
  counters_->sms.Add(cycle, sm_sums_);
}

std::vector<LoadOfLaunch> Recorder::Loads() const {
  std::vector<LoadOfLaunch> loads;
  for (uint32_t pc = 0; pc < kernel_->instructions.size(); ++pc) {
    LoadOfLaunch load = {pc, static_cast<uint32_t>(kernel_->instructions[pc].location.line),
                         LoadCounts()};
    for (const std::vector<LoadCounts>& sm : loads_) load.counts += sm[pc];
    if (load.counts.executed != 0 || load.counts.accesses != 0) loads.push_back(load);
  }
  return loads;
}

LaunchDetail Recorder::Finish(uint64_t cycles, const TbGroups& groups, ChipParts parts) {
  Sample(cycles);
  LaunchDetail detail;
  detail.groups = groups;
  detail.steals = std::move(steals_);
  detail.parts = std::move(parts);
  detail.loads = Loads();
  std::vector<uint32_t> group_of_tb;
  for (uint32_t group = 0; group < groups.groups.size(); ++group) {
    for (const uint32_t tb : groups.groups[group]) {
      if (tb >= group_of_tb.size()) group_of_tb.resize(tb + size_t{1}, PlacedTb::kNoGroup);
      group_of_tb[tb] = group;
    }
  }
  for (uint32_t sm = 0; sm < logs_.size(); ++sm) {
    for (const TbSpan& span : logs_[sm].spans()) {
      detail.tbs.push_back(
          {.tb = span.tb,
           .from = span.from,
           .to = span.to == TbSpan::kOpen ? cycles : span.to,
           .sm = sm,
           .slot = span.slot,
           .group = span.tb < group_of_tb.size() ? group_of_tb[span.tb] : PlacedTb::kNoGroup});
    }
  }
  return detail;
}

}  // namespace flagstone
