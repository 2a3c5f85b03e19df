// Runs a workload's launches on a machine, and checks its results.
#ifndef FLAGSTONE_TESTS_UNIT_SYSTEMC_SIMULATION_FIXTURE_H_
#define FLAGSTONE_TESTS_UNIT_SYSTEMC_SIMULATION_FIXTURE_H_

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "analyzer/address/indirect_loads.h"
#include "base/hash.h"
#include "kernels/launch/launch_sequence.h"
#include "kernels/launch/workload.h"
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

// The options of a run on a machine by name, with a TB scheduler.
struct TestOptions : SimulateOptions {
  TestOptions() { engine = Engine::kModel; }

  std::string machine_name = "tiny";
  std::vector<std::string> settings;
  std::string warp_scheduler, prefetcher;  // empty: the machine's
  const TbSchedulerDescriptor* tb_scheduler = FindTbScheduler("lrr");
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

inline RunOutcome RunOn(const Workload& workload, TestOptions options) {
  BoundWorkload bound = Bind(workload);
  options.machine = MachineConfig::Load(options.machine_name, options.settings);
  if (!options.warp_scheduler.empty()) options.machine.sm.warp_scheduler = options.warp_scheduler;
  if (!options.prefetcher.empty()) options.machine.sm.prefetcher = options.prefetcher;
  RunOutcome outcome;
  LaunchSequence sequence(&bound);
  while (const KernelLaunch* launch = sequence.Next()) {
    LaunchRequest request;
    request.launch = launch;
    request.memory = &bound.memory;
    request.tb_scheduler = options.tb_scheduler;
    if (options.tb_scheduler->has_queue) request.groups = ColumnGroups(*launch, 3);
    request.indirect_loads = IndirectLoads(*launch, bound.memory);
    request.group_sizes.at_launch = 5;
    outcome.statistics += Simulate(options, request).launch.statistics;
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

inline RunOutcome RunOn(const std::string& name, const TestOptions& options,
                        const std::string& size = "test") {
  return RunOn(Workload::Load(FindWorkload(name), size), options);
}

}  // namespace flagstone

#endif  // FLAGSTONE_TESTS_UNIT_SYSTEMC_SIMULATION_FIXTURE_H_
