// The main function of all test programs. `--file=unit/kernels/ptx/lexer_test.cc` runs the tests of
// this file only: ctest has one test for each file, and few programs have to be linked.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace flagstone {
namespace {

constexpr std::string_view kOption = "--file=";

// A filter for the tests that stand in `file`; empty when there is none.
std::string TestsOf(std::string_view file) {
  const testing::UnitTest& program = *testing::UnitTest::GetInstance();
  const std::string end = "/" + std::string(file);
  std::string filter;
  for (int i = 0; i < program.total_test_suite_count(); ++i) {
    const testing::TestSuite& suite = *program.GetTestSuite(i);
    for (int j = 0; j < suite.total_test_count(); ++j) {
      const testing::TestInfo& test = *suite.GetTestInfo(j);
      if (!std::string_view(test.file()).ends_with(end)) continue;
      filter += (filter.empty() ? "" : ":") + std::string(suite.name()) + "." + test.name();
    }
  }
  return filter;
}

}  // namespace
}  // namespace flagstone

int main(int argc, char** argv) {
  // Nobody's stored results are a test's; tests of the store name a folder of their own.
  setenv("FLAGSTONE_STORE", "none", /*replace=*/1);
  testing::InitGoogleMock(&argc, argv);
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (!argument.starts_with(flagstone::kOption)) {
      std::fprintf(stderr, "unknown option %s\n", argv[i]);
      return 2;
    }
    const std::string filter = flagstone::TestsOf(argument.substr(flagstone::kOption.size()));
    if (filter.empty()) {
      std::fprintf(stderr, "no test stands in %s\n", argv[i] + flagstone::kOption.size());
      return 2;
    }
    testing::GTEST_FLAG(filter) = filter;
  }
  return RUN_ALL_TESTS();
}
