// Instructions as messages show them.
#include "kernels/ptx/instruction_text.h"

#include <gtest/gtest.h>

namespace flagstone::ptx {
namespace instruction_text_test {

TEST(InstructionText, ShowsTheEndsOfALongList) {
  EXPECT_EQ(Shortened("mma {%f1, %f2, %f3, %f4, %f5, %f6, %f7, %f8}, {%r1}, [%rd1];"),
            "mma {%f1, %f2, %f3, %f4, %f5, %f6, %f7, %f8}, {%r1}, [%rd1];");
  EXPECT_EQ(Shortened("{ wgmma {%f1, %f2, %f3, %f4, %f5, %f6, %f7, %f8, %f9}, {%r1, %r2}, 1"),
            "{ wgmma {%f1, ..., %f9}, {%r1, %r2}, 1");
  EXPECT_EQ(Shortened("{1,2,3,4,5,6,7,8,9"), "{1, ...,9");
}

}  // namespace instruction_text_test
}  // namespace flagstone::ptx
