#include "app/cli/run_page.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "app/cli/fill_in.h"
#include "app/cli/prefetch_tables.h"
#include "base/numbers.h"
#include "base/spread.h"

namespace flagstone {
namespace {

// The lines of a launch's statistics.
enum class When : uint8_t { kAlways, kTimed, kNotTimed, kMissClasses, kNodes, kPrefetches };
struct Line {
  const char* label;
  const char* text;
  When when = When::kTimed;
};
constexpr Line kLines[] = {
    {"cycles", "{cycles}"},
    {"warp instructions", "{warp_instructions}", When::kAlways},
    {"thread instructions", "{thread_instructions}", When::kNotTimed},
    {"thread instructions", "{thread_instructions} ({ipc} a cycle)"},
    {"TBs",
     "{tb.issued} issued, {tb.completed} completed, {tbs_per_sm} at once per SM, {tb.groups} "
     "groups, {tb.stolen} stolen"},
    {"  waited for a TB", "{tb.wait_cycles} SM cycles with a free context"},
    {"warps", "{sm.resident_warp_cycles/sm.warp_slot_cycles} of the slots filled on average"},
    {"scheduler cycles",
     "issued {sm.issue.issued/sm.issue}, no grant {sm.issue.no_grant/sm.issue}, idle "
     "{sm.issue.idle/sm.issue}"},
    {"  waited for",
     "memory {sm.issue.memory/sm.issue}, barrier {sm.issue.barrier/sm.issue}, pipe "
     "{sm.issue.pipe/sm.issue}, unit {sm.issue.unit/sm.issue}, fetch {sm.issue.fetch/sm.issue}"},
    {"  waiting for memory",
     "all warps {sm.memory_waits.all/sm.issue}, half {sm.memory_waits.half/sm.issue}, one or more "
     "{sm.memory_waits.any/sm.issue}, where none issued"},
    {"L1",
     "{l1.accesses} accesses, {l1.hits} hits, {l1.mshr_hits} MSHR hits, {l1.misses} misses "
     "({l1.misses/l1.accesses})"},
    {"  load misses",
     "{l1.classes.cold} cold, {l1.classes.capacity} capacity, {l1.classes.conflict} conflict, "
     "{l1.classes.written} on what was written",
     When::kMissClasses},
    {"L2 (32 B sectors)", "{l2.accesses} accesses, {l2.misses} misses ({l2.misses/l2.accesses})"},
    {"  misses",
     "{l2.classes.cold} cold, {l2.classes.capacity} capacity, {l2.classes.conflict} conflict",
     When::kMissClasses},
    {"  other nodes",
     "{numa.lr.misses/numa.ll.accesses+numa.lr.accesses} of the SMs' accesses, to other GPUs "
     "{numa.lr.other_gpu/numa.ll.accesses+numa.lr.accesses}",
     When::kNodes},
    {"  hits",
     "own lines {numa.ll.hits/numa.ll.accesses}, others' {numa.lr.hits/numa.lr.accesses}, for "
     "others {numa.rl.hits/numa.rl.accesses}",
     When::kNodes},
    {"  links",
     "{numa.ring.bytes/numa.ring.capacity} of the rings, "
     "{numa.switch.bytes/numa.switch.capacity} of the switch",
     When::kNodes},
    {"DRAM (32 B sectors)", "{dram.reads} reads, {dram.writes} writes, {dram.row_hits} row hits"},
    {"energy", "{energy.total} pJ (docs/energy.md)"},
    {"  of SMs",
     "instructions {energy.instructions/energy.total}, operations "
     "{energy.operations/energy.total}, registers {energy.registers/energy.total}, shared "
     "{energy.shared/energy.total}, L1 {energy.l1/energy.total}"},
    {"  of the rest",
     "interconnect {energy.noc/energy.total}, L2 {energy.l2/energy.total}, DRAM "
     "{energy.dram/energy.total}, blocks {energy.blocks/energy.total}, leakage "
     "{energy.leakage/energy.total}"},
    {"prefetches",
     "{prefetch.issued} issued (coverage {prefetch.issued/prefetch.demand_fetches}), "
     "{prefetch.used/prefetch.issued} used, {prefetch.too_early/prefetch.issued} too early, "
     "{prefetch.early_evicted-prefetch.too_early/prefetch.issued} wrong",
     When::kPrefetches},
    {"  distance",
     "{prefetch.distance.mean} cycles on average; {prefetch.late/prefetch.used} of the used came "
     "late",
     When::kPrefetches},
    {"  dropped",
     "{prefetch.dropped.present} in the L1, {prefetch.dropped.in_flight} in flight, "
     "{prefetch.dropped.passed} too late, {prefetch.dropped.withdrawn} withdrawn",
     When::kPrefetches},
    {"  merged",
     "{prefetch.merged} in flight for demand loads; with these coverage "
     "{prefetch.issued+prefetch.merged/prefetch.demand_fetches}, "
     "{prefetch.used+prefetch.merged/prefetch.issued+prefetch.merged} used",
     When::kPrefetches},
    {"  events", "{prefetch.throttle_events} loads throttled, {prefetch.wakes} warps woken",
     When::kPrefetches},
};

// "conv2d (test)"; without the size where the workload has no sizes.
std::string WorkloadText(const Json& record) {
  const std::string& name = record["workload"].get_ref<const std::string&>();
  return record["size"].is_null() ? name
                                  : fmt::format("{} ({})", name, record["size"].get<std::string>());
}

bool IsTimed(const Json& record) { return record["engine"] != "functional"; }

bool Holds(When when, bool timed, const Json& launch) {
  switch (when) {
    case When::kAlways:
      return true;
    case When::kTimed:
      return timed;
    case When::kNotTimed:
      return !timed;
    case When::kMissClasses:
      return timed && !launch["l1"]["classes"]["cold"].is_null();
    case When::kNodes:
      return !launch["nodes"].is_null();
    case When::kPrefetches:
      return timed && launch["prefetch"]["demand_fetches"] != 0;
  }
  return false;
}

std::string Dim(const Json& dim) {
  return fmt::format("{}x{}x{}", dim[0].get<uint32_t>(), dim[1].get<uint32_t>(),
                     dim[2].get<uint32_t>());
}

class RunPageText {
 public:
  explicit RunPageText(const Json& record) : record_(record) {}

