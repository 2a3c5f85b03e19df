#include "app/results/detail_json.h"

#include <string>

namespace flagstone {
namespace {

// Each element but the first as the difference to the one before it: most digits go.
template <class Member>
Json Differences(const std::vector<PlacedTb>& tbs, Member member) {
  Json column = Json::array();
  int64_t last = 0;
  for (const PlacedTb& tb : tbs) {
    const auto value = static_cast<int64_t>(tb.*member);
    column.push_back(value - last);
    last = value;
  }
  return column;
}

Json TimelineJson(const std::vector<PlacedTb>& tbs) {
  return {{"tb", Differences(tbs, &PlacedTb::tb)},
          {"sm", Differences(tbs, &PlacedTb::sm)},
          {"slot", Differences(tbs, &PlacedTb::slot)},
          {"from", Differences(tbs, &PlacedTb::from)},
          {"to", Differences(tbs, &PlacedTb::to)}};
}

Json StealsJson(const std::vector<StealEvent>& steals) {
  Json json = Json::array();
  for (const StealEvent& steal : steals) {
    json.push_back({{"cycle", steal.cycle},
                    {"donor", steal.donor},
                    {"thief", steal.thief},
                    {"tbs", steal.tbs}});
  }
  return json;
}

Json LoadsJson(const std::vector<LoadOfLaunch>& loads) {
  Json json = Json::array();
  for (const LoadOfLaunch& load : loads) {
    json.push_back({{"pc", load.pc},
                    {"line", load.line},
                    {"executed", load.counts.executed},
                    {"accesses", load.counts.accesses},
                    {"misses", load.counts.misses},
                    {"cycles", load.counts.cycles}});
  }
  return json;
}

}  // namespace

Json KernelsJson(const std::vector<KernelListing>& kernels) {
  Json json = Json::array();
  for (const KernelListing& kernel : kernels) {
    json.push_back({{"entry", kernel.entry}, {"line", kernel.lines}, {"text", kernel.texts}});
  }
  return json;
}

void PutDetail(const LaunchRecord& launch, const Counted& counted, Json* json) {
  if (!launch.detail) {
    for (const char* key :
         {"timeline", "groups", "steals", "loads", "sms", "l2_slices", "dram_channels"}) {
      (*json)[key] = nullptr;
    }
    return;
  }
  const LaunchDetail& detail = *launch.detail;
  (*json)["timeline"] = TimelineJson(detail.tbs);
  (*json)["groups"] = detail.groups.groups;
  (*json)["steals"] = StealsJson(detail.steals);
  (*json)["loads"] = LoadsJson(detail.loads);
  (*json)["sms"] = PartsJson(detail.parts.sms, ChipPart::kSm, counted);
  (*json)["l2_slices"] = PartsJson(detail.parts.l2_slices, ChipPart::kL2Slice, counted);
  (*json)["dram_channels"] = PartsJson(detail.parts.dram_channels, ChipPart::kDramChannel, counted);
}

Json CountersJson(const RunCounters& counters) {
  Json gpu = {{"cycles", counters.gpu.width()}};
  for (size_t count = 0; count < kGpuCounts.size(); ++count) {
    Json& column = gpu[std::string(kGpuCounts[count])] = Json::array();
    for (size_t bucket = 0; bucket < counters.gpu.buckets(); ++bucket) {
      column.push_back(counters.gpu.At(bucket, count));
    }
  }
  Json sms = {{"cycles", counters.sms.width()}};
  const size_t number = counters.sms.columns() / kSmCounts.size();
  for (size_t count = 0; count < kSmCounts.size(); ++count) {
    Json& by_sm = sms[std::string(kSmCounts[count])] = Json::array();
    for (size_t sm = 0; sm < number; ++sm) {
      Json column = Json::array();
      for (size_t bucket = 0; bucket < counters.sms.buckets(); ++bucket) {
        column.push_back(counters.Sm(bucket, sm, static_cast<SmCount>(count)));
      }
      by_sm.push_back(std::move(column));
    }
  }
  return {{"gpu", std::move(gpu)}, {"sms", std::move(sms)}};
}

}  // namespace flagstone
