#include "flow/json.h"

#include <fmt/format.h>

#include "flow/json_accesses.h"
#include "flow/json_coalescing.h"
#include "flow/json_ladm.h"
#include "flow/json_locality.h"
#include "flow/json_statistics.h"

namespace flagstone {
namespace {

Json ToJson(const Dim3& dim) { return Json::array({dim.x, dim.y, dim.z}); }

Json OrNull(bool defined, const Json& value) { return defined ? value : Json(nullptr); }

Json Analysis(const std::optional<AnalysisSummary>& analysis) {
  if (!analysis) {
    return {{"tbs", nullptr},         {"edges", nullptr},       {"parts", nullptr},
            {"kept_weight", nullptr}, {"union_ratio", nullptr}, {"l1_fills", nullptr},
            {"lrr_l1_fills", nullptr}};
  }
  return {{"tbs", analysis->tbs},
          {"edges", analysis->edges},
          {"parts", analysis->parts},
          {"kept_weight", analysis->kept_weight},
          {"union_ratio", analysis->union_ratio},
          {"l1_fills",
           OrNull(analysis->fills.has_value(), analysis->fills ? analysis->fills->groups : 0)},
          {"lrr_l1_fills",
           OrNull(analysis->fills.has_value(), analysis->fills ? analysis->fills->lrr : 0)}};
}

// Registers of a thread, and who says so; null where no occupancy was needed.
void PutRegisters(const std::optional<Occupancy>& occupancy, Json* json) {
  (*json)["registers_per_thread"] =
      OrNull(occupancy.has_value(), occupancy ? occupancy->registers_per_thread : 0);
  (*json)["registers_source"] =
      occupancy ? Json(occupancy->registers_estimated ? "estimate" : "workload") : Json(nullptr);
}

Json LoadPrefetchesJson(const std::vector<LoadPrefetches>& loads) {
  Json json = Json::array();
  for (const LoadPrefetches& load : loads) {
    json.push_back({{"pc", load.pc},
                    {"line", load.line},
                    {"indirect", load.indirect},
                    {"demand_fetches", load.demand_fetches},
                    {"issued", load.issued},
                    {"used", load.used},
                    {"late", load.late},
                    {"early_evicted", load.early_evicted},
                    {"too_early", load.too_early},
                    {"distance_cycles", load.distance_cycles}});
  }
  return json;
}

Json Launch(const LaunchResult& launch, const Counted& counted) {
  Json json;
  json["entry"] = launch.entry;
  json["grid"] = ToJson(launch.grid);
  json["block"] = ToJson(launch.block);
  PutRegisters(launch.occupancy, &json);
  PutStatistics(launch.statistics, counted, &json);
  json["load_prefetches"] = LoadPrefetchesJson(launch.load_prefetches);
  json["analysis"] = Analysis(launch.analysis);
  return json;
}

// Totals have the keys of a launch; shapes are only there when all launches share them.
Json Totals(const RunResult& result, const Counted& counted) {
  Json json;
  const bool one = result.launches.size() == 1;
  json["entry"] = OrNull(one, one ? Json(result.launches[0].entry) : Json());
  json["grid"] = one ? ToJson(result.launches[0].grid) : Json(nullptr);
  json["block"] = one ? ToJson(result.launches[0].block) : Json(nullptr);
  PutRegisters(one ? result.launches[0].occupancy : std::nullopt, &json);
  PutStatistics(result.totals, counted, &json);
  json["load_prefetches"] =
      one ? LoadPrefetchesJson(result.launches[0].load_prefetches) : Json(nullptr);
  json["analysis"] = Analysis(one ? result.launches[0].analysis : std::nullopt);
  return json;
}

}  // namespace

Json ToJson(const RunResult& result, const std::string& version, const std::string& command) {
  const Counted counted = {result.engine != "functional", result.miss_classes};
  Json json;
  json["schema"] = "flagstone.run/1";
  json["version"] = version;
  json["config_hash"] = fmt::format("{:016x}", result.config_hash);
  json["input_hash"] = fmt::format("{:016x}", result.input_hash);
  json["command"] = command;
  json["seed"] = result.seed;
  json["size"] = result.size;
  json["workload"] = result.workload;
  json["machine"] = result.machine;
  json["policy"] = result.policy;
  json["warp_scheduler"] = result.warp_scheduler;
  json["prefetcher"] = result.prefetcher;
  json["engine"] = result.engine;
  json["values"] = ToString(result.values);
  json["blocks"] = Json::array();
  for (const BlockBody& block : result.blocks) {
    json["blocks"].push_back({{"path", block.path}, {"body", block.body}});
  }
  json["lockstep_cycles"] = OrNull(result.engine == "lockstep", result.lockstep_cycles);
  json["interrupted"] = result.interrupted;
  json["launches"] = Json::array();
  for (const LaunchResult& launch : result.launches) {
    json["launches"].push_back(Launch(launch, counted));
  }
  json["totals"] = Totals(result, counted);
  const double cpu = result.host.cpu_seconds;
  json["host"] = {
      {"seconds", result.host.seconds},
      {"cpu_seconds", cpu},
      {"analysis_seconds", result.host.analysis_seconds},
      {"kernel_and_jit_seconds", result.host.kernel_and_jit_seconds},
      {"warp_instructions_per_second",
       OrNull(cpu > 0, static_cast<double>(result.totals.warp_instructions) / (cpu > 0 ? cpu : 1))},
      {"peak_rss_bytes", result.host.peak_rss_bytes}};
  json["checks_skipped"] = result.checks_skipped;
  json["checks"] = Json::array();
  for (const CheckResult& check : result.checks) {
    json["checks"].push_back(
        {{"buffer", check.buffer}, {"passed", check.passed}, {"max_error", check.max_error}});
  }
  return json;
}

Json ToJson(const AnalyzedLaunch& analyzed) {
  const LaunchAnalysis& analysis = analyzed.analysis;
  const bool grouped = !analysis.groups.groups.empty();
  Json json;
  json["entry"] = analyzed.launch->kernel->name;
  json["grid"] = ToJson(analyzed.launch->grid);
  json["block"] = ToJson(analyzed.launch->block);
  json["tbs_per_sm"] = analysis.occupancy.tbs_per_sm;
  PutAccesses(analysis, &json);
  json["graph"] = GraphJson(analysis);
  json["groups"] = grouped ? Json(analysis.groups.groups) : Json(nullptr);
  json["kept_weight"] = OrNull(grouped, analysis.kept_weight);
  json["union_ratio"] = OrNull(grouped, analysis.union_ratio);
  json["coalescing"] = ToJson(Measure(analysis.coalescing));
  json["policies"] = ToJson(analyzed.policies);
  json["cta_mapping"] = nullptr;
  if (analysis.cta_mapping) json["cta_mapping"] = ToJson(*analysis.cta_mapping);
  json["ladm"] = ToJson(analysis.ladm);
  return json;
}

}  // namespace flagstone
