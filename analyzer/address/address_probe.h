// The address that an access would have in a thread, whether or not the thread comes to it: for
// analyses that look at address patterns with guards set aside.
#ifndef FLAGSTONE_ANALYZER_ADDRESS_ADDRESS_PROBE_H_
#define FLAGSTONE_ANALYZER_ADDRESS_ADDRESS_PROBE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/address/slice.h"
#include "analyzer/address/slice_program.h"
#include "analyzer/address/slice_thread.h"
#include "launch/kernel_launch.h"

namespace flagstone {

// Runs the instructions that decide the address, along the thread's own path as far as that leads
// to the access; a branch away from it is not taken. Loops around the access are in their first
// iteration. `launch` and `structure` must outlive the probe.
class AddressProbe {
 public:
  AddressProbe(const KernelLaunch& launch, const KernelStructure& structure, uint32_t pc);

  // Why there is no address; empty if there is one. Known at once where the address depends on
  // data, and after At() has found nothing.
  const std::string& Problem() const { return problem_; }
  // Byte address in thread `thread` of the TB at these coordinates.
  std::optional<uint64_t> At(const Dim3& tb, uint32_t thread);
  // Instructions run so far.
  uint64_t steps() const { return steps_; }

 private:
  ptx::BlockId Next(ptx::BlockId block) const;
  void FindBlocksThatReach(ptx::BlockId access);

  const KernelLaunch* launch_;
  const KernelStructure* structure_;
  SliceProgram program_;
  SliceThread thread_;
  std::vector<bool> reaches_;  // by block: leads to the access without turning a loop
  std::string problem_;
  uint64_t steps_ = 0;
};

}  // namespace flagstone

#endif  // FLAGSTONE_ANALYZER_ADDRESS_ADDRESS_PROBE_H_
