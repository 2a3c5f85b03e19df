// The same work on all cores at once.
#ifndef FLAGSTONE_BASE_ALL_CORES_H_
#define FLAGSTONE_BASE_ALL_CORES_H_

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <future>
#include <thread>
#include <vector>

namespace flagstone {

// Calls work() in as many threads as there are cores, but in no more than `most`; one of them is
// the caller's. Returns when all have, and throws what one of them threw.
template <class Work>
void OnAllCores(size_t most, const Work& work) {
  const size_t cores = std::max(1U, std::thread::hardware_concurrency());
  std::vector<std::future<void>> others;
  for (size_t i = 1; i < std::min(cores, most); ++i) {
    others.push_back(std::async(std::launch::async, [&work] { work(); }));
  }
  work();
  for (std::future<void>& other : others) other.get();
}

// Calls work(i) for 0 <= i < count, each in one of as many threads as there are cores.
template <class Work>
void ForEachOnAllCores(size_t count, const Work& work) {
  std::atomic<size_t> next = 0;
  OnAllCores(count, [&] {
    for (size_t i = next++; i < count; i = next++) work(i);
  });
}

}  // namespace flagstone

#endif  // FLAGSTONE_BASE_ALL_CORES_H_
