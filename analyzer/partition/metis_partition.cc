// METIS 5.1 with 32-bit indices and single-precision targets.
#include "analyzer/partition/metis_partition.h"

#include <metis.h>

#include <algorithm>
#include <array>
#include <mutex>
#include <type_traits>

#include "base/error.h"
#include "base/random.h"

namespace flagstone::partition {

static_assert(std::is_same_v<idx_t, int32_t>, "METIS must be built with 32-bit indices");

std::vector<int32_t> RunMetis(const PartGraph& graph, std::span<const uint32_t> targets,
                              MetisMethod method, uint64_t seed) {
  if (graph.Size() < kMinMetisVertices || targets.size() < 2 || !graph.HasEdges()) {
    ThrowInternal("METIS was given {} vertices for {} parts", graph.Size(), targets.size());
  }
  std::array<idx_t, METIS_NOPTIONS> options;
  METIS_SetDefaultOptions(options.data());
  options[METIS_OPTION_SEED] = static_cast<idx_t>(SplitMix64(seed).Next() & 0x7fffffff);

  std::vector<real_t> shares;
  shares.reserve(targets.size());
  for (const uint32_t target : targets) {
    shares.push_back(static_cast<real_t>(target) / static_cast<real_t>(graph.Size()));
  }
  // METIS reads, but does not write, the graph that its interface takes as non-const.
  const auto mutable_data = [](const std::vector<int32_t>& values) {
    return const_cast<idx_t*>(values.data());
  };
  auto vertices = static_cast<idx_t>(graph.Size());
  auto parts = static_cast<idx_t>(targets.size());
  idx_t constraints = 1;
  idx_t cut = 0;  // in scaled weights: of no use to us
  std::vector<int32_t> where(graph.Size());

  // METIS draws from the C library's rand(), which it seeds at the start of each call: one call at
  // a time, or threads would disturb each other's sequence.
  static std::mutex one_call_at_a_time;
  const std::scoped_lock lock(one_call_at_a_time);
  const auto partition =
      method == MetisMethod::kKway ? METIS_PartGraphKway : METIS_PartGraphRecursive;
  const int status =
      partition(&vertices, &constraints, mutable_data(graph.row_start),
                mutable_data(graph.neighbour), nullptr, nullptr, mutable_data(graph.weight), &parts,
                shares.data(), nullptr, options.data(), &cut, where.data());
  if (status != METIS_OK) {
    ThrowInternal("METIS failed with status {} on {} TBs for {} parts", status, graph.Size(),
                  targets.size());
  }
  return where;
}

}  // namespace flagstone::partition
