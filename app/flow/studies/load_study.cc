#include "app/flow/studies/load_study.h"

#include <fmt/core.h>

#include <string_view>
#include <utility>

#include "app/flow/run/result_key.h"
#include "app/flow/run/run_request.h"
#include "app/flow/studies/coalescing_study.h"
#include "app/flow/studies/ladm_study.h"
#include "app/flow/studies/load_iterations.h"
#include "app/flow/studies/load_study_kinds.h"
#include "app/flow/studies/sharing_study.h"
#include "app/flow/studies/tb_bases.h"
#include "app/flow/studies/warp_distance.h"
#include "app/results/results_id.h"
#include "base/error.h"
#include "base/stopwatch.h"
#include "base/toml_reader.h"
#include "kernels/launch/workload.h"

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

// Of the first launch. Bases and strides are in bytes; `base` counts from the first TB's, and
// `from_previous` from the TB's before it on the SM.
Json FirstSmsBases(const RunOptions& options, const RunRecord& record) {
  Json rows = Json::array();
  if (record.launches.empty() || record.launches[0].load_logs.empty()) return rows;
  const LaunchRecord& launch = record.launches[0];
  const std::vector<TbBase> bases = TbBases(launch.load_logs[0]);
  for (size_t i = 0; i < bases.size(); ++i) {
    const TbBase& tb = bases[i];
    const auto bytes_from = [&tb](const TbBase& other) {
      return static_cast<int64_t>(tb.base - other.base);
    };
    const Dim3 place = TbCoordinates(tb.tb, launch.grid);
    Json& row = rows.emplace_back();
    row = {{"workload", options.workload},
           {"tb", tb.tb},
           {"coordinates", {place.x, place.y, place.z}},
           {"base", bytes_from(bases[0])},
           {"from_previous", nullptr},
           {"warps", tb.warps},
           {"stride", nullptr}};
    if (i != 0) row["from_previous"] = bytes_from(bases[i - 1]);
    if (tb.stride) row["stride"] = *tb.stride;
  }
  return rows;
}

using Kind = LoadStudy::Kind;

Kind ParseKind(const TomlReader& root) {
  const std::string name = root.Line("study");
  std::vector<std::string_view> known;
  for (const LoadStudyKind& kind : LoadStudyKinds()) {
    if (kind.name == name) return kind.kind;
    known.push_back(kind.name);
  }
  root.Fail(root.Require("study").source().begin, "key 'study' is {}: expected one of {}",
            Quoted(name), CommaSeparated(known));
}

LoadStudy::Published ParsePublished(const TomlReader& reader, const LoadStudyKind& kind) {
  std::vector<std::string_view> keys = {"workload", "size", "kernel", "label", "explained"};
  keys.insert(keys.end(), kind.their_keys.begin(), kind.their_keys.end());
  reader.AllowOnly(keys);
  LoadStudy::Published published;
  published.theirs = kind.read(reader);
  published.workload = PathBeside(reader, reader.Line("workload"));
  published.kernel = reader.Line("kernel");
  published.label = reader.String("label", published.kernel);
  if (reader.Has("explained")) published.explained = reader.Line("explained");
  return published;
}

}  // namespace

LoadStudy LoadStudy::Parse(const TomlReader& root, const std::vector<std::string>& settings) {
  LoadStudy study;
  study.kind = ParseKind(root);
  std::vector<std::string_view> keys = {"description", "source", "paper",
                                        "figure",      "study",  "size"};
  const LoadStudyKind& kind = KindOf(study);
  if (kind.TakesWorkloads()) keys.push_back("workloads");
  if (kind.has_machine) keys.push_back("machine");
  if (kind.HasPublished()) keys.push_back("kernel");
  if (study.kind == Kind::kWarpDistance) keys.push_back("warps");
  root.AllowOnly(keys);
  if (root.Has("figure")) study.figure = root.Line("figure");
  if (study.kind == Kind::kWarpDistance) {
    study.warps = static_cast<uint32_t>(root.Integer("warps", 1, 63));
  }
  const std::string size = root.String("size", "paper");
  const auto add = [&](const TomlReader& reader, const std::string& workload,
                       const std::string& of_size) {
    for (const RunOptions& run : study.runs) {
      if (run.workload != workload) continue;
      if (run.size == of_size) return;
      reader.Fail(reader.position(), "workload {} is in the study at size {} and at {}",
                  Quoted(workload), run.size, of_size);
    }
    RunOptions& options = study.runs.emplace_back();
    options.workload = workload;
    options.size = of_size;
    if (kind.has_machine) {
      options.machine = LoadMachine(root.Line("machine"), {}, settings);
    }
  };
  if (kind.HasPublished()) {
    for (const toml::node& node : root.Array("kernel")) {
      const TomlReader reader = root.TableOf(node, "[[kernel]]");
      study.published.push_back(ParsePublished(reader, kind));
      add(reader, study.published.back().workload, reader.String("size", size));
    }
  }
  for (const std::string& workload : ReadStrings(root, "workloads")) {
    add(root, PathBeside(root, workload), size);
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
  bool interrupted = false;
  switch (study.kind) {
    case Kind::kIterations:
      record["rows"] = Iterations(options, workload);
      break;
    case Kind::kWarpDistance:
    case Kind::kTbBases: {
      options.load_logs = true;
      const RunRecord simulated = RunWorkload(options, workload);
      interrupted = simulated.interrupted;
      record["rows"] = study.kind == Kind::kTbBases
                           ? FirstSmsBases(options, simulated)
                           : WarpDistances(options, simulated, study.warps);
      break;
    }
    case Kind::kCoalescing:
      record["rows"] = CoalescingRows(options, workload, &interrupted);
      break;
    case Kind::kLadm:
      record["rows"] = LadmRows(options.workload, workload);
      break;
    case Kind::kSharing:
      record["rows"] = SharingRows(options.workload, workload);
      break;
  }
  if (KindOf(study).has_machine) record["machine"] = options.machine.name;
  record["interrupted"] = interrupted;
  record["host"]["seconds"] = watch.Lap();
  return record;
}

std::string LoadStudyIdentity(const LoadStudy& study, size_t run, uint64_t input_hash) {
  const RunOptions& options = study.runs[run];
  const auto static_identity = [&](const char* what) {
    return fmt::format("{}\ncode {}\nworkload {:016x} {}\n", what, ResultsId(), input_hash,
                       options.size);
  };
  switch (study.kind) {
    case Kind::kIterations:
      return static_identity("load iterations");
    case Kind::kWarpDistance:
      return fmt::format("warp distances to {}\n{}", study.warps,
                         ResultIdentity(options, input_hash));
    case Kind::kTbBases:
      return "bases of TBs\n" + ResultIdentity(options, input_hash);
    case Kind::kCoalescing:
      return "coalescing\n" + ResultIdentity(options, input_hash);
    case Kind::kLadm:
      return static_identity("LADM");
    case Kind::kSharing:
      return static_identity("sharing between TBs");
  }
  return {};
}

}  // namespace flagstone
