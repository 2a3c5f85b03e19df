#include "app/report/page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "base/error.h"

namespace flagstone {
namespace page_test {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

ResultJson RunOf(const std::string& workload) {
  return {{"schema", "flagstone.run/1"}, {"workload", workload}, {"totals", ResultJson::object()}};
}

TEST(Page, HoldsItsDataAndGivesItBack) {
  const std::string page = MakePage({{"a", RunOf("syrk")}, {"b", RunOf("matmul")}});
  EXPECT_THAT(page, StartsWith("<!DOCTYPE html>"));
  EXPECT_EQ(DataOfPage("page", page), PageData({{"a", RunOf("syrk")}, {"b", RunOf("matmul")}}));
  EXPECT_EQ(MakePage({{"a", RunOf("syrk")}}), MakePage({{"a", RunOf("syrk")}}));
}

TEST(Page, PacksLargeDataAndGivesItBack) {
  ResultJson large = RunOf("syrk");
  for (int i = 0; i < 100'000; ++i) large["numbers"].push_back(i);
  const std::string page = MakePage({{"a", large}});
  EXPECT_THAT(page, HasSubstr("application/gzip"));
  EXPECT_LT(page.size(), 900'000U);
  EXPECT_EQ(DataOfPage("page", page), PageData({{"a", large}}));
}

TEST(Page, TakesNamesWithMarkupAsText) {
  const std::string evil = "</title></script><script>alert(1)</script><!-- \" ' & \u2028";
  const std::string page = MakePage({{evil, RunOf(evil)}});
  EXPECT_THAT(page, Not(HasSubstr("<script>alert")));
  EXPECT_THAT(page, Not(HasSubstr("<!--")));
  EXPECT_EQ(DataOfPage("page", page)["results"][0]["name"], evil);
}

TEST(Page, AsksForNothingOnTheNetwork) {
  const std::string page = MakePage({{"a", RunOf("syrk")}});
  EXPECT_THAT(page, HasSubstr("default-src 'none'"));
  for (const char* word : {"src=\"", "href=\"", "@import", "url("}) {
    EXPECT_THAT(page.substr(0, page.find("flagstone-data")), Not(HasSubstr(word)));
  }
}

TEST(Page, OfAnotherTextIsRefused) {
  EXPECT_THROW(DataOfPage("page", "<html></html>"), Error);
  const std::string page = MakePage({{"a", RunOf("syrk")}});
  EXPECT_THROW(DataOfPage("page", page.substr(0, page.find("syrk"))), Error);
}

}  // namespace page_test
}  // namespace flagstone
