// How many memory instructions an SM holds before its load/store unit: one more has to wait until
// the unit has served one.
#include <fmt/core.h>

#include <algorithm>

#include "gpu_model/sm/load_store_unit.h"
#include "tests/system/microbenchmarks/bench.h"
#include "tests/system/microbenchmarks/measurement.h"

namespace flagstone::microbenchmark {
namespace {

constexpr uint32_t kService = 32;  // cycles for which each load keeps the unit busy
constexpr uint32_t kEach = 2;      // loads of a warp

// Each warp's loads fall on one bank with all lanes. When all have got a place, and so all warps
// are at the barrier, one goes on for longer than the unit needs for all that it can hold: the
// kernel ends a constant after the last load has got a place.
double Cycles(const Bench& bench) {
  std::string body = "  and.b32 %r5, %r1, 31;\n  mul.lo.u32 %r5, %r5, 128;\n";
  for (uint32_t i = 0; i < kEach; ++i) {
    body += fmt::format("  ld.shared.u32 %r{}, [%r5];\n", 8 + i);
  }
  body += "  bar.sync 0;\n  setp.ge.u32 %p1, %r1, 32;\n  @%p1 ret;\n";
  for (uint32_t i = 0; i < 400; ++i) body += "  add.s32 %r30, %r30, 1;\n";
  return static_cast<double>(bench.Run(body).cycles);
}

}  // namespace

Measurements MeasureLoadStorePlaces(const MachineConfig& machine) {
  Bench bench;
  bench.machine = machine;
  bench.machine.sm.count = 1;
  bench.machine.sm.warp_scheduler = "gto";  // the oldest warp goes on at once
  bench.shared = true;
  bench.threads = 32;
  const double one = Cycles(bench);
  bench.threads = 32 * std::min({machine.sm.max_warps, machine.sm.max_threads / 32, 32U});
  const double wait = (Cycles(bench) - one) / kService;
  return {Exact("memory instructions before the unit", "instructions",
                kEach * bench.threads / 32 - wait, LoadStoreUnit::Places(machine.sm), 0.5)};
}

}  // namespace flagstone::microbenchmark
