#include "analyzer/locality/unit_sweep.h"

#include <algorithm>
#include <array>
#include <bit>

#include "base/random.h"

namespace flagstone {

void UnitSweep::Add(uint64_t begin, uint64_t end, uint32_t label) {
  ends_.push_back({begin, label});
  ends_.push_back({end, label});
}

std::vector<UnitSweep::LabelSet> UnitSweep::Run() {
  SortByPosition(ends_);
  for (size_t i = 0; i < ends_.size();) {
    const uint64_t at = ends_[i].at;
    for (; i < ends_.size() && ends_[i].at == at; ++i) Toggle(ends_[i].label);
    if (i < ends_.size() && !active_.empty()) Count(ends_[i].at - at);
  }
  std::vector<LabelSet> result;
  result.reserve(sets_.size());
  for (const Set& set : sets_) {
    result.push_back({std::span(labels_).subspan(set.begin, set.size), set.units});
  }
  return result;
}

// Least significant digit first, 11 bits at a time: faster than comparisons for long lists.
void UnitSweep::SortByPosition(std::vector<End>& ends) {
  constexpr size_t kShort = 2048;
  constexpr int kDigit = 11;
  if (ends.size() < kShort) {
    std::sort(ends.begin(), ends.end(), [](const End& a, const End& b) {
      return a.at != b.at ? a.at < b.at : a.label < b.label;
    });
    return;
  }
  uint64_t low = ~uint64_t{0};
  uint64_t high = 0;
  for (const End& end : ends) {
    low = std::min(low, end.at);
    high = std::max(high, end.at);
  }
  std::vector<End> sorted(ends.size());
  const auto width = static_cast<int>(std::bit_width(high - low));
  for (int shift = 0; shift < width; shift += kDigit) {
    std::array<size_t, (1 << kDigit) + 1> start = {};
    const auto digit = [&](const End& end) {
      return static_cast<size_t>((end.at - low) >> shift & ((1 << kDigit) - 1));
    };
    for (const End& end : ends) ++start[digit(end) + 1];
    for (size_t d = 1; d < start.size(); ++d) start[d] += start[d - 1];
    for (const End& end : ends) sorted[start[digit(end)]++] = end;
    ends.swap(sorted);
  }
}

void UnitSweep::Toggle(uint32_t label) {
  active_hash_ ^= SplitMix64(label).Next();
  const auto at = std::lower_bound(active_.begin(), active_.end(), label);
  if (at != active_.end() && *at == label) {
    active_.erase(at);
  } else {
    active_.insert(at, label);
  }
}

void UnitSweep::Count(uint64_t units) {
  const uint32_t index = set_of_.FindOrAdd(active_hash_, sets_.size(), [this](uint32_t known) {
    const auto labels = labels_.begin() + static_cast<std::ptrdiff_t>(sets_[known].begin);
    return sets_[known].size == active_.size() &&
           std::equal(active_.begin(), active_.end(), labels);
  });
  if (index == sets_.size()) {
    sets_.push_back({labels_.size(), active_.size(), 0});
    labels_.insert(labels_.end(), active_.begin(), active_.end());
  }
  sets_[index].units += units;
}

}  // namespace flagstone
