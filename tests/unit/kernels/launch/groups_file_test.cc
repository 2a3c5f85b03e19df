#include "kernels/launch/groups_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "kernels/ptx/kernel.h"
#include "tests/unit/base/error_message.h"
#include "tests/unit/base/temporary_folder.h"

namespace flagstone {
namespace groups_file_test {

// Two launches of kernel k: the first of 4 TBs, the second of 2 x 3 x 2.
class GroupsFile : public testing::Test {
 protected:
  GroupsFile() {
    kernel_.name = "k";
    first_.kernel = second_.kernel = &kernel_;
    first_.grid = {4, 1, 1};
    second_.grid = {2, 3, 2};
  }
  TbGroups Read(const std::string& text, const KernelLaunch& launch) const {
    return ReadGroups(folder_.Write("f", text).string(), launch, &launch == &second_ ? 1 : 0);
  }
  // Without the file's folder.
  std::string Complaint(const std::string& text, const KernelLaunch& launch) const {
    const std::string message = BadInputMessage([&] { Read(text, launch); });
    const std::string folder = folder_.path().string() + "/";
    EXPECT_TRUE(message.starts_with(folder)) << message;
    return message.substr(std::min(folder.size(), message.size()));
  }

  const TemporaryFolder folder_;
  ptx::Kernel kernel_;
  KernelLaunch first_, second_;
};

TEST_F(GroupsFile, HasALineForTheLaunchAndEachGroup) {
  EXPECT_EQ(WriteGroups({{{0, 3, 1}, {2}}, true}, first_, 0),
            "launch 0: k, grid 4 x 1\n"
            "groups: 2, task stealing on\n"
            "group 0 (3 TBs): 0 3 1\n"
            "group 1 (1 TB): 2\n");
  EXPECT_EQ(LaunchLine(second_, 1), "launch 1: k, grid 2 x 3 x 2");
}

TEST_F(GroupsFile, IsReadAsItWasWritten) {
  const TbGroups of_first = {{{3, 0}, {1}, {2}}, false};
  const TbGroups of_second = {{{11, 10, 9, 8}, {0, 1, 2, 3, 4, 5, 6, 7}}, true};
  const std::string text = WriteGroups(of_first, first_, 0) + WriteGroups(of_second, second_, 1);
  EXPECT_EQ(Read(text, first_), of_first);
  EXPECT_EQ(Read(text, second_), of_second);
}

TEST_F(GroupsFile, OfIdsAloneWillDo) {
  const TbGroups groups = {{{0, 3}, {2, 1}}, true};
  EXPECT_EQ(Read("# mine\n0 3\n\n2 1\n", first_), groups);
  EXPECT_EQ(Read("launch 1\n0\nlaunch 0\n0 3\n2 1\n", first_), groups);
  EXPECT_EQ(Read("launch 0\nrow: 0 3\n2 1", first_).groups.size(), 2U);
}

TEST_F(GroupsFile, NamesATbThatIsMissingTwiceOrBeyondTheGrid) {
  EXPECT_EQ(Complaint("0 1\n3\n", first_),
            "f: TB 2 of 'launch 0: k, grid 4 x 1' is in no group: expected each of 4 TBs once");
  EXPECT_EQ(Complaint("0 1\n3 2 1\n", first_), "f:2: TB 1 is in a group already: expected it once");
  EXPECT_EQ(Complaint("0 1 2 3 4\n", first_),
            "f:1: TB 4 is beyond 'launch 0: k, grid 4 x 1' of 4 TBs");
  EXPECT_EQ(Complaint("0 1 -2 3\n", first_), "f:1: '-2': expected the id of a TB");
  EXPECT_EQ(Complaint("0 1 2.0 3\n", first_), "f:1: '2.0': expected the id of a TB");
  EXPECT_EQ(Complaint("0 99999999999999999999\n", first_),
            "f:1: '99999999999999999999': expected the id of a TB");
}

TEST_F(GroupsFile, OfAnotherLaunchIsRefused) {
  EXPECT_EQ(
      Complaint("launch 0: k, grid 2 x 2\n0 1 2 3\n", first_),
      "f:1: these are groups of 'launch 0: k, grid 2 x 2': expected 'launch 0: k, grid 4 x 1'");
  EXPECT_EQ(
      Complaint("launch 0: j, grid 4 x 1\n0 1 2 3\n", first_),
      "f:1: these are groups of 'launch 0: j, grid 4 x 1': expected 'launch 0: k, grid 4 x 1'");
  EXPECT_EQ(Complaint("launch 0\n0 1 2 3\n", second_),
            "f: it has no groups of 'launch 1: k, grid 2 x 3 x 2'");
  EXPECT_EQ(Complaint("", first_), "f: it has no groups of 'launch 0: k, grid 4 x 1'");
}

TEST_F(GroupsFile, ThatHasBeenCutIsRefused) {
  EXPECT_EQ(Complaint("groups: 3, task stealing on\n0 1\n2 3\n", first_),
            "f: 'launch 0: k, grid 4 x 1' has 2 groups: expected 3, as its line 'groups:' says");
  EXPECT_EQ(Complaint("groups: 3, task stea\n0 1\n2 3\n", first_),
            "f:1: groups: '3, task stea': expected 'N, task stealing on' or 'off'");
  EXPECT_EQ(Complaint("group 0 (2 T\n", first_),
            "f:1: a group's name without an end: expected a colon");
  EXPECT_EQ(Complaint("group 0 (2 TBs):\n", first_),
            "f:1: a group without TBs: expected their ids");
  EXPECT_EQ(Complaint("launch x\n", first_), "f:1: launch 'x': expected its number");
  EXPECT_EQ(
      Complaint("groups: 1, task stealing on\n0 1 2 3\ngroups: 1, task stealing on\n", first_),
      "f:3: 'groups:' again: expected 'launch N' before another launch's");
}

}  // namespace groups_file_test
}  // namespace flagstone
