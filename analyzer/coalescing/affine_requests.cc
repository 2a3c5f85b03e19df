#include "analyzer/coalescing/affine_requests.h"

#include <algorithm>
#include <numeric>

#include "analyzer/address/affine.h"
#include "analyzer/coalescing/residues.h"
#include "analyzer/coalescing/warp.h"

namespace flagstone {
namespace {

constexpr uint64_t kMaxParts = uint64_t{1} << 20;

}  // namespace

AffineRequests::AffineRequests(const AddressForm& access, const AddressAnalysis& addresses,
                               const KernelLaunch& launch)
    : start_(static_cast<uint64_t>(access.form.constant)), bytes_(access.bytes) {
  offsets_ = ThreadOffsets(access.form.tid, launch.block);
  const std::array<uint32_t, 3> grid = {launch.grid.x, launch.grid.y, launch.grid.z};
  for (size_t d = 0; d < 3; ++d) axes_.push_back({access.form.ctaid[d], grid[d]});
  for (const uint32_t l : access.loops) {
    const CountedLoop& loop = addresses.loops[l];
    const auto extent = loop.known || loop.bounded ? static_cast<int64_t>(loop.trip_count) : 1;
    axes_.push_back({LoopCoefficient(access.form, l), extent});
  }
  for (const Guard& guard : access.guards) {
    Limit limit;
    limit.constant = guard.form.constant;
    limit.coefficients.assign(guard.form.ctaid.begin(), guard.form.ctaid.end());
    for (const uint32_t l : access.loops) {
      limit.coefficients.push_back(LoopCoefficient(guard.form, l));
    }
    for (const uint64_t offset : ThreadOffsets(guard.form.tid, launch.block)) {
      limit.offsets.push_back(static_cast<int64_t>(offset));
    }
    const auto [low, high] = std::minmax_element(limit.offsets.begin(), limit.offsets.end());
    limit.lowest = *low;
    limit.highest = *high;
    limits_.push_back(std::move(limit));
  }
}

void AffineRequests::Count(LoadCoalescing& load) {
  Box all;
  for (const Axis& axis : axes_) all.push_back({0, axis.extent});
  std::vector<uint32_t> undecided(limits_.size());
  std::iota(undecided.begin(), undecided.end(), 0U);
  if (!Visit(all, undecided)) {
    load.request_problem = "its guards cut the launch into too many parts, or leave 64 bits";
    return;
  }
  load.requests = total_.requests;
  load.sectors = total_.sectors;
}

bool AffineRequests::Visit(const Box& box, const std::vector<uint32_t>& undecided) {
  if (++parts_ > kMaxParts) return false;
  std::vector<Open> open;
  std::vector<uint32_t> left;
  size_t widest = axes_.size();
  for (const uint32_t index : undecided) {
    const Limit& limit = limits_[index];
    Interval range{limit.constant, limit.constant};
    Open here{index, limit.constant};
    for (size_t a = 0; a < axes_.size(); ++a) {
      const Interval values{box[a].begin, box[a].end - 1};
      if (limit.coefficients[a] != 0) range = range + Scale(values, limit.coefficients[a]);
      int64_t moved = 0;
      if (__builtin_mul_overflow(limit.coefficients[a], box[a].begin, &moved) ||
          __builtin_add_overflow(here.constant, moved, &here.constant)) {
        return false;
      }
    }
    range = range + Interval{limit.lowest, limit.highest};
    if (range.high < 0) return true;  // nothing is loaded here
    if (range.low >= 0) continue;
    open.push_back(here);
    left.push_back(index);
    for (size_t a = 0; a < axes_.size(); ++a) {
      const int64_t width = box[a].end - box[a].begin;
      if (limit.coefficients[a] == 0 || width == 1) continue;
      if (widest == axes_.size() || width > box[widest].end - box[widest].begin) widest = a;
    }
  }
  if (widest == axes_.size()) {
    Add(box, open);
    return true;
  }
  Box half = box;
  const int64_t middle = (box[widest].begin + box[widest].end) / 2;
  half[widest].end = middle;
  if (!Visit(half, left)) return false;
  half[widest] = {middle, box[widest].end};
  return Visit(half, left);
}

void AffineRequests::Add(const Box& box, const std::vector<Open>& open) {
  uint64_t start = start_;
  for (size_t a = 0; a < axes_.size(); ++a) {
    start += static_cast<uint64_t>(axes_[a].stride) * static_cast<uint64_t>(box[a].begin);
  }
  Residues residues(start);
  for (size_t a = 0; a < axes_.size(); ++a) {
    residues.Repeat(axes_[a].stride, static_cast<uint64_t>(box[a].end - box[a].begin));
  }
  for (uint64_t r = 0; r < kSectorOfRequest; ++r) {
    const double times = residues.counts()[r];
    if (times == 0) continue;
    const Fetched& fetched = OfTb(open, r);
    total_.requests += times * fetched.requests;
    total_.sectors += times * fetched.sectors;
  }
}

const AffineRequests::Fetched& AffineRequests::OfTb(const std::vector<Open>& open,
                                                    uint64_t residue) {
  std::vector<int64_t> key = {static_cast<int64_t>(residue)};
  for (const Open& guard : open) {
    key.push_back(guard.limit);
    key.push_back(guard.constant);
  }
  const auto [found, is_new] = known_.try_emplace(std::move(key));
  Fetched& fetched = found->second;
  if (!is_new) return fetched;
  std::vector<uint64_t> active;
  for (size_t first = 0; first < offsets_.size(); first += kLanes) {
    active.clear();
    for (size_t t = first; t < std::min(first + kLanes, offsets_.size()); ++t) {
      const bool runs = std::all_of(open.begin(), open.end(), [&](const Open& guard) {
        int64_t value = 0;  // an overflow has the constant's sign
        const bool over =
            __builtin_add_overflow(guard.constant, limits_[guard.limit].offsets[t], &value);
        return (over ? guard.constant : value) >= 0;
      });
      // One range of addresses above all offsets that fall: residues stay, nothing wraps around.
      if (runs) active.push_back((uint64_t{1} << 63) + residue + offsets_[t]);
    }
    if (active.empty()) continue;
    fetched.requests += 1;
    fetched.sectors += SectorCount(active, bytes_);
  }
  return fetched;
}

}  // namespace flagstone
