// The statistics of a launch by the part of the chip that counts them: SM, L2 slice, DRAM channel.
#ifndef FLAGSTONE_APP_RESULTS_CHIP_PARTS_H_
#define FLAGSTONE_APP_RESULTS_CHIP_PARTS_H_

#include <cstdint>
#include <string_view>
#include <vector>

#include "gpu_model/stats/statistics.h"

namespace flagstone {

// The kind of part that counts a statistic. kChip: the TB scheduler, the network or the launch as a
// whole, of which there is one.
enum class ChipPart : uint8_t { kChip, kSm, kL2Slice, kDramChannel };
// By the statistic's name (gpu_model/stats/statistics.cc).
ChipPart PartOf(std::string_view statistic);

// Each element holds what one part has counted, and zeros in the fields of the others: added up,
// they are the launch's statistics but for those of kChip.
struct ChipParts {
  std::vector<LaunchStatistics> sms, l2_slices, dram_channels;

  void AddTo(LaunchStatistics* total) const;
};

}  // namespace flagstone

#endif  // FLAGSTONE_APP_RESULTS_CHIP_PARTS_H_
