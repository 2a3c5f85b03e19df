// How many TBs run at once on an SM: one more must wait for a whole turn.
#include <algorithm>
#include <cstdint>
#include <string>

#include "tests/system/microbenchmarks/bench.h"
#include "tests/system/microbenchmarks/measurement.h"

namespace flagstone::microbenchmark {
namespace {

// The most TBs that take less than one and a half times as long as one.
double MostAtOnce(Bench bench, uint32_t expected) {
  // Cycles that a step of the TBs' work adds: a launch's own costs fall out.
  const auto cycles = [&](uint32_t tbs) {
    bench.tbs = tbs;
    // One thread of each TB waits for the L2 again and again, and uses next to nothing; the others
    // exit, but their places are free only when the TB ends.
    return bench.PerLine(10, 30, [](uint32_t i) -> std::string {
      return i == 0 ? "setp.ge.u32 %p1, %r1, 1;\n  @%p1 ret;"
                    : "atom.global.add.u32 %r8, [%rd1], %r8;";
    });
  };
  const double one = cycles(1);
  uint32_t tbs = expected > 2 ? expected - 2 : 1;
  while (tbs <= expected + 2 && cycles(tbs) < 1.5 * one) ++tbs;
  return tbs - 1;
}

}  // namespace

Measurements MeasureOccupancy(const MachineConfig& machine) {
  Measurements rows;
  Bench bench;
  bench.machine = machine;
  bench.machine.sm.count = 1;
  const SmConfig& sm = machine.sm;
  const auto add = [&](const char* name, uint32_t expected) {
    rows.push_back(Exact(name, "TBs", MostAtOnce(bench, expected), expected));
  };
  const auto most = [&](uint32_t threads) {
    return std::min({sm.max_tbs, sm.max_threads / threads, sm.max_warps / ((threads + 31) / 32)});
  };
  bench.threads = 32;
  add("TBs at once, 32 threads", most(32));
  bench.threads = 512;
  add("TBs at once, 512 threads", most(512));
  bench.threads = 256;
  bench.registers = 48;
  add("TBs at once, 256 threads, 48 registers", std::min(most(256), sm.registers / (48 * 256)));
  bench.registers = 16;
  bench.threads = 64;
  bench.shared = true;
  add("TBs at once, 64 threads, 16 KB shared", std::min(most(64), sm.shared_kib / 16));
  return rows;
}

}  // namespace flagstone::microbenchmark
