#include "systemc/collect.h"

#include "base/error.h"

namespace flagstone {

ChipParts CollectParts(const GpuModule& gpu, const ClockConfig& clock, uint64_t cycles) {
  ChipParts parts;
  parts.sms.reserve(gpu.sms().size());
  for (const SmModule* sm : gpu.sms()) {
    LaunchStatistics& part = parts.sms.emplace_back();
    part.warp_instructions = sm->core->warp_instructions();
    part.thread_instructions = sm->core->thread_instructions();
    part.tb.completed = sm->core->completed();
    part.l1 = sm->core->L1(cycles);
    part.sm = sm->core->Statistics(cycles);
    if (sm->core->prefetch() != nullptr) part.prefetch = sm->core->prefetch()->statistics();
  }
  parts.l2_slices.reserve(gpu.l2().size());
  for (const L2Module* slice : gpu.l2()) {
    parts.l2_slices.emplace_back().l2 = slice->core->statistics();
  }
  parts.dram_channels.reserve(gpu.dram().size());
  for (const DramBody* channel : gpu.dram()) {
    LaunchStatistics& part = parts.dram_channels.emplace_back();
    part.dram = channel->statistics();
    part.dram.channel_cycles = cycles * clock.dram / clock.core;
  }
  return parts;
}

LaunchStatistics CollectTotals(const GpuModule& gpu, const ChipParts& parts, uint64_t cycles) {
  LaunchStatistics total;
  total.cycles = cycles;
  total.tb = gpu.Tbs();
  for (const Node* node : gpu.nodes) {
    LaunchStatistics part;
    part.noc.request = node->chip.noc->request->statistics();
    part.noc.reply = node->chip.noc->reply->statistics();
    total += part;
  }
  parts.AddTo(&total);
  return total;
}

LaunchStatistics CollectTotals(const GpuModule& gpu, const ClockConfig& clock, uint64_t cycles) {
  return CollectTotals(gpu, CollectParts(gpu, clock, cycles), cycles);
}

std::vector<LoadPrefetches> CollectLoads(const GpuModule& gpu, const ptx::Kernel& kernel) {
  std::vector<LoadPrefetches> loads;
  for (const SmModule* sm : gpu.sms()) {
    if (sm->core->prefetch() == nullptr) continue;
    const std::vector<LoadPrefetches>& own = sm->core->prefetch()->by_load();
    if (loads.empty()) {
      loads = own;
    } else {
      for (size_t pc = 0; pc < own.size(); ++pc) loads[pc] += own[pc];
    }
  }
  std::erase_if(loads, [](const LoadPrefetches& load) { return load.demand_fetches == 0; });
  for (LoadPrefetches& load : loads) {
    load.line = static_cast<uint32_t>(kernel.instructions[load.pc].location.line);
  }
  return loads;
}

void CheckConservation(const GpuModule& gpu, uint64_t tb_count) {
  for (const auto& [core, name] : gpu.cores()) {
    if (!core->Drained()) ThrowRunFailed("at the end {} still holds {}", name, core->Leftover());
  }
  uint64_t completed = 0;
  for (const SmModule* sm : gpu.sms()) completed += sm->core->completed();
  const uint64_t issued = gpu.Tbs().issued;
  if (issued != tb_count || completed != tb_count) {
    ThrowRunFailed("the TB scheduler has ended with {} of {} TBs issued and {} completed", issued,
                   tb_count, completed);
  }
}

}  // namespace flagstone
