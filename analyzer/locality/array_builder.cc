#include "analyzer/locality/array_builder.h"

#include <array>
#include <map>
#include <unordered_map>

#include "base/error.h"

namespace flagstone {
namespace {

constexpr uint32_t kNoClass = ~uint32_t{0};  // of TBs that read nothing

struct KeyHash {
  size_t operator()(const std::vector<int64_t>& key) const {
    uint64_t hash = key.size();
    for (const int64_t word : key) {
      hash = (hash ^ static_cast<uint64_t>(word)) * 0x9e3779b97f4a7c15U;
      hash ^= hash >> 29;
    }
    return hash;
  }
};

}  // namespace

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
           std::equal(a.guards.begin(), a.guards.end(), b.guards.begin(), b.guards.end(),
                      [](const Guard& x, const Guard& y) { return x.form == y.form; });
  };
  std::vector<std::vector<const AddressForm*>> families;
  for (const AddressForm* access : accesses) {
    NoteElement(access->bytes);
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
void ArrayBuilder::BoxesAt(const std::vector<AccessPattern>& patterns, const Dim3& tb,
                           std::vector<std::vector<AccessBox>>& boxes, std::vector<int64_t>& key) {
  key.clear();
  boxes.resize(patterns.size());
  for (size_t p = 0; p < patterns.size(); ++p) {
    boxes[p].clear();
    if (!patterns[p].Boxes(tb, kMaxFootprintRanges, boxes[p])) Count(kMaxFootprintRanges + 1);
    for (const AccessBox& box : boxes[p]) {
      key.push_back(static_cast<int64_t>(p));
      for (const Range& bound : box.bounds) {
        key.push_back(bound.begin);
        key.push_back(bound.end);
      }
    }
  }
}

uint32_t ArrayBuilder::AddShape(const std::vector<AccessPattern>& patterns,
                                const std::vector<std::vector<AccessBox>>& boxes) {
  std::vector<Range> ranges;
  for (size_t p = 0; p < patterns.size(); ++p) {
    for (const AccessBox& box : boxes[p]) {
      const StridedBox bytes = patterns[p].Bytes(box);
      Count(bytes.RangeCount());
      bytes.AppendRanges(ranges);
    }
  }
  Normalize(ranges);
  result_.shapes.push_back(std::move(ranges));
  return static_cast<uint32_t>(result_.shapes.size() - 1);
}

// Patterns whose bytes move from TB to TB by the same strides.
void ArrayBuilder::AddMovingTogether(const std::vector<AccessPattern>& patterns) {
  const std::array<int64_t, 3>& strides = patterns.front().TbStrides();
  const std::array<uint32_t, 3> grid = {launch_.grid.x, launch_.grid.y, launch_.grid.z};
  std::array<uint32_t, 3> varying = {1, 1, 1};  // extents of the axes that make a difference
  for (size_t axis = 0; axis < 3; ++axis) {
    const bool guarded = std::any_of(patterns.begin(), patterns.end(), [&](const AccessPattern& p) {
      return p.GuardsDependOn(axis);
    });
    if (strides[axis] != 0 || guarded) varying[axis] = grid[axis];
  }
  std::unordered_map<std::vector<int64_t>, uint32_t, KeyHash> shape_of;
  std::map<std::pair<uint32_t, int64_t>, uint32_t> class_of;
  std::vector<uint32_t> class_at;  // by TB of the varying grid
  std::vector<std::vector<AccessBox>> boxes;
  std::vector<int64_t> key;
  const Dim3 extent{varying[0], varying[1], varying[2]};
  for (uint64_t at = 0; at < extent.Count(); ++at) {
    const Dim3 tb = TbCoordinates(at, extent);
    BoxesAt(patterns, tb, boxes, key);
    if (key.empty()) {
      class_at.push_back(kNoClass);
      continue;
    }
    const auto [shape, new_shape] = shape_of.try_emplace(key, 0);
    if (new_shape) shape->second = AddShape(patterns, boxes);
    const int64_t base = strides[0] * tb.x + strides[1] * tb.y + strides[2] * tb.z;
    const auto [found, new_class] =
        class_of.try_emplace({shape->second, base}, static_cast<uint32_t>(result_.classes.size()));
    if (new_class) {
      Count(result_.shapes[shape->second].size());
      result_.classes.push_back({shape->second, base, {}});
    }
    class_at.push_back(found->second);
  }
  for (uint32_t tb = 0; tb < launch_.TbCount(); ++tb) {
    const Dim3 id = TbCoordinates(tb, launch_.grid);
    const size_t at =
        (id.z % extent.z * size_t{extent.y} + id.y % extent.y) * extent.x + id.x % extent.x;
    if (class_at[at] != kNoClass) result_.classes[class_at[at]].tbs.push_back(tb);
  }
}

void ArrayBuilder::AddExplicit(uint32_t tb, std::vector<Range> bytes) {
  Normalize(bytes);
  if (bytes.empty()) return;
  Count(bytes.size());
  result_.classes.push_back({static_cast<uint32_t>(result_.shapes.size()), 0, {tb}});
  result_.shapes.push_back(std::move(bytes));
}

}  // namespace flagstone