  template <class... Args>
  void Add(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
  }
  void AddLine(std::string_view label, const std::string& text) {
    Add("  {:<20} {}\n", label, text);
  }
  // Of a launch, or of the totals.
  void AddStatistics(const Json& launch) {
    for (const Line& line : kLines) {
      if (!Holds(line.when, IsTimed(record_), launch)) continue;
      AddLine(line.label, FillIn(line.text, launch));
    }
    if (!launch["nodes"].is_null()) AddNodes(launch);
  }
  // The balance of the nodes, and of few of them who has fetched from whom.
  void AddNodes(const Json& launch) {
    constexpr size_t kMostColumns = 8;
    const Json& nodes = launch["nodes"];
    const bool traffic = nodes.size() <= kMostColumns;
    std::string header =
        fmt::format("{:>4} {:>10} {:>12} {:>12}", "node", "TBs", "busy until", "DRAM reads");
    if (traffic) header += "  L2 misses of its SMs, by home";
    AddLine("nodes", header);
    for (size_t n = 0; n < nodes.size(); ++n) {
      const auto number = [&](const char* key) { return Grouped(nodes[n][key].get<uint64_t>()); };
      std::string line = fmt::format("{:>4} {:>10} {:>12} {:>12} ", n, number("tbs"),
                                     number("cycles_busy"), number("dram_reads"));
      for (size_t home = 0; traffic && home < nodes.size(); ++home) {
        line += fmt::format(" {:>11}", Grouped(launch["traffic"][n][home].get<uint64_t>()));
      }
      AddLine("", line);
    }
  }
  void AddSample(const Json& launch) {
    const Json& sample = launch["sample"];
    if (!sample["whole"].is_null()) {
      AddLine("sampled", fmt::format("no: {}", Text(sample["whole"])));
      return;
    }
    const auto of = [&](const Json& half, const Json& all) {
      return 100 * half.get<double>() / std::max(1.0, all.get<double>());
    };
    const Json& half = sample["half_widths"];
    std::vector<std::string> parts;
    if (sample["all_iterations"] == 0 || sample["tbs"] != launch["tb"]["count"]) {
      parts.push_back(fmt::format("{} of {} TBs", Grouped(sample["tbs"].get<uint64_t>()),
                                  Grouped(launch["tb"]["count"].get<uint64_t>())));
    }
    if (sample["all_iterations"] != 0) {
      parts.push_back(fmt::format("{:.1f} % of the iterations of {}",
                                  of(sample["iterations"], sample["all_iterations"]),
                                  sample["loop"].is_null() ? "loops" : Text(sample["loop"])));
    }
    AddLine("sampled",
            fmt::format(
                "{}; 95 % intervals: cycles ±{:.1f} %, L2 accesses ±{:.1f} %, DRAM reads ±{:.1f} %",
                fmt::join(parts, ", "), of(half["cycles"], launch["cycles"]),
                of(half["l2"]["accesses"], launch["l2"]["accesses"]),
                of(half["dram"]["reads"], launch["dram"]["reads"])));
  }

