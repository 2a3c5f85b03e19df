#include "systemc/worker_threads.h"

#include <algorithm>
#include <chrono>

namespace flagstone {
namespace {

using std::chrono::steady_clock;

// Some cycles of the largest machine: sleeping and waking cost as much.
constexpr std::chrono::microseconds kAwake(200);

// Some threads have less work in a cycle than others.
constexpr std::chrono::microseconds kPatience(2);

void Pause() {
#ifdef __x86_64__
  __builtin_ia32_pause();
#endif
}

// Waits for a moment, in time: a pause takes from 10 ns to 70 on different hosts.
class Spin {
 public:
  // The time since the first call, now and then.
  std::chrono::nanoseconds Wait() {
    Pause();
    if (++count_ % 8 == 0) {
      const auto now = steady_clock::now();
      if (count_ == 8) first_ = now;
      waited_ = now - first_;
    }
    return waited_;
  }

 private:
  uint32_t count_ = 0;
  steady_clock::time_point first_;
  std::chrono::nanoseconds waited_{0};
};

}  // namespace

WorkerThreads::WorkerThreads(uint32_t threads) : parts_(threads) {
  for (uint32_t i = 1; i < threads; ++i) workers_.emplace_back([this, i] { Loop(i); });
}

WorkerThreads::~WorkerThreads() {
  stop_ = true;
  for (Part& part : parts_) {
    ++part.wakes;
    part.wakes.notify_all();
  }
}

void WorkerThreads::Start(std::span<const uint32_t> ends, uint64_t order, Work* work) {
  if (work_ != work) work_ = work;
  const auto threads = static_cast<uint32_t>(parts_.size());
  end_ += ends[threads - 1];
  started_ = steady_clock::now();
  for (uint32_t i = threads; i-- > 0;) {
    parts_[i].order.store(order, std::memory_order_relaxed);
    // Whoever takes an item sees what was written before.
    parts_[i].items.store(Pack(i == 0 ? 0 : ends[i - 1], ends[i]), std::memory_order_release);
  }
  // A worker that falls asleep just now may be overlooked: its items are then taken by others.
  for (uint32_t i = 1; i < threads; ++i) {
    if (!parts_[i].asleep.load(std::memory_order_relaxed)) continue;
    ++parts_[i].wakes;
    parts_[i].wakes.notify_one();
  }
}

// Wraps around, as end_ does.
uint32_t WorkerThreads::Done() const {
  uint32_t done = 0;
  for (const Part& part : parts_) done += part.done.load(std::memory_order_acquire);
  return done;
}

void WorkerThreads::Finish() {
  if (finished_ == end_) return;
  TakeOwn(0, started_);
  for (Spin spin; Done() != end_;) {
    const auto waited = spin.Wait();
    if (waited >= kPatience) {
      for (Part& part : parts_) Take(0, &part);
    }
    if (waited >= kAwake) std::this_thread::yield();
  }
  finished_ = end_;
}

// A worker that comes late may take items of a later Start: it sees that Start's work then. What it
// takes in one call belongs to one Start, which cannot finish before `done` is told.
uint32_t WorkerThreads::Run(Part* part) {
  uint32_t done = 0;
  while (!Empty(part->items.load(std::memory_order_relaxed))) {
    const uint64_t taken = part->items.fetch_add(kTaken, std::memory_order_acquire);
    if (Empty(taken)) break;
    const auto first = static_cast<uint32_t>(taken);
    const auto end = static_cast<uint32_t>(taken >> 32);
    work_->Run(first, std::min(first + kTaken, end), part->order.load(std::memory_order_relaxed));
    done += std::min(kTaken, end - first);
  }
  return done;
}

void WorkerThreads::Tell(Part* self, uint32_t done) {
  if (done == 0) return;
  self->done.store(self->done.load(std::memory_order_relaxed) + done, std::memory_order_release);
}

void WorkerThreads::Take(uint32_t self, Part* part) { Tell(&parts_[self], Run(part)); }

void WorkerThreads::TakeOwn(uint32_t self, steady_clock::time_point begin) {
  Part& part = parts_[self];
  const uint32_t done = Run(&part);
  part.busy.store(part.busy.load(std::memory_order_relaxed) + (steady_clock::now() - begin).count(),
                  std::memory_order_relaxed);
  Tell(&part, done);
}

void WorkerThreads::Sleep(Part* part) {
  const uint32_t wakes = part->wakes;
  part->asleep = true;
  if (!stop_ && Empty(part->items)) part->wakes.wait(wakes);
  part->asleep = false;
}

void WorkerThreads::Loop(uint32_t self) {
  Part& part = parts_[self];
  Spin spin;
  while (!stop_.load(std::memory_order_relaxed)) {
    if (!Empty(part.items.load(std::memory_order_relaxed))) {
      TakeOwn(self, steady_clock::now());
      spin = {};
    } else if (spin.Wait() >= kAwake) {
      Sleep(&part);
      spin = {};
    }
  }
}

}  // namespace flagstone
