// What L2 slices hold after TBs that are executed without timing: each reads and writes the L2 as
// if there were no L1 before it, one TB after the other.
#ifndef FLAGSTONE_APP_FLOW_SAMPLE_L2_REPLAY_H_
#define FLAGSTONE_APP_FLOW_SAMPLE_L2_REPLAY_H_

#include <cstdint>
#include <span>
#include <vector>

#include "gpu_model/machines/machine.h"
#include "gpu_model/memory/address_map.h"
#include "gpu_model/memory/tag_array.h"
#include "gpu_model/simt/executor.h"
#include "kernels/launch/device_memory.h"
#include "kernels/launch/kernel_launch.h"

namespace flagstone {

class L2Replay {
 public:
  // It begins with `kept`, a slice each, or empty. The machine has one node.
  L2Replay(const MachineConfig& machine, std::vector<TagArray> kept);

  // As copies into device memory leave it.
  void Warm(const DeviceMemory& memory);
  // Executes the TBs, whose stores go to `memory`.
  void Execute(const KernelLaunch& launch, std::span<const uint32_t> tbs, DeviceMemory* memory,
               const FunctionalControl& control);

  // Lines that TBs have brought, and those that all slices have room for.
  uint64_t brought() const { return brought_; }
  uint64_t capacity() const { return capacity_; }
  const std::vector<TagArray>& tags() const { return tags_; }

 private:
  void Access(LineNumber line, SectorMask sectors, bool writes);
  void Step(const Program& program, const StepResult& step);

  const AddressMap map_;
  std::vector<TagArray> tags_;
  uint64_t capacity_ = 0, brought_ = 0;
};

}  // namespace flagstone

#endif  // FLAGSTONE_APP_FLOW_SAMPLE_L2_REPLAY_H_
