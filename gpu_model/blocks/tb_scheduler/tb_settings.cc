#include "gpu_model/blocks/tb_scheduler/tb_settings.h"

#include <algorithm>

namespace flagstone {

TbSettings LimitSettings(uint32_t tbs) { return {tbs}; }

TbSettings RandomLimit(const TbLaunchShape& shape, SplitMix64* random) {
  const auto below = [random](uint64_t bound) {
    return static_cast<uint32_t>(random->Below(bound));
  };
  if (shape.tbs_per_sm <= 255 && below(4) != 0) return LimitSettings(1 + below(9));
  return below(2) == 0 ? LimitSettings(1 << below(8)) : LimitSettings(1 + below(255));
}

TbSettings SwizzleSettings(const TbLaunchShape& shape, uint32_t band_rows) {
  return {shape.columns, std::min(band_rows, shape.rows)};
}

TbSettings ChunkSettings(const TbLaunchShape& shape) {
  return {shape.Tbs() / shape.sms, shape.Tbs() % shape.sms};
}

TbSettings CtaMapSettings(const TbLaunchShape& shape, CtaMapDirection direction) {
  if (direction == CtaMapDirection::kRoundRobin) return {};
  return {static_cast<uint32_t>(direction), shape.columns, shape.rows};
}

}  // namespace flagstone
