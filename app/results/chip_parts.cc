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

void ChipParts::AddTo(LaunchStatistics* total) const {
  // Of each row the part that counts it, looked up once for all launches.
  static const std::vector<ChipPart> kParts = [] {
    std::vector<ChipPart> of_rows;
    for (const StatisticsField& field : StatisticsTable()) of_rows.push_back(PartOf(field.name));
    return of_rows;
  }();
  const std::vector<LaunchStatistics>* const by_part[] = {nullptr, &sms, &l2_slices,
                                                          &dram_channels};
  for (size_t row = 0; row < kParts.size(); ++row) {
    const auto* const parts = by_part[static_cast<size_t>(kParts[row])];
    if (parts == nullptr) continue;
    for (const LaunchStatistics& part : *parts) StatisticsTable()[row].Add(part, total);
  }
}

}  // namespace flagstone
