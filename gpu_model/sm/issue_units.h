// Where each instruction goes when it issues, and for how long: the machine's pipes, looked up once
// per instruction of the program.
#ifndef FLAGSTONE_GPU_MODEL_SM_ISSUE_UNITS_H_
#define FLAGSTONE_GPU_MODEL_SM_ISSUE_UNITS_H_

#include <cstdint>
#include <span>
#include <vector>

#include "gpu_model/machines/machine.h"
#include "gpu_model/simt/program.h"
#include "gpu_model/stats/sm_statistics.h"

namespace flagstone {

struct IssueInfo {
  Unit unit = Unit::kIntAdd;
  uint16_t latency = 1;    // issue to result, core cycles; writeback comes on top
  uint16_t interval = 1;   // until the unit takes the next instruction of this scheduler
  bool writes = false;     // has a destination
  bool to_memory = false;  // goes through a load/store unit, not down a pipe
  bool wants_load =
      false;  // accesses global, local or generic memory: `wants_load` of the schedulers
  bool by_descriptor = false;  // each execution says how long it takes, at most `latency`
  LaneWork work = LaneWork::kInteger;
  uint8_t operands = 0;     // registers of a lane
  uint16_t operations = 1;  // of a lane; of kTensor in sixteenths
};

std::vector<IssueInfo> MakeIssueInfos(const Program& program, const SmConfig& config);
// From an issue to what comes of it, memory apart; of a program with these instructions.
uint32_t LongestLatency(const SmConfig& config, std::span<const IssueInfo> infos);

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_SM_ISSUE_UNITS_H_
