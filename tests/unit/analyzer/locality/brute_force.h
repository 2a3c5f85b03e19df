// Thread-by-thread evaluation of affine accesses: the slow and plain reference for footprints,
// sharer sets and graphs of small grids.
#ifndef FLAGSTONE_TESTS_UNIT_ANALYZER_LOCALITY_BRUTE_FORCE_H_
#define FLAGSTONE_TESTS_UNIT_ANALYZER_LOCALITY_BRUTE_FORCE_H_

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/locality/locality_graph.h"

namespace flagstone::brute_force {

using Units = std::set<std::pair<std::string, uint64_t>>;  // (array, unit)

inline int64_t Value(const AffineForm& form, const Dim3& tid, const Dim3& tb,
                     const std::vector<int64_t>& counters) {
  int64_t value = form.constant + form.tid[0] * tid.x + form.tid[1] * tid.y + form.tid[2] * tid.z +
                  form.ctaid[0] * tb.x + form.ctaid[1] * tb.y + form.ctaid[2] * tb.z;
  for (size_t l = 0; l < form.loops.size(); ++l) value += form.loops[l] * counters[l];
  return value;
}

// Visits each combination of the loops around an access.
template <class Visit>
void ForEachIteration(const AddressAnalysis& analysis, const AddressForm& access, size_t depth,
                      std::vector<int64_t>& counters, const Visit& visit) {
  if (depth == access.loops.size()) return visit();
  const CountedLoop& loop = analysis.loops[access.loops[depth]];
  const uint64_t trips = loop.known || loop.bounded ? loop.trip_count : 1;
  for (uint64_t c = 0; c < trips; ++c) {
    counters[access.loops[depth]] = static_cast<int64_t>(c);
    ForEachIteration(analysis, access, depth + 1, counters, visit);
  }
}

// Visits each address at which a thread of the TB does the access.
template <class Visit>
void ForEachAddress(const AddressAnalysis& analysis, const KernelLaunch& launch,
                    const AddressForm& access, const Dim3& tb, uint32_t thread,
                    const Visit& visit) {
  const Dim3 tid = TbCoordinates(thread, launch.block);
  std::vector<int64_t> counters(analysis.loops.size(), 0);
  ForEachIteration(analysis, access, 0, counters, [&] {
    for (const Guard& guard : access.guards) {
      if (Value(guard.form, tid, tb, counters) < 0) return;
    }
    visit(Value(access.form, tid, tb, counters));
  });
}

// Units that a TB loads. The unit of an array is that of its smallest load.
inline Units Loaded(const AddressAnalysis& analysis, const KernelLaunch& launch, uint32_t tb,
                    Granularity granularity) {
  std::map<std::string, uint32_t> element;
  for (const AddressForm& access : analysis.accesses) {
    if (access.is_store || access.address_class != AddressClass::kAffine) continue;
    uint32_t& bytes = element.try_emplace(access.array, access.bytes).first->second;
    bytes = std::min(bytes, access.bytes);
  }
  Units units;
  const Dim3 at = TbCoordinates(tb, launch.grid);
  for (const AddressForm& access : analysis.accesses) {
    if (access.is_store || access.address_class != AddressClass::kAffine) continue;
    const auto unit = static_cast<int64_t>(Bytes(granularity, element.at(access.array)));
    for (uint32_t t = 0; t < launch.ThreadsPerTb(); ++t) {
      ForEachAddress(analysis, launch, access, at, t, [&](int64_t address) {
        for (int64_t u = address / unit; u <= (address + access.bytes - 1) / unit; ++u) {
          units.insert({access.array, static_cast<uint64_t>(u)});
        }
      });
    }
  }
  return units;
}

struct Result {
  std::map<std::vector<uint32_t>, uint64_t> sets;           // by sharers; universal ones included
  std::map<std::pair<uint32_t, uint32_t>, uint64_t> pairs;  // a < b, universal units included
  uint64_t references = 0;
};

// Who shares what, from the units that each TB loads.
inline Result Share(const std::vector<Units>& loaded) {
  std::map<std::pair<std::string, uint64_t>, std::vector<uint32_t>> sharers;
  for (uint32_t tb = 0; tb < loaded.size(); ++tb) {
    for (const auto& unit : loaded[tb]) sharers[unit].push_back(tb);
  }
  Result result;
  result.references = sharers.size();
  for (const auto& [unit, tbs] : sharers) {
    ++result.sets[tbs];
    for (size_t i = 0; i < tbs.size(); ++i) {
      for (size_t j = i + 1; j < tbs.size(); ++j) ++result.pairs[{tbs[i], tbs[j]}];
    }
  }
  return result;
}

inline Result Share(const AddressAnalysis& analysis, const KernelLaunch& launch,
                    Granularity granularity) {
  std::vector<Units> loaded;
  for (uint32_t tb = 0; tb < launch.TbCount(); ++tb) {
    loaded.push_back(Loaded(analysis, launch, tb, granularity));
  }
  return Share(loaded);
}

// The analyzer's result in the same shape.
inline Result Of(const SharerSets& sharers, const LocalityGraph& graph) {
  Result result;
  result.references = sharers.total_references;
  sharers.ForEachSet([&](std::span<const uint32_t> tbs, uint64_t weight) {
    result.sets[{tbs.begin(), tbs.end()}] += weight;
  });
  if (sharers.shared_by_all > 0) {
    std::vector<uint32_t> all(sharers.tb_count);
    for (uint32_t tb = 0; tb < sharers.tb_count; ++tb) all[tb] = tb;
    result.sets[all] += sharers.shared_by_all;
  }
  for (uint32_t tb = 0; tb < graph.tb_count; ++tb) {
    for (uint64_t e = graph.row_start[tb]; e < graph.row_start[tb + 1]; ++e) {
      if (graph.neighbour[e] > tb) result.pairs[{tb, graph.neighbour[e]}] += graph.weight[e];
    }
    for (uint32_t other = tb + 1; other < graph.tb_count && graph.universal_weight > 0; ++other) {
      result.pairs[{tb, other}] += graph.universal_weight;
    }
  }
  return result;
}

}  // namespace flagstone::brute_force

#endif  // FLAGSTONE_TESTS_UNIT_ANALYZER_LOCALITY_BRUTE_FORCE_H_
