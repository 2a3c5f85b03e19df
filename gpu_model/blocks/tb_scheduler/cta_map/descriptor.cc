#include "gpu_model/blocks/tb_scheduler/descriptor.h"

#include <algorithm>
#include <bit>

#include "gpu_model/blocks/tb_scheduler/cta_map/cta_map_tb_scheduler.h"

namespace flagstone {
namespace {

// In grids that are not too large to come to an end, more often than not whole lines along the
// longer side: then SMs share lines.
TbSettings RandomMapping(const TbLaunchShape& shape, SplitMix64* random) {
  const bool large = uint64_t{shape.columns} * shape.rows > 0x10000;
  auto direction = shape.columns > shape.rows ? CtaMapDirection::kX : CtaMapDirection::kY;
  if (large || random->Below(2) == 0) direction = static_cast<CtaMapDirection>(random->Below(3));
  TbSettings settings = CtaMapSettings(shape, direction);
  if (direction == CtaMapDirection::kRoundRobin) {  // then the others mean nothing
    for (size_t word = 1; word < settings.size(); ++word) {
      settings[word] = static_cast<uint32_t>(random->Next());
    }
  }
  return settings;
}

// A few long lines, which SMs share: of any length, of a power of two, or such that an SM's share
// of a line is little more than one.
void StretchLines(TbLaunchShape* shape, uint64_t most, SplitMix64* random) {
  const bool all = most > 0x10000;
  if (random->Below(all ? 2 : 4) == 0) return;
  shape->columns = 1 + static_cast<uint32_t>(random->Below(2 * shape->sms));
  const uint64_t longest =
      std::max<uint64_t>(1, (most >> random->Below(all ? 4 : 11)) / shape->columns);
  const uint64_t share = std::bit_floor(longest / shape->sms);
  const uint64_t lengths[] = {1 + random->Below(longest), std::bit_floor(longest),
                              std::min(longest, 1 + share * shape->sms + random->Below(8))};
  shape->rows = static_cast<uint32_t>(lengths[random->Below(3)]);
}

// Mutants are tried with five SMs, among which up to four get one TB more than the others: with
// three, most bits of that number would mean nothing.
BlockDescriptor CtaMapBlock() {
  BlockDescriptor block = TbSchedulerBlock(
      "cta_map_tb_scheduler", "rows or columns of the grid for each SM, or round-robin", 32, 12);
  block.mutation.front().parameters = "NumSm=5 IdWidth=16 IssuePorts=2";
  return block;
}

}  // namespace

const TbSchedulerDescriptor& CtaMapTbSchedulerDescriptor() {
  static const TbSchedulerDescriptor kDescriptor = {
      .name = "cta_map",
      .block = CtaMapBlock(),
      .model = MakeTbSchedulerModel<CtaMapTbScheduler>,
      .settings = {{"direction", 2}, {"columns"}, {"rows"}},
      .random_settings = RandomMapping,
      .stretch = StretchLines,
      .without_queue = TbSequence::kGrid,
      .conservation = {54, 6, ".direction_i(2'd2),.columns_i(17'd3),.rows_i(17'd2),"},
  };
  return kDescriptor;
}

}  // namespace flagstone
