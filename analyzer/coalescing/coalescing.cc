#include "analyzer/coalescing/coalescing.h"

#include <algorithm>
#include <memory>

#include "analyzer/coalescing/affine_requests.h"
#include "analyzer/coalescing/evaluated_requests.h"
#include "analyzer/coalescing/residues.h"
#include "analyzer/coalescing/warp.h"

namespace flagstone {
namespace {

// Warps whose TBs have the same residue have the same counts.
void ApplyRule(const AddressForm& access, const KernelLaunch& launch, LoadCoalescing& load) {
  Residues residues(static_cast<uint64_t>(access.form.constant));
  residues.Repeat(access.form.ctaid[0], launch.grid.x);
  residues.Repeat(access.form.ctaid[1], launch.grid.y);
  residues.Repeat(access.form.ctaid[2], launch.grid.z);
  const std::vector<uint64_t> offsets = ThreadOffsets(access.form.tid, launch.block);
  std::vector<uint64_t> warp;
  for (uint64_t r = 0; r < kSectorOfRequest; ++r) {
    const double tbs = residues.counts()[r];
    if (tbs == 0) continue;
    for (size_t first = 0; first < offsets.size(); first += kLanes) {
      warp.clear();
      for (size_t t = first; t < std::min(first + kLanes, offsets.size()); ++t) {
        warp.push_back((uint64_t{1} << 63) + r + offsets[t]);
      }
      CountWarp(warp, tbs, load);
    }
  }
  load.tbs = launch.TbCount();
}

// Of a warp and load: how many sectors of the range any thread is counted in.
uint32_t SectorsOf(const CoalescingGraph& graph) {
  uint32_t sectors = 0;
  constexpr uint32_t kLocations = kSectorOfRequest / 4;
  for (uint32_t first = 0; first < kRangeLocations; first += kLocations) {
    bool touched = false;
    for (uint32_t i = first; i < first + kLocations; ++i) touched = touched || graph[i] > 0;
    sectors += touched ? 1 : 0;
  }
  return sectors;
}

}  // namespace

std::vector<LoadCoalescing> AnalyzeCoalescing(const AddressAnalysis& addresses,
                                              const KernelLaunch& launch) {
  std::vector<LoadCoalescing> loads;
  const auto evaluated = static_cast<uint64_t>(std::count_if(
      addresses.accesses.begin(), addresses.accesses.end(), [](const AddressForm& access) {
        return !access.is_store && !access.is_copy &&
               (access.pattern != AddressClass::kAffine ||
                access.address_class == AddressClass::kDeterministic);
      }));
  std::unique_ptr<const KernelStructure> structure;  // where something has to be evaluated
  for (const AddressForm& access : addresses.accesses) {
    if (access.is_store) continue;
    LoadCoalescing& load = loads.emplace_back();
    load.pc = access.pc;
    if (access.is_copy) {
      load.problem = load.request_problem = "a bulk copy, which is no request of a warp";
      continue;
    }
    if (access.pattern == AddressClass::kIndirect) {
      load.problem = load.request_problem = access.reason;
      continue;
    }
    const bool affine = access.pattern == AddressClass::kAffine;
    if (structure == nullptr && (!affine || access.address_class == AddressClass::kDeterministic)) {
      structure = std::make_unique<const KernelStructure>(*launch.kernel);
    }
    if (affine) {
      ApplyRule(access, launch, load);
    } else {
      ApplyRuleByEvaluation(access, addresses.constants.get(), launch, *structure, evaluated, load);
    }
    switch (access.address_class) {
      case AddressClass::kAffine:
        AffineRequests(access, addresses, launch).Count(load);
        break;
      case AddressClass::kDeterministic:
        CountRequestsByEvaluation(access, addresses.constants.get(), launch, *structure, evaluated,
                                  load);
        break;
      case AddressClass::kIndirect:
        load.request_problem = access.reason;
        break;
    }
  }
  return loads;
}

CoalescingMeasures Measure(std::span<const LoadCoalescing> loads) {
  CoalescingMeasures measures;
  double degrees = 0;
  double requests = 0;
  double sectors = 0;
  uint32_t counted = 0;
  for (const LoadCoalescing& load : loads) {
    requests += load.requests;
    sectors += load.sectors;
    if (!load.request_problem.empty()) ++measures.requests_left_out;
    if (load.threads == 0) {
      ++measures.left_out;
      continue;
    }
    ++counted;
    degrees += load.counted / load.threads;
    for (size_t i = 0; i < kRangeLocations; ++i) measures.graph[i] += load.graph[i] / load.warps;
  }
  if (requests > 0) measures.sectors_per_request = sectors / requests;
  if (counted == 0) return measures;
  for (double& location : measures.graph) location /= counted;
  measures.degree = degrees / counted;
  measures.sectors_in_range = SectorsOf(measures.graph);
  measures.sector_expectation = measures.sectors_in_range / *measures.degree;
  return measures;
}

}  // namespace flagstone
