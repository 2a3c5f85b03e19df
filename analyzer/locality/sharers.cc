// Footprints -> sharer sets: in closed form where the footprints only move from TB to TB, else by a
// sweep over the ranges of all TBs.
#include <algorithm>
#include <string>
#include <vector>

#include "analyzer/locality/footprints.h"
#include "analyzer/locality/locality_graph.h"
#include "analyzer/locality/sharer_table.h"
#include "analyzer/locality/translated_sharers.h"
#include "analyzer/locality/unit_shapes.h"
#include "analyzer/locality/unit_sweep.h"
#include "base/error.h"

namespace flagstone {
namespace {

// TBs of one class whose footprints are the same: those along the axes that do not move them.
struct Place {
  const FootprintClass* footprint = nullptr;
  TbBox tbs;
};

std::vector<Place> PlacesOf(const ArrayFootprints& array) {
  std::vector<Place> places;
  for (const FootprintClass& footprint : array.classes) {
    const TbBox& all = footprint.tbs;
    TbCoordinate moving = all.count;
    TbBox tbs = all;
    for (size_t axis = 0; axis < 3; ++axis) {
      if (footprint.strides[axis] == 0) {
        moving[axis] = 1;
      } else {
        tbs.count[axis] = 1;
      }
    }
    for (uint32_t z = 0; z < moving[2]; ++z) {
      for (uint32_t y = 0; y < moving[1]; ++y) {
        for (uint32_t x = 0; x < moving[0]; ++x) {
          tbs.first = {all.first[0] + x, all.first[1] + y, all.first[2] + z};
          places.push_back({&footprint, tbs});
        }
      }
    }
  }
  return places;
}

// How many ranges a sweep over all footprints has to sort.
uint64_t SweptRanges(const ArrayFootprints& array) {
  uint64_t ranges = 0;
  for (const FootprintClass& footprint : array.classes) {
    uint64_t places = 1;
    for (size_t axis = 0; axis < 3; ++axis) {
      if (footprint.strides[axis] != 0) places *= footprint.tbs.count[axis];
    }
    uint64_t of_class = 0;
    if (__builtin_mul_overflow(places, array.shapes[footprint.shape].size(), &of_class)) {
      return ~uint64_t{0};
    }
    ranges += std::min(of_class, ~uint64_t{0} - ranges);
  }
  return ranges;
}

void AddBySweep(const ArrayFootprints& array, uint64_t unit_bytes, SharerTable& table) {
  if (SweptRanges(array) > kMaxFootprintRanges) {
    ThrowBadInput(
        "the footprints of '{}' fall apart into more than {} ranges over all TBs, which the "
        "locality analysis does not handle",
        array.array, kMaxFootprintRanges);
  }
  UnitShapes units(array, unit_bytes);
  UnitSweep sweep;  // labels: twice the place's index, and the next one where several warps read
  const std::vector<Place> places = PlacesOf(array);
  for (uint32_t p = 0; p < places.size(); ++p) {
    const FootprintClass& footprint = *places[p].footprint;
    const UnitShapes::Placed placed =
        units.At(footprint.shape, footprint.BaseOf(places[p].tbs.first));
    const auto add = [&](std::span<const Range> ranges, uint32_t label) {
      for (const Range& range : ranges) {
        sweep.Add(static_cast<uint64_t>(range.begin + placed.shift),
                  static_cast<uint64_t>(range.end + placed.shift), label);
      }
    };
    add(placed.reads, 2 * p);
    add(placed.several_warps, 2 * p + 1);
  }
  std::vector<std::vector<uint32_t>> ids;
  ids.reserve(places.size());
  for (const Place& place : places) ids.push_back(place.tbs.Ids(array.grid));
  std::vector<uint32_t> tbs;
  for (const UnitSweep::LabelSet& set : sweep.Run()) {
    tbs.clear();
    bool several_warps = false;
    for (const uint32_t label : set.labels) {
      if (label % 2 == 1) {
        several_warps = true;
      } else {
        tbs.insert(tbs.end(), ids[label / 2].begin(), ids[label / 2].end());
      }
    }
    std::sort(tbs.begin(), tbs.end());
    tbs.erase(std::unique(tbs.begin(), tbs.end()), tbs.end());
    table.AddSet(tbs, set.units, several_warps ? set.units : 0);
  }
}

}  // namespace

std::string_view ToString(Granularity granularity) {
  switch (granularity) {
    case Granularity::kByte:
      return "byte";
    case Granularity::kElement:
      return "element";
    case Granularity::kSector:
      return "sector";
    case Granularity::kLine:
      return "line";
  }
  return "";
}

uint64_t Bytes(Granularity granularity, uint32_t element_bytes) {
  switch (granularity) {
    case Granularity::kByte:
      return 1;
    case Granularity::kSector:
      return 32;
    case Granularity::kLine:
      return 128;
    case Granularity::kElement:
      break;
  }
  return element_bytes;
}

namespace {

template <class UnitOf>
SharerSets FindSharersBy(const Footprints& footprints, const UnitOf& unit_of) {
  SharerSets result;
  result.tb_count = footprints.tb_count;
  SharerTable table(result);
  for (const ArrayFootprints& array : footprints.arrays) {
    const uint64_t unit = unit_of(array);
    // The closed form only where it goes through less than the sweep would.
    if (!AddTranslated(array, unit, SweptRanges(array), table)) AddBySweep(array, unit, table);
  }
  result.total_references = result.shared_by_all;
  for (const SharerFamily& family : result.families) {
    result.total_references += family.weight * family.Sets();
  }
  result.skipped_loads = footprints.skipped.size();
  return result;
}

}  // namespace

SharerSets FindSharers(const Footprints& footprints, Granularity granularity) {
  return FindSharersBy(footprints, [granularity](const ArrayFootprints& array) {
    return Bytes(granularity, array.element_bytes);
  });
}

SharerSets FindPageSharers(const Footprints& loads, const Footprints& stores,
                           const DeviceMemory& memory, uint64_t page_bytes) {
  Footprints both = loads;
  both.arrays.insert(both.arrays.end(), stores.arrays.begin(), stores.arrays.end());
  for (ArrayFootprints& array : both.arrays) {
    const auto& regions = memory.regions();
    const auto region = std::find_if(
        regions.begin(), regions.end(),
        [&array](const DeviceMemory::Region& known) { return known.name == array.array; });
    if (region == regions.end()) continue;
    const auto base = static_cast<int64_t>(region->address);
    for (std::vector<Range>& shape : array.shapes) {
      for (Range& range : shape) range = {range.begin - base, range.end - base};
    }
  }
  return FindSharersBy(both, [page_bytes](const ArrayFootprints&) { return page_bytes; });
}

SharerSets FindSharers(const AddressAnalysis& addresses, const KernelLaunch& launch,
                       Granularity granularity) {
  return FindSharers(FindFootprints(addresses, launch), granularity);
}

}  // namespace flagstone
