#include "analyzer/locality/access_box.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/arithmetic.h"

namespace flagstone {
namespace {

std::vector<int64_t> VariableCoefficients(const AffineForm& form,
                                          const std::vector<uint32_t>& loops) {
  std::vector<int64_t> coefficients(form.tid.begin(), form.tid.end());
  for (const uint32_t loop : loops) {
    coefficients.push_back(loop < form.loops.size() ? form.loops[loop] : 0);
  }
  return coefficients;
}

// Largest value of the sum over the box.
int64_t Highest(const std::vector<int64_t>& coefficients, const AccessBox& box) {
  int64_t sum = 0;
  for (size_t v = 0; v < coefficients.size(); ++v) {
    const int64_t c = coefficients[v];
    sum += c * (c > 0 ? box.bounds[v].end - 1 : box.bounds[v].begin);
  }
  return sum;
}

int64_t Lowest(const std::vector<int64_t>& coefficients, const AccessBox& box) {
  int64_t sum = 0;
  for (size_t v = 0; v < coefficients.size(); ++v) {
    const int64_t c = coefficients[v];
    sum += c * (c > 0 ? box.bounds[v].begin : box.bounds[v].end - 1);
  }
  return sum;
}

}  // namespace

std::vector<ThreadBox> WarpBoxes(const Dim3& block, uint32_t warp) {
  std::vector<ThreadBox> boxes;
  const int64_t x = block.x;
  const int64_t y = block.y;
  const int64_t end = std::min<int64_t>(32 * (int64_t{warp} + 1), x * y * block.z);
  for (int64_t at = 32 * int64_t{warp}; at < end;) {
    const int64_t column = at % x;
    const int64_t row = at / x % y;
    const int64_t plane = at / x / y;
    // Whole rows of a plane at once; else to the end of the row.
    const int64_t rows = column == 0 ? std::min((end - at) / x, y - row) : 0;
    if (rows > 0) {
      boxes.push_back({Range{0, x}, {row, row + rows}, {plane, plane + 1}});
      at += rows * x;
    } else {
      const int64_t length = std::min(end - at, x - column);
      boxes.push_back({Range{column, column + length}, {row, row + 1}, {plane, plane + 1}});
      at += length;
    }
  }
  return boxes;
}

AccessPattern::AccessPattern(const AddressForm& access, const AddressAnalysis& analysis,
                             const KernelLaunch& launch)
    : start_(access.form.constant), bytes_(access.bytes), tb_strides_(access.form.ctaid) {
  strides_ = VariableCoefficients(access.form, access.loops);
  extents_ = {{0, launch.block.x}, {0, launch.block.y}, {0, launch.block.z}};
  for (const uint32_t loop : access.loops) {
    const CountedLoop& counted = analysis.loops[loop];
    const bool turns = counted.known || counted.bounded;
    extents_.push_back({0, turns ? static_cast<int64_t>(counted.trip_count) : 1});
  }
  for (const AddressForm::Rows& rows : access.rows) rows_.push_back({rows.stride, rows.count});
  for (const Guard& guard : access.guards) {
    guards_.push_back(
        {guard.form.constant, guard.form.ctaid, VariableCoefficients(guard.form, access.loops)});
  }
}

// A guard moves by `step` from a TB to the next: it lets all threads through on one side of the
// axis, none on the other, and only in between it matters by how much.
void AccessPattern::AddCuts(size_t axis, const Dim3& grid, std::vector<uint32_t>& cuts) const {
  const AccessBox all{extents_};
  const std::array<int64_t, 3> extent = {grid.x, grid.y, grid.z};
  for (const Bound& guard : guards_) {
    const int64_t step = guard.tb[axis];
    if (step == 0) continue;
    int64_t low = guard.constant + Lowest(guard.variables, all);
    int64_t high = guard.constant + Highest(guard.variables, all);
    for (size_t other = 0; other < 3; ++other) {
      if (other == axis) continue;
      const int64_t reach = guard.tb[other] * (extent[other] - 1);
      (reach < 0 ? low : high) += reach;
    }
    // The first coordinates where low + step * c and high + step * c have the other sign.
    const auto turn = [&](int64_t value) {
      return step > 0 ? -FloorDivide(value, step) : FloorDivide(value, -step) + 1;
    };
    const int64_t first = std::max<int64_t>(std::min(turn(low), turn(high)), 1);
    const int64_t last = std::min(std::max(turn(low), turn(high)), extent[axis] - 1);
    for (int64_t c = first; c <= last; ++c) cuts.push_back(static_cast<uint32_t>(c));
  }
}

// Cuts each variable's range to what each bound leaves of it when the others are at their best.
// False when nothing is left.
bool AccessPattern::Tighten(std::span<const Fixed> bounds, AccessBox& box) {
  for (bool changed = true; changed;) {
    changed = false;
    for (const Fixed& bound : bounds) {
      const int64_t slack = bound.constant + Highest(*bound.variables, box);
      if (slack < 0) return false;
      for (size_t v = 0; v < box.bounds.size(); ++v) {
        const int64_t c = (*bound.variables)[v];
        Range& range = box.bounds[v];
        if (c == 0 || range.end - range.begin == 1) continue;
        const int64_t steps = slack / (c > 0 ? c : -c);  // that the variable may leave its best end
        if (steps >= range.end - 1 - range.begin) continue;
        if (c > 0) range.begin = range.end - 1 - steps;
        if (c < 0) range.end = range.begin + steps + 1;
        changed = true;
      }
    }
  }
  return true;
}

// A bound over several variables is no box: takes the variable with the fewest values apart.
bool AccessPattern::Split(std::span<const Fixed> bounds, AccessBox box, size_t limit,
                          std::vector<AccessBox>& boxes) const {
  if (!Tighten(bounds, box)) return true;
  size_t chosen = box.bounds.size();
  for (const Fixed& bound : bounds) {
    if (bound.constant + Lowest(*bound.variables, box) >= 0) continue;
    for (size_t v = 0; v < box.bounds.size(); ++v) {
      const int64_t values = box.bounds[v].end - box.bounds[v].begin;
      if ((*bound.variables)[v] == 0 || values == 1) continue;
      if (chosen == box.bounds.size() ||
          values < box.bounds[chosen].end - box.bounds[chosen].begin) {
        chosen = v;
      }
    }
  }
  if (chosen == box.bounds.size()) {
    boxes.push_back(std::move(box));
    return boxes.size() <= limit;
  }
  const Range values = box.bounds[chosen];
  if (static_cast<uint64_t>(values.end - values.begin) > limit) return false;
  for (int64_t value = values.begin; value < values.end; ++value) {
    box.bounds[chosen] = {value, value + 1};
    if (!Split(bounds, box, limit, boxes)) return false;
  }
  return true;
}

bool AccessPattern::Boxes(const Dim3& tb, size_t limit, std::vector<AccessBox>& boxes) const {
  AccessBox all{extents_};
  std::vector<Fixed> bounds;
  for (const Bound& guard : guards_) {
    const int64_t constant =
        guard.constant + guard.tb[0] * tb.x + guard.tb[1] * tb.y + guard.tb[2] * tb.z;
    if (constant + Lowest(guard.variables, all) >= 0) continue;
    bounds.push_back({constant, &guard.variables});
  }
  return Split(bounds, std::move(all), limit, boxes);
}

StridedBox AccessPattern::Bytes(const AccessBox& box) const {
  StridedBox bytes;
  bytes.start = start_;
  bytes.run = bytes_;
  for (size_t v = 0; v < strides_.size(); ++v) {
    bytes.start += strides_[v] * box.bounds[v].begin;
    bytes.dimensions.push_back({strides_[v], box.bounds[v].end - box.bounds[v].begin});
  }
  bytes.dimensions.push_back(copies_);
  bytes.dimensions.insert(bytes.dimensions.end(), rows_.begin(), rows_.end());
  bytes.Simplify();
  return bytes;
}

}  // namespace flagstone
