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
  const bool x = direction == CtaMapDirection::kX;
  // A line is a row (x) or a column (y) of the grid.
  const uint32_t length = x ? shape.columns : shape.rows;
  const uint32_t lines = x ? shape.rows : shape.columns;
  const uint32_t sms = shape.sms;
  const uint32_t whole_lines = lines / sms;  // of each SM
  const uint32_t rest = length * (lines - whole_lines * sms);
  const uint32_t step = x ? 1 : shape.columns;
  return {1,
          whole_lines * length,
          x ? whole_lines * length : whole_lines,
          x ? whole_lines * sms * length : whole_lines * sms,
          rest / sms,
          rest % sms,
          step,
          x ? 0 : length,
          x ? 0 : 1 - (length - 1) * step,
          rest / sms * step};
}

}  // namespace flagstone
