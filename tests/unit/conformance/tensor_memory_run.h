// Instructions of tcgen05 in a TB of four warps, on all of its tensor memory, which the host fills
// and reads.
#ifndef FLAGSTONE_TESTS_UNIT_CONFORMANCE_TENSOR_MEMORY_RUN_H_
#define FLAGSTONE_TESTS_UNIT_CONFORMANCE_TENSOR_MEMORY_RUN_H_

#include <cstdint>
#include <string>
#include <vector>

namespace flagstone::conformance {

inline constexpr uint32_t kTensorLanes = 128, kTensorColumns = 512, kThreadWords = 128;
// Lane after lane.
using TensorCells = std::vector<uint32_t>;
inline uint32_t& CellOf(TensorCells& cells, uint32_t lane, uint32_t column) {
  return cells[lane * kTensorColumns + column];
}

struct TensorMemoryState {
  TensorCells cells;            // all of tensor memory
  std::vector<uint32_t> words;  // kThreadWords of each thread
};

// Runs `body` in all threads. %taddr: the address of the first cell; %own: that of the warp's first
// lane; %w0 to %w127: the thread's words; %rd10: the address of `shared` in shared memory, in units
// of 16 bytes, as descriptors have it. What `body` holds behind "ONE:" one thread executes, and all
// wait for its tcgen05.commit, which `multicast` sends to its own TB by a generic address. Notes
// that all instructions of tcgen05 are covered.
TensorMemoryState RunTensorMemory(const std::string& body, const std::string& one,
                                  const TensorMemoryState& before,
                                  const std::vector<uint8_t>& shared, bool multicast = false);

TensorMemoryState RandomTensorMemory(uint32_t seed);
// "{%w0, %w1}"
std::string WordList(size_t count);

}  // namespace flagstone::conformance

#endif  // FLAGSTONE_TESTS_UNIT_CONFORMANCE_TENSOR_MEMORY_RUN_H_
