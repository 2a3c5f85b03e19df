#include "systemc/clock_domain.h"

#include <algorithm>
#include <array>

namespace flagstone {
namespace {

// With less work than this the fork and the join cost more than they save.
constexpr uint32_t kFewestPerThread = 3;
// Edges after which the end of a share may move by one core, which takes its state along.
constexpr uint32_t kEdgesPerMove = 64;

}  // namespace

ClockDomain::ClockDomain(sc_core::sc_module_name name, uint64_t period)
    : sc_core::sc_module(name), period_(period), commit_phase_(this), edge_("edge") {
  SC_METHOD(Edge);
  sensitive << edge_;
  dont_initialize();
}

void ClockDomain::Begin(const Options& options, RunControl* control) {
  options_ = options;
  control_ = control;
  begin_ = sc_core::sc_time_stamp().value();
  cores_.clear();
  next_.clear();
  errors_.clear();
  failed_ = false;
  share_ends_.clear();
  busy_.clear();
  shared_edges_ = due_ = 0;
  notified_ = 0;  // the first edge comes in any case
  watched_ = false;
  watch_at_ = kNever;
  cycle_ = nullptr;
  edges_ = 0;
  edge_.notify(sc_core::SC_ZERO_TIME);
}

void ClockDomain::Add(Clocked* core) {
  core->ConnectWaker(this, static_cast<uint32_t>(cores_.size()));
  cores_.push_back(core);
  next_.push_back(0);
  errors_.emplace_back();
}

void ClockDomain::ShareAmongWorkers() {
  if (options_.workers == nullptr) return;
  const uint32_t threads = options_.workers->threads();
  for (uint32_t i = 1; i <= threads; ++i) share_ends_.push_back(count() * i / threads);
  busy_.resize(threads);
}

void ClockDomain::NotifyAt(uint64_t cycle) {
  if (cycle >= notified_ || cycle == kNever) return;
  notified_ = cycle;
  edge_.notify(sc_core::sc_time::from_value(cycle * period_ - Elapsed()));
}

void ClockDomain::Wake(uint32_t index) {
  // The first edge after the present time: one at the present time, if any, has sampled already.
  const uint64_t cycle = Elapsed() / period_ + 1;
  if (next_[index] <= cycle) return;
  next_[index] = cycle == kCommits ? kAwake : cycle;
  NotifyAt(cycle);
}

void ClockDomain::Edge() {
  if (control_->stopped()) return;
  now_ = Elapsed() / period_;
  notified_ = kNever;
  ++edges_;
  try {
    if (cycle_ != nullptr) *cycle_ = now_;
    if (watched_ && now_ >= watch_at_) {
      watch_at_ = control_->Watch(now_);
      if (control_->stopped()) return;
    }
  } catch (...) {
    control_->Fail(std::current_exception());
    return;
  }
  SampleAll();
  commit_phase_.Request();
}

// Which cores are picked is hard to foretell: they are found without branches.
template <class Pick, class Act, class Ahead>
void ClockDomain::ForEach(uint32_t first, uint32_t end, const Pick& pick, const Act& act,
                          const Ahead& ahead) {
  constexpr uint32_t kAtOnce = 64;
  std::array<uint32_t, kAtOnce> picked;
  while (first < end) {
    const uint32_t stop = std::min(end, first + kAtOnce);
    uint32_t count = 0;
    for (; first < stop; ++first) {
      picked[count] = first;
      count += static_cast<uint32_t>(pick(first));
    }
    for (uint32_t i = 0; i < count; ++i) {
      if (i + 1 < count) ahead(picked[i + 1]);
      act(picked[i]);
    }
  }
}

void ClockDomain::SampleAll() {
  const uint32_t shared = share_ends_.empty() ? 0 : share_ends_.back();
  shared_edge_ = !share_ends_.empty() && due_ >= kFewestPerThread * share_ends_.size();
  if (shared_edge_) {
    MoveShares();
    options_.workers->Start(share_ends_, now_, this);
    Run(shared, count(), now_);
  } else if (options_.reverse_samples) {
    for (uint32_t core = count(); core > 0; --core) Run(core - 1, core, now_);
  } else {
    Run(0, count(), now_);
  }
}

// So that all threads are busy for as long as the busiest. In each share the time is taken to be
// the same for all cores.
void ClockDomain::MoveShares() {
  if (++shared_edges_ % kEdgesPerMove != 0) return;
  const auto threads = static_cast<uint32_t>(share_ends_.size());
  const auto since = [this](uint32_t thread) {
    return (options_.workers->Busy(thread) - busy_[thread]).count();
  };
  int64_t all = 0;
  for (uint32_t i = 0; i < threads; ++i) all += since(i);
  int64_t spent = 0;  // by the threads up to this one
  for (uint32_t i = 0; i + 1 < threads; ++i) {
    spent += since(i);
    const int64_t fair = all * (i + 1) / threads;
    const uint32_t before = i == 0 ? 0 : share_ends_[i - 1];
    if (spent > fair && share_ends_[i] > before + 1) --share_ends_[i];
    if (spent < fair && share_ends_[i] + 1 < share_ends_[i + 1]) ++share_ends_[i];
  }
  for (uint32_t i = 0; i < threads; ++i) busy_[i] = options_.workers->Busy(i);
}

void ClockDomain::Run(uint32_t first, uint32_t end, uint64_t now) {
  const auto due = [&](uint32_t core) { return next_[core] <= now || options_.every_tick; };
  ForEach(
      first, end, due, [&](uint32_t core) { Sample(core, now); },
      [&](uint32_t core) { cores_[core]->PreloadSample(now); });
}

void ClockDomain::Sample(uint32_t core, uint64_t now) {
  try {
    cores_[core]->Sample(now);
    const bool commits = options_.every_tick || !cores_[core]->NothingToCommit();
    if (commits) {
      next_[core] = kCommits;
    } else {
      SetNext(core, cores_[core]->NextWork(now), now);
    }
  } catch (...) {
    errors_[core] = std::current_exception();
    failed_.store(true, std::memory_order_relaxed);
  }
}

void ClockDomain::SetNext(uint32_t core, uint64_t next, uint64_t now) {
  if (next == now + 1) next = kAwake;
  if (next_[core] != next) next_[core] = next;
}

bool ClockDomain::Failed() {
  if (!failed_.load(std::memory_order_relaxed)) return false;
  size_t first = 0;
  while (errors_[first] == nullptr) ++first;
  cores_[first]->Abandon();
  control_->Fail(errors_[first]);
  return true;
}

void ClockDomain::Commit() {
  // Nothing is committed anywhere while a core still samples.
  if (options_.workers != nullptr) options_.workers->Finish();
  if (control_->stopped() || Failed()) return;
  const auto commits = [this](uint32_t core) { return next_[core] == kCommits; };
  const auto nothing = [](uint32_t) {};
  try {
    if (shared_edge_) {
      ForEach(
          0, count(), commits, [this](uint32_t core) { cores_[core]->PreloadCommit(); }, nothing);
    }
    ForEach(
        0, count(), commits,
        [this](uint32_t core) {
          cores_[core]->Commit(now_);
          SetNext(core, cores_[core]->NextWork(now_), now_);
        },
        nothing);
    if (control_->Finished()) return;
  } catch (...) {
    control_->Fail(std::current_exception());
    return;
  }
  uint64_t next = options_.every_tick ? now_ + 1 : watch_at_;
  for (const uint64_t cycle : next_) next = std::min(next, std::max(cycle, now_ + 1));
  NotifyAt(next);
  const uint32_t shared = share_ends_.empty() ? 0 : share_ends_.back();
  due_ = static_cast<uint32_t>(std::count_if(next_.begin(), next_.begin() + shared,
                                             [next](uint64_t cycle) { return cycle <= next; }));
}

}  // namespace flagstone
