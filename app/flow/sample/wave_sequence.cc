#include "app/flow/sample/wave_sequence.h"

#include <algorithm>
#include <numeric>

#include "kernels/ptx/control_flow.h"
#include "kernels/ptx/kernel.h"
#include "kernels/ptx/spin_loops.h"

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
  const ptx::Kernel& kernel = *request.launch->kernel;
  const auto spins = ptx::FindSpinLoops(kernel, ptx::ControlFlow(kernel));
  const bool waits = std::any_of(spins.begin(), spins.end(),
                                 [](ptx::Stays stays) { return stays != ptx::Stays::kNowhere; });
  return waits ? "its TBs may wait for one another, in a loop until memory changes" : "";
}

WaveSequence::WaveSequence(const LaunchRequest& request, const Wave& wave)
    : tbs_(request.launch->TbCount()),
      lists_(ListsOf(request, wave.sms)),
      by_parts_(request.tb_scheduler->Sequence() == TbSequence::kParts),
      by_lists_(lists_.size() >= kFewLists * wave.sms) {
  if (by_lists_) {
    const uint64_t of_sm = std::max<uint64_t>(1, wave.Tbs() * lists_.size() / tbs_ / wave.sms);
    units_ = {of_sm * wave.sms};
    wave_tbs_ = std::max<uint64_t>(1, units_.front() * tbs_ / lists_.size());
    return;
  }
  for (const std::vector<uint32_t>& list : lists_) {
    units_.push_back(std::max<uint64_t>(1, (wave.Tbs() * list.size() + tbs_ / 2) / tbs_));
    wave_tbs_ += units_.back();
  }
}

// Of parts that differ by a TB, the longer ones have it in their tail: then the TB scheduler deals
// what is left as it dealt the whole.
uint64_t WaveSequence::RestOf(size_t list) const {
  const size_t size = lists_[list].size();
  if (!by_parts_) return size % units_[list];
  const size_t shortest = lists_.back().size();
  return shortest % units_.back() + size - shortest;
}

WaveSequence::Range WaveSequence::RangeOf(size_t size, uint64_t unit, uint64_t rest, uint64_t from,
                                          uint64_t to) {
  Range range;
  range.tail = size - std::min<size_t>(size, std::max<uint64_t>(1, unit / 2) + rest);
  range.from = std::min<size_t>(from * unit / 2, range.tail);
  range.to = std::min<size_t>((to * unit + 1) / 2, range.tail);
  return range;
}

WaveSequence::Lists WaveSequence::Part(uint64_t from, uint64_t to, bool tail) const {
  Lists part;
  const auto cut = [&](const auto& list, uint64_t unit, uint64_t rest, auto* kept) {
    const Range range = RangeOf(list.size(), unit, rest, from, to);
    Append(list, range.from, range.to, kept);
    if (tail) Append(list, range.tail, list.size(), kept);
  };
  if (by_lists_) {
    cut(lists_, units_.front(), lists_.size() % units_.front(), &part);
    return part;
  }
  for (size_t i = 0; i < lists_.size(); ++i) {
    cut(lists_[i], units_[i], RestOf(i), &part.emplace_back());
  }
  return part;
}

}  // namespace flagstone
