// What a run keeps of where and when: each TB once and none on top of another, steals, groups, and
// figures by part and over time that add up to the totals. And its timeline, which is JSON that
// Perfetto opens, agrees with the statistics, and stays below its limit.
#include "systemc/recorder.h"

#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "app/results/trace_events.h"
#include "tests/unit/systemc/simulation_fixture.h"

namespace flagstone {
namespace recorder_test {

using nlohmann::json;

// All TBs but the last for one SM, and this one for the other, which then steals.
TbGroups Unequal(const KernelLaunch& launch, uint32_t) {
  TbGroups groups{{{}, {}}, true};
  const auto last = static_cast<uint32_t>(launch.TbCount()) - 1;
  for (uint32_t tb = 0; tb < last; ++tb) groups.groups[0].push_back(tb);
  groups.groups[1].push_back(last);
  return groups;
}

SimulateOptions OnTiny() {
  SimulateOptions options;
  options.machine = MachineConfig::Load("tiny", {});
  return options;
}

// All launches of a workload under PAVER, in groups of three TBs by columns.
RunRecord RunWithDetail(const std::string& workload, SimulateOptions options = OnTiny(),
                        TbGroups (*groups)(const KernelLaunch&, uint32_t) = ColumnGroups) {
  const Workload loaded = Workload::Load(FindWorkload(workload), "test");
  BoundWorkload bound = Bind(loaded);
  options.engine = Engine::kModel;
  options.detail = true;
  RunRecord record;
  record.counters.emplace(options.machine.sm.count);
  LaunchSequence sequence(&bound);
  while (const KernelLaunch* launch = sequence.Next()) {
    LaunchRequest request;
    request.launch = launch;
    request.memory = &bound.memory;
    request.tb_scheduler = FindTbScheduler("paver");
    request.groups = groups(*launch, 3);
    request.indirect_loads = IndirectLoads(*launch, bound.memory);
    request.counters = &*record.counters;
    request.first_cycle = record.totals.cycles;
    record.launches.push_back(Simulate(options, request).launch);
    record.totals += record.launches.back().statistics;
  }
  return record;
}

TEST(Recorder, PlacesEveryTbOfEveryLaunchOnceAndNoneOnTopOfAnother) {
  for (const char* workload : {"syrk", "hotspot"}) {
    for (const LaunchRecord& launch : RunWithDetail(workload).launches) {
      const LaunchDetail& detail = *launch.detail;
      std::set<uint64_t> seen;
      std::map<std::pair<uint32_t, uint32_t>, uint64_t> free;  // by SM and slot: its last end
      for (const PlacedTb& tb : detail.tbs) {
        EXPECT_TRUE(seen.insert(tb.tb).second) << tb.tb;
        EXPECT_LT(tb.slot, launch.occupancy->tbs_per_sm);
        EXPECT_LT(tb.sm, detail.parts.sms.size());
        uint64_t& end = free[{tb.sm, tb.slot}];
        EXPECT_GE(tb.from, end) << tb.tb;
        EXPECT_GT(tb.to, tb.from) << tb.tb;
        EXPECT_LE(tb.to, launch.statistics.cycles) << tb.tb;
        end = tb.to;
        const std::vector<uint32_t>& group = detail.groups.groups.at(tb.group);
        EXPECT_EQ(std::count(group.begin(), group.end(), tb.tb), 1) << tb.tb;
      }
      EXPECT_EQ(seen.size(), launch.statistics.tb.count);
    }
  }
}

TEST(Recorder, CountsLoadsByInstructionAndLosesNone) {
  for (const char* workload : {"syrk", "hotspot", "bfs"}) {
    for (const LaunchRecord& launch : RunWithDetail(workload).launches) {
      LoadCounts all;
      for (const LoadOfLaunch& load : launch.detail->loads) all += load.counts;
      const L1Statistics& l1 = launch.statistics.l1;
      EXPECT_EQ(all.accesses, l1.loads) << workload;
      EXPECT_EQ(all.misses + l1.stores + l1.atomics, l1.misses) << workload;
      EXPECT_EQ(all.executed, l1.load_latency.count) << workload;
      EXPECT_EQ(all.cycles, l1.load_latency.cycles) << workload;
    }
  }
}

TEST(Recorder, KeepsTheStealsOfEachLaunch) {
  uint64_t stolen = 0;
  const RunRecord record = RunWithDetail("vecadd", {}, Unequal);
  for (const LaunchRecord& launch : record.launches) {
    for (const StealEvent& steal : launch.detail->steals) {
      stolen += steal.tbs;
      EXPECT_NE(steal.donor, steal.thief);
      EXPECT_LE(steal.cycle, launch.statistics.cycles);
    }
  }
  EXPECT_GT(stolen, 0U);
  EXPECT_EQ(stolen, record.totals.tb.stolen);
}

// Every statistic that a part of the chip counts, in all launches.
TEST(Recorder, TheFiguresOfThePartsAddUpToTheTotals) {
  SimulateOptions options = OnTiny();
  options.machine.sm.prefetcher = "caps";
  options.machine.sm.warp_scheduler = "pas";
  options.miss_classes = true;
  for (const char* workload : {"syrk", "hotspot", "laplace3d"}) {
    for (const LaunchRecord& launch : RunWithDetail(workload, options).launches) {
      const ChipParts& parts = launch.detail->parts;
      EXPECT_EQ(parts.sms.size(), 2U);
      for (const StatisticsField& field : StatisticsTable()) {
        const ChipPart part = PartOf(field.name);
        const auto& own = part == ChipPart::kL2Slice       ? parts.l2_slices
                          : part == ChipPart::kDramChannel ? parts.dram_channels
                                                           : parts.sms;
        const auto total = field.Get(launch.statistics);
        for (size_t i = 0; i < total.size(); ++i) {
          uint64_t sum = 0;
          for (const LaunchStatistics& statistics : own) sum += field.Get(statistics)[i];
          EXPECT_EQ(sum, part == ChipPart::kChip ? 0 : total[i]) << field.name << " " << workload;
        }
      }
    }
  }
}

TEST(Recorder, TheCountersOfTheSmsAddUpToTheTotalsOfAllLaunches) {
  for (const char* workload : {"syrk", "hotspot"}) {
    const RunRecord record = RunWithDetail(workload);
    const RunCounters& counters = *record.counters;
    for (size_t sm = 0; sm < 2; ++sm) {
      LaunchStatistics expected;
      for (const LaunchRecord& launch : record.launches) {
        expected += launch.detail->parts.sms[sm];
      }
      const auto sum = [&](SmCount count) {
        uint64_t total = 0;
        for (size_t bucket = 0; bucket < counters.sms.buckets(); ++bucket) {
          total += counters.Sm(bucket, sm, count);
        }
        return total;
      };
      EXPECT_EQ(sum(SmCount::kL1Accesses), expected.l1.accesses);
      EXPECT_EQ(sum(SmCount::kL1Misses), expected.l1.misses);
      EXPECT_EQ(sum(SmCount::kLoads), expected.l1.load_latency.count);
      EXPECT_EQ(sum(SmCount::kLoadCycles), expected.l1.load_latency.cycles);
      EXPECT_EQ(sum(SmCount::kWarpInstructions), expected.warp_instructions);
    }
    // All SMs work from one bucket to the next: the second launch goes on where the first ended.
    EXPECT_EQ(counters.gpu.buckets(), (record.totals.cycles - 1) / counters.gpu.width() + 1);
  }
}

TEST(Recorder, ChangesNoStatistic) {
  TestOptions options;
  options.tb_scheduler = FindTbScheduler("paver");
  EXPECT_EQ(Difference(RunOn("hotspot", options).statistics, RunWithDetail("hotspot").totals), "");
}

struct Recorded {
  json document;
  std::string note;
  size_t bytes = 0;
  LaunchStatistics statistics;
  uint64_t tbs = 0;
  size_t launches = 0;
};

Recorded Record(const RunRecord& record, CycleWindow window = {}, uint64_t max_bytes = 50'000'000) {
  const TraceEvents trace = MakeTraceEvents(record, window, "a \"command\"", max_bytes);
  return {json::parse(trace.text), trace.note,
          trace.text.size(),       record.totals,
          record.totals.tb.count,  record.launches.size()};
}

Recorded Record(const std::string& workload, CycleWindow window = {},
                uint64_t max_bytes = 50'000'000) {
  return Record(RunWithDetail(workload), window, max_bytes);
}

// The complete events of SM processes, by (process, track).
std::map<std::pair<int, int>, std::vector<json>> Slots(const json& document) {
  std::map<std::pair<int, int>, std::vector<json>> slots;
  for (const json& event : document["traceEvents"]) {
    if (event["ph"] == "X" && event["pid"] >= 2) {
      slots[{event["pid"], event["tid"]}].push_back(event);
    }
  }
  return slots;
}

size_t Count(const json& document, const std::string& phase, const std::string& part_of_name) {
  size_t count = 0;
  for (const json& event : document["traceEvents"]) {
    const std::string name = event["name"];
    count += event["ph"] == phase && name.find(part_of_name) != std::string::npos ? 1U : 0U;
  }
  return count;
}

TEST(Timeline, ShowsEveryTbOfEveryLaunchOnceAndNoneOnTopOfAnother) {
  for (const char* workload : {"syrk", "hotspot"}) {
    const Recorded recorded = Record(workload);
    std::set<std::pair<uint64_t, uint64_t>> seen;  // launch, TB
    for (const auto& [slot, events] : Slots(recorded.document)) {
      uint64_t free = 0;
      for (const json& event : events) {
        EXPECT_GE(event["ts"].get<uint64_t>(), free) << event;
        free = event["ts"].get<uint64_t>() + event["dur"].get<uint64_t>();
        const uint64_t launch = event["args"]["launch"];
        const uint64_t tb = event["args"]["tb"];
        EXPECT_TRUE(seen.emplace(launch, tb).second) << event;
      }
      EXPECT_LE(free, recorded.statistics.cycles);
    }
    EXPECT_EQ(seen.size(), recorded.tbs);
    EXPECT_EQ(recorded.note, "");
  }
}

TEST(Timeline, ShowsGroupsStealsAndLaunches) {
  const Recorded recorded = Record(RunWithDetail("vecadd", {}, Unequal));
  EXPECT_EQ(Count(recorded.document, "i", "group "), recorded.statistics.tb.groups);
  size_t launches = 0;
  for (const json& event : recorded.document["traceEvents"]) {
    launches += event["ph"] == "X" && event["pid"] == 0 ? 1U : 0U;
  }
  EXPECT_EQ(launches, recorded.launches);
  uint64_t stolen = 0;
  for (const json& event : recorded.document["traceEvents"]) {
    if (event["ph"] == "i" && event["tid"] == 2) stolen += event["args"]["tbs"].get<uint64_t>();
  }
  EXPECT_GT(stolen, 0U);
  EXPECT_EQ(stolen, recorded.statistics.tb.stolen);
}

TEST(Timeline, NamesItsProcessesAndTracks) {
  const Recorded recorded = Record("vecadd");
  std::set<std::string> names;
  for (const json& event : recorded.document["traceEvents"]) {
    if (event["ph"] == "M" && event["args"].contains("name")) names.insert(event["args"]["name"]);
  }
  for (const char* name : {"gpu", "gpu.tb_scheduler", "gpu.sm0", "gpu.sm1", "slot 0", "steals"}) {
    EXPECT_TRUE(names.contains(name)) << name;
  }
  EXPECT_EQ(recorded.document["otherData"]["command"], "a \"command\"");
}

TEST(Timeline, CountersAddUpToTheStatistics) {
  const Recorded recorded = Record("syrk");
  const double width = recorded.document["otherData"]["counter_cycles"];
  double bytes = 0;
  double most_active = 0;
  for (const json& event : recorded.document["traceEvents"]) {
    if (event["ph"] != "C") continue;
    const double value = event["args"]["value"];
    if (event["name"] == "DRAM bandwidth (bytes per cycle)") bytes += value * width;
    if (event["name"] == "active SMs") most_active = std::max(most_active, value);
    if (event["name"] == "L1 miss rate (%)") {
      EXPECT_LE(value, 100);
    }
  }
  const auto expected =
      static_cast<double>(32 * (recorded.statistics.dram.reads + recorded.statistics.dram.writes));
  EXPECT_NEAR(bytes, expected, 0.01 * expected + 1);
  EXPECT_EQ(most_active, 2);
}

TEST(Timeline, AWindowKeepsOnlyWhatReachesIntoIt) {
  const Recorded all = Record("syrk");
  const uint64_t from = all.statistics.cycles / 2;
  const uint64_t to = from + 5000;
  const Recorded part = Record("syrk", {from, to});
  size_t events = 0;
  for (const auto& [slot, list] : Slots(part.document)) {
    for (const json& event : list) {
      EXPECT_LE(event["ts"].get<uint64_t>(), to);
      EXPECT_GE(event["ts"].get<uint64_t>() + event["dur"].get<uint64_t>(), from);
      ++events;
    }
  }
  EXPECT_GT(events, 0U);
  EXPECT_LT(events, all.tbs);
  EXPECT_LT(part.bytes, all.bytes);
}

TEST(Timeline, DrawsNeighboursTogetherRatherThanGrowAboveItsLimitAndSaysSo) {
  const Recorded all = Record("hotspot");
  const Recorded few = Record("hotspot", {}, all.bytes - 1500);
  EXPECT_LE(few.bytes, all.bytes - 1500);
  EXPECT_NE(few.note.find("drawn together"), std::string::npos) << few.note;
  EXPECT_EQ(few.document["otherData"]["note"], few.note);
  uint64_t shown = 0;
  for (const auto& [slot, events] : Slots(few.document)) {
    uint64_t free = 0;
    for (const json& event : events) {
      EXPECT_GE(event["ts"].get<uint64_t>(), free);
      free = event["ts"].get<uint64_t>() + event["dur"].get<uint64_t>();
      const std::string name = event["name"];
      const size_t more = name.find(" and ");
      shown += 1 + (more == std::string::npos ? 0 : std::stoul(name.substr(more + 5)));
    }
  }
  EXPECT_EQ(shown, all.tbs);
}

}  // namespace recorder_test
}  // namespace flagstone
