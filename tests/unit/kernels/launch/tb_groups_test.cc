// The check that no TB is lost or doubled, and the groups as text.
#include "kernels/launch/tb_groups.h"

#include <gtest/gtest.h>

#include <string>

#include "base/error.h"

namespace flagstone {
namespace tb_groups_test {

std::string Complaint(const TbGroups& groups, uint32_t tbs) {
  try {
    CheckCoversOnce(groups, tbs);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInternal);
    return error.what();
  }
  return "";
}

TEST(CheckCoversOnce, NamesATbThatIsMissingDoubledOrUnknown) {
  EXPECT_EQ(Complaint({{{2, 0}, {1}}}, 3), "");
  EXPECT_EQ(Complaint({{{2, 0}}}, 3), "TB 1 is in no group");
  EXPECT_EQ(Complaint({{{2, 0}, {1, 2}}}, 3), "TB 2 is in group 0 and again in group 1");
  EXPECT_EQ(Complaint({{{2, 0}, {1, 3}}}, 3), "group 1 holds TB 3 of 3");
}

TEST(DumpGroups, PrintsALinePerGroup) {
  EXPECT_EQ(DumpGroups({{{0, 4, 1}, {2}}, true}),
            "groups: 2, task stealing on\n"
            "group 0 (3 TBs): 0 4 1\n"
            "group 1 (1 TB): 2\n");
}

}  // namespace tb_groups_test
}  // namespace flagstone
