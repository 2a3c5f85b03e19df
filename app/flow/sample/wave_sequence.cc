#include "app/flow/sample/wave_sequence.h"

#include <algorithm>
#include <numeric>

#include "kernels/ptx/kernel.h"

namespace flagstone {
namespace {

// With fewer lists than this an SM, each is cut; else whole ones are left out.
constexpr uint64_t kFewLists = 8;

std::vector<uint32_t> Ids(uint64_t first, uint64_t count) {
  std::vector<uint32_t> ids(count);
  std::iota(ids.begin(), ids.end(), static_cast<uint32_t>(first));
  return ids;
}

// As the TB scheduler `chunk` deals them.
WaveSequence::Lists Chunks(uint64_t tbs, uint32_t sms) {
  WaveSequence::Lists lists;
  uint64_t first = 0;
  for (uint32_t sm = 0; sm < sms; ++sm) {
    const uint64_t count = tbs / sms + (sm < tbs % sms ? 1 : 0);
    lists.push_back(Ids(first, count));
    first += count;
  }
  return lists;
}

WaveSequence::Lists ListsOf(const LaunchRequest& request, uint32_t sms) {
  const uint64_t tbs = request.launch->TbCount();
  switch (request.tb_scheduler->Sequence()) {
    case TbSequence::kGroups:
      return request.groups.groups;
    case TbSequence::kParts:
      return Chunks(tbs, sms);
    default:
      return {Ids(0, tbs)};
  }
}

template <class T>
void Append(const std::vector<T>& from, size_t begin, size_t end, std::vector<T>* to) {
  const auto at = [&](size_t index) { return from.begin() + static_cast<std::ptrdiff_t>(index); };
  to->insert(to->end(), at(begin), at(end));
}

}  // namespace

std::string WhyOnlyWhole(const LaunchRequest& request, bool several_nodes) {
  if (several_nodes) return "the machine has several nodes";
  if (request.launch->kernel->syncs_grid) return "TBs of a cooperative launch wait for one another";
  if (request.launch->cluster.Count() > 1) return "TBs of a cluster run together";
  const bool by_grid = request.tb_scheduler->Sequence() == TbSequence::kGrid;
  return by_grid ? "its TB scheduler goes by rows and columns of the grid" : "";
}

WaveSequence::WaveSequence(const LaunchRequest& request, const Wave& wave)
    : wave_tbs_(wave.Tbs()),
      tbs_(request.launch->TbCount()),
      lists_(ListsOf(request, wave.sms)),
      by_lists_(lists_.size() >= kFewLists * wave.sms) {
  if (by_lists_) {
    unit_ = std::max<uint64_t>(1, wave_tbs_ * lists_.size() / tbs_ / wave.sms) * wave.sms;
    wave_tbs_ = std::max<uint64_t>(1, unit_ * tbs_ / lists_.size());
  }
}

WaveSequence::Range WaveSequence::RangeOf(size_t size, uint64_t unit, uint64_t from, uint64_t to,
                                          bool tail) {
  Range range;
  range.tail = size - (tail ? std::min<size_t>(size, unit / 2 + size % unit) : 0);
  range.from = std::min<size_t>(from * unit / 2, range.tail);
  range.to = std::min<size_t>(to * unit / 2, range.tail);
  return range;
}

WaveSequence::Lists WaveSequence::Part(uint64_t from, uint64_t to, bool tail) const {
  Lists part;
  if (by_lists_) {
    const Range range = RangeOf(lists_.size(), unit_, from, to, tail);
    Append(lists_, range.from, range.to, &part);
    Append(lists_, range.tail, lists_.size(), &part);
    return part;
  }
  for (const std::vector<uint32_t>& list : lists_) {
    const uint64_t unit = std::max<uint64_t>(1, (wave_tbs_ * list.size() + tbs_ / 2) / tbs_);
    const Range range = RangeOf(list.size(), unit, from, to, tail);
    std::vector<uint32_t>& cut = part.emplace_back();
    Append(list, range.from, range.to, &cut);
    Append(list, range.tail, list.size(), &cut);
  }
  return part;
}

}  // namespace flagstone
