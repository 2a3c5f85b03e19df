// Every item runs exactly once, by the time Finish returns, whatever the number of threads.
#include "systemc/worker_threads.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

namespace flagstone {
namespace worker_threads_test {

class CountingWork final : public WorkerThreads::Work {
 public:
  explicit CountingWork(size_t items) : runs_(items) {}
  // The order is how often each item has been run before.
  void Run(uint32_t first, uint32_t end, uint64_t order) override {
    for (uint32_t item = first; item < end; ++item)
      runs_[item] += runs_[item] == order ? 1U : 1000U;
  }
  const std::vector<uint32_t>& runs() const { return runs_; }

 private:
  std::vector<uint32_t> runs_;  // an item's own place: no two threads write the same
};

// The ends of equal shares of the items.
std::vector<uint32_t> Ends(uint32_t items, uint32_t threads) {
  std::vector<uint32_t> ends;
  for (uint32_t i = 1; i <= threads; ++i) ends.push_back(items * i / threads);
  return ends;
}

TEST(WorkerThreads, RunEveryItemOnceBeforeFinishReturns) {
  for (const uint32_t threads : {1U, 2U, 3U, 7U}) {
    WorkerThreads workers(threads);
    for (const uint32_t items : {1U, 2U, 3U, 5U, 80U}) {
      CountingWork work(items);
      for (uint32_t round = 1; round <= 2000; ++round) {
        workers.Start(Ends(items, threads), round - 1, &work);
        workers.Finish();
        for (const uint32_t runs : work.runs()) ASSERT_EQ(runs, round) << threads << " " << items;
      }
    }
  }
}

TEST(WorkerThreads, WakeUpAfterAPause) {
  WorkerThreads workers(3);
  CountingWork work(30);
  for (uint32_t round = 1; round <= 20; ++round) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));  // long enough for them to sleep
    workers.Start(Ends(30, 3), round - 1, &work);
    workers.Finish();
    for (const uint32_t runs : work.runs()) ASSERT_EQ(runs, round);
  }
}

class MeetingWork final : public WorkerThreads::Work {
 public:
  void Run(uint32_t, uint32_t, uint64_t) override {
    ++here_;
    while (here_ != 2) std::this_thread::yield();
  }

 private:
  std::atomic<int> here_ = 0;
};

TEST(WorkerThreads, RunItemsAtTheSameTime) {
  WorkerThreads workers(2);
  MeetingWork work;  // each call waits for the other
  workers.Start(Ends(2, 2), 0, &work);
  workers.Finish();
}

TEST(WorkerThreads, TakeOverThePartsOfOthers) {
  WorkerThreads workers(3);
  CountingWork work(40);
  for (uint32_t round = 1; round <= 200; ++round) {
    workers.Start(std::vector<uint32_t>{1, 39, 40}, round - 1, &work);
    workers.Finish();
    for (const uint32_t runs : work.runs()) ASSERT_EQ(runs, round);
  }
}

TEST(WorkerThreads, FinishWithoutAStartReturns) {
  WorkerThreads workers(2);
  workers.Finish();
}

}  // namespace worker_threads_test
}  // namespace flagstone
