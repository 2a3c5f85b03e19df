#include "systemc/clock_domain.h"

#include <algorithm>

namespace flagstone {

ClockDomain::ClockDomain(sc_core::sc_module_name name, uint64_t period, bool every_tick,
                         RunControl* control)
    : sc_core::sc_module(name),
      period_(period),
      every_tick_(every_tick),
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
  active_.reserve(cores_.size());
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
    active_.clear();
    const auto count = static_cast<uint32_t>(cores_.size());
    for (uint32_t i = 0; i < count; ++i) {
      if (next_[i] > now_ && !every_tick_) continue;
      cores_[i]->Sample(now_);
      active_.push_back(i);
    }
  } catch (...) {
    control_->Fail(std::current_exception());
    return;
  }
  commit_phase_.Request();
}

void ClockDomain::Commit() {
  if (control_->stopped()) return;
  try {
    for (const uint32_t i : active_) {
      cores_[i]->Commit(now_);
      next_[i] = cores_[i]->NextWork(now_);
    }
    if (control_->Finished()) return;
  } catch (...) {
    control_->Fail(std::current_exception());
    return;
  }
  uint64_t next = every_tick_ ? now_ + 1 : watch_at_;
  for (const uint64_t cycle : next_) next = std::min(next, cycle);
  NotifyAt(next);
}

}  // namespace flagstone
