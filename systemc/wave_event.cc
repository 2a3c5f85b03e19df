#include "systemc/wave_event.h"

#include <fmt/core.h>

#include "base/clocked.h"

namespace flagstone {
namespace {

// The SM with the lowest number comes first among those of one cycle.
std::optional<SeenEvent> FirstPrefetch(const GpuModule& gpu) {
  std::optional<SeenEvent> first;
  for (const SmModule* sm : gpu.sms()) {
    const PrefetchUnit* const unit = sm->core->prefetch();
    if (unit == nullptr || unit->first_sent() == kNever) continue;
    if (first && first->cycle <= unit->first_sent()) continue;
    first = {unit->first_sent(), fmt::format("{}.prefetcher", sm->name())};
  }
  return first;
}

}  // namespace

std::optional<SeenEvent> FindWaveEvent(WaveEvent event, const GpuModule& gpu,
                                       const std::vector<StealEvent>* steals) {
  if (event == WaveEvent::kFirstPrefetch) return FirstPrefetch(gpu);
  if (event != WaveEvent::kSteal || steals->empty()) return std::nullopt;
  const StealEvent& steal = steals->front();
  const size_t sms_of_node = gpu.sms().size() / gpu.nodes.size();
  return SeenEvent{steal.cycle, gpu.nodes[steal.thief / sms_of_node]->tb_scheduler.name()};
}

}  // namespace flagstone
