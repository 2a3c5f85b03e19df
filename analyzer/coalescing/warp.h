// The addresses of one warp: what the rule counts and what the hardware fetches. Internal to this
// folder.
#ifndef FLAGSTONE_ANALYZER_COALESCING_WARP_H_
#define FLAGSTONE_ANALYZER_COALESCING_WARP_H_

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "analyzer/coalescing/coalescing.h"
#include "kernels/launch/kernel_launch.h"

namespace flagstone {

inline constexpr uint32_t kLanes = 32;

// Applies the rule to the byte addresses of a warp's threads, first thread first, for `weight`
// warps with such addresses.
void CountWarp(std::span<const uint64_t> addresses, double weight, LoadCoalescing& load);

// Sectors that accesses of `bytes` at these addresses touch, each once.
uint32_t SectorCount(std::span<const uint64_t> addresses, uint32_t bytes);

// The value of sum(coefficient * tid) in each thread of a TB, in linear order. Modulo 2^64, as
// addresses are.
std::vector<uint64_t> ThreadOffsets(const std::array<int64_t, 3>& coefficients, const Dim3& block);

}  // namespace flagstone

#endif  // FLAGSTONE_ANALYZER_COALESCING_WARP_H_
