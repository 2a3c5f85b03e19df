// The policy table.
#include "app/policy/policies.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "base/error.h"
#include "tests/unit/analyzer/partition/graphs.h"
#include "tests/unit/base/error_message.h"

namespace flagstone {
namespace policies_test {

TEST(Policies, AreFoundByName) {
  EXPECT_EQ(FindPolicy("rb").name, "rb");
  EXPECT_EQ(FindPolicy("lrr").partition, nullptr);
  EXPECT_EQ(FindPolicy("lrr").tb_scheduler->name, "lrr");
  EXPECT_EQ(FindPolicy("rb").tb_scheduler->name, "paver");
}

TEST(Policies, HaveUniqueNamesSummariesAndWhatTheirTbSchedulerGoesBy) {
  std::set<std::string_view> names;
  for (const Policy& policy : Policies()) {
    EXPECT_TRUE(names.insert(policy.name).second) << policy.name;
    EXPECT_FALSE(policy.summary.empty());
    EXPECT_TRUE(policy.partition != nullptr || !policy.RunsGroups()) << policy.name;
    const bool of_nodes =
        policy.tb_scheduler == FindTbScheduler("numa") ||
        (policy.tb_scheduler == FindTbScheduler("paver") && policy.plan != nullptr);
    EXPECT_EQ(of_nodes, policy.plan != nullptr) << policy.name;
    if (policy.plan != nullptr) continue;
    EXPECT_EQ(policy.settings != nullptr, !policy.tb_scheduler->settings.empty()) << policy.name;
  }
}

TEST(Policies, ForSeveralNodesFitTheirMachinesAndNoOthers) {
  const MachineConfig one = MachineConfig::Load("tiny", {});
  const MachineConfig four = MachineConfig::Load("tiny_numa", {});
  const auto refusal = [](const char* policy, const MachineConfig& machine) {
    return BadInputMessage([&] { RequireFits(FindPolicy(policy), machine); });
  };
  RequireFits(FindPolicy("lrr"), one);
  RequireFits(FindPolicy("h-coda"), four);
  RequireFits(FindPolicy("coda"), MachineConfig::Load("ladm_flat", {}));
  EXPECT_THAT(
      refusal("lasp", one),
      testing::StartsWith("policy 'lasp' on machine tiny of 1 node: expected one of: lrr "));
  EXPECT_THAT(refusal("lrr", four),
              testing::StartsWith(
                  "policy 'lrr' on machine tiny_numa of 4 nodes: expected one of: rr-node "));
  EXPECT_EQ(refusal("coda", four),
            "policy 'coda' on machine tiny_numa of 2 GPUs of 2 chiplets: expected h-coda");
}

TEST(Policies, GroupByTheirOwnPartitioner) {
  const SharerSets sharers = graphs::SyrkSharers(6, 10);
  const LocalityGraph graph = graphs::ExpandSets(sharers);
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
  const SharerSets sharers = graphs::MatmulSharers(5, 10);
  for (const Policy& policy : Policies()) {
    if (policy.partition == nullptr || policy.needs_graph || policy.takes_file) continue;
    const PartitionInput input = {{5, 5, 1}, &sharers, nullptr, CtaDirection::kX};
    CheckCoversOnce(policy.partition(input, {.sms = 3, .tbs_per_sm = 4}), 25);
  }
}

TEST(Policies, TakeTheirParameterAfterAColon) {
  const Policy& fit = FindPolicy("cache-fit:tbs=3");
  EXPECT_EQ(fit.name, "cache-fit:tbs=3");
  EXPECT_EQ(fit.OnlyValue(), 3U);
  EXPECT_EQ(&FindPolicy("cache-fit:tbs=3"), &fit);
  const TbLaunchShape shape = {.columns = 10, .rows = 4, .sms = 2, .tbs_per_sm = 5};
  const auto settings = [&](const char* name) {
    const Policy& policy = FindPolicy(name);
    return policy.settings(shape, {.parameter = policy.OnlyValue()});
  };
  EXPECT_EQ(settings("cache-fit:tbs=3"), LimitSettings(3));
  EXPECT_EQ(settings("cache-fit"), LimitSettings(1));
  EXPECT_FALSE(FindPolicy("cache-fit").NeedsAnalysis());
  const Policy& by_data = FindPolicy("cache-fit:tbs=auto");
  EXPECT_TRUE(by_data.NeedsAnalysis());
  EXPECT_EQ(by_data.settings({}, {.parameter = by_data.OnlyValue(), .fitting_tbs = 5}),
            LimitSettings(5));
  EXPECT_EQ(settings("swizzle"), SwizzleSettings(shape, 8));
  EXPECT_EQ(settings("swizzle:rows=2"), SwizzleSettings(shape, 2));
  EXPECT_EQ(settings("bcs"), LimitSettings(5));
  EXPECT_EQ(settings("bcs:throttle=0"), LimitSettings(6));
  EXPECT_EQ(settings("cta-y"), CtaMapSettings(shape, CtaMapDirection::kY));
}

TEST(Policies, StealUnlessToldNotTo) {
  const SharerSets sharers = graphs::SyrkSharers(6, 10);
  const LocalityGraph graph = graphs::ExpandSets(sharers);
  const PartitionInput input = {{6, 6, 1}, &sharers, &graph, CtaDirection::kRoundRobin};
  const PartitionRequest request = {.sms = 3, .tbs_per_sm = 4};
  const TbGroups with = FindPolicy("rb").Groups(input, request);
  const TbGroups without = FindPolicy("rb:steal=0").Groups(input, request);
  EXPECT_TRUE(with.steal_enable);
  EXPECT_FALSE(without.steal_enable);
  EXPECT_EQ(with.groups, without.groups);
  EXPECT_FALSE(FindPolicy("mst").Groups(input, request).steal_enable);
}

TEST(Policies, TakeSeveralParametersInAnyOrder) {
  const SharerSets sharers = graphs::SyrkSharers(6, 10);
  const LocalityGraph graph = graphs::ExpandSets(sharers);
  const PartitionInput input = {{6, 6, 1}, &sharers, &graph, CtaDirection::kRoundRobin};
  PartitionRequest request = {.sms = 5, .tbs_per_sm = 4};
  const Policy& policy = FindPolicy("rb:order=ids:steal=never:leaves=even");
  EXPECT_EQ(policy.Stealing(), StealRule::kOff);
  EXPECT_FALSE(policy.TimedWeights());
  const TbGroups groups = policy.Groups(input, request);
  request.leaves = LeafCounts::kEven;
  request.order = LeafOrder::kIds;
  EXPECT_EQ(groups.groups, PartitionByRecursiveBisection(graph, request).groups);
  EXPECT_EQ(groups.groups.size(), 10U);
  EXPECT_FALSE(groups.steal_enable);
  EXPECT_TRUE(FindPolicy("traffic:weights=timed").TimedWeights());
}

TEST(Policies, SayWhichParametersThereAre) {
  const auto message = [](const char* policy) {
    return BadInputMessage([&] { FindPolicy(policy); });
  };
  EXPECT_EQ(message("rb:leaves=odd"),
            "policy 'rb:leaves=odd': expected rb:leaves=N, N from 0 to 1, or fit, even");
  EXPECT_EQ(message("mst:steal=never"),
            "policy 'mst:steal=never': expected mst:weights=N, N from 0 to 1, or plain, timed");
  EXPECT_THAT(message("kway:leaves=even"), testing::HasSubstr("; kway:weights=N"));
  EXPECT_THAT(message("tile:steal=never:"),
              testing::EndsWith("expected tile:steal=N, N from 0 to 1, or never, "
                                "when-free, never-first, when-idle"));
  EXPECT_EQ(message("lrr:x=1"), "policy 'lrr' has no parameter, so ':x=1' says nothing");
}

TEST(Policies, StealByTheRuleNamed) {
  EXPECT_EQ(FindPolicy("rb").Stealing(), StealRule::kWhenFree);
  EXPECT_EQ(FindPolicy("rb:steal=never").Stealing(), StealRule::kOff);
  EXPECT_EQ(FindPolicy("kway:steal=when-free").Stealing(), StealRule::kWhenFree);
  EXPECT_EQ(FindPolicy("rb:steal=never-first").Stealing(), StealRule::kNeverFirst);
  EXPECT_EQ(FindPolicy("tile:steal=when-idle").Stealing(), StealRule::kWhenIdle);
  EXPECT_THROW(FindPolicy("rb:steal=whenever"), Error);
  EXPECT_THROW(FindPolicy("rb:steal=2"), Error);
  // Both blocks know all rules.
  MachineConfig machine = MachineConfig::Load("tiny", {});
  RequireFits(FindPolicy("rb:steal=when-idle"), machine);
  machine.tb_queue_block = TbQueueBlock::kPaverWide;
  RequireFits(FindPolicy("rb:steal=when-idle"), machine);
}

TEST(Policies, SomeTakeAFile) {
  EXPECT_EQ(FindPolicy("groups:a/b:c.groups").file, "a/b:c.groups");
  EXPECT_EQ(FindPolicy("groups:a/b:c.groups").name, "groups:a/b:c.groups");
  EXPECT_TRUE(FindPolicy("groups:f").RunsGroups());
  EXPECT_EQ(FileOfPolicy("groups:f"), "f");
  EXPECT_EQ(FileOfPolicy("manual:f"), "f");
  EXPECT_EQ(FileOfPolicy("manual"), "");
  EXPECT_EQ(FileOfPolicy("rb:order=ids"), "");
  EXPECT_EQ(PolicyBeside("groups:f", "g"), "groups:g/f");
  EXPECT_EQ(PolicyBeside("rb:order=ids", "g"), "rb:order=ids");
  const Policy& none = FindPolicy("groups");
  EXPECT_EQ(BadInputMessage([&] { none.Groups({}, {}); }), "policy 'groups': expected groups:FILE");
}

TEST(Policies, AutoAloneMayFallBack) {
  for (const Policy& policy : Policies()) {
    EXPECT_EQ(policy.may_fall_back, policy.name == "auto") << policy.name;
  }
  EXPECT_TRUE(FindPolicy("auto:steal=never").may_fall_back);
  EXPECT_TRUE(FindPolicy("auto").RunsGroups());
}

TEST(Policies, ABadParameterIsBadInputThatSaysWhatIsExpected) {
  const auto error = [](const char* name) -> std::string {
    try {
      FindPolicy(name);
    } catch (const Error& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_EQ(error("cache-fit:tbs=0"),
            "policy 'cache-fit:tbs=0': expected cache-fit:tbs=N, N from 1 to 255, or auto");
  for (const char* name : {"cache-fit:tbs=256", "cache-fit:tbs=", "cache-fit:tbs", "cache-fit:",
                           "cache-fit:rows=3", "cache-fit:tbs=3x", "cache-fit:tbs=-1"}) {
    EXPECT_NE(error(name).find("expected cache-fit:tbs=N"), std::string::npos) << name;
  }
  EXPECT_EQ(error("lrr:tbs=3"), "policy 'lrr' has no parameter, so ':tbs=3' says nothing");
  EXPECT_NE(error("fifo:tbs=3").find("is unknown"), std::string::npos);
}

TEST(Policies, AnUnknownNameIsBadInputThatListsTheKnownOnes) {
  std::string known;
  for (const Policy& policy : Policies()) known.append(" ").append(policy.name);
  try {
    FindPolicy("fifo");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kBadInput);
    EXPECT_EQ(error.what(), "policy 'fifo' is unknown, expected one of:" + known);
  }
}

}  // namespace policies_test
}  // namespace flagstone
