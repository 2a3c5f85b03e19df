// One tensor copy of one thread, between a tensor in global memory and a room in shared memory.
#ifndef FLAGSTONE_TESTS_UNIT_CONFORMANCE_TENSOR_RUN_H_
#define FLAGSTONE_TESTS_UNIT_CONFORMANCE_TENSOR_RUN_H_

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "kernels/launch/tensor_map.h"

namespace flagstone::conformance {

using Bytes = std::vector<uint8_t>;

// As an argument of a kernel.
struct MapParameter {
  TensorMap map;
  std::array<uint8_t, TensorMap::kBytes - sizeof(TensorMap)> rest = {};
};
static_assert(sizeof(MapParameter) == TensorMap::kBytes);

inline constexpr uint32_t kTensorRoom = 4096;  // bytes of shared memory for the box

struct TensorState {
  Bytes tensor, room;
};

// Runs `copy`, which finds the map at %rd4, the room at %r10 and an mbarrier at %r11, which expects
// `bytes`; 0: it is a store, whose group the kernel commits and waits for. `before` is what both
// memories hold. Notes that the instruction is covered.
TensorState RunTensorCopy(TensorMap map, const std::string& copy, uint64_t bytes,
                          const TensorState& before);

// The byte of the room that this byte of the box goes to: of rows of 128 bytes units of 16 are
// exchanged, by row and unit.
uint64_t SwizzledByte(uint64_t byte, TensorSwizzle swizzle);

Bytes RandomBytes(uint64_t count, uint32_t seed);
uint64_t TensorBytes(const TensorMap& map);
// "-1, 5, 0"
std::string CoordinateList(const std::vector<int32_t>& at);

}  // namespace flagstone::conformance

#endif  // FLAGSTONE_TESTS_UNIT_CONFORMANCE_TENSOR_RUN_H_
