// Where the TBs of one SM load: a load's base address in each, and its stride between their warps
// (CAPS paper, Fig. 5).
#ifndef FLAGSTONE_APP_FLOW_STUDIES_TB_BASES_H_
#define FLAGSTONE_APP_FLOW_STUDIES_TB_BASES_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "gpu_model/sm/load_log.h"

namespace flagstone {

struct TbBase {
  uint64_t tb = 0;     // linear id
  uint64_t base = 0;   // byte address of its first warp's first execution
  uint32_t warps = 0;  // that executed the load
  // Bytes from each of them to the next one; none where they differ, or there is one warp.
  std::optional<int64_t> stride;
};

// The load that the log has first, in each TB that executed it, in the order in which they came to
// it. Warps count by their number in the SM, and each by its first execution alone.
std::vector<TbBase> TbBases(const LoadLog& log);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_FLOW_STUDIES_TB_BASES_H_
