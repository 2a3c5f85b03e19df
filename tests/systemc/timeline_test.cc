// A timeline is JSON that Perfetto opens, shows each TB once and none on top of another, agrees
// with the statistics, and stays below its limit.
#include "systemc/timeline.h"

#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "tests/systemc/simulation_fixture.h"

namespace flagstone {
namespace {

using nlohmann::json;

struct Recorded {
  json document;
  std::string note;
  size_t bytes = 0;
  LaunchStatistics statistics;
  uint64_t tbs = 0;
  size_t launches = 0;
};

// All launches of a workload on `tiny` under PAVER, in groups of three TBs by columns.
Recorded Record(const std::string& workload, Timeline::Window window = {},
                uint64_t max_bytes = 50'000'000) {
  const Workload loaded = Workload::Load(FindWorkload(workload), "test");
  BoundWorkload bound = Bind(loaded);
  const MachineConfig machine = MachineConfig::Load("tiny", {});
  Timeline timeline(window);
  Recorded recorded;
  LaunchSequence sequence(&bound);
  while (const KernelLaunch* launch = sequence.Next()) {
    SimulationRequest request;
    request.machine = &machine;
    request.launch = launch;
    request.memory = &bound.memory;
    request.dispatcher = Dispatcher::kPaver;
    request.groups = ColumnGroups(*launch, 3);
    request.engine = Engine::kModel;
    request.timeline = &timeline;
    recorded.statistics += Simulate(request).statistics;
    recorded.tbs += launch->TbCount();
    ++recorded.launches;
  }
  const Timeline::Json text = timeline.ToJson("a \"command\"", max_bytes);
  recorded.document = json::parse(text.text);
  recorded.note = text.note;
  recorded.bytes = text.text.size();
  return recorded;
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
  const Recorded recorded = Record("hotspot");
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

TEST(TimelineCounters, TheWidthDoublesAndTheSumsStay) {
  TimelineCounters counters;
  LaunchStatistics sums;
  const uint64_t cycles = 10 * TimelineCounters::kMaxBuckets * TimelineCounters::kFirstWidth;
  for (uint64_t cycle = 0; cycle < cycles; cycle += TimelineCounters::kFirstWidth) {
    sums.l1.accesses += 3;
    counters.Add(cycle, sums, 1);
  }
  EXPECT_EQ(counters.width(), 16 * TimelineCounters::kFirstWidth);
  EXPECT_LE(counters.buckets().size(), TimelineCounters::kMaxBuckets);
  uint64_t accesses = 0;
  for (const TimelineCounters::Bucket& bucket : counters.buckets()) accesses += bucket.l1_accesses;
  EXPECT_EQ(accesses, sums.l1.accesses);
}

}  // namespace
}  // namespace flagstone
