#include "app/flow/analyse/tb_fit.h"

#include <algorithm>

namespace flagstone {

TbFit FindTbFit(const LaunchAnalysis& analysis, uint64_t tbs, const CacheConfig& l1) {
  const bool lines = l1.sector_bytes == l1.line_bytes;
  const DataDistribution reads = DistributeReads(
      FindSharers(analysis.footprints, lines ? Granularity::kLine : Granularity::kSector));
  const uint64_t units = reads.unshared + reads.intra_tb + reads.inter_tb + reads.both;
  TbFit fit = {.tbs = analysis.occupancy.tbs_per_sm};
  fit.bytes_of_tb = static_cast<double>(units * l1.sector_bytes) /
                    static_cast<double>(std::max(tbs, uint64_t{1}));
  if (units == 0) return fit;
  const double room = uint64_t{l1.size_kib} * 1024 / fit.bytes_of_tb;
  if (room < fit.tbs) fit.tbs = std::max(1U, static_cast<uint32_t>(room));
  return fit;
}

}  // namespace flagstone
