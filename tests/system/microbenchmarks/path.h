// What the machine file says of a request's way: the sums that measurements are held against, in
// core cycles.
#ifndef FLAGSTONE_TESTS_SYSTEM_MICROBENCHMARKS_PATH_H_
#define FLAGSTONE_TESTS_SYSTEM_MICROBENCHMARKS_PATH_H_

#include <cstdint>

#include "gpu_model/machines/machine.h"

namespace flagstone::microbenchmark {

// From an instruction's issue to that of one that needs its result.
double DependentIssue(const MachineConfig& machine, double latency);

bool LoadsUseL1(const MachineConfig& machine);
// Bytes that a load of one sector fetches into the SM: the line, where the L1 has no sectors.
uint32_t FetchedBytes(const MachineConfig& machine);
// Flits of the packets that reply with so much data.
uint32_t ReplyFlits(const MachineConfig& machine, uint32_t bytes);

// Of one load of one lane, with nothing in its way.
double L2RoundTrip(const MachineConfig& machine);
// An atomic is done in L2; `lanes` of them at one address take turns.
double AtomicRoundTrip(const MachineConfig& machine, uint32_t lanes);
double DramRoundTrip(const MachineConfig& machine, bool other_row_open);

// What crossing clock domains may add or take away: none where all run at one frequency.
double ClockSlack(const MachineConfig& machine);
double DramClockSlack(const MachineConfig& machine);

}  // namespace flagstone::microbenchmark

#endif  // FLAGSTONE_TESTS_SYSTEM_MICROBENCHMARKS_PATH_H_
