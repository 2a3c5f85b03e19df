#include "systemc/clock_domain.h"

#include <algorithm>

#include "base/error.h"

namespace flagstone {
namespace {

// With less work than this the fork and the join cost more than they save.
constexpr uint32_t kFewestPerThread = 3;
constexpr uint32_t kHostLine = 64;  // bytes

}  // namespace

ClockDomain::ClockDomain(sc_core::sc_module_name name, uint64_t period, const Options& options,
                         RunControl* control)
    : sc_core::sc_module(name),
      period_(period),
      options_(options),
      control_(control),
      commit_phase_(this),
      edge_("edge") {
  SC_METHOD(Edge);  // runs first at time 0: cycle 0 of every domain
  sensitive << edge_;
}

void ClockDomain::Add(Clocked* core) {
  core->ConnectWaker(this, static_cast<uint32_t>(cores_.size()));
  cores_.push_back(core);
  next_.push_back(0);
  errors_.emplace_back();
  flag_of_.push_back(static_cast<uint32_t>(commits_.size()));
  commits_.push_back(0);
  if (cores_.size() > kMaxCores) ThrowInternal("more than {} cores in a clock domain", kMaxCores);
}

void ClockDomain::ShareAmongWorkers() {
  if (options_.workers == nullptr) return;
  const auto count = static_cast<uint32_t>(cores_.size());
  const uint32_t threads = options_.workers->threads();
  for (uint32_t i = 1; i <= threads; ++i) share_ends_.push_back(count * i / threads);
  active_ends_ = share_ends_;
  for (uint32_t i = 0, share = 0; i < count; ++i) {
    if (i == share_ends_[share]) ++share;
    flag_of_[i] = i + kHostLine * share;
  }
  commits_.resize(count + kHostLine * threads);
}

void ClockDomain::NotifyAt(uint64_t cycle) {
  if (cycle >= notified_ || cycle == kNever) return;
  notified_ = cycle;
  edge_.notify(sc_core::sc_time::from_value(cycle * period_ - sc_core::sc_time_stamp().value()));
}

void ClockDomain::Wake(uint32_t index) {
  // The first edge after the present time: one at the present time, if any, has sampled already.
  const uint64_t cycle = sc_core::sc_time_stamp().value() / period_ + 1;
  if (next_[index] <= cycle) return;
  next_[index] = cycle;
  NotifyAt(cycle);
}

void ClockDomain::Edge() {
  if (control_->stopped()) return;
  order_.now = sc_core::sc_time_stamp().value() / period_;
  notified_ = kNever;
  ++edges_;
  try {
    if (cycle_ != nullptr) *cycle_ = order_.now;
    if (watched_ && order_.now >= watch_at_) {
      watch_at_ = control_->Watch(order_.now);
      if (control_->stopped()) return;
    }
  } catch (...) {
    control_->Fail(std::current_exception());
    return;
  }
  SampleActive();
  commit_phase_.Request();
}

void ClockDomain::FindActive() {
  const auto count = static_cast<uint32_t>(cores_.size());
  // Without branches: which cores are active is hard to foretell.
  uint32_t active = 0;
  uint32_t i = 0;
  const auto find_until = [&](uint32_t end) {
    for (; i < end; ++i) {
      order_.active[active] = static_cast<uint16_t>(i);
      active += static_cast<uint32_t>(next_[i] <= order_.now || options_.every_tick);
    }
  };
  for (size_t thread = 0; thread < share_ends_.size(); ++thread) {
    find_until(share_ends_[thread]);
    active_ends_[thread] = active;
  }
  find_until(count);
  active_count_ = active;
}

void ClockDomain::SampleActive() {
  FindActive();
  const uint32_t shared = active_ends_.empty() ? 0 : active_ends_.back();
  shared_edge_ = !active_ends_.empty() && shared >= kFewestPerThread * active_ends_.size();
  if (shared_edge_) {
    options_.workers->Start(active_ends_, this);
    Run(shared, active_count_);
  } else if (options_.reverse_samples) {
    for (uint32_t item = active_count_; item > 0; --item) Run(item - 1, item);
  } else {
    Run(0, active_count_);
  }
}

void ClockDomain::Run(uint32_t first, uint32_t end) {
  for (uint32_t item = first; item < end; ++item) Sample(order_.active[item]);
}

void ClockDomain::Sample(uint32_t core) {
  const uint64_t now = order_.now;
  try {
    cores_[core]->Sample(now);
    const bool commits = options_.every_tick || !cores_[core]->NothingToCommit();
    SetNext(core, commits ? kAwake : cores_[core]->NextWork(now));
    uint8_t& flag = commits_[flag_of_[core]];
    if (flag != static_cast<uint8_t>(commits)) flag = commits;
  } catch (...) {
    errors_[core] = std::current_exception();
    failed_.store(true, std::memory_order_relaxed);
  }
}

void ClockDomain::SetNext(uint32_t core, uint64_t next) {
  if (next == order_.now + 1) next = kAwake;
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
  const uint64_t now = order_.now;
  try {
    if (shared_edge_) {
      for (uint32_t item = 0; item < active_count_; ++item) {
        const uint32_t i = order_.active[item];
        if (commits_[flag_of_[i]] != 0) cores_[i]->PrefetchCommit();
      }
    }
    for (uint32_t item = 0; item < active_count_; ++item) {
      const uint32_t i = order_.active[item];
      if (commits_[flag_of_[i]] == 0) continue;
      cores_[i]->Commit(now);
      SetNext(i, cores_[i]->NextWork(now));
    }
    if (control_->Finished()) return;
  } catch (...) {
    control_->Fail(std::current_exception());
    return;
  }
  uint64_t next = options_.every_tick ? now + 1 : watch_at_;
  for (const uint64_t cycle : next_) next = std::min(next, std::max(cycle, now + 1));
  NotifyAt(next);
}

}  // namespace flagstone
