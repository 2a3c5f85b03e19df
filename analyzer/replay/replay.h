// A launch gone through at a coarse clock: each warp goes through its own requests on the machine's
// caches, under any hand-out of TBs. What it says is what an order, or groups, would move, and how
// long they would take. No constant here is fitted to a kernel: each is the machine's.
#ifndef FLAGSTONE_ANALYZER_REPLAY_REPLAY_H_
#define FLAGSTONE_ANALYZER_REPLAY_REPLAY_H_

#include <cstdint>
#include <memory>
#include <span>

#include "analyzer/replay/replayed.h"
#include "analyzer/replay/sampling.h"
#include "analyzer/replay/traces.h"
#include "gpu_model/machines/machine.h"
#include "kernels/launch/device_memory.h"
#include "kernels/launch/tb_groups.h"

namespace flagstone {

// What it costs to hand groups out, in cycles.
struct HandOut {
  double first = 0;      // from the launch to the first TB
  double per_group = 0;  // from one SM's first TB to the next SM's
  double per_tb = 0;     // from one of an SM's first TBs to its next
};

// The traces must outlive it. Each is for one thread at a time; several may share the traces.
class LaunchReplay {
 public:
  // `warm`: the L2 begins with the end of the memory. `most`: about so many steps are looked at; 0:
  // all.
  LaunchReplay(replay::Traces* traces, const MachineConfig& machine, uint32_t tbs_per_sm,
               const DeviceMemory& memory, bool warm, uint64_t most = 0);
  ~LaunchReplay();

  const replay::Sample& sample() const;
  // The work of TB 0, 1, ... in turn on SMs, and then on whichever has room. Of a sample, the first
  // sample().Tbs() of them do.
  Replayed Run(std::span<const uint32_t> order);
  // Each SM runs a group, and the next one that is left when all TBs of its own have begun.
  Replayed Run(const TbGroups& groups, const HandOut& hand_out);

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace flagstone

#endif  // FLAGSTONE_ANALYZER_REPLAY_REPLAY_H_
