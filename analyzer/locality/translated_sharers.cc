#include "analyzer/locality/translated_sharers.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <vector>

#include "analyzer/locality/unit_shapes.h"
#include "analyzer/locality/unit_sweep.h"
#include "base/arithmetic.h"

namespace flagstone {
namespace {

using Displacement = std::array<int64_t, 3>;  // in TBs along x, y, z

// Coordinates first, first + step, ...: one kind of position along an axis.
struct AxisCell {
  uint32_t first = 0;
  uint32_t count = 1;
  uint32_t step = 1;
};

class Translation {
 public:
  Translation(const ArrayFootprints& array, uint64_t unit_bytes, uint64_t max_ranges)
      : array_(array),
        unit_(static_cast<int64_t>(unit_bytes)),
        budget_(max_ranges),
        units_(array, unit_bytes) {}

  bool Run(SharerTable& table);

 private:
  bool MovesAlike();
  bool FindDisplacements(const std::vector<Range>& all);
  bool Enumerate(const std::vector<Range>& all, size_t depth, int64_t shift, Displacement& at);
  bool Overlap(const std::vector<Range>& all, int64_t shift) const;
  bool FallsIntoGaps(int64_t distance) const;
  std::vector<AxisCell> CellsOf(size_t axis) const;
  void AddFamilies(const std::array<AxisCell, 3>& cell, SharerTable& table);
  const FootprintClass* ClassAt(const TbCoordinate& tb) const;
  uint32_t IdOf(const TbCoordinate& tb) const {
    return (tb[2] * array_.grid.y + tb[1]) * array_.grid.x + tb[0];
  }
  bool Spend(uint64_t ranges) {
    if (ranges > budget_) return false;
    budget_ -= ranges;
    return true;
  }

