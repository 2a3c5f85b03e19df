// `flagstone compare`: workloads x policies x machines, side by side.
#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/file.h"
#include "cli/compare_cases.h"
#include "cli/options.h"
#include "cli/prefetch_tables.h"
#include "cli/table.h"
#include "cli/terminal.h"
#include "cli/verbs.h"
#include "cli/version.h"
#include "cli/worker_pool.h"
#include "flow/run.h"

namespace flagstone {
namespace {

// A figure of the result relative to the same figure of the baseline; "-" where that is undefined.
std::string Relative(const Json& value, const Json& base) {
  if (!value.is_number() || !base.is_number() || base.get<double>() == 0) return "-";
  return fmt::format("{:.3f}", value.get<double>() / base.get<double>());
}

bool Passed(const Json& result) {
  for (const Json& check : result["checks"]) {
    if (!check["passed"].get<bool>()) return false;
  }
  return true;
}

std::string Rate(const Json& value) {
  return value.is_number() ? fmt::format("{:.1f}%", 100 * value.get<double>()) : "-";
}

void PrintTable(const std::vector<Case>& cases, const std::vector<WorkerOutcome>& outcomes,
                bool many_machines) {
  const bool prefetch = !cases[0].prefetch.empty();
  Table table;
  table.AddColumn("workload", Table::Align::kLeft);
  if (many_machines) table.AddColumn("machine", Table::Align::kLeft);
  table.AddColumn("policy", Table::Align::kLeft);
  if (prefetch) table.AddColumn("prefetch", Table::Align::kLeft);
  for (const char* header : {"cycles", "rel", "IPC", "rel"}) {
    table.AddColumn(header, Table::Align::kRight);
  }
  const std::vector<std::string> middle =
      prefetch ? PrefetchColumns()
               : std::vector<std::string>{"L1 miss", "rel", "L2 accesses", "rel"};
  for (const std::string& header : middle) table.AddColumn(header, Table::Align::kRight);
  table.AddColumn("check", Table::Align::kLeft);
  for (size_t i = 0; i < cases.size(); ++i) {
    if (i != 0 && cases[i].baseline != cases[i - 1].baseline) table.AddRule();
    std::vector<std::string> cells = {cases[i].request.workload};
    if (many_machines) cells.push_back(cases[i].request.machine.name);
    cells.emplace_back(cases[i].request.policy->name);
    if (prefetch) cells.push_back(cases[i].prefetch);
    if (outcomes[i].exit_code != 0) {
      cells.resize(cells.size() + 4 + middle.size(), "-");
      cells.emplace_back("FAILED");
    } else {
      const Json& t = outcomes[i].result["totals"];
      const Json& base_result = outcomes[cases[i].baseline].result;
      const Json none;
      const bool has_base = base_result.is_object();
      const Json& b = has_base ? base_result["totals"] : none;
      const auto rel = [&](const Json::json_pointer& key) {
        return has_base ? Relative(t[key], b[key]) : std::string("-");
      };
      cells.push_back(Grouped(t["cycles"].get<uint64_t>()));
      cells.push_back(rel(Json::json_pointer("/cycles")));
      cells.push_back(t["ipc"].is_number() ? fmt::format("{:.1f}", t["ipc"].get<double>()) : "-");
      cells.push_back(rel(Json::json_pointer("/ipc")));
      if (prefetch) {
        for (std::string& cell : PrefetchCells(t, outcomes[i].result["prefetch_overhead"])) {
          cells.push_back(std::move(cell));
        }
      } else {
        cells.push_back(Rate(t["l1"]["miss_rate"]));
        cells.push_back(rel(Json::json_pointer("/l1/miss_rate")));
        cells.push_back(Grouped(t["l2"]["accesses"].get<uint64_t>()));
        cells.push_back(rel(Json::json_pointer("/l2/accesses")));
      }
      cells.emplace_back(outcomes[i].result["checks_skipped"].get<bool>() ? "-"
                         : Passed(outcomes[i].result)                     ? "passed"
                                                                          : "FAILED");
    }
    table.AddRow(std::move(cells));
  }
  fmt::print("{}", table.ToString());
  const Case& base = cases[cases[0].baseline];
  if (!prefetch) {
    fmt::print("rel: relative to {}; L2 accesses in 32 B sectors\n", base.request.policy->name);
    return;
  }
  fmt::print(
      "rel: relative to {} without prefetches. cover: prefetches issued, of the demand fetches; "
      "accur:\nused, early: evicted before use, both of the issued; dist: mean cycles from "
      "prefetch "
      "to demand;\nL2 req, DRAM: more requests from SMs to L2, more sectors read, than without\n",
      base.request.policy->name);
}

// Adds the figures that need the run without prefetches.
void PutPrefetchOverheads(const std::vector<Case>& cases, std::vector<WorkerOutcome>* outcomes) {
  for (size_t i = 0; i < cases.size(); ++i) {
    if (cases[i].prefetch.empty() || !(*outcomes)[i].result.is_object()) continue;
    const Json& without = (*outcomes)[cases[i].without_prefetch].result;
    (*outcomes)[i].result["prefetch_overhead"] = PrefetchOverhead(
        (*outcomes)[i].result["totals"], without.is_object() ? without["totals"] : Json());
  }
}

std::string Csv(const std::vector<WorkerOutcome>& outcomes) {
  static const std::vector<std::string> kTotals = {"cycles",
                                                   "warp_instructions",
                                                   "thread_instructions",
                                                   "ipc",
                                                   "l1/accesses",
                                                   "l1/misses",
                                                   "l1/miss_rate",
                                                   "l2/accesses",
                                                   "l2/misses",
                                                   "dram/reads",
                                                   "dram/writes",
                                                   "tb/stolen",
                                                   "tbs_per_sm",
                                                   "noc/request/packets",
                                                   "prefetch/demand_fetches",
                                                   "prefetch/issued",
                                                   "prefetch/used",
                                                   "prefetch/late",
                                                   "prefetch/early_evicted",
                                                   "prefetch/distance/mean"};
  std::string text =
      "workload,size,machine,policy,warp_scheduler,prefetcher,engine,config_hash,input_hash";
  for (std::string key : kTotals) {
    std::replace(key.begin(), key.end(), '/', '_');
    text += "," + key;
  }
  text += ",checks_passed\n";
  for (const WorkerOutcome& outcome : outcomes) {
    if (outcome.exit_code != 0) continue;
    const Json& r = outcome.result;
    std::string row;
    for (const char* key : {"workload", "size", "machine", "policy", "warp_scheduler", "prefetcher",
                            "engine", "config_hash", "input_hash"}) {
      row += (row.empty() ? "" : ",") + r[key].get<std::string>();
    }
    for (const std::string& key : kTotals) {
      const Json& value = r["totals"][Json::json_pointer("/" + key)];
      row += "," + (value.is_null() ? std::string() : value.dump());
    }
    const bool skipped = r["checks_skipped"].get<bool>();
    text += row + (skipped ? ",\n" : Passed(r) ? ",true\n" : ",false\n");
  }
  return text;
}

int Compare(const CompareOptions& options) {
  const std::vector<Case> cases = MakeCases(options);
  CatchInterrupts();
  ProgressBar bar(options.common.quiet);
  std::vector<WorkerOutcome> outcomes = RunWorkers(
      cases.size(), options.jobs,
      [&](size_t i) { return ToJson(RunWorkload(cases[i].request), Version(), CommandLine()); },
      [&](size_t done) { bar.Show("compare", done, cases.size()); });
  bar.Clear();
  PutPrefetchOverheads(cases, &outcomes);

  int exit_code = 0;
  Json results = Json::array();
  for (size_t i = 0; i < cases.size(); ++i) {
    const WorkerOutcome& outcome = outcomes[i];
    if (outcome.exit_code != 0) {
      exit_code = std::max(exit_code, outcome.exit_code);
      if (!outcome.message.empty()) {
        fmt::print(stderr, "flagstone: {} under {} on {}: {}\n", cases[i].request.workload,
                   cases[i].request.policy->name, cases[i].request.machine.name, outcome.message);
      }
    } else {
      if (!Passed(outcome.result)) exit_code = std::max(exit_code, kExitFailed);
      results.push_back(outcome.result);
    }
  }
  const JsonOption& json = options.common.json;
  if (json.wanted) {
    json.Write({{"schema", "flagstone.compare/1"}, {"command", CommandLine()}, {"runs", results}});
  }
  if (!options.csv.empty()) WriteFileAtomically(options.csv, Csv(outcomes));
  if (!json.wanted || !json.file.empty()) {
    PrintTable(cases, outcomes, options.common.machine.find(',') != std::string::npos);
  }
  return *Interrupted() ? kExitInterrupted : exit_code;
}

}  // namespace

void AddCompareVerb(CLI::App* app, int* exit_code) {
  CLI::App* verb =
      app->add_subcommand("compare", "Simulate workloads under several policies, side by side");
  auto options = std::make_shared<CompareOptions>();
  verb->add_option("workloads", options->workloads,
                   "Names ('flagstone list workloads'), 'all', or\nworkload.toml files")
      ->required()
      ->type_name("WORKLOAD...");
  verb->add_option("--policy", options->policies,
                   "TB policies; relative to lrr, or else to the first")
      ->type_name("P[,P...]")
      ->capture_default_str();
  AddWarpScheduler(verb, &options->warp_scheduler);
  verb->add_option(
          "--prefetch", options->prefetchers,
          "Prefetchers, each beside the run without; P+S: with\nwarp scheduler S of its own")
      ->type_name("P[+S][,P...]");
  AddData(verb, &options->known_data);
  AddEngine(verb, &options->engine);
  AddValues(verb, &options->values, &options->skip_checks);
  verb->add_option("--csv", options->csv, "Write a row per run")->type_name("FILE");
  verb->add_option("--jobs", options->jobs, "Simulations at once (default: one per processor)")
      ->type_name("N")
      ->check(CLI::Range(size_t{1}, size_t{1024}));
  options->common.AddTo(verb, /*many_machines=*/true);
  verb->footer(
      "Example:\n"
      "  flagstone compare syrk matmul hotspot --size paper --policy lrr,rb --machine fermi,volta\n"
      "  flagstone compare all --policy lrr,rb --machine fermi,pascal,volta --jobs 2\n"
      "  flagstone compare laplace3d stencil --policy lrr --machine caps_fermi --prefetch "
      "caps+pas");
  verb->callback([options, exit_code] { *exit_code = Compare(*options); });
}

}  // namespace flagstone
