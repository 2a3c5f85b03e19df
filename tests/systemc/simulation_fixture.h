// Runs a workload's launches on a machine, and checks its results.
#ifndef FLAGSTONE_TESTS_SYSTEMC_SIMULATION_FIXTURE_H_
#define FLAGSTONE_TESTS_SYSTEMC_SIMULATION_FIXTURE_H_

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/hash.h"
#include "launch/launch_sequence.h"
#include "launch/workload.h"
#include "systemc/simulation.h"
#include "workloads/reference.h"

namespace flagstone {

// Groups of `size` TBs: column by column of the grid, so that the order differs from that of ids.
inline TbGroups ColumnGroups(const KernelLaunch& launch, uint32_t size) {
  TbGroups groups;
  groups.steal_enable = true;
  const auto count = static_cast<uint32_t>(launch.TbCount());
  const uint32_t rows = count / launch.grid.x;
  for (uint32_t i = 0; i < count; ++i) {
    if (i % size == 0) groups.groups.emplace_back();
    groups.groups.back().push_back(i % rows * launch.grid.x + i / rows);
  }
  return groups;
}

struct RunOptions {
  std::string machine = "tiny";
  std::vector<std::string> settings;
  Dispatcher dispatcher = Dispatcher::kLrr;
  Engine engine = Engine::kModel;
  std::string warp_scheduler;
  std::string prefetcher;
  bool cold_l2 = false;
  bool force_every_tick = false;
  bool force_reverse_samples = false;
  uint32_t threads = 1;
  uint64_t max_cycles = 0;
};

struct RunOutcome {
  LaunchStatistics statistics;  // totals
  std::vector<CheckResult> checks;
  uint64_t memory_hash = 0;  // of all buffers after the last launch
};

// All fields, in the order of their table.
inline std::vector<uint64_t> Values(const LaunchStatistics& statistics) {
  std::vector<uint64_t> values;
  for (const StatisticsField& field : StatisticsTable()) {
    for (const uint64_t value : field.Get(statistics)) values.push_back(value);
  }
  return values;
}

// "l1.hits: 3 and 4" for each number that differs; empty when all are equal.
inline std::string Difference(const LaunchStatistics& a, const LaunchStatistics& b) {
  std::string text;
  for (const StatisticsField& field : StatisticsTable()) {
    for (size_t i = 0; i < field.Get(a).size(); ++i) {
      if (field.Get(a)[i] == field.Get(b)[i]) continue;
      text += fmt::format("{}: {} and {}\n", field.name, field.Get(a)[i], field.Get(b)[i]);
    }
  }
  return text;
}

inline RunOutcome RunOn(const Workload& workload, const RunOptions& options) {
  BoundWorkload bound = Bind(workload);
  const MachineConfig machine = MachineConfig::Load(options.machine, options.settings);
  RunOutcome outcome;
  LaunchSequence sequence(&bound);
  while (const KernelLaunch* launch = sequence.Next()) {
    SimulationRequest request;
    request.machine = &machine;
    request.launch = launch;
    request.memory = &bound.memory;
    request.dispatcher = options.dispatcher;
    if (options.dispatcher == Dispatcher::kPaver) request.groups = ColumnGroups(*launch, 3);
    request.engine = options.engine;
    request.warp_scheduler = options.warp_scheduler;
    request.prefetcher = options.prefetcher;
    request.cold_l2 = options.cold_l2;
    request.force_every_tick = options.force_every_tick;
    request.force_reverse_samples = options.force_reverse_samples;
    request.threads = options.threads;
    request.max_cycles = options.max_cycles;
    outcome.statistics += Simulate(request).statistics;
  }
  Fnv1a hash;
  for (const DeviceMemory::Region& region : bound.memory.regions()) {
    const auto bytes = bound.memory.Bytes(region);
    hash.Add({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  }
  outcome.memory_hash = hash.Value();
  outcome.checks = RunChecks(workload, bound.memory, References());
  return outcome;
}

inline RunOutcome RunOn(const std::string& name, const RunOptions& options,
                        const std::string& size = "test") {
  return RunOn(Workload::Load(FindWorkload(name), size), options);
}

}  // namespace flagstone

#endif  // FLAGSTONE_TESTS_SYSTEMC_SIMULATION_FIXTURE_H_
