// Plans whose TBs wait in a queue of each node: by PAVER's graph, and by a user's file.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/placement/placed.h"
#include "kernels/ptx/kernel.h"
#include "tests/unit/analyzer/partition/graphs.h"
#include "tests/unit/analyzer/placement/cases.h"
#include "tests/unit/base/error_message.h"

namespace flagstone {
namespace queues_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr NodeShape kFourNodes = {2, 2};

std::vector<uint32_t> TbsOf(const TbGroups& queue) {
  std::vector<uint32_t> tbs;
  for (const auto& group : queue.groups) tbs.insert(tbs.end(), group.begin(), group.end());
  return tbs;
}

// TB t reads all of page t of the array.
Footprints OnePageEach(const PlacementInput& input, uint32_t tbs) {
  Footprints footprints;
  footprints.tb_count = tbs;
  ArrayFootprints& array = footprints.arrays.emplace_back();
  array.array = "array";
  array.grid = {tbs, 1, 1};
  const auto base = static_cast<int64_t>(input.memory->regions()[0].address);
  array.shapes.push_back({{base, base + 4096}});
  array.classes.push_back({0, {{0, 0, 0}, {tbs, 1, 1}}, {4096, 0, 0}});
  return footprints;
}

TEST(PaverNode, PutsTbsThatShareOnOneNodeAndThoseThatShareLessOnOneGpu) {
  PlacementCase c(kFourNodes, {8, 1, 1}, Streamed(8 * 4096));
  PlacementInput input = c.input();
  // Pairs that share much; of these 0 7 with 2 5, and 1 6 with 3 4 share less.
  const LocalityGraph graph = graphs::MakeGraph(
      8, {{0, 7, 100}, {2, 5, 100}, {1, 6, 100}, {3, 4, 100}, {0, 2, 10}, {1, 3, 10}});
  const Footprints loads = OnePageEach(input, 8);
  input.graph = &graph;
  input.loads = &loads;
  input.of_node = {.sms = 1, .tbs_per_sm = 4, .seed = 1};
  const NodePlan plan = PlanPaver(input);
  const std::vector<uint8_t> nodes = NodesOfTbs(kFourNodes, plan, 8, 8);
  constexpr std::pair<size_t, size_t> kPairs[] = {{0, 7}, {2, 5}, {1, 6}, {3, 4}};
  for (const auto& [a, b] : kPairs) EXPECT_EQ(nodes[a], nodes[b]) << a;
  EXPECT_EQ(nodes[0] / 2, nodes[2] / 2);
  EXPECT_EQ(nodes[1] / 2, nodes[3] / 2);
  EXPECT_EQ(nodes[0], 0);  // the lowest TB is on the first node
  // Each page is where its TB is.
  EXPECT_EQ(plan.owners.at("array"), nodes);
  EXPECT_TRUE(plan.queues[0].steal_enable);
  EXPECT_EQ(WhatIsPlaced(input, plan).tbs_of_node, (std::vector<uint64_t>{2, 2, 2, 2}));
}

TEST(PaverNode, LeavesTheLastNodesEmptyWhereTbsAreFew) {
  PlacementCase c(kFourNodes, {3, 1, 1}, Streamed(3 * 4096));
  PlacementInput input = c.input();
  const LocalityGraph graph = graphs::MakeGraph(3, {});
  const Footprints loads = OnePageEach(input, 3);
  input.graph = &graph;
  input.loads = &loads;
  input.of_node = {.sms = 2, .tbs_per_sm = 1, .seed = 1};
  const NodePlan plan = PlanPaver(input);
  EXPECT_EQ(WhatIsPlaced(input, plan).tbs_of_node, (std::vector<uint64_t>{1, 1, 1, 0}));
}

// What the file makes of eight TBs of a kernel "k" and an array of four pages.
class Manual {
 public:
  explicit Manual(const std::string& text)
      : case_(kFourNodes, {8, 1, 1}, Streamed(4 * 4096)), path_(::testing::TempDir() + "nodes") {
    std::ofstream(path_) << text;
    kernel_.name = "k";
    launch_ = *case_.input().launch;
    launch_.kernel = &kernel_;
    input_ = case_.input();
    input_.launch = &launch_;
    input_.file = path_;
  }
  NodePlan Plan() const { return PlanManual(input_); }
  std::string Refusal() const {
    const std::string message = BadInputMessage([&] { Plan(); });
    EXPECT_EQ(message.substr(0, path_.size() + 1), path_ + ":");
    return message.substr(path_.size() + 1);
  }