  void AddLaunch(const Json& launch) {
    Add("{}: {} TBs of {} threads\n", Text(launch["kernel"]), Dim(launch["grid"]),
        Dim(launch["block"]));
    if (!launch["registers_per_thread"].is_null()) {
      AddLine("registers",
              fmt::format("{} a thread ({}); {} TBs fit an SM (limit: {})",
                          launch["registers_per_thread"].get<uint32_t>(),
                          launch["registers_source"] == "estimate" ? "estimated by liveness"
                                                                   : "as the workload says",
                          launch["tbs_per_sm"].get<uint32_t>(), Text(launch["tbs_per_sm_limit"])));
    }
    if (!launch["sample"].is_null()) AddSample(launch);
    AddStatistics(launch);
    const Json& analysis = launch["analysis"];
    const Json& fit = analysis["fit"];
    if (!fit.is_null()) {
      AddLine("limit",
              fmt::format("{} TBs on an SM, as each reads {} bytes in the mean",
                          fit["tbs"].get<uint32_t>(),
                          Grouped(static_cast<uint64_t>(fit["bytes_of_tb"].get<double>()))));
    } else if (!analysis["edges"].is_null()) {
      AddLine(
          "locality",
          fmt::format("{} edges, {} parts keep {:.1f} % of the weight; union footprint {:.3f}",
                      Grouped(analysis["edges"].get<uint64_t>()), analysis["parts"].get<uint64_t>(),
                      100 * analysis["kept_weight"].get<double>(),
                      analysis["union_ratio"].get<double>()));
    }
    if (!analysis["prediction"].is_null()) AddPrediction(analysis["prediction"]);
  }
  // What policy auto ran, and why.
  void AddPrediction(const Json& prediction) {
    const auto share = [&](const char* of, const char* base) {
      return prediction[of].get<double>() / std::max(1.0, prediction[base].get<double>());
    };
    AddLine("auto",
            fmt::format("runs {}: {}", Text(prediction["runs"]), Text(prediction["reason"])));
    AddLine("predicted",
            fmt::format("{} takes {:.3f} of lrr's cycles and {:.3f} of its L2 traffic; lrr's limit "
                        "is {}",
                        Text(prediction["fastest"]), share("cycles", "lrr_cycles"),
                        share("l2_bytes", "lrr_l2_bytes"), Text(prediction["limit"])));
  }
  void AddChecks() {
    for (const Json& check : record_["checks"]) {
      const Json& error = check["max_error"];
      const std::string& buffer = Text(check["buffer"]);
      const bool passed = check["passed"].get<bool>();
      // JSON as text has no infinity.
      Add("check {}: {} (largest error {:.3g}", buffer, passed ? "passed" : "FAILED",
          error.is_null() ? HUGE_VAL : error.get<double>());
      if (!passed) Add("; {} wrong", check["mismatches"].get<uint64_t>());
      Add(")\n");
      for (const Json& wrong : check["first_mismatches"]) {
        Add("  {}[{}]: got {}, expected {}\n", buffer, wrong["index"].get<uint64_t>(),
            Text(wrong["got"]), Text(wrong["expected"]));
      }
    }
    if (record_["checks_skipped"].get<bool>()) {
      Add("checks: left out, as --no-check asks\n");
    } else if (record_["checks"].empty() && !record_["interrupted"].get<bool>()) {
      Add("checks: none, as the workload has no [check]\n");
    }
  }
  std::string Take() { return std::move(text_); }

  static const std::string& Text(const Json& value) { return value.get_ref<const std::string&>(); }

 private:
  const Json& record_;
  std::string text_;
};

}  // namespace

std::string RunPage(const Json& record) {
  RunPageText page(record);
  const auto text = [&](const char* key) { return RunPageText::Text(record[key]); };
  const bool stored = record["from_store"].get<bool>();
  if (IsTimed(record)) {
    page.Add("{} on {}: policy {}, warp scheduler {}, prefetcher {}, engine {}{}\n",
             WorkloadText(record), text("machine"), text("policy"), text("warp_scheduler"),
             text("prefetcher"), text("engine"), stored ? ", from the store" : "");
  } else {
    page.Add("{}, executed without timing{}\n", WorkloadText(record),
             stored ? " (from the store)" : "");
  }
  for (const Json& launch : record["launches"]) page.AddLaunch(launch);
  if (record["launches"].size() > 1) {
    page.Add("all {} launches\n", record["launches"].size());
    page.AddStatistics(record["totals"]);
  }
  page.Add("{}", LoadPrefetchTable(record));
  if (const Json& cycles = record["lockstep_cycles"]; cycles != nullptr && cycles != 0) {
    page.Add("lockstep: RTL and model agreed on every output in {} cycles\n",
             Grouped(cycles.get<uint64_t>()));
  }
  if (const Json& perturbed = record["perturbed"]; !perturbed["runs"].empty()) {
    const Spread cycles = {perturbed["cycles"]["mean"].get<double>(),
                           perturbed["cycles"]["deviation"].get<double>(), 0};
    page.Add("perturbed: {} cycles in {} settings (docs/command.md)\n", cycles.ToText(0),
             perturbed["settings"].get<uint64_t>());
  }
  page.AddChecks();
  if (record["interrupted"].get<bool>()) {
    page.Add("interrupted: the figures above are what was known then\n");
  }
  return page.Take();
}

}  // namespace flagstone
