#include "flow/load_study.h"

#include <fmt/core.h>

#include "base/error.h"
#include "base/stopwatch.h"
#include "base/toml_reader.h"
#include "flow/experiment_request.h"
#include "flow/load_iterations.h"
#include "flow/result_key.h"
#include "flow/warp_distance.h"
#include "launch/workload.h"
#include "store/results_id.h"

namespace flagstone {
namespace {

Json Rate(uint64_t part, uint64_t whole) {
  if (whole == 0) return nullptr;
  return static_cast<double>(part) / static_cast<double>(whole);
}

Json Iterations(const RunOptions& options, const Workload& workload) {
  const LoadIterations found = CountLoadIterations(workload);
  return Json::array({{{"workload", options.workload},
                       {"loads", found.loads},
                       {"repeated", found.repeated},
                       {"iterations", found.iterations}}});
}

Json WarpDistances(const RunOptions& options, const RunRecord& record, uint32_t warps) {
  std::vector<WarpDistanceFigures> sums(warps);
  for (const LaunchRecord& launch : record.launches) {
    for (const LoadLog& log : launch.load_logs) {
      WarpDistance sm(warps);
      for (const LoadEvent& load : log) sm.Add(load);
      for (uint32_t i = 0; i < warps; ++i) {
        const WarpDistanceFigures& figures = sm.figures()[i];
        sums[i].targets += figures.targets;
        sums[i].correct += figures.correct;
        sums[i].same_tb += figures.same_tb;
        sums[i].same_tb_correct += figures.same_tb_correct;
        sums[i].cycles += figures.cycles;
      }
    }
  }
  Json rows = Json::array();
  for (uint32_t i = 0; i < warps; ++i) {
    rows.push_back({{"workload", options.workload},
                    {"distance", i + 1},
                    {"targets", sums[i].targets},
                    {"accuracy", Rate(sums[i].correct, sums[i].targets)},
                    {"same_tb", Rate(sums[i].same_tb, sums[i].targets)},
                    {"accuracy_in_tb", Rate(sums[i].same_tb_correct, sums[i].same_tb)},
                    {"gap", Rate(sums[i].cycles, sums[i].targets)}});
  }
  return rows;
}

}  // namespace

LoadStudy LoadStudy::Parse(const TomlReader& root, const std::vector<std::string>& settings) {
  root.AllowOnly({"description", "source", "study", "workloads", "machine", "size", "warps"});
  LoadStudy study;
  const std::string kind = root.Line("study");
  if (kind == "warp-distance") {
    study.kind = Kind::kWarpDistance;
    study.warps = static_cast<uint32_t>(root.Integer("warps", 1, 63));
  } else if (kind != "load-iterations") {
    root.Fail(root.Require("study").source().begin,
              "key 'study' is {}: expected load-iterations or warp-distance", Quoted(kind));
  }
  for (const std::string& workload : ReadStrings(root, "workloads")) {
    RunOptions& options = study.runs.emplace_back();
    options.workload = WorkloadPath(root, workload);
    options.size = root.String("size", "paper");
    if (study.kind != Kind::kWarpDistance) continue;
    options.machine = LoadMachine(root.Line("machine"), {}, settings);
  }
  return study;
}

Json RunLoadStudy(const LoadStudy& study, size_t run, const Workload& workload) {
  RunOptions options = study.runs[run];
  Stopwatch watch;
  Json record = {{"schema", "flagstone.study/1"},
                 {"workload", options.workload},
                 {"size", options.size},
                 {"machine", nullptr},
                 {"interrupted", false},
                 {"totals", Json::object()},
                 {"rows", nullptr}};
  if (study.kind == LoadStudy::Kind::kIterations) {
    record["rows"] = Iterations(options, workload);
  } else {
    options.load_logs = true;
    const RunRecord simulated = RunWorkload(options, workload);
    record["machine"] = options.machine.name;
    record["interrupted"] = simulated.interrupted;
    record["rows"] = WarpDistances(options, simulated, study.warps);
  }
  record["host"]["seconds"] = watch.Lap();
  return record;
}

std::string LoadStudyIdentity(const LoadStudy& study, size_t run, uint64_t input_hash) {
  const RunOptions& options = study.runs[run];
  if (study.kind == LoadStudy::Kind::kWarpDistance) {
    return fmt::format("warp distances to {}\n{}", study.warps,
                       ResultIdentity(options, input_hash));
  }
  return fmt::format("load iterations\ncode {}\nworkload {:016x} {}\n", ResultsId(), input_hash,
                     options.size);
}

}  // namespace flagstone