 private:
  PlacementCase case_;
  std::string path_;
  ptx::Kernel kernel_;
  KernelLaunch launch_;
  PlacementInput input_;
};

TEST(Manual, SaysWhereTbsRunAndPagesLie) {
  const NodePlan plan = Manual(
                            "# by hand\n"
                            "tbs 6-7 0  # the last two\n\n"
                            "kernel other\n"
                            "tbs 0-99 3\n"  // means nothing to k
                            "kernel k\n"
                            "tbs 1 0\n"
                            "pages array 1-2 3\n"
                            "caching ronce\n")
                            .Plan();
  ASSERT_EQ(plan.queues.size(), 4U);
  // In the file's order; then those that it does not name, as contiguous parts of the grid.
  EXPECT_THAT(TbsOf(plan.queues[0]), ElementsAre(6, 7, 1, 0));
  EXPECT_THAT(TbsOf(plan.queues[1]), ElementsAre(2, 3));
  EXPECT_THAT(TbsOf(plan.queues[2]), ElementsAre(4, 5));
  EXPECT_TRUE(plan.queues[3].groups.empty());
  constexpr uint8_t kNo = NodePlan::kNoOwner;
  EXPECT_EQ(plan.owners.at("array"), (std::vector<uint8_t>{kNo, 3, 3, kNo}));
  EXPECT_TRUE(plan.once);
}

TEST(Manual, RepeatsWhatItSaysAtSteps) {
  const NodePlan plan =
      Manual("tbs 0-1 2 every 4\ntbs 2-3 1 every 4\npages array 1 3 every 2\n").Plan();
  EXPECT_THAT(TbsOf(plan.queues[2]), ElementsAre(0, 1, 4, 5));
  EXPECT_THAT(TbsOf(plan.queues[1]), ElementsAre(2, 3, 6, 7));
  constexpr uint8_t kNo = NodePlan::kNoOwner;
  EXPECT_EQ(plan.owners.at("array"), (std::vector<uint8_t>{kNo, 3, kNo, 3}));
}

TEST(Manual, RefusesWhatItCannotDoWithTheLine) {
  EXPECT_EQ(Manual("tbs 0-7 0\nrows 1 2\n").Refusal(),
            "2: 'rows': expected kernel, tbs, pages or caching");
  EXPECT_EQ(Manual("tbs 0-7 4\n").Refusal(), "1: node is '4': expected an integer from 0 to 3");
  EXPECT_EQ(Manual("tbs 0-7\n").Refusal(), "1: node is missing: expected an integer from 0 to 3");
  EXPECT_EQ(Manual("tbs 0-8 1\n").Refusal(), "1: TB 8 of kernel k, which has 8");
  EXPECT_EQ(Manual("tbs 0-3 1\ntbs 3 2\n").Refusal(), "2: TB 3 has a node already");
  EXPECT_EQ(Manual("tbs 3-1 1\n").Refusal(), "1: '3-1': expected TBs as FIRST-LAST or one number");
  EXPECT_EQ(Manual("tbs x 1\n").Refusal(), "1: 'x': expected TBs as FIRST-LAST or one number");
  EXPECT_EQ(Manual("pages arry 0 1\n").Refusal(), "1: buffer 'arry': expected one of: array");
  EXPECT_EQ(Manual("pages array 4 1\n").Refusal(), "1: page 4 of buffer array, which has 4");
  EXPECT_EQ(Manual("pages array 0 1\npages array 0 1\n").Refusal(),
            "2: page 0 of buffer array has a node already");
  EXPECT_EQ(Manual("caching twice\n").Refusal(), "1: caching 'twice': expected rtwice or ronce");
  EXPECT_EQ(Manual("tbs 1 1 1\n").Refusal(), "1: '1': expected 'every STEP' or the line's end");
  EXPECT_EQ(Manual("tbs 1-3 1 every 2\n").Refusal(),
            "1: step is '2': expected an integer from 3 to 4294967296");
  EXPECT_EQ(Manual("tbs 1 1 every 2 2\n").Refusal(),
            "1: the line goes on with '2': expected its end");
  EXPECT_EQ(Manual("kernel\n").Refusal(), "1: expected a kernel's name");
  PlacementInput none;
  EXPECT_EQ(BadInputMessage([&] { PlanManual(none); }), "policy 'manual': expected manual:FILE");
  none.file = "/nowhere/at/all";
  EXPECT_THAT(BadInputMessage([&] { PlanManual(none); }), HasSubstr("/nowhere/at/all"));
}

}  // namespace queues_test
}  // namespace flagstone
