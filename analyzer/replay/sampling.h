// What is looked at of a launch that has more steps than there is time for. Internal to this
// folder.
//
// What an L1 keeps hangs on how far the warps of its SM drift apart, so it takes whole TBs, but a
// part of the SMs will do. What the L2 keeps hangs on what all SMs read at one time, but the
// beginning of each TB will do.
#ifndef FLAGSTONE_ANALYZER_REPLAY_SAMPLING_H_
#define FLAGSTONE_ANALYZER_REPLAY_SAMPLING_H_

#include <cstdint>

#include "gpu_model/machines/machine.h"

namespace flagstone::replay {

// Of a launch on a machine.
struct LaunchSize {
  uint64_t tbs = 0;
  uint32_t warps = 1;  // of a TB
  double steps = 0;    // of a TB
  uint32_t tbs_per_sm = 1;
};

struct Sample {
  bool whole = false;  // all of the launch; else:
  // TBs, whole if they are not very long, on neighbouring SMs.
  uint32_t sms = 0;
  uint64_t tbs = 0;    // the first ones of the launch's
  uint32_t steps = 0;  // of each warp; 0: all
  // The first steps of each warp, on all SMs.
  uint32_t short_steps = 0;  // 0: all
  uint64_t short_tbs = 0;    // the first ones

  uint64_t Tbs() const { return tbs > short_tbs ? tbs : short_tbs; }
};

// About `most` steps, or more where that is less than a wave of TBs; all where `most` is 0.
Sample ChooseSample(const LaunchSize& launch, const MachineConfig& machine, uint64_t most);

// A machine of about this share of the SMs, L2 slices and DRAM channels: at least a channel, with
// what belongs to it. The same machine where it has several nodes.
MachineConfig PartOf(const MachineConfig& machine, double share);

}  // namespace flagstone::replay

#endif  // FLAGSTONE_ANALYZER_REPLAY_SAMPLING_H_
