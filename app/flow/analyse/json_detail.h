// What `analyze --detail` adds to a launch: the locality graph as a picture has it, and the
// kernel's instructions (docs/results.md).
#ifndef FLAGSTONE_APP_FLOW_ANALYSE_JSON_DETAIL_H_
#define FLAGSTONE_APP_FLOW_ANALYSE_JSON_DETAIL_H_

#include "app/flow/analyse/analysis_json.h"
#include "kernels/launch/tb_groups.h"
#include "kernels/ptx/kernel.h"

namespace flagstone {

// Most cells of a locality matrix, in each direction.
inline constexpr uint32_t kMatrixCells = 256;
// Larger graphs are not listed edge by edge.
inline constexpr uint64_t kMostListedEdges = 5000;

// {cells, tbs_per_cell, universal, by_id, by_group}: `row[], column[], weight[]` of the cells that
// are not empty, each pair of cells once, row <= column. A cell's weight is that of all pairs of
// its TBs. Null where there are too many pairs; `by_group` where there are no groups.
Json MatrixJson(const SharerSets& sharers, const TbGroups& groups);

// Data units by the number of TBs that read them: element i is for 2^i to 2^(i+1) - 1 TBs.
Json SharersJson(const SharerSets& sharers);

// Edges, [[tb, tb, weight], ...]; null for more than kMostListedEdges, or too many pairs to find
// them.
Json EdgesJson(const SharerSets& sharers);

// {line[], text[]} by pc.
Json InstructionsJson(const ptx::Kernel& kernel);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_FLOW_ANALYSE_JSON_DETAIL_H_
