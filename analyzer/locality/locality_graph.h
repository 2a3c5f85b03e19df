// Which TBs read the same data, and how much (PAVER, sections 3.2 and 3.3).
#ifndef FLAGSTONE_ANALYZER_LOCALITY_LOCALITY_GRAPH_H_
#define FLAGSTONE_ANALYZER_LOCALITY_LOCALITY_GRAPH_H_

#include <cstdint>
#include <string_view>
#include <vector>

#include "analyzer/address/address_form.h"
#include "analyzer/locality/footprints.h"
#include "analyzer/locality/sharer_sets.h"
#include "kernels/launch/device_memory.h"
#include "kernels/launch/kernel_launch.h"

namespace flagstone {

// One piece of data. Bytes do not hang on how wide a compiler makes its accesses, elements do.
enum class Granularity : uint8_t {
  kByte,
  kElement,  // as large as the smallest access to the array; PAVER's Table 2 counts these
  kSector,   // 32 B
  kLine,     // 128 B
};
std::string_view ToString(Granularity granularity);
uint64_t Bytes(Granularity granularity, uint32_t element_bytes);

// Undirected graph in compressed sparse rows, as METIS takes it; both directions are stored.
struct LocalityGraph {
  uint32_t tb_count = 0;
  std::vector<uint64_t> row_start;  // tb_count + 1
  std::vector<uint32_t> neighbour;  // ascending in each row
  std::vector<uint64_t> weight;     // data units that both TBs read
  uint64_t universal_weight = 0;    // shared by all TBs: an offset on every pair, not stored

  uint64_t EdgeCount() const { return neighbour.size() / 2; }  // an edge counts once
};

// The columns of PAVER's Table 2.
struct LocalityStatistics {
  uint64_t tbs = 0;
  uint64_t edges = 0;   // pairs with a common reference
  double sp_score = 1;  // 1 - off-diagonal non-zeros / tbs^2
  uint64_t total_references = 0;
  uint64_t shared_tbs = 0;       // TBs that share at least one reference
  bool counted = true;           // false: too many pairs to count edges and what follows from them
  double degree_of_sharing = 0;  // mean neighbours per shared TB / tbs
};

SharerSets FindSharers(const AddressAnalysis& addresses, const KernelLaunch& launch,
                       Granularity granularity);
SharerSets FindSharers(const Footprints& footprints, Granularity granularity);
// Of pages, counted from the start of each buffer: TBs share a page that they read or write.
SharerSets FindPageSharers(const Footprints& loads, const Footprints& stores,
                           const DeviceMemory& memory, uint64_t page_bytes);

// Pairs that BuildGraph goes through at most; more is refused with kBadInput (use the sharer sets).
inline constexpr uint64_t kMaxGraphPairs = uint64_t{1} << 28;
LocalityGraph BuildGraph(const SharerSets& sharers);
// How data are shared (PAVER, section 2.1 and Fig. 2): data units by who reads them.
struct DataDistribution {
  uint64_t unshared = 0;  // one warp of one TB
  uint64_t intra_tb = 0;  // several warps of one TB
  uint64_t inter_tb = 0;  // several TBs, one warp of each
  uint64_t both = 0;      // several TBs, several warps of one of them at least
};
// Of sharer sets of footprints by warp: distinct data, as Table 2's references are, ...
DataDistribution Distribute(const SharerSets& sharers);
// ... and reads, each datum once by each TB that reads it. The figure counts accesses.
DataDistribution DistributeReads(const SharerSets& sharers);

// What all TBs read makes a pair of any two of them: Table 2 counts these, the graph leaves them
// out.
enum class Universal : uint8_t { kCounted, kLeftOut };
// Needs no graph, but goes through as many pairs; more than kMaxGraphPairs are not counted.
LocalityStatistics Summarize(const SharerSets& sharers, Universal universal = Universal::kCounted);

}  // namespace flagstone

#endif  // FLAGSTONE_ANALYZER_LOCALITY_LOCALITY_GRAPH_H_