  const ArrayFootprints& array_;
  int64_t unit_;
  uint64_t budget_;
  UnitShapes units_;
  Displacement strides_ = {0, 0, 0};
  TbCoordinate extent_ = {1, 1, 1};          // of the grid without the axes that make no difference
  std::array<bool, 3> spanned_ = {};         // those axes: all TBs along them read the same
  std::array<size_t, 3> order_ = {0, 1, 2};  // axes by falling stride
  int64_t longest_range_ = 0;                // of all shapes together
  int64_t least_spacing_ = 0;                // from the begin of a range to the next one's
  std::vector<Displacement> displacements_;  // to all TBs that may share a unit with one
};

bool Translation::MovesAlike() {
  if (!array_.disjoint || array_.classes.empty()) return false;
  strides_ = array_.classes.front().strides;
  extent_ = {array_.grid.x, array_.grid.y, array_.grid.z};
  for (size_t axis = 0; axis < 3; ++axis) {
    spanned_[axis] = strides_[axis] == 0;
    for (const FootprintClass& footprint : array_.classes) {
      if (footprint.strides != strides_) return false;
      if (footprint.tbs.count[axis] != extent_[axis]) spanned_[axis] = false;
    }
  }
  for (size_t axis = 0; axis < 3; ++axis) {
    if (spanned_[axis]) extent_[axis] = 1;
  }
  return true;
}

// Whether a TB may read a unit of another one whose footprint is `shift` bytes further.
bool Translation::Overlap(const std::vector<Range>& all, int64_t shift) const {
  const int64_t slack = unit_ - 1;  // two bytes this far apart may be in one unit
  size_t other = 0;
  for (const Range& range : all) {
    while (other < all.size() && all[other].end - 1 + shift + slack < range.begin) ++other;
    if (other == all.size()) return false;
    if (all[other].begin + shift <= range.end - 1 + slack) return true;
  }
  return false;
}

// Whether ranges moved this far end up clear of the next ones: quick to tell, and often so.
bool Translation::FallsIntoGaps(int64_t distance) const {
  const int64_t clear = longest_range_ + unit_ - 1;
  return distance >= clear && distance <= least_spacing_ - clear;
}

bool Translation::Enumerate(const std::vector<Range>& all, size_t depth, int64_t shift,
                            Displacement& at) {
  const int64_t reach = all.back().end - all.front().begin + unit_;
  if (depth == 3) {
    if (std::abs(shift) >= reach || FallsIntoGaps(std::abs(shift))) return true;
    if (!Spend(2 * all.size())) return false;
    if (Overlap(all, shift)) displacements_.push_back(at);
    return true;
  }
  const size_t axis = order_[depth];
  const int64_t last = int64_t{extent_[axis]} - 1;
  const int64_t stride = strides_[axis];
  int64_t from = -last;
  int64_t to = last;
  if (stride != 0) {  // what the axes after this one can make up for
    int64_t rest = reach;
    for (size_t d = depth + 1; d < 3; ++d) {
      rest += std::abs(strides_[order_[d]]) * (int64_t{extent_[order_[d]]} - 1);
    }
    const int64_t size = std::abs(stride);
    const int64_t toward = stride > 0 ? shift : -shift;  // as if the stride were positive
    from = std::max(from, FloorDivide(-rest - toward, size));
    to = std::min(to, FloorDivide(rest - toward, size) + 1);
  }
  for (int64_t step = from; step <= to; ++step) {
    at[axis] = step;
    if (!Enumerate(all, depth + 1, shift + stride * step, at)) return false;
  }
  return true;
}

bool Translation::FindDisplacements(const std::vector<Range>& all) {
  std::sort(order_.begin(), order_.end(),
            [&](size_t a, size_t b) { return std::abs(strides_[a]) > std::abs(strides_[b]); });
  least_spacing_ = std::numeric_limits<int64_t>::max();
  for (size_t r = 0; r < all.size(); ++r) {
    longest_range_ = std::max(longest_range_, all[r].end - all[r].begin);
    if (r > 0) least_spacing_ = std::min(least_spacing_, all[r].begin - all[r - 1].begin);
  }
  Displacement at = {0, 0, 0};
  return Enumerate(all, 0, 0, at);
}

// An axis falls into kinds of positions: by the classes that a TB and those it may share with are
// in, by which of them are in the grid, and by how a footprint lies to the units.
std::vector<AxisCell> Translation::CellsOf(size_t axis) const {
  const int64_t extent = extent_[axis];
  std::vector<int64_t> edges = {0, extent};
  for (const FootprintClass& footprint : array_.classes) {
    if (spanned_[axis]) break;
    edges.push_back(footprint.tbs.first[axis]);
    edges.push_back(int64_t{footprint.tbs.first[axis]} + footprint.tbs.count[axis]);
  }
  const auto make_unique = [](std::vector<int64_t>& values) {
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
  };
  make_unique(edges);
  std::vector<int64_t> steps = {0};
  for (const Displacement& d : displacements_) steps.push_back(d[axis]);
  make_unique(steps);
  std::vector<int64_t> cuts;
  for (const int64_t edge : edges) {
    for (const int64_t step : steps) {
      if (edge - step >= 0 && edge - step <= extent) cuts.push_back(edge - step);
    }
  }
  make_unique(cuts);
  const int64_t period = unit_ / std::gcd(std::abs(strides_[axis]), unit_);
  std::vector<AxisCell> cells;
  for (size_t c = 0; c + 1 < cuts.size(); ++c) {
    const int64_t length = cuts[c + 1] - cuts[c];
    for (int64_t residue = 0; residue < std::min(period, length); ++residue) {
      cells.push_back({static_cast<uint32_t>(cuts[c] + residue),
                       static_cast<uint32_t>((length - residue + period - 1) / period),
                       static_cast<uint32_t>(period)});
    }
  }
  return cells;
}

const FootprintClass* Translation::ClassAt(const TbCoordinate& tb) const {
  for (const FootprintClass& footprint : array_.classes) {
    if (footprint.tbs.Contains(tb)) return &footprint;
  }
  return nullptr;
}

// The sets whose lowest TB is in the cell, worked out at its first TB.
void Translation::AddFamilies(const std::array<AxisCell, 3>& cell, SharerTable& table) {
  const TbCoordinate here = {cell[0].first, cell[1].first, cell[2].first};
  if (ClassAt(here) == nullptr) return;
  std::vector<TbCoordinate> readers;
  for (const Displacement& d : displacements_) {
    TbCoordinate tb = {};
    bool inside = true;
    for (size_t axis = 0; axis < 3 && inside; ++axis) {
      const int64_t at = here[axis] + d[axis];
      inside = at >= 0 && at < extent_[axis];
      tb[axis] = static_cast<uint32_t>(at);
    }
    if (inside && ClassAt(tb) != nullptr) readers.push_back(tb);
  }
  std::sort(readers.begin(), readers.end(),
            [&](const TbCoordinate& a, const TbCoordinate& b) { return IdOf(a) < IdOf(b); });
  const auto place = [&](const TbCoordinate& tb) {
    const FootprintClass& footprint = *ClassAt(tb);
    return units_.At(footprint.shape, footprint.BaseOf(tb));
  };
  const UnitShapes::Placed own = place(here);
  const Range hull = {own.reads.front().begin + own.shift, own.reads.back().end + own.shift};
  UnitSweep sweep;  // labels: twice the reader's index, and the next one where several warps read
  uint32_t lowest = 0;
  for (uint32_t r = 0; r < readers.size(); ++r) {
    if (readers[r] == here) lowest = 2 * r;
    const UnitShapes::Placed placed = place(readers[r]);
    const auto add = [&](std::span<const Range> ranges, uint32_t label) {
      for (const Range& range : ranges) {
        const int64_t begin = std::max(range.begin + placed.shift, hull.begin);
        const int64_t end = std::min(range.end + placed.shift, hull.end);
        if (begin < end) {
          sweep.Add(static_cast<uint64_t>(begin), static_cast<uint64_t>(end), label);
        }
      }
    };
    add(placed.reads, 2 * r);
    add(placed.several_warps, 2 * r + 1);
  }
  TbCoordinate along = {1, 1, 1};
  if (spanned_[0]) along[0] = array_.grid.x;
  if (spanned_[1]) along[1] = array_.grid.y;
  if (spanned_[2]) along[2] = array_.grid.z;
  SharerFamily family;
  family.anchor = IdOf(here);
  const TbCoordinate id_step = {1, array_.grid.x, array_.grid.x * array_.grid.y};
  for (size_t axis = 0; axis < 3; ++axis) {
    family.count[axis] = cell[axis].count;
    family.step[axis] = cell[axis].step * id_step[axis];
  }
  std::vector<uint32_t> offsets;
  for (const UnitSweep::LabelSet& set : sweep.Run()) {
    if (set.labels.front() != lowest) continue;
    family.weight = set.units;
    family.several_warps = 0;
    offsets.clear();
    for (const uint32_t label : set.labels) {
      if (label % 2 == 1) {
        family.several_warps = set.units;
        continue;
      }
      const TbBox line = {readers[label / 2], along};
      for (const uint32_t id : line.Ids(array_.grid)) offsets.push_back(id - family.anchor);
    }
    std::sort(offsets.begin(), offsets.end());
    table.Add(family, offsets);
  }
}

bool Translation::Run(SharerTable& table) {
  if (!MovesAlike()) return false;
  std::vector<Range> all;
  uint64_t longest = 0;
  for (const FootprintClass& footprint : array_.classes) {
    const std::vector<Range>& shape = array_.shapes[footprint.shape];
    if (!Spend(shape.size())) return false;
    all.insert(all.end(), shape.begin(), shape.end());
    longest = std::max<uint64_t>(longest, shape.size());
  }
  Normalize(all);
  if (all.empty()) return true;
  if (!FindDisplacements(all)) return false;
  const std::array<std::vector<AxisCell>, 3> cells = {CellsOf(0), CellsOf(1), CellsOf(2)};
  uint64_t work = displacements_.size() * longest;
  for (const std::vector<AxisCell>& axis : cells) {
    if (__builtin_mul_overflow(work, axis.size(), &work)) return false;
  }
  if (!Spend(work)) return false;
  for (const AxisCell& z : cells[2]) {
    for (const AxisCell& y : cells[1]) {
      for (const AxisCell& x : cells[0]) AddFamilies({x, y, z}, table);
    }
  }
  return true;
}

}  // namespace

bool AddTranslated(const ArrayFootprints& array, uint64_t unit_bytes, uint64_t max_ranges,
                   SharerTable& table) {
  return Translation(array, unit_bytes, max_ranges).Run(table);
}

}  // namespace flagstone
