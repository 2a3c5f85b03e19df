// Stable merge sort of keys with values: whole tiles and whole runs, without intervals.
#include "workloads/reference.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/error.h"

namespace flagstone {
namespace {

constexpr size_t kTile = 1024;

// The buffers of one launch: keys and values in, keys and values out.
struct Elements {
  std::span<uint32_t> in_keys, in_values, out_keys, out_values;

  Elements(ReferenceData& data, size_t launch)
      : in_keys(data.Buffer<uint32_t>(launch, 0)),
        in_values(data.Buffer<uint32_t>(launch, 1, in_keys.size())),
        out_keys(data.Buffer<uint32_t>(launch, 2, in_keys.size())),
        out_values(data.Buffer<uint32_t>(launch, 3, in_keys.size())) {}

  // Sorts every `count` elements by their keys; equal keys keep their order.
  void Sort(size_t count) const {
    for (size_t begin = 0; begin < in_keys.size(); begin += count) {
      const size_t end = std::min(begin + count, in_keys.size());
      std::vector<std::pair<uint32_t, uint32_t>> elements;
      for (size_t i = begin; i < end; ++i) elements.emplace_back(in_keys[i], in_values[i]);
      std::stable_sort(elements.begin(), elements.end(),
                       [](const auto& a, const auto& b) { return a.first < b.first; });
      for (size_t i = begin; i < end; ++i) {
        out_keys[i] = elements[i - begin].first;
        out_values[i] = elements[i - begin].second;
      }
    }
  }
};

}  // namespace

void ComputeMergesort(ReferenceData& data) {
  for (size_t launch = 0; launch < data.LaunchCount(); ++launch) {
    if (data.Entry(launch) == "sort_tiles") {
      Elements(data, launch).Sort(kTile);
    } else if (data.Entry(launch) == "merge_intervals") {
      const size_t run = data.Extent(launch, 6);
      if (run == 0) ThrowBadInput("reference 'mergesort': expected runs of at least one element");
      Elements(data, launch).Sort(2 * run);  // stable: what merging sorted runs gives
    }
    // The other kernels find the intervals that merge_intervals works by; they move no element.
  }
}

}  // namespace flagstone
