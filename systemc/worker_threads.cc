#include "systemc/worker_threads.h"

#include <algorithm>

namespace flagstone {
namespace {

// About 30 us: longer than a cycle of the largest machine, shorter than what sleeping costs.
constexpr uint32_t kSpins = 1000;

// About 1 us: some threads have less work in a cycle than others.
constexpr uint32_t kPatience = 40;

void Pause() {
#ifdef __x86_64__
  __builtin_ia32_pause();
#endif
}

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

void WorkerThreads::Start(std::span<const uint32_t> ends, Work* work) {
  if (work_ != work) work_ = work;
  const auto threads = static_cast<uint32_t>(parts_.size());
  end_ += ends[threads - 1];
  for (uint32_t i = threads; i-- > 0;) {
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
  Take(0, &parts_[0]);
  for (uint32_t spins = 0; Done() != end_; ++spins) {
    if (spins % kPatience == kPatience - 1) {
      for (Part& part : parts_) Take(0, &part);
    }
    if (spins < kSpins) {
      Pause();
    } else {
      std::this_thread::yield();
    }
  }
  finished_ = end_;
}

// A worker that comes late may take items of a later Start: it sees that Start's work then. What it
// takes in one call belongs to one Start, which cannot finish before `done` is told.
void WorkerThreads::Take(uint32_t self, Part* part) {
  uint32_t done = 0;
  while (!Empty(part->items.load(std::memory_order_relaxed))) {
    const uint64_t taken = part->items.fetch_add(kTaken, std::memory_order_acquire);
    if (Empty(taken)) break;
    const auto first = static_cast<uint32_t>(taken);
    const auto end = static_cast<uint32_t>(taken >> 32);
    work_->Run(first, std::min(first + kTaken, end));
    done += std::min(kTaken, end - first);
  }
  std::atomic<uint32_t>& told = parts_[self].done;
  if (done != 0) told.store(told.load(std::memory_order_relaxed) + done, std::memory_order_release);
}

void WorkerThreads::Sleep(Part* part) {
  const uint32_t wakes = part->wakes;
  part->asleep = true;
  if (!stop_ && Empty(part->items)) part->wakes.wait(wakes);
  part->asleep = false;
}

void WorkerThreads::Loop(uint32_t self) {
  Part& part = parts_[self];
  uint32_t spins = 0;
  while (!stop_.load(std::memory_order_relaxed)) {
    if (!Empty(part.items.load(std::memory_order_relaxed))) {
      Take(self, &part);
      spins = 0;
    } else if (++spins < kSpins) {
      Pause();
    } else {
      Sleep(&part);
      spins = 0;
    }
  }
}

}  // namespace flagstone
