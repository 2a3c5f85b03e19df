// RunChecks: tolerances at their borders, files and references.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "kernels/launch/element.h"
#include "kernels/launch/workload.h"
#include "tests/unit/base/error_message.h"
#include "tests/unit/base/temporary_folder.h"

namespace flagstone {
namespace checks_test {

int double_calls = 0;

// The "kernel" of these tests: each launch doubles the elements of its buffer.
void DoubleAll(ReferenceData& data) {
  ++double_calls;
  for (size_t launch = 0; launch < data.LaunchCount(); ++launch) {
    for (float& element : data.Buffer<float>(launch, 0)) element *= 2;
  }
}
constexpr Reference kTable[] = {{"double", DoubleAll}};

Workload ParseDemo(const std::string& buffers, const std::string& checks,
                   const std::string& args = "'a'") {
  return Workload::Parse("name = 'demo'\n" + buffers +
                             "[[launch]]\nptx='k'\nentry='k'\ngrid=[1]\nblock=[1]\nargs=[" + args +
                             "]\nrepeat = 2\n" + checks,
                         "w.toml", "test");
}

constexpr const char* kBufferA = "[buffer.a]\ntype = 'f32'\ncount = 4\nfill = 'iota'\nstart = 1\n";

// Device memory with the workload's buffers and these values in "a".
template <class T>
DeviceMemory MemoryWith(const Workload& workload, const std::vector<T>& values) {
  DeviceMemory memory;
  for (const BufferSpec& buffer : workload.buffers) memory.Allocate(buffer.name, buffer.Bytes());
  std::byte* bytes = memory.At(memory.Named("a").address);
  for (size_t i = 0; i < values.size(); ++i) StoreElement(bytes, i, values[i]);
  return memory;
}

CheckResult CheckA(const Workload& workload, const std::vector<float>& values) {
  return RunChecks(workload, MemoryWith(workload, values), kTable).at(0);
}

TEST(RunChecks, ComparesWithWhatTheReferenceMakesOfTheInitialContents) {
  const Workload workload = ParseDemo(kBufferA, "[check.a]\nreference = 'double'\n");
  const CheckResult right = CheckA(workload, {4, 8, 12, 16});  // two launches: times four
  EXPECT_TRUE(right.passed);
  EXPECT_EQ(right.buffer, "a");
  EXPECT_EQ(right.max_error, 0);
  EXPECT_EQ(right.mismatches, 0U);
  const CheckResult wrong = CheckA(workload, {4, 8.5F, 12, 15});
  EXPECT_FALSE(wrong.passed);
  EXPECT_EQ(wrong.max_error, 1);
  EXPECT_EQ(wrong.mismatches, 2U);
  ASSERT_EQ(wrong.first_mismatches.size(), 2U);
  EXPECT_EQ(wrong.first_mismatches[0].index, 1U);
  EXPECT_EQ(wrong.first_mismatches[0].got, "8.5");
  EXPECT_EQ(wrong.first_mismatches[0].expected, "8");
  EXPECT_EQ(wrong.first_mismatches[1].index, 3U);
}

TEST(RunChecks, AllowsTheAbsolutePlusTheRelativeTolerance) {
  const Workload workload =
      ParseDemo(kBufferA, "[check.a]\nreference = 'double'\nrtol = 0.25\natol = 0.5\n");
  EXPECT_TRUE(CheckA(workload, {5.5F, 8, 12, 16}).passed) << "0.5 + 0.25 * 4 = 1.5";
  EXPECT_FALSE(CheckA(workload, {5.5000005F, 8, 12, 16}).passed);
  EXPECT_TRUE(CheckA(workload, {2.5F, 8, 12, 16}).passed);
  EXPECT_FALSE(CheckA(workload, {2.4999998F, 8, 12, 16}).passed);
  EXPECT_TRUE(CheckA(workload, {4, 8, 12, 20.5F}).passed) << "0.5 + 0.25 * 16 = 4.5";
}

TEST(RunChecks, FailsWhereOnlyOneSideIsNotANumberOrInfinite) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const std::string check = "[check.a]\nreference = 'double'\nrtol = 1.0\natol = 1e30\n";
  EXPECT_FALSE(CheckA(ParseDemo(kBufferA, check), {kNan, 8, 12, 16}).passed);
  EXPECT_FALSE(CheckA(ParseDemo(kBufferA, check), {kInfinity, 8, 12, 16}).passed);
  EXPECT_EQ(CheckA(ParseDemo(kBufferA, check), {kNan, 8, 12, 16}).max_error, kInfinity);
  const Workload infinite =
      ParseDemo("[buffer.a]\ntype = 'f32'\ncount = 1\nfill = 'constant'\nvalue = inf\n", check);
  EXPECT_TRUE(CheckA(infinite, {kInfinity}).passed);
  EXPECT_FALSE(CheckA(infinite, {-kInfinity}).passed);
  EXPECT_FALSE(CheckA(infinite, {3}).passed);
  EXPECT_FALSE(CheckA(infinite, {kNan}).passed);
}

TEST(RunChecks, ComparesSixtyFourBitIntegersExactly) {
  const TemporaryFolder folder;
  const int64_t expected[] = {INT64_MAX, INT64_MIN};
  const auto file = folder.Write(
      "e.bin", std::string_view(reinterpret_cast<const char*>(expected), sizeof(expected)));
  const Workload workload = ParseDemo("[buffer.a]\ntype = 's64'\ncount = 2\nfill = 'zero'\n",
                                      "[check.a]\nfile = '" + file.string() + "'\n");
  const auto check = [&](int64_t first, int64_t second) {
    return RunChecks(workload, MemoryWith<int64_t>(workload, {first, second}), {}).at(0);
  };
  EXPECT_TRUE(check(INT64_MAX, INT64_MIN).passed);
  EXPECT_FALSE(check(INT64_MAX - 1, INT64_MIN).passed) << "equal as doubles";
  EXPECT_EQ(check(INT64_MIN, INT64_MIN).max_error, 18446744073709551616.0);
}

TEST(RunChecks, RunsAReferenceOnceForAllItsBuffers) {
  const Workload workload =
      ParseDemo(std::string(kBufferA) + "[buffer.b]\ntype = 'f32'\ncount = 1\nfill = 'zero'\n",
                "[check.a]\nreference = 'double'\n[check.b]\nreference = 'double'\n");
  double_calls = 0;
  const auto results = RunChecks(workload, MemoryWith<float>(workload, {4, 8, 12, 16}), kTable);
  ASSERT_EQ(results.size(), 2U);
  EXPECT_TRUE(results[0].passed);
  EXPECT_TRUE(results[1].passed);
  EXPECT_EQ(double_calls, 1);
}

TEST(RunChecks, ListsTheReferencesForAnUnknownOne) {
  const Workload workload = ParseDemo(kBufferA, "[check.a]\nreference = 'tripel'\n");
  EXPECT_EQ(BadInputMessage([&] { RequireReferences(workload, kTable); }),
            "w.toml:14:1: unknown reference 'tripel': expected one of double");
}

TEST(RunChecks, SaysWhatAReferenceMissesInTheWorkload) {
  const std::string check = "[check.a]\nreference = 'double'\n";
  const auto message = [&](const std::string& buffers, const std::string& args) {
    const Workload workload = ParseDemo(buffers, check, args);
    return BadInputMessage([&] { CheckA(workload, {}); });
  };
  EXPECT_EQ(message(kBufferA, ""),
            "w.toml:7:1: the reference reads argument 1 of 'k': expected at least 1 arguments");
  EXPECT_EQ(message(kBufferA, "{ s32 = 1 }"),
            "w.toml:12:7: argument 1 is a scalar s32: the reference expected a buffer");
  EXPECT_EQ(message("[buffer.a]\ntype = 'f64'\ncount = 4\nfill = 'zero'\n", "'a'"),
            "w.toml:11:7: argument 1 is 'a': the reference expected a buffer of 8 elements of 4 "
            "bytes");
}

}  // namespace checks_test
}  // namespace flagstone
