// The policy table.
#include "analyzer/partition/policies.h"

#include <gtest/gtest.h>

#include <set>

#include "base/error.h"
#include "tests/analyzer/partition/graphs.h"

namespace flagstone {
namespace {

TEST(Policies, AreFoundByName) {
  EXPECT_EQ(FindPolicy("rb").name, "rb");
  EXPECT_EQ(FindPolicy("lrr").partition, nullptr);
  EXPECT_EQ(ToString(FindPolicy("lrr").dispatcher), "lrr");
  EXPECT_EQ(ToString(FindPolicy("rb").dispatcher), "paver");
}

TEST(Policies, HaveUniqueNamesSummariesAndWhatTheirDispatcherGoesBy) {
  std::set<std::string_view> names;
  for (const Policy& policy : Policies()) {
    EXPECT_TRUE(names.insert(policy.name).second) << policy.name;
    EXPECT_FALSE(policy.summary.empty());
    EXPECT_EQ(policy.partition != nullptr, policy.dispatcher == Dispatcher::kPaver);
    EXPECT_EQ(policy.settings != nullptr,
              policy.dispatcher != Dispatcher::kPaver && policy.dispatcher != Dispatcher::kLrr);
  }
}

TEST(Policies, GroupByTheirOwnPartitioner) {
  const SharerSets sharers = testing::SyrkSharers(6, 10);
  const LocalityGraph graph = testing::ExpandSets(sharers);
  const Dim3 grid = {6, 6, 1};
  const PartitionRequest request = {.sms = 3, .tbs_per_sm = 4};
  const PartitionInput input = {grid, &sharers, &graph, CtaDirection::kRoundRobin};
  const auto groups = [&](const char* name) { return FindPolicy(name).partition(input, request); };
  EXPECT_EQ(groups("mst"), PartitionByMst(graph, request));
  EXPECT_EQ(groups("kway"), PartitionByKway(graph, request));
  EXPECT_EQ(groups("rb"), PartitionByRecursiveBisection(graph, request));
  EXPECT_EQ(groups("rb-strict"), PartitionByStrictBisection(graph, request));
  EXPECT_EQ(groups("hilbert"), PartitionByHilbert(grid, request));
  EXPECT_EQ(groups("tile"), PartitionByTiles(grid, request));
  EXPECT_EQ(groups("traffic"), PartitionByTraffic(grid, sharers, request));
  EXPECT_EQ(groups("cta-x"), GroupsOfCtaMapping(grid, CtaDirection::kX, request));
  EXPECT_EQ(groups("cta-y"), GroupsOfCtaMapping(grid, CtaDirection::kY, request));
  EXPECT_EQ(groups("cta-auto"), GroupsOfCtaMapping(grid, CtaDirection::kRoundRobin, request));
}

TEST(Policies, WithoutNeedOfAGraphGroupWithoutOne) {
  const SharerSets sharers = testing::MatmulSharers(5, 10);
  for (const Policy& policy : Policies()) {
    if (policy.partition == nullptr || policy.needs_graph) continue;
    const PartitionInput input = {{5, 5, 1}, &sharers, nullptr, CtaDirection::kX};
    CheckCoversOnce(policy.partition(input, {.sms = 3, .tbs_per_sm = 4}), 25);
  }
}

TEST(Policies, AnUnknownNameIsBadInputThatListsTheKnownOnes) {
  try {
    FindPolicy("fifo");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kBadInput);
    EXPECT_STREQ(error.what(),
                 "policy 'fifo' is unknown, expected one of: lrr mst kway rb "
                 "rb-strict hilbert tile traffic cta-x cta-y cta-auto bcs chunk swizzle");
  }
}

}  // namespace
}  // namespace flagstone
