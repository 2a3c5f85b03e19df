// The JSON of app/flow/studies/order_study.h.
#include "app/flow/studies/order_study.h"
#include "app/results/perturbed_json.h"
#include "base/demangle.h"

namespace flagstone {
namespace {

constexpr uint64_t kFewTbs = 4096;

Json ToJson(const Replayed& p) {
  Json busy;
  for (size_t part = 0; part < kPartNames.size(); ++part) {
    busy[std::string(kPartNames[part])] = p.busy[part];
  }
  return {{"cycles", p.cycles},
          {"limit", p.Limit()},
          {"busy", busy},
          {"l2_bytes", p.L2()},
          {"l2_read_bytes", p.l2_reads},
          {"l2_write_bytes", p.l2_writes},
          {"dram_bytes", p.Dram()},
          {"dram_read_bytes", p.dram_reads},
          {"dram_write_bytes", p.dram_writes},
          {"remote_bytes", p.remote}};
}

// Null where all was looked at.
Json ToJson(const replay::Sample& sample) {
  if (sample.whole) return nullptr;
  return {{"sms", sample.sms},
          {"tbs", sample.tbs},
          {"steps", sample.steps == 0 ? Json() : Json(sample.steps)},
          {"short_tbs", sample.short_tbs},
          {"short_steps", sample.short_steps == 0 ? Json() : Json(sample.short_steps)}};
}

Json ToJson(const Simulated& s) {
  return {{"cycles", s.cycles}, {"l2_bytes", s.l2_bytes}, {"dram_bytes", s.dram_bytes}};
}

// The TB ids in their order, where there are few or all are wanted.
Json Ids(const TbOrder& order, const OrderedLaunch& launch, bool detail) {
  if (launch.grid.Count() > kFewTbs && !detail) return nullptr;
  return order.Table(launch.grid, launch.machine);
}

Json OrNull(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

}  // namespace

Json ToJson(const OrderStudy& study, bool detail) {
  Json json = {{"workload", study.workload}, {"machine", study.machine}};
  json["launches"] = Json::array();
  for (const OrderedLaunch& launch : study.launches) {
    Json skipped = Json::array();
    for (const SkippedLoad& load : launch.skipped) {
      skipped.push_back({{"line", load.line}, {"reason", load.reason}});
    }
    json["launches"].push_back(
        {{"entry", launch.entry},
         {"kernel", KernelName(launch.entry)},
         {"grid", ToJson(launch.grid)},
         {"block", ToJson(launch.block)},
         {"looping_tbs", launch.looping_tbs},
         {"loop_line", launch.looping_tbs == 0 ? Json(nullptr) : Json(launch.loop_line)},
         {"times", launch.times},
         {"sms", launch.machine.sms},
         {"tbs_per_sm", launch.machine.tbs_per_sm},
         {"tbs_in_flight", launch.machine.Window()},
         {"tiles",
          launch.machine.HasTiles(launch.grid) ? ToJson(launch.machine.tiles) : Json(nullptr)},
         {"tile_band", launch.machine.tile_band},
         {"shares", launch.shares},
         {"sampled", ToJson(launch.sample)},
         {"skipped", skipped}});
  }
  json["correlation"] = {{"l2", OrNull(study.l2_correlation)},
                         {"dram", OrNull(study.dram_correlation)},
                         {"cycles", OrNull(study.time_correlation)}};
  json["candidates"] = Json::array();
  for (const OrderCandidate& candidate : study.candidates) {
    Json launches = Json::array();
    for (size_t i = 0; i < candidate.launches.size(); ++i) {
      launches.push_back({{"order", Ids(candidate.order, study.launches[i], detail)},
                          {"predicted", ToJson(candidate.launches[i])}});
    }
    Json simulated = nullptr;
    if (candidate.simulated) {
      simulated = ToJson(*candidate.simulated);
      const Spread& time = *candidate.simulated_time;
      simulated["time"] = ToJson(time);
      simulated["time"]["equal"] = time.count > 1 ? Json(time.IsEqual()) : Json(nullptr);
      simulated["launches"] = Json::array();
      for (const Simulated& launch : candidate.simulated_launches) {
        simulated["launches"].push_back(ToJson(launch));
      }
    }
    json["candidates"].push_back({{"name", candidate.order.name},
                                  {"order", Ids(candidate.order, study.launches.front(), detail)},
                                  {"closed_form", candidate.order.HasClosedForm()},
                                  {"predicted", ToJson(candidate.predicted)},
                                  {"simulated", simulated},
                                  {"launches", launches}});
  }
  json["identity"] = study.Identity().order.name;
  json["predicted_advice"] = study.predicted_advice;
  const std::vector<int> unseen = study.Unseen();
  json["unseen_lines"] = unseen;
  json["advice"] = unseen.empty() ? Json(study.candidates.front().order.name) : Json();
  json["same_as_identity"] = study.same_as_identity;
  json["host"] = {{"seconds", study.seconds}};
  return json;
}

}  // namespace flagstone
