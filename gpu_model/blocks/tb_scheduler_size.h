// The size of a TB scheduler: what its parameters say.
#ifndef FLAGSTONE_GPU_MODEL_BLOCKS_TB_SCHEDULER_SIZE_H_
#define FLAGSTONE_GPU_MODEL_BLOCKS_TB_SCHEDULER_SIZE_H_

#include <cstdint>

namespace flagstone {

// What a TB scheduler is built for.
struct TbSchedulerSize {
  // PAVER fixes no number of descriptors: an assumption, fermi's, as measured (docs/paver.md).
  static constexpr uint32_t kDescriptors = 4, kMostDescriptors = 128;

  uint32_t num_sms = 1;   // 1 to kMaxSms
  uint32_t id_bytes = 2;  // 2 or 4
  // With a queue: group descriptors in flight or waiting for an SM, 1 to kMostDescriptors.
  uint32_t descriptors = kDescriptors;
  // Without a queue: ports that offer a TB a cycle each, to SMs of their own.
  uint32_t issue_ports = 1;

  // Neighbours that share an issue port; the last port may have fewer.
  uint32_t PortSms() const { return (num_sms + issue_ports - 1) / issue_ports; }
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_BLOCKS_TB_SCHEDULER_SIZE_H_
