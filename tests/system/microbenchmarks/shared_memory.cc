// Shared memory: latency, and the cycles that bank conflicts cost.
#include <fmt/core.h>

#include "tests/system/microbenchmarks/bench.h"
#include "tests/system/microbenchmarks/measurement.h"
#include "tests/system/microbenchmarks/path.h"

namespace flagstone::microbenchmark {

Measurements MeasureSharedMemory(const MachineConfig& machine) {
  Measurements rows;
  Bench bench;
  bench.machine = machine;
  bench.shared = true;
  bench.threads = 1;  // shared memory is zero: a chain of loads from its start
  rows.push_back(Exact("shared memory, dependent", "cycles",
                       bench.PerLine(10, 30, "ld.shared.u32 %r8, [%r8];"),
                       DependentIssue(machine, machine.sm.shared_latency)));
  bench.threads = 256;
  for (const uint32_t ways : {1U, 2U, 4U, 8U, 16U, 32U}) {
    // Lanes `ways` words apart fall on 32 / ways banks.
    const std::string address =
        fmt::format("  and.b32 %r5, %r1, 31;\n  mul.lo.u32 %r5, %r5, {};\n", 4 * ways);
    const auto cycles = [&](uint32_t count) {
      return static_cast<double>(bench
                                     .Run(address + Bench::Repeat(count,
                                                                  [](uint32_t i) {
                                                                    return fmt::format(
                                                                        "ld.shared.u32 %r{}, "
                                                                        "[%r5];",
                                                                        8 + i % 32);
                                                                  }))
                                     .cycles);
    };
    rows.push_back(Exact(fmt::format("shared memory, {}-way conflict", ways), "cycles/load",
                         (cycles(60) - cycles(20)) / 40 / (bench.threads / 32), ways, 0.01 * ways));
  }
  return rows;
}

}  // namespace flagstone::microbenchmark
