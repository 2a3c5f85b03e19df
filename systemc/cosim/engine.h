// What a user chooses about the hardware blocks of a run: their bodies, the wave's window.
#ifndef FLAGSTONE_SYSTEMC_COSIM_ENGINE_H_
#define FLAGSTONE_SYSTEMC_COSIM_ENGINE_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace flagstone {

// Which body stands behind the seam: golden C++ model, Verilated RTL, or both compared each cycle.
enum class Engine : uint8_t { kModel, kRtl, kLockstep };
std::string_view ToString(Engine engine);  // "model", "rtl", "lockstep"

struct WaveRequest {
  std::string file;   // FST; empty: none
  uint64_t from = 0;  // core cycles of the launch, inclusive
  uint64_t to = ~uint64_t{0};
  // Paths of the blocks to be seen, or of what they are in ("gpu.sm3"); empty: the TB scheduler.
  std::vector<std::string> scope;

  bool Covers(std::string_view path) const;
  // For a block at `path`, if the scope names it or what it is in, else none: beside others, in a
  // file of its own, "x.gpu.sm0.prefetcher.fst" for "x.fst".
  WaveRequest OfBlock(const std::string& path) const;
};

// Throws kBadInput, listing the paths, for a scope that none of these blocks is in.
void CheckScope(const WaveRequest& wave, std::span<const std::string> paths);

}  // namespace flagstone

#endif  // FLAGSTONE_SYSTEMC_COSIM_ENGINE_H_
