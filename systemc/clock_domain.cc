#include "systemc/clock_domain.h"

#include <algorithm>

namespace flagstone {
namespace {

// With less work than this the fork and the join cost more than they save.
constexpr uint32_t kFewestPerThread = 3;

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
  active_.push_back(0);
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
  now_ = sc_core::sc_time_stamp().value() / period_;
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
  SampleActive();
  commit_phase_.Request();
}

void ClockDomain::FindActive() {
  const auto count = static_cast<uint32_t>(cores_.size());
  // Without branches: which cores are active is hard to foretell.
  uint32_t active = 0;
  for (uint32_t i = 0; i < count; ++i) {
    if (i == shared_) active_shared_ = active;
    active_[active] = i;
    active += static_cast<uint32_t>(next_[i] <= now_ || options_.every_tick);
  }
  active_count_ = active;
}

void ClockDomain::SampleActive() {
  FindActive();
  WorkerThreads* const workers = options_.workers;
  if (workers != nullptr && active_shared_ >= kFewestPerThread * workers->threads()) {
    workers->Start(active_shared_, this);
    Run(active_shared_, active_count_);
  } else if (options_.reverse_samples) {
    for (uint32_t item = active_count_; item > 0; --item) Run(item - 1, item);
  } else {
    Run(0, active_count_);
  }
}

void ClockDomain::Run(uint32_t first, uint32_t end) {
  for (uint32_t item = first; item < end; ++item) Sample(active_[item]);
}

void ClockDomain::Sample(uint32_t core) {
  try {
    cores_[core]->Sample(now_);
    const bool commits = options_.every_tick || !cores_[core]->NothingToCommit();
    next_[core] = commits ? now_ : cores_[core]->NextWork(now_);
  } catch (...) {
    errors_[core] = std::current_exception();
    failed_.store(true, std::memory_order_relaxed);
  }
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
  try {
    for (uint32_t item = 0; item < active_count_; ++item) {
      const uint32_t i = active_[item];
      if (next_[i] > now_) continue;
      cores_[i]->Commit(now_);
      next_[i] = cores_[i]->NextWork(now_);
    }
    if (control_->Finished()) return;
  } catch (...) {
    control_->Fail(std::current_exception());
    return;
  }
  uint64_t next = options_.every_tick ? now_ + 1 : watch_at_;
  for (const uint64_t cycle : next_) next = std::min(next, cycle);
  NotifyAt(next);
}

}  // namespace flagstone
