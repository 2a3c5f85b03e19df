// Barriers and atomics.
#include "tests/system/microbenchmarks/bench.h"
#include "tests/system/microbenchmarks/measurement.h"
#include "tests/system/microbenchmarks/path.h"

namespace flagstone::microbenchmark {

Measurements MeasureSynchronization(const MachineConfig& machine) {
  Measurements rows;
  Bench bench;
  bench.machine = machine;
  rows.push_back(Exact("barrier, one warp", "cycles", bench.PerLine(10, 30, "bar.sync 0;"),
                       machine.sm.control.latency + 1));
  // The last of a scheduler's warps sets all free.
  bench.threads = 32 * 4 * machine.sm.schedulers;
  rows.push_back(Exact("barrier, 4 warps a scheduler", "cycles",
                       bench.PerLine(10, 30, "bar.sync 0;"), machine.sm.control.latency + 1 + 3));
  bench.threads = 1;
  rows.push_back(Exact("atomic, dependent", "cycles",
                       bench.PerLine(10, 30, "atom.global.add.u32 %r8, [%rd1], %r8;"),
                       AtomicRoundTrip(machine, 1), ClockSlack(machine)));
  bench.threads = 32;
  rows.push_back(Exact("atomic, 32 lanes at one address", "cycles",
                       bench.PerLine(10, 30, "atom.global.add.u32 %r8, [%rd1], %r8;"),
                       AtomicRoundTrip(machine, 32), ClockSlack(machine)));
  return rows;
}

}  // namespace flagstone::microbenchmark
