// Maps of TBs to nodes, and what the root and the nodes' TB schedulers make of them, are two ways
// to say the same: over random launches, every TB comes from exactly the node that the formula
// names.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "base/random.h"
#include "gpu_model/blocks/tb_root/node_map_settings.h"
#include "gpu_model/blocks/tb_root/numa_tb_root.h"
#include "gpu_model/blocks/tb_scheduler/numa/numa_tb_scheduler.h"
#include "tests/unit/analyzer/placement/cases.h"

namespace flagstone {
namespace node_maps_test {

struct NodeTbs {
  TbSettings settings = {};
  uint32_t count = 0;
};

// What the root starts the nodes with; empty where it does not start each of them once.
std::vector<NodeTbs> Started(const NodeShape& nodes, const TbMap& map,
                             const TbLaunchShape& launch) {
  NumaTbRoot root({nodes, 32});
  root.Reset();
  TbRootIn in;
  in.start = true;
  in.settings = NodeMapSettings(nodes, map, launch);
  std::vector<NodeTbs> started;
  do {
    root.Tick(in);
    in = {};
    const TbRootOut& out = root.Outputs();
    if (out.node_start[0] == 0) continue;
    if (out.node_start[0] != uint64_t{1} << started.size()) return {};
    started.push_back({out.node, out.node_tb_count});
    in.node_busy = out.node_start;  // seen busy in the cycle of its start, and over in the next one
  } while (root.Outputs().busy && started.size() <= nodes.Nodes());
  return started.size() == nodes.Nodes() ? started : std::vector<NodeTbs>{};
}

// The TBs that the scheduler of a node with one SM hands out, which always has room and where each
// TB ends as soon as it has begun.
std::vector<uint32_t> HandedOut(const NodeTbs& tbs) {
  NumaTbScheduler scheduler({1, 4});
  scheduler.Reset();
  TbSchedulerIn in;
  in.start = true;
  in.settings = tbs.settings;
  in.queue_count = tbs.count;
  SetBit(&in.tb_ready, 0);
  std::vector<uint32_t> ids;
  do {
    const bool issues = Any(scheduler.Outputs().tb_valid);
    if (issues) ids.push_back(scheduler.Outputs().tb_id[0]);
    scheduler.Tick(in);
    in.start = false;
    in.tb_done = {};
    if (issues) SetBit(&in.tb_done, 0);
  } while (scheduler.Outputs().busy && ids.size() <= tbs.count);
  return ids;
}

// The number of TBs that came from another node than the map's, twice, or not at all.
uint64_t Wrong(const NodeShape& nodes, const TbMap& map, const TbLaunchShape& launch) {
  std::vector<uint32_t> times(launch.Tbs(), 0);
  const std::vector<NodeTbs> started = Started(nodes, map, launch);
  uint64_t wrong = 0;
  for (uint32_t node = 0; node < started.size(); ++node) {
    for (const uint32_t tb : HandedOut(started[node])) {
      if (tb >= times.size()) {
        ++wrong;
        continue;
      }
      ++times[tb];
      if (NodeOfTb(nodes, map, tb, launch.columns) != node) ++wrong;
    }
  }
  for (const uint32_t count : times) wrong += count == 1 ? 0 : 1;
  return wrong;
}

TEST(NodeMaps, OfThirtyThousandRandomPlansHandOutEveryTbOnItsNode) {
  SplitMix64 random(1);
  const auto between = [&](uint64_t low, uint64_t high) {
    return static_cast<uint32_t>(low + random.Below(high - low + 1));
  };
  constexpr LocalityType kTypes[] = {LocalityType::kNoLocality,    LocalityType::kRowHorizontal,
                                     LocalityType::kColHorizontal, LocalityType::kRowVertical,
                                     LocalityType::kColVertical,   LocalityType::kIntraThread};
  for (uint32_t i = 0; i < 30'000; ++i) {
    NodeShape nodes = {between(1, 5), between(1, 5)};
    if (nodes.Nodes() == 1) nodes.gpus = 2;
    const uint32_t columns = between(1, i % 7 == 0 ? 60 : 14);
    const uint32_t rows = between(1, i % 5 == 0 ? 40 : 10);
    LadmArgument array = Shared(kTypes[random.Below(6)], 1 + random.Below(200'000));
    if (random.Below(2) == 0) array.stride_bytes = between(1, 100'000);
    PlacementCase c(nodes, {columns, rows, 1}, array);
    c.SetBlock(between(1, 1024));
    TbMap map = c.Deal().tbs;
    if (i % 4 == 1) map = {TbMap::Element::kTb, GpuFirst(between(1, 9))};
    if (i % 4 == 2) map = {TbMap::Element::kTb, ChipletFirst(nodes, between(1, 9))};
    ASSERT_EQ(Wrong(nodes, map, {.columns = columns, .rows = rows}), 0U)
        << i << ": " << nodes.gpus << " x " << nodes.chiplets << " nodes, grid " << columns << " x "
        << rows << ", units " << map.units.gpu << ", " << map.units.chiplet;
  }
}

TEST(NodeMaps, AreTheseWordsInWorkedExamples) {
  const auto words = [](const NodeTbs& tbs) {
    return std::vector<uint32_t>(tbs.settings.begin(), tbs.settings.begin() + 6);
  };
  using Words = std::vector<uint32_t>;
  const NodeShape four = {2, 2};
  // Eight TBs in pairs; rows one by one; pairs, GPUs first; columns of a 4 x 2 grid one by one.
  const TbMap pairs = {TbMap::Element::kTb, {4, 2}};
  EXPECT_EQ(words(Started(four, pairs, {8, 1})[1]), (Words{2, 2, 1, 0, 0, 3}));
  const TbMap rows = {TbMap::Element::kRow, {4, 1}};
  EXPECT_EQ(words(Started(four, rows, {1, 8})[3]), (Words{5, 1, 1, 0, 0, 2}));
  const TbMap coda = {TbMap::Element::kTb, GpuFirst(2)};
  EXPECT_EQ(words(Started(four, coda, {16, 1})[1]), (Words{4, 2, 1, 0, 0, 7}));
  const TbMap columns = {TbMap::Element::kColumn, {2, 1}};
  const NodeTbs second = Started(four, columns, {4, 2})[1];
  EXPECT_EQ(second.count, 2U);
  EXPECT_EQ(HandedOut(second), (Words{1, 5}));
}

}  // namespace node_maps_test
}  // namespace flagstone
