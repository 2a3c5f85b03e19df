#include "app/results/run_json.h"

#include <fmt/core.h>

#include "app/results/analysis_json.h"
#include "app/results/detail_json.h"
#include "app/results/statistics_json.h"
#include "base/demangle.h"

namespace flagstone {
namespace {

// Registers of a thread, who says so, and what limits the TBs of an SM; null where no occupancy was
// needed.
void PutOccupancy(const std::optional<Occupancy>& occupancy, Json* json) {
  (*json)["registers_per_thread"] =
      OrNull(occupancy.has_value(), occupancy ? occupancy->registers_per_thread : 0);
  (*json)["registers_source"] =
      occupancy ? Json(occupancy->registers_estimated ? "estimate" : "workload") : Json(nullptr);
  (*json)["tbs_per_sm_limit"] = occupancy ? Json(occupancy->limit) : Json(nullptr);
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

// The end that is the switch is null.
Json LinkJson(const LinkLoad& link) {
  constexpr const char* kKinds[] = {"clockwise", "counterclockwise", "out", "in"};
  return {{"kind", kKinds[static_cast<size_t>(link.kind)]},
          {"from", OrNull(link.kind != LinkLoad::Kind::kIn, link.from)},
          {"to", OrNull(link.kind != LinkLoad::Kind::kOut, link.to)},
          {"packets", link.packets},
          {"bytes", link.bytes},
          {"capacity", link.capacity}};
}

// What each node did, from which to which the L2 misses went, and over which links; null where
// there is one node.
void PutNodes(const std::optional<NodesRecord>& record, Json* json) {
  (*json)["nodes"] = (*json)["traffic"] = (*json)["links"] = nullptr;
  if (!record) return;
  (*json)["nodes"] = Json::array();
  for (const NodesRecord::Node& node : record->nodes) {
    (*json)["nodes"].push_back({{"tbs", node.tbs},
                                {"cycles_busy", node.cycles_busy},
                                {"l2_accesses", node.l2_accesses},
                                {"dram_reads", node.dram_reads},
                                {"dram_writes", node.dram_writes}});
  }
  (*json)["traffic"] = record->traffic;
  (*json)["links"] = Json::array();
  for (const LinkLoad& link : record->links) (*json)["links"].push_back(LinkJson(link));
}

// Of all launches together.
std::optional<NodesRecord> AllNodes(const RunRecord& record) {
  std::optional<NodesRecord> sum;
  for (const LaunchRecord& launch : record.launches) {
    if (!launch.nodes) return std::nullopt;
    if (!sum) {
      sum = launch.nodes;
      continue;
    }
    for (size_t n = 0; n < sum->nodes.size(); ++n) {
      NodesRecord::Node& node = sum->nodes[n];
      const NodesRecord::Node& more = launch.nodes->nodes[n];
      node.tbs += more.tbs;
      node.cycles_busy += more.cycles_busy;
      node.l2_accesses += more.l2_accesses;
      node.dram_reads += more.dram_reads;
      node.dram_writes += more.dram_writes;
      for (size_t home = 0; home < sum->nodes.size(); ++home) {
        sum->traffic[n][home] += launch.nodes->traffic[n][home];
      }
    }
    for (size_t i = 0; i < sum->links.size(); ++i) {
      LinkLoad& link = sum->links[i];
      const LinkLoad& more = launch.nodes->links[i];
      link.packets += more.packets;
      link.bytes += more.bytes;
      link.capacity += more.capacity;
    }
  }
  return sum;
}

// What --sample simulated, and half of the 95 % intervals around the estimates.
Json SampleJson(const std::optional<SampleRecord>& sample) {
  if (!sample) return nullptr;
  const LaunchStatistics& half = sample->half_widths;
  return {{"tbs", sample->tbs},
          {"waves", sample->waves},
          {"work_ratio", sample->work_ratio},
          {"loop", OrNull(!sample->loop.empty(), sample->loop)},
          {"iterations", sample->iterations},
          {"all_iterations", sample->all_iterations},
          {"whole", OrNull(!sample->whole.empty(), sample->whole)},
          {"half_widths",
           {{"cycles", half.cycles},
            {"warp_instructions", half.warp_instructions},
            {"l1", {{"accesses", half.l1.accesses}}},
            {"l2", {{"accesses", half.l2.accesses}, {"misses", half.l2.misses}}},
            {"dram", {{"reads", half.dram.reads}, {"writes", half.dram.writes}}}}}};
}

// Of all launches that have one: the widths of the intervals add up, as if all erred to the same
// side.
std::optional<SampleRecord> AllSamples(const RunRecord& record) {
  std::optional<SampleRecord> sum;
  for (const LaunchRecord& launch : record.launches) {
    if (!launch.sample) continue;
    if (!sum) {
      sum = launch.sample;
      continue;
    }
    sum->tbs += launch.sample->tbs;
    sum->waves += launch.sample->waves;
    sum->iterations += launch.sample->iterations;
    sum->all_iterations += launch.sample->all_iterations;
    if (sum->loop != launch.sample->loop) sum->loop.clear();
    sum->half_widths += launch.sample->half_widths;
    sum->work_ratio = 1;
    const bool all_whole = !sum->whole.empty() && !launch.sample->whole.empty();
    if (!all_whole) sum->whole.clear();
    if (all_whole && sum->whole != launch.sample->whole) sum->whole = "each launch has its reason";
  }
  return sum;
}

Json Launch(const LaunchRecord& launch, Counted counted, bool detail) {
  counted.timing = counted.timing && !launch.executed;
  Json json;
  json["entry"] = launch.entry;
  json["kernel"] = KernelName(launch.entry);
  json["grid"] = ToJson(launch.grid);
  json["block"] = ToJson(launch.block);
  PutOccupancy(launch.occupancy, &json);
  PutStatistics(launch.statistics, counted, &json);
  json["load_prefetches"] = LoadPrefetchesJson(launch.load_prefetches);
  json["analysis"] = ToJson(launch.analysis);
  PutNodes(launch.nodes, &json);
  json["sample"] = SampleJson(launch.sample);
  if (detail) PutDetail(launch, counted, &json);
  return json;
}

// Totals have the keys of a launch; shapes are only there when all launches share them.
Json Totals(const RunRecord& record, const Counted& counted) {
  Json json;
  const bool one = record.launches.size() == 1;
  json["entry"] = OrNull(one, one ? Json(record.launches[0].entry) : Json());
  json["kernel"] = OrNull(one, one ? Json(KernelName(record.launches[0].entry)) : Json());
  json["grid"] = one ? ToJson(record.launches[0].grid) : Json(nullptr);
  json["block"] = one ? ToJson(record.launches[0].block) : Json(nullptr);
  PutOccupancy(one ? record.launches[0].occupancy : std::nullopt, &json);
  PutStatistics(record.totals, counted, &json);
  json["load_prefetches"] =
      one ? LoadPrefetchesJson(record.launches[0].load_prefetches) : Json(nullptr);
  json["analysis"] = ToJson(one ? record.launches[0].analysis : std::nullopt);
  PutNodes(AllNodes(record), &json);
  json["sample"] = SampleJson(AllSamples(record));
  return json;
}

}  // namespace

Json ToJson(const RunRecord& record, const std::string& version, const std::string& command,
            bool detail) {
  const Counted counted = {record.Timed(), record.miss_classes};
  Json json;
  json["schema"] = "flagstone.run/1";
  json["version"] = version;
  json["config_hash"] = fmt::format("{:016x}", record.config_hash);
  json["input_hash"] = OrNull(record.input_hash != 0, fmt::format("{:016x}", record.input_hash));
  json["command"] = command;
  json["seed"] = record.seed;
  json["size"] = OrNull(!record.size.empty(), record.size);
  json["asked_size"] = OrNull(!record.asked_size.empty(), record.asked_size);
  json["workload"] = record.workload;
  json["machine"] = record.machine;
  json["policy"] = record.policy;
  json["warp_scheduler"] = record.warp_scheduler;
  json["prefetcher"] = record.prefetcher;
  json["engine"] = record.engine;
  json["from_store"] = false;
  json["values"] = record.values;
  json["blocks"] = Json::array();
  for (const BlockBody& block : record.blocks) {
    json["blocks"].push_back({{"path", block.path}, {"body", block.body}});
  }
  json["lockstep_cycles"] = OrNull(record.engine == "lockstep", record.lockstep_cycles);
  json["interrupted"] = record.interrupted;
  if (record.wave_event) {
    json["wave_event"] = {{"path", record.wave_event->path},
                          {"launch", record.wave_event->launch},
                          {"cycle", record.wave_event->cycle}};
  }
  json["launches"] = Json::array();
  for (const LaunchRecord& launch : record.launches) {
    json["launches"].push_back(Launch(launch, counted, detail));
  }
  json["totals"] = Totals(record, counted);
  if (detail) {
    json["kernels"] = KernelsJson(record.kernels);
    json["counters"] = record.counters ? CountersJson(*record.counters) : Json(nullptr);
  }
  const double cpu = record.host.cpu_seconds;
  json["host"] = {
      {"seconds", record.host.seconds},
      {"cpu_seconds", cpu},
      {"analysis_seconds", record.host.analysis_seconds},
      {"kernel_and_jit_seconds", record.host.kernel_and_jit_seconds},
      {"kernel_and_lookup_seconds", record.host.kernel_and_lookup_seconds},
      {"warp_instructions_per_second",
       OrNull(cpu > 0, static_cast<double>(record.totals.warp_instructions) / (cpu > 0 ? cpu : 1))},
      {"peak_rss_bytes", record.host.peak_rss_bytes}};
  json["findings"] = Json::array();
  for (const Finding& finding : record.findings) {
    json["findings"].push_back(
        {{"kind", ToString(finding.kind)}, {"times", finding.times}, {"text", finding.text}});
  }
  json["perturbed"] = {{"settings", nullptr},
                       {"cycles", {{"mean", nullptr}, {"deviation", nullptr}}},
                       {"runs", Json::array()}};
  json["checks_skipped"] = record.checks_skipped;
  json["checks"] = Json::array();
  for (const CheckResult& check : record.checks) {
    Json first = Json::array();
    for (const CheckResult::Mismatch& wrong : check.first_mismatches) {
      first.push_back({{"index", wrong.index}, {"got", wrong.got}, {"expected", wrong.expected}});
    }
    json["checks"].push_back({{"buffer", check.buffer},
                              {"passed", check.passed},
                              {"max_error", check.max_error},
                              {"mismatches", check.mismatches},
                              {"first_mismatches", std::move(first)}});
  }
  return json;
}

}  // namespace flagstone
