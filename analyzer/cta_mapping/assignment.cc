#include "analyzer/cta_mapping/assignment.h"

#include <algorithm>

namespace flagstone {
namespace {

// The TB at a place in the order of the mapping: along rows, or along columns.
uint32_t TbAt(uint64_t place, const Dim3& grid, CtaDirection direction) {
  if (direction == CtaDirection::kX) return static_cast<uint32_t>(place);
  const uint64_t column = uint64_t{grid.y} * grid.z;
  return static_cast<uint32_t>(place % column * grid.x + place / column);
}

}  // namespace

std::string_view ToString(CtaDirection direction) {
  switch (direction) {
    case CtaDirection::kRoundRobin:
      return "round-robin";
    case CtaDirection::kX:
      return "x";
    case CtaDirection::kY:
      return "y";
  }
  return "?";
}

std::vector<std::vector<uint32_t>> AssignCtas(const Dim3& grid, uint32_t sms,
                                              CtaDirection direction) {
  std::vector<std::vector<uint32_t>> tbs(sms);
  if (direction == CtaDirection::kRoundRobin) {
    for (uint64_t tb = 0; tb < grid.Count(); ++tb) {
      tbs[tb % sms].push_back(static_cast<uint32_t>(tb));
    }
    return tbs;
  }
  const bool along_x = direction == CtaDirection::kX;
  const uint64_t width = along_x ? grid.x : uint64_t{grid.y} * grid.z;
  const uint64_t height = along_x ? uint64_t{grid.y} * grid.z : grid.x;
  const uint64_t lines = height / sms;  // whole rows or columns of each SM
  const uint64_t rest = lines * sms * width;
  const uint64_t each = (height * width - rest) / sms;
  const uint64_t one_more = (height * width - rest) % sms;
  for (uint64_t sm = 0; sm < sms; ++sm) {
    const auto issue = [&](uint64_t begin, uint64_t end) {
      for (uint64_t place = begin; place < end; ++place) {
        tbs[sm].push_back(TbAt(place, grid, direction));
      }
    };
    issue(sm * lines * width, (sm + 1) * lines * width);
    issue(rest + sm * each + std::min(sm, one_more),
          rest + (sm + 1) * each + std::min(sm + 1, one_more));
  }
  return tbs;
}

}  // namespace flagstone
