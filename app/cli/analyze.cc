// `flagstone analyze`: which TBs share data, and how a policy groups them.
#include "app/flow/analyse/analyze.h"

#include <fmt/core.h>

#include <functional>

#include "analyzer/locality/graph_writer.h"
#include "app/cli/analyze_seconds.h"
#include "app/cli/analyze_stages.h"
#include "app/cli/files_read.h"
#include "app/cli/ladm_table.h"
#include "app/cli/loads_table.h"
#include "app/cli/locality_page.h"
#include "app/cli/options.h"
#include "app/cli/placement_table.h"
#include "app/cli/report_option.h"
#include "app/cli/terminal.h"
#include "app/cli/verbs.h"
#include "app/cli/version.h"
#include "app/flow/analyse/analysis_json.h"
#include "app/policy/policies.h"
#include "base/demangle.h"
#include "base/error.h"
#include "base/file.h"
#include "base/stopwatch.h"
#include "gpu_model/simt/executor.h"
#include "kernels/launch/launch_sequence.h"
#include "kernels/launch/workload.h"
#include "kernels/ptx/kernel.h"

namespace flagstone {
namespace {

struct AnalyzeOptions {
  CommonOptions common;
  std::string policy = "rb";  // names: of each, or all
  std::string granularity = "byte";
  std::string graph_file;
  std::string dump;
  bool detail = false;  // in the JSON
  ReportOption report;
  std::vector<const Policy*> policies;  // `policy` resolved; the first one is shown in full
  std::string workload_name, size, machine_name;  // of what was loaded
};

// "rb", "rb,tile", or "all".
std::vector<const Policy*> ParsePolicies(const std::string& names) {
  std::vector<const Policy*> policies;
  if (names == "all") {
    policies.push_back(&FindPolicy("rb"));
    for (const Policy& policy : Policies()) {
      if (policy.name == "rb" || policy.plan != nullptr || policy.takes_file) continue;
      policies.push_back(&policy);
    }
  } else {
    policies = FindPolicies(names);
  }
  return policies;
}

// Analyses each launch on the data that it finds when it runs first.
std::vector<AnalyzedLaunch> AnalyzeOnData(BoundWorkload& bound, AnalysisRequest request,
                                          const std::function<void(const Progress&)>& progress) {
  std::vector<AnalyzedLaunch> launches(bound.launches.size());
  size_t left = launches.size();
  LaunchSequence sequence(&bound);
  while (left > 0) {
    const KernelLaunch* launch = sequence.Next();
    if (launch == nullptr) break;
    request.execution.progress = [&](const FunctionalCounts& counts) {
      progress({.tbs_completed = counts.tbs,
                .tbs = launch->TbCount(),
                .warp_instructions = counts.warp_instructions});
    };
    request.number = static_cast<uint64_t>(launch - bound.launches.data());
    AnalyzedLaunch& analyzed = launches[request.number];
    if (analyzed.launch != nullptr) {
      RunFunctionally(*launch, &bound.memory, nullptr, nullptr, request.execution);
      continue;
    }
    request.known_data = &bound.memory;
    analyzed = {launch, AnalyzeLaunch(*launch, bound.memory, request), {}};
    --left;
  }
  return launches;
}

Granularity ParseGranularity(const std::string& name) {
  for (const Granularity g :
       {Granularity::kByte, Granularity::kElement, Granularity::kSector, Granularity::kLine}) {
    if (name == ToString(g)) return g;
  }
  ThrowBadInput("--granularity: unknown granularity '{}': expected byte, element, sector or line",
                name);
}

Json AnalysisJson(const AnalyzeOptions& options, const std::vector<AnalyzedLaunch>& launches,
                  const AnalyzeSeconds& seconds, bool detail) {
  Json json = {{"schema", "flagstone.analyze/1"},
               {"version", Version()},
               {"command", CommandLine()},
               {"workload", options.workload_name},
               {"size", options.size.empty() ? Json() : Json(options.size)},
               {"asked_size", options.common.run.size},
               {"machine", options.machine_name},
               {"policy", options.policies.front()->name},
               {"granularity", options.granularity},
               {"data", options.common.run.known_data ? "known" : "static"},
               {"seed", options.common.run.seed}};
  json["launches"] = Json::array();
  for (const AnalyzedLaunch& launch : launches) json["launches"].push_back(ToJson(launch, detail));
  json["host"] = {{"seconds", ToJson(seconds)}};
  return json;
}

void PrintPage(const AnalyzedLaunch& analyzed, const AnalyzeOptions& options) {
  const KernelLaunch& launch = *analyzed.launch;
  const LaunchAnalysis& a = analyzed.analysis;
  fmt::print("{}: {}x{}x{} TBs of {}x{}x{} threads, {} at once on an SM of {} (limit: {})\n\n",
             KernelName(launch.kernel->name), launch.grid.x, launch.grid.y, launch.grid.z,
             launch.block.x, launch.block.y, launch.block.z, a.occupancy.tbs_per_sm,
             options.common.machine, a.occupancy.limit);
  fmt::print("{}", LoadsTable(analyzed));
  fmt::print("{}", LocalityPage(analyzed, options.granularity,
                                std::string(options.policies.front()->name)));
  fmt::print("{}\n", LadmTable(analyzed.analysis.ladm));
  if (a.placed) fmt::print("{}\n", PlacementTable(*a.placed, options.machine_name));
}

void Analyze(AnalyzeOptions options) {
  if (options.common.PrintedLaunch()) return;
  options.policies = ParsePolicies(options.policy);
  const Policy& policy = *options.policies.front();
  const AnalyzeStage* stage = options.dump.empty() ? nullptr : &FindAnalyzeStage(options.dump);
  const MachineConfig machine = options.common.LoadMachine();
  AnalysisRequest request;
  request.machine = &machine;
  request.policy = &policy;
  request.granularity = ParseGranularity(options.granularity);
  request.seed = options.common.run.seed;
  // Of a stage that is dumped, only what it needs.
  request.other_analyses = stage == nullptr || stage->other_analyses;
  request.by_warp = true;
  request.partial = true;
  if (stage != nullptr && options.graph_file.empty() && options.policies.size() == 1) {
    request.depth = stage->depth;
  }
  request.wants_graph = !options.graph_file.empty() || options.dump == "graph";
  for (const Policy* each : options.policies) {
    request.wants_graph = request.wants_graph || each->needs_graph;
  }

  ProgressBar bar(options.common.quiet);
  request.execution.max_warp_instructions = options.common.run.max_instructions;

  uint64_t parts = 0, all_parts = 0;
  request.begins = [&](std::string_view part) {
    bar.Show(fmt::format("{}, {}", options.common.run.workload, part), parts++, all_parts);
  };

  Stopwatch watch;
  const Workload workload = options.common.Load(
      options.common.run.known_data ? Workload::For::kRun : Workload::For::kAnalysis);
  WarnOfSize(workload);
  if (!options.common.quiet) NoteWhatIsNotExecuted(workload);
  const double parse_seconds = watch.Lap();
  BoundWorkload bound = Bind(workload);
  all_parts = AnalysisRequest::kParts * bound.launches.size();
  std::vector<AnalyzedLaunch> launches;
  if (options.common.run.known_data) {
    launches = AnalyzeOnData(bound, request,
                             [&](const Progress& p) { bar.Show(options.common.run.workload, p); });
  } else {
    for (const KernelLaunch& launch : bound.launches) {
      request.number = launches.size();
      launches.push_back({&launch, AnalyzeLaunch(launch, bound.memory, request), {}});
    }
  }
  if (options.policies.size() > 1) {
    for (AnalyzedLaunch& launch : launches) {
      request.number = static_cast<uint64_t>(launch.launch - bound.launches.data());
      launch.policies = ComparePolicies(options.policies, *launch.launch, launch.analysis, request);
    }
  }

  bar.Clear();
  if (!options.graph_file.empty()) {
    for (size_t i = 0; i < launches.size(); ++i) {
      WriteGraph(launches[i].analysis.graph, NumberedFile(options.graph_file, i, launches.size()));
    }
  }
  const double seconds = parse_seconds + watch.Lap();
  if (stage != nullptr) {
    for (size_t i = 0; i < launches.size(); ++i) fmt::print("{}", stage->dump(launches[i], i));
    return;
  }
  options.workload_name = workload.name;
  options.size = workload.size;
  options.machine_name = machine.name;
  const JsonOption& json_option = options.common.json;
  const AnalyzeSeconds analyzed(launches, parse_seconds, seconds);
  const auto json = [&](bool detail) { return AnalysisJson(options, launches, analyzed, detail); };
  if (json_option.wanted) json_option.Write(json(options.detail));
  if (options.report.wanted()) options.report.Write(json(/*detail=*/true));
  if (!json_option.OnStdout() && !options.report.OnStdout()) {
    for (const AnalyzedLaunch& launch : launches) PrintPage(launch, options);
  }
  if (!options.common.quiet) {
    fmt::print(stderr, "{}", SecondsLine(analyzed, options.common.run.known_data));
  }
}

}  // namespace

void AddAnalyzeVerb(CommandLineParser* command) {
  Verb* verb = command->AddVerb("analyze", "Find which TBs share data, without running");
  auto options = std::make_shared<AnalyzeOptions>();
  AddWorkload(verb, &options->common.run);
  verb->Add("--policy", &options->policy,
            "How TBs are grouped ('flagstone list policies'); several, or\n'all', are "
            "also set side by side")
      .Type("P[,P...]")
      .Reads(FilesOfPolicies)
      .ShowDefault();
  verb->Add(
          "--granularity", &options->granularity,
          "What sharing is counted in: bytes, elements (as large as the\nsmallest access), 32 B or "
          "128 B")
      .Type("byte|element|sector|line")
      .ShowDefault();
  verb->Add("--graph", &options->graph_file, "Write the locality graph: .graph (METIS) or .graphml")
      .Type("FILE")
      .Output();
  verb->Add("--dump", &options->dump, "Print one stage whole, see below").Type("STAGE");
  verb->AddFlag("--detail", &options->detail,
                "--json has the locality matrix, the edges of small graphs,\nthe sharers and the "
                "instructions");
  options->report.AddTo(verb);
  AddData(verb, &options->common.run);
  AddMaxInstructions(verb, &options->common.run);
  options->common.launch.AddTo(verb);
  options->common.AddTo(verb);
  verb->Footer(
      "Stages: kernel, addresses, tree, footprints, sharers, graph, groups, image, coalescing, "
      "ladm\n"
      "\n"
      "Examples:\n"
      "  flagstone analyze matmul --size paper\n"
      "  flagstone analyze syrk --dump groups --machine volta\n"
      "  flagstone analyze syrk --size paper --policy all\n"
      "  flagstone analyze spmv --data known\n"
      "  flagstone analyze hotspot --size paper --graph hotspot.graphml");
  verb->Do([options] {
    Analyze(*options);
    return 0;
  });
}

}  // namespace flagstone
