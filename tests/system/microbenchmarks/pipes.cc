// Arithmetic: how far apart dependent instructions issue, how many a cycle independent ones, and
// how many instructions of two kinds together.
#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <string>

#include "tests/system/microbenchmarks/bench.h"
#include "tests/system/microbenchmarks/measurement.h"
#include "tests/system/microbenchmarks/path.h"

namespace flagstone::microbenchmark {
namespace {

struct PipeCase {
  const char* name;
  PipeConfig SmConfig::*pipe;
  const char* chain;        // depends on itself
  const char* independent;  // {} is a destination
};

constexpr PipeCase kCases[] = {
    {"logic", &SmConfig::logic, "xor.b32 %r8, %r8, 3;", "xor.b32 %r{}, %r1, 3;"},
    {"int add", &SmConfig::int_add, "add.s32 %r8, %r8, 1;", "add.s32 %r{}, %r1, 1;"},
    {"int min", &SmConfig::int_minmax, "min.s32 %r8, %r8, 1;", "min.s32 %r{}, %r1, 1;"},
    {"int mul", &SmConfig::int_mul, "mul.lo.s32 %r8, %r8, %r8;", "mul.lo.s32 %r{}, %r1, %r1;"},
    {"int mad", &SmConfig::int_mad, "mad.lo.s32 %r8, %r8, %r8, %r8;",
     "mad.lo.s32 %r{}, %r1, %r1, %r1;"},
    {"int div", &SmConfig::int_div, "div.s32 %r8, %r8, %r3;", "div.s32 %r{}, %r1, %r3;"},
    {"shuffle", &SmConfig::shuffle, "shfl.sync.bfly.b32 %r8, %r8, 1, 31, -1;",
     "shfl.sync.bfly.b32 %r{}, %r1, 1, 31, -1;"},
    {"f32", &SmConfig::f32, "add.f32 %f1, %f1, %f1;", "add.f32 %f{}, %f1, %f1;"},
    {"f32 min", &SmConfig::f32_minmax, "min.f32 %f1, %f1, %f1;", "min.f32 %f{}, %f1, %f1;"},
    {"f32 fma", &SmConfig::f32_fma, "fma.rn.f32 %f1, %f1, %f1, %f1;",
     "fma.rn.f32 %f{}, %f1, %f1, %f1;"},
    {"f32 div", &SmConfig::f32_div, "div.rn.f32 %f1, %f1, %f2;", "div.rn.f32 %f{}, %f1, %f2;"},
    {"f64", &SmConfig::f64, "fma.rn.f64 %fd1, %fd1, %fd1, %fd1;",
     "fma.rn.f64 %fd{}, %fd1, %fd1, %fd1;"},
    {"f64 min", &SmConfig::f64_minmax, "min.f64 %fd1, %fd1, %fd1;", "min.f64 %fd{}, %fd1, %fd1;"},
    {"f64 div", &SmConfig::f64_div, "div.rn.f64 %fd1, %fd1, %fd2;",
     "div.rn.f64 %fd{}, %fd1, %fd2;"},
    {"sfu", &SmConfig::sfu, "ex2.approx.f32 %f1, %f1;", "ex2.approx.f32 %f{}, %f1;"},
};

constexpr uint32_t kWarpsPerScheduler = 8;

Bench AllSchedulers(const MachineConfig& machine) {
  Bench bench;
  bench.machine = machine;
  bench.threads = 32 * kWarpsPerScheduler * machine.sm.schedulers;
  return bench;
}

// Warp instructions per cycle and SM.
double Rate(const Bench& bench, uint32_t from, uint32_t to, const Bench::Line& line) {
  return bench.threads / 32 / bench.PerLine(from, to, line);
}

}  // namespace

Measurements MeasurePipes(const MachineConfig& machine) {
  Measurements rows;
  Bench chain;
  chain.machine = machine;
  const Bench full = AllSchedulers(machine);
  for (const PipeCase& pipe : kCases) {
    const PipeConfig& timing = machine.sm.*pipe.pipe;
    rows.push_back(
        Exact(fmt::format("{}, dependent", pipe.name), "cycles", chain.PerLine(4, 12, pipe.chain),
              std::max<double>(DependentIssue(machine, timing.latency), timing.interval)));
    const double rate = Rate(full, 16, 64, [&](uint32_t i) {
      return fmt::format(fmt::runtime(pipe.independent), 8 + i % 32);
    });
    // A pipe takes one instruction in `interval` cycles, from each scheduler.
    const double bound = double(machine.sm.schedulers) / timing.interval;
    rows.push_back(
        Bound(fmt::format("{}, independent", pipe.name), "warp instr/cycle", rate, bound, 0.97));
  }
  const PipeConfig &add = machine.sm.int_add, &f32 = machine.sm.f32;
  const double pipes = add.unit == f32.unit ? 2.0 / (add.interval + f32.interval)
                                            : 1.0 / add.interval + 1.0 / f32.interval;
  const double limit = machine.sm.schedulers * std::min<double>(machine.sm.issue_width, pipes);
  const double both = Rate(full, 16, 64, [](uint32_t i) {
    return i % 2 == 0 ? fmt::format("add.s32 %r{}, %r1, 1;", 8 + i % 32)
                      : fmt::format("add.f32 %f{}, %f1, %f1;", 8 + i % 32);
  });
  rows.push_back(Bound("issue, int and f32 mixed", "warp instr/cycle", both, limit, 0.9));
  return rows;
}

}  // namespace flagstone::microbenchmark
