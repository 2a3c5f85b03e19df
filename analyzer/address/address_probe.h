// The addresses that an access would have in a warp's threads, whether or not they come to it: for
// analyses that look at address patterns with guards set aside.
#ifndef FLAGSTONE_ANALYZER_ADDRESS_ADDRESS_PROBE_H_
#define FLAGSTONE_ANALYZER_ADDRESS_ADDRESS_PROBE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/address/lane_paths.h"
#include "analyzer/address/slice.h"
#include "analyzer/address/slice_program.h"
#include "analyzer/address/slice_warp.h"
#include "kernels/launch/kernel_launch.h"

namespace flagstone {

// Runs the instructions that decide the address, along each thread's own path as far as that leads
// to the access; a branch away from it is not taken. Loops around the access are in their first
// iteration. `launch`, `structure` and
// `constants`, what .const memory holds, must outlive the probe.
class AddressProbe {
 public:
  AddressProbe(const KernelLaunch& launch, const KernelStructure& structure, uint32_t pc,
               const ConstantBytes* constants = nullptr);

  // Why there are no addresses; empty if there are. Known at once where the address depends on
  // data, and after Warp() has found none.
  const std::string& Problem() const { return problem_; }
  // Byte addresses in the threads of warp `warp` of the TB at these coordinates, the first thread's
  // first. False where one of them has none.
  bool Warp(const Dim3& tb, uint32_t warp, std::vector<uint64_t>& addresses);
  // Instructions that the threads ran so far.
  uint64_t steps() const { return steps_; }

 private:
  // Runs a block as far as the access. Gives the lanes that are to go on; nothing at a problem.
  std::optional<uint32_t> RunBlock(const LanePaths::Group& at, std::vector<uint64_t>& addresses);
  void GoOn(ptx::BlockId block, uint32_t lanes);
  ptx::BlockId Towards(ptx::BlockId block, ptx::BlockId wanted) const;
  void FindBlocksThatReach(ptx::BlockId access);

  const KernelLaunch* launch_;
  const KernelStructure* structure_;
  std::unique_ptr<simt::LaneFunctions> functions_;  // null where the slice needs none
  SliceProgram program_;
  SliceWarp warp_;
  LanePaths paths_;
  std::vector<bool> reaches_;  // by block: leads to the access without turning a loop
  std::string problem_;
  uint64_t steps_ = 0;
};

}  // namespace flagstone

#endif  // FLAGSTONE_ANALYZER_ADDRESS_ADDRESS_PROBE_H_
