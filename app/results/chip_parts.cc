#include "app/results/chip_parts.h"

namespace flagstone {

ChipPart PartOf(std::string_view statistic) {
  if (statistic == "warp_instructions" || statistic == "thread_instructions" ||
      statistic == "tb.completed") {
    return ChipPart::kSm;
  }
  const std::string_view room = statistic.substr(0, statistic.find('.'));
  if (room == "sm" || room == "l1" || room == "prefetch") return ChipPart::kSm;
  if (room == "l2") return ChipPart::kL2Slice;
  return room == "dram" ? ChipPart::kDramChannel : ChipPart::kChip;
}

}  // namespace flagstone
