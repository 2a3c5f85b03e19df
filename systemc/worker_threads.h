// Threads that share the items of one clock edge: a fork and a join that cost well below a
// microsecond, for work of a few microseconds.
#ifndef FLAGSTONE_SYSTEMC_WORKER_THREADS_H_
#define FLAGSTONE_SYSTEMC_WORKER_THREADS_H_

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <thread>
#include <vector>

namespace flagstone {

// Each thread has a part of the items, so that an SM's state stays in one core's cache from edge to
// edge. Who has waited too long takes what is left of the others' parts: a worker that the host has
// put to sleep holds nobody up.
class WorkerThreads {
 public:
  // What is done with the items of [first, end). Calls come in any order and at the same time, and
  // must not throw.
  class Work {
   public:
    virtual ~Work() = default;
    // `order` is the Start's.
    virtual void Run(uint32_t first, uint32_t end, uint64_t order) = 0;
  };

  // `threads` counts the caller's too: 2 starts one worker.
  explicit WorkerThreads(uint32_t threads);
  ~WorkerThreads();
  WorkerThreads(const WorkerThreads&) = delete;
  WorkerThreads& operator=(const WorkerThreads&) = delete;

  uint32_t threads() const { return static_cast<uint32_t>(parts_.size()); }
  // Hands out the items of each thread, those of thread i from ends[i - 1] (0 for the first) up to
  // ends[i], and returns; the workers begin at once. All that they need to know beyond the items
  // should stand in `order`, which reaches them with those.
  void Start(std::span<const uint32_t> ends, uint64_t order, Work* work);
  // Takes part in the work, and returns when all of it is done. Does nothing without a Start.
  void Finish();
  // From Start to the end of its own items, all Starts together: how long a thread was at work. The
  // caller asks between Finish and Start.
  std::chrono::nanoseconds Busy(uint32_t thread) const {
    return std::chrono::nanoseconds(parts_[thread].busy.load(std::memory_order_relaxed));
  }

 private:
  // What costs time here is a cache line on its way between cores: what one side writes and the
  // other waits for stands in a line of its own.
  struct Part {
    // The items of a thread that nobody has taken yet: the first in the lower half, the end in the
    // upper, so that one addition takes some and tells whether there were any. The owner waits for
    // this word.
    alignas(64) std::atomic<uint64_t> items = 0;
    std::atomic<uint64_t> order = 0;
    alignas(64) std::atomic<uint32_t> done = 0;  // items that its owner has run, from all parts
    std::atomic<int64_t> busy = 0;               // nanoseconds; see Busy
    alignas(64) std::atomic<bool> asleep = false;
    std::atomic<uint32_t> wakes = 0;  // counts, so that a sleeping owner sees one
  };
  static constexpr uint64_t Pack(uint32_t first, uint32_t end) {
    return uint64_t{end} << 32 | first;
  }
  static bool Empty(uint64_t items) { return static_cast<uint32_t>(items) >= items >> 32; }
  static constexpr uint32_t kTaken = 4;  // items at once

  void Loop(uint32_t self);
  void Sleep(Part* part);
  // Runs what is left of the part.
  void Take(uint32_t self, Part* part);
  // The same for its own part, begun at `begin`.
  void TakeOwn(uint32_t self, std::chrono::steady_clock::time_point begin);
  // Runs items of the part; returns how many.
  uint32_t Run(Part* part);
  void Tell(Part* self, uint32_t done);
  uint32_t Done() const;

  std::vector<Part> parts_;  // the caller's is the first
  Work* work_ = nullptr;
  std::atomic<bool> stop_ = false;
  alignas(64) uint32_t end_ = 0;  // what Done() will be when all that was started is done
  uint32_t finished_ = 0;         // what it was at the last Finish
  std::chrono::steady_clock::time_point started_;
  std::vector<std::jthread> workers_;
};

}  // namespace flagstone

#endif  // FLAGSTONE_SYSTEMC_WORKER_THREADS_H_
