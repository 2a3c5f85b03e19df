#include "analyzer/locality/array_builder.h"

#include <array>
#include <map>
#include <span>

#include "base/error.h"
#include "kernels/ptx/kernel.h"

namespace flagstone {
namespace {

// Whether each box goes on, along `axis`, where the last ones of `boxes` end, with the same shape.
bool Continues(std::span<const FootprintClass> boxes, std::span<const FootprintClass> next,
               size_t axis) {
  return std::equal(
      boxes.begin(), boxes.end(), next.begin(), next.end(),
      [axis](const FootprintClass& a, FootprintClass b) {
        if (a.shape != b.shape || b.tbs.first[axis] != a.tbs.first[axis] + a.tbs.count[axis]) {
          return false;
        }
        b.tbs.first[axis] = a.tbs.first[axis];
        b.tbs.count[axis] = a.tbs.count[axis];
        return a.tbs == b.tbs;
      });
}

// Appends a cell, row or plane of boxes, or makes the last one longer by it.
void Join(std::vector<FootprintClass>& boxes, const std::vector<FootprintClass>& next,
          size_t axis) {
  if (next.size() <= boxes.size() && !next.empty()) {
    const std::span<FootprintClass> last = std::span(boxes).last(next.size());
    if (Continues(last, next, axis)) {
      for (size_t i = 0; i < next.size(); ++i) last[i].tbs.count[axis] += next[i].tbs.count[axis];
      return;
    }
  }
  boxes.insert(boxes.end(), next.begin(), next.end());
}

}  // namespace

size_t ArrayBuilder::KeyHash::operator()(const std::vector<int64_t>& key) const {
  uint64_t hash = key.size();
  for (const int64_t word : key) {
    hash = (hash ^ static_cast<uint64_t>(word)) * 0x9e3779b97f4a7c15U;
    hash ^= hash >> 29;
  }
  return hash;
}

void ArrayBuilder::Count(uint64_t ranges) {
  ranges_ += std::min(ranges, kMaxFootprintRanges + 1);
  if (ranges_ > kMaxFootprintRanges) {
    ThrowBadInput(
        "{}: the footprints of '{}' fall apart into more than {} ranges, which the "
        "locality analysis does not handle",
        launch_.kernel->name, result_.array, kMaxFootprintRanges);
  }
}

// Accesses that differ only by evenly spaced constants become one pattern.
void ArrayBuilder::AddAffine(const std::vector<const AddressForm*>& accesses) {
  const auto before = [](const AddressForm* a, const AddressForm* b) {
    return a->form.constant < b->form.constant;
  };
  const auto alike = [](const AddressForm& a, const AddressForm& b) {
    return a.form.tid == b.form.tid && a.form.ctaid == b.form.ctaid &&
           a.form.loops == b.form.loops && a.loops == b.loops && a.bytes == b.bytes &&
           a.rows == b.rows &&
           std::equal(a.guards.begin(), a.guards.end(), b.guards.begin(), b.guards.end(),
                      [](const Guard& x, const Guard& y) { return x.form == y.form; });
  };
  std::vector<std::vector<const AddressForm*>> families;
  for (const AddressForm* access : accesses) {
    NoteElement(access->ElementBytes());
    const auto found = std::find_if(families.begin(), families.end(), [&](const auto& family) {
      return alike(*family.front(), *access);
    });
    if (found == families.end()) {
      families.push_back({access});
    } else {
      found->push_back(access);
    }
  }
  // Patterns that move alike from TB to TB keep their shape together.
  std::map<std::array<int64_t, 3>, std::vector<AccessPattern>> together;
  for (std::vector<const AddressForm*>& family : families) {
    std::sort(family.begin(), family.end(), before);
    const auto same = [](const AddressForm* a, const AddressForm* b) {
      return a->form.constant == b->form.constant;
    };
    family.erase(std::unique(family.begin(), family.end(), same), family.end());
    std::vector<AccessPattern>& patterns = together[family.front()->form.ctaid];
    for (size_t i = 0; i < family.size();) {
      AccessPattern pattern(*family[i], analysis_, launch_);
      size_t next = i + 1;
      if (next < family.size()) {
        const int64_t stride = family[next]->form.constant - family[i]->form.constant;
        while (next + 1 < family.size() &&
               family[next + 1]->form.constant - family[next]->form.constant == stride) {
          ++next;
        }
        pattern.Repeat(stride, static_cast<int64_t>(next - i + 1));
        ++next;
      }
      patterns.push_back(std::move(pattern));
      i = next;
    }
  }
  for (const auto& [strides, patterns] : together) AddMovingTogether(patterns);
}

// Which boxes the patterns have at a TB; equal keys mean equal bytes relative to the TB's base.
void ArrayBuilder::BoxesAt(const std::vector<AccessPattern>& patterns, const Dim3& tb) {
  key_.clear();
  boxes_.resize(patterns.size());
  for (size_t p = 0; p < patterns.size(); ++p) {
    boxes_[p].clear();
    if (!patterns[p].Boxes(tb, kMaxFootprintRanges, boxes_[p])) Count(kMaxFootprintRanges + 1);
    for (const AccessBox& box : boxes_[p]) {
      key_.push_back(static_cast<int64_t>(p));
      for (const Range& bound : box.bounds) {
        key_.push_back(bound.begin);
        key_.push_back(bound.end);
      }
    }
  }
}

uint32_t ArrayBuilder::AddShape(const std::vector<AccessPattern>& patterns) {
  std::vector<Range> ranges;
  for (size_t p = 0; p < patterns.size(); ++p) {
    for (const AccessBox& box : boxes_[p]) {
      const StridedBox bytes = patterns[p].Bytes(box);
      Count(bytes.RangeCount());
      bytes.AppendRanges(ranges);
    }
  }
  Normalize(ranges);
  result_.shapes.push_back(std::move(ranges));
  if (by_warp_) result_.warps.push_back(WarpsOf(patterns));
  return static_cast<uint32_t>(result_.shapes.size() - 1);
}

// Patterns whose bytes move from TB to TB by the same strides: the grid is cut where their guards
// change, each cell is looked at once, and neighbours of the same shape are joined again.
void ArrayBuilder::AddMovingTogether(const std::vector<AccessPattern>& patterns) {
  result_.disjoint = result_.classes.empty();
  const TbCoordinate grid = {launch_.grid.x, launch_.grid.y, launch_.grid.z};
  std::array<std::vector<uint32_t>, 3> cuts;
  for (size_t axis = 0; axis < 3; ++axis) {
    cuts[axis] = {0};
    for (const AccessPattern& pattern : patterns) {
      pattern.AddCuts(axis, launch_.grid, cuts[axis]);
    }
    std::sort(cuts[axis].begin(), cuts[axis].end());
    cuts[axis].erase(std::unique(cuts[axis].begin(), cuts[axis].end()), cuts[axis].end());
    cuts[axis].push_back(grid[axis]);
  }
  ShapeTable shapes;
  std::vector<FootprintClass> volume;
  for (size_t z = 0; z + 1 < cuts[2].size(); ++z) {
    std::vector<FootprintClass> plane;
    for (size_t y = 0; y + 1 < cuts[1].size(); ++y) {
      std::vector<FootprintClass> row;
      for (size_t x = 0; x + 1 < cuts[0].size(); ++x) {
        FootprintClass cell;
        cell.tbs = {{cuts[0][x], cuts[1][y], cuts[2][z]},
                    {cuts[0][x + 1] - cuts[0][x], cuts[1][y + 1] - cuts[1][y],
                     cuts[2][z + 1] - cuts[2][z]}};
        cell.strides = patterns.front().TbStrides();
        if (FindShape(patterns, cell.tbs.first, shapes, cell.shape)) Join(row, {cell}, 0);
      }
      Join(plane, row, 1);
    }
    Join(volume, plane, 2);
  }
  result_.classes.insert(result_.classes.end(), volume.begin(), volume.end());
}

// The shape that the patterns have at a TB; false if they read nothing there.
bool ArrayBuilder::FindShape(const std::vector<AccessPattern>& patterns, const TbCoordinate& tb,
                             ShapeTable& shapes, uint32_t& shape) {
  BoxesAt(patterns, {tb[0], tb[1], tb[2]});
  if (key_.empty()) return false;
  const auto [found, is_new] = shapes.try_emplace(key_, 0);
  if (is_new) found->second = AddShape(patterns);
  shape = found->second;
  return true;
}

// The same as AddShape for each warp of the TB.
std::vector<std::vector<Range>> ArrayBuilder::WarpsOf(const std::vector<AccessPattern>& patterns) {
  std::vector<std::vector<Range>> warps(launch_.WarpsPerTb());
  for (uint32_t warp = 0; warp < warps.size(); ++warp) {
    for (const ThreadBox& threads : WarpBoxes(launch_.block, warp)) {
      for (size_t p = 0; p < patterns.size(); ++p) {
        for (const AccessBox& all : boxes_[p]) {
          AccessBox box = all;
          bool empty = false;
          for (size_t axis = 0; axis < 3; ++axis) {
            Range& bound = box.bounds[axis];
            bound.begin = std::max(bound.begin, threads[axis].begin);
            bound.end = std::min(bound.end, threads[axis].end);
            empty = empty || bound.begin >= bound.end;
          }
          if (empty) continue;
          const StridedBox bytes = patterns[p].Bytes(box);
          Count(bytes.RangeCount());
          bytes.AppendRanges(warps[warp]);
        }
      }
    }
    Normalize(warps[warp]);
  }
  return warps;
}

void ArrayBuilder::AddExplicit(uint32_t tb, std::vector<Range> bytes,
                               std::vector<std::vector<Range>> warps) {
  Normalize(bytes);
  if (bytes.empty()) return;
  Count(bytes.size());
  if (!has_explicit_ && !result_.classes.empty()) result_.disjoint = false;
  has_explicit_ = true;
  const Dim3 at = TbCoordinates(tb, launch_.grid);
  FootprintClass one;
  one.shape = static_cast<uint32_t>(result_.shapes.size());
  one.tbs.first = {at.x, at.y, at.z};
  result_.classes.push_back(one);
  result_.shapes.push_back(std::move(bytes));
  if (by_warp_) result_.warps.push_back(std::move(warps));
}

}  // namespace flagstone
