// The policy table.
#include "analyzer/partition/policies.h"

#include <gtest/gtest.h>

#include <set>

#include "base/error.h"

namespace flagstone {
namespace {

TEST(Policies, AreFoundByName) {
  EXPECT_EQ(FindPolicy("rb").partition, &PartitionByRecursiveBisection);
  EXPECT_EQ(FindPolicy("mst").partition, &PartitionByMst);
  EXPECT_EQ(FindPolicy("kway").partition, &PartitionByKway);
  EXPECT_EQ(FindPolicy("lrr").partition, nullptr);
  EXPECT_EQ(ToString(FindPolicy("lrr").dispatcher), "lrr");
  EXPECT_EQ(ToString(FindPolicy("rb").dispatcher), "paver");
}

TEST(Policies, HaveUniqueNamesSummariesAndGroupsForThePaverDispatcher) {
  std::set<std::string_view> names;
  for (const Policy& policy : Policies()) {
    EXPECT_TRUE(names.insert(policy.name).second) << policy.name;
    EXPECT_FALSE(policy.summary.empty());
    EXPECT_EQ(policy.partition != nullptr, policy.dispatcher == DispatcherKind::kPaver);
  }
}

TEST(Policies, AnUnknownNameIsBadInputThatListsTheKnownOnes) {
  try {
    FindPolicy("fifo");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kBadInput);
    EXPECT_STREQ(error.what(), "policy 'fifo' is unknown, expected one of: lrr mst kway rb");
  }
}

}  // namespace
}  // namespace flagstone
