#include "app/flow/studies/coalescing_study.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/address/address_analysis.h"
#include "analyzer/coalescing/coalescing.h"
#include "app/flow/analyse/json_coalescing.h"
#include "base/pearson.h"
#include "base/toml_reader.h"
#include "kernels/ptx/kernel.h"

namespace flagstone {
namespace {

struct KernelLoads {
  std::string name;
  std::vector<LoadCoalescing> loads;  // of all launches
  LoadCounts counts;                  // of these loads, as simulated
  uint64_t stores = 0;                // sectors
};

KernelLoads* FindKernel(std::vector<KernelLoads>& kernels, const std::string& name) {
  const auto found = std::find_if(kernels.begin(), kernels.end(),
                                  [&](const KernelLoads& k) { return k.name == name; });
  return found == kernels.end() ? nullptr : &*found;
}

std::vector<KernelLoads> AnalyzeKernels(const Workload& workload) {
  const BoundWorkload bound = BindAddresses(workload);
  std::vector<KernelLoads> kernels;
  for (const KernelLaunch& launch : bound.launches) {
    KernelLoads* kernel = FindKernel(kernels, launch.kernel->name);
    if (kernel == nullptr) kernel = &kernels.emplace_back(KernelLoads{launch.kernel->name, {}, {}});
    for (LoadCoalescing& load : AnalyzeCoalescing(AnalyzeAddresses(launch, bound.memory), launch)) {
      kernel->loads.push_back(std::move(load));
    }
  }
  return kernels;
}

Json PartOf(uint64_t part, uint64_t whole) {
  if (whole == 0) return nullptr;
  return static_cast<double>(part) / static_cast<double>(whole);
}

// Pearson's r of two keys.
Json CorrelationOf(const std::vector<Json>& rows, const char* a, const char* b) {
  std::vector<double> x, y;
  for (const Json& row : rows) {
    x.push_back(row[a]);
    y.push_back(row[b]);
  }
  const std::optional<double> r = Pearson(x, y);
  return r ? Json(*r) : Json(nullptr);
}

// Of the rows that have what all figures need.
Json SummarizeSet(const char* set, const Json& rows, bool published) {
  constexpr double kHighDegree = 0.7, kHighHits = 0.6;  // the paper's
  std::vector<Json> known, theirs;
  uint32_t high_degree = 0, high_hits = 0, high_hits_with_stores = 0;
  for (const Json& row : rows) {
    if (row["degree"].is_null() || row["hit_rate"].is_null()) continue;
    if (published && row["theirs"].is_null()) continue;
    known.push_back(row);
    if (published) theirs.push_back(row["theirs"]);
    if (row["degree"] <= kHighDegree) continue;
    ++high_degree;
    high_hits += row["hit_rate"] > kHighHits ? 1U : 0U;
    high_hits_with_stores += row["hit_rate_with_stores"] > kHighHits ? 1U : 0U;
  }
  return {{"set", set},
          {"kernels", known.size()},
          {"degree_and_hits", CorrelationOf(known, "degree", "hit_rate")},
          {"degree_and_hits_with_stores", CorrelationOf(known, "degree", "hit_rate_with_stores")},
          {"expectation_and_sectors",
           CorrelationOf(known, "sector_expectation", "sectors_per_request")},
          {"their_expectation_and_sectors",
           CorrelationOf(theirs, "sector_expectation", "sectors_per_request")},
          {"high_degree", high_degree},
          {"high_hits", high_hits},
          {"high_hits_with_stores", high_hits_with_stores}};
}

}  // namespace

Json ReadTheirCoalescing(const TomlReader& reader) {
  return {
      {"degree", reader.Number("degree", 0, 1)},
      {"sectors_in_range", reader.Integer("sectors_in_range", 0, 32)},
      {"sector_expectation", reader.Number("sector_expectation", 0, 1024)},
      {"sectors_per_request", reader.Number("sectors_per_request", 0, 1024)},
      {"hit_rate", reader.Has("hit_rate") ? Json(reader.Number("hit_rate", 0, 1)) : Json(nullptr)}};
}

Json CoalescingRows(const RunOptions& options, const Workload& workload, bool* interrupted) {
  std::vector<KernelLoads> kernels = AnalyzeKernels(workload);
  RunOptions detailed = options;
  detailed.detail = true;
  const RunRecord record = RunWorkload(detailed, workload);
  *interrupted = record.interrupted;
  for (const LaunchRecord& launch : record.launches) {
    KernelLoads* kernel = FindKernel(kernels, launch.entry);
    if (kernel == nullptr || !launch.detail) continue;
    kernel->stores += launch.statistics.l1.stores;
    for (const LoadOfLaunch& load : launch.detail->loads) {
      // The load unit counts loads of local memory and atomics too.
      const bool is_global = std::any_of(kernel->loads.begin(), kernel->loads.end(),
                                         [&](const LoadCoalescing& l) { return l.pc == load.pc; });
      if (is_global) kernel->counts += load.counts;
    }
  }
  Json rows = Json::array();
  for (const KernelLoads& kernel : kernels) {
    Json row = {{"workload", options.workload}, {"kernel", kernel.name}};
    row["loads"] = kernel.loads.size();
    row.update(ToJson(Measure(kernel.loads)));
    row.erase("graph");
    const LoadCounts& counts = kernel.counts;
    row["sectors_per_request"] = PartOf(counts.accesses, counts.executed);
    const uint64_t hits = counts.accesses - counts.misses;
    row["hit_rate"] = PartOf(hits, counts.accesses);
    row["hit_rate_with_stores"] = PartOf(hits + kernel.stores, counts.accesses + kernel.stores);
    rows.push_back(std::move(row));
  }
  return rows;
}

bool CoalescingAgrees(const Json& row) {
  constexpr double kRounding = 1.000001 / 2;  // of the last digit
  const Json& theirs = row["theirs"];
  if (row["degree"].is_null()) return false;
  const auto near = [&](const char* key, double digit) {
    return std::abs(row[key].get<double>() - theirs[key].get<double>()) <= kRounding * digit;
  };
  return near("degree", 1e-4) && row["sectors_in_range"] == theirs["sectors_in_range"] &&
         near("sector_expectation", 1e-2);
}

Json SummarizeCoalescing(const Json& rows) {
  return {{"sets", {SummarizeSet("published", rows, true), SummarizeSet("all", rows, false)}}};
}

}  // namespace flagstone
