#include "app/report/packing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace flagstone {
namespace packing_test {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(Packing, GivesBytesOfEachLengthBack) {
  std::string bytes;
  for (int length = 0; length < 70; ++length) {
    EXPECT_EQ(Unpack(Pack(bytes)), bytes) << length;
    bytes += static_cast<char>(length * 37);
  }
  const std::string large(1'000'000, 'x');
  EXPECT_LT(Pack(large).size(), 10'000U);
  EXPECT_EQ(Unpack(Pack(large)), large);
}

TEST(Packing, IsTheSameEachTime) { EXPECT_EQ(Pack("abcdef"), Pack("abcdef")); }

TEST(Packing, RefusesWhatIsCutOrWasNeverPacked) {
  const std::string packed = Pack("a page's data");
  EXPECT_EQ(Unpack(packed.substr(0, packed.size() - 8)), std::nullopt);
  EXPECT_EQ(Unpack(packed.substr(0, packed.size() - 1)), std::nullopt);
  EXPECT_EQ(Unpack("????"), std::nullopt);
  EXPECT_EQ(Unpack("AAAA"), std::nullopt);
  EXPECT_EQ(Unpack(""), std::nullopt);
}

TEST(Escaping, LeavesNoTagInJsonAndNoMarkupInHtml) {
  EXPECT_THAT(EscapeJson(R"("</script><!--")"), Not(HasSubstr("<")));
  EXPECT_EQ(EscapeJson("\"<\""), "\"\\u003c\"");
  EXPECT_EQ(EscapeHtml("<a href=\"x\">'&'</a>"),
            "&lt;a href=&quot;x&quot;&gt;&#39;&amp;&#39;&lt;/a&gt;");
}

}  // namespace packing_test
}  // namespace flagstone
