// Warps that have partly exited, lanes that take no part, and races: with and without timing.
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/file.h"
#include "tests/system/command.h"

namespace flagstone {
namespace partial_warps_test {

using ::testing::HasSubstr;

constexpr char kHead[] = ".version 7.0\n.target sm_70\n.address_size 64\n";

// "if (i >= n) return; tile[t] = in[i]; __syncthreads(); out[i] = tile[t ^ 32];", then a shuffle
// among the lanes that are left, as compilers write them.
constexpr char kExchange[] = R"(
.visible .entry exchange(.param .u64 out, .param .u32 n)
{
  .reg .pred %p<3>;
  .reg .b32 %r<12>;
  .reg .b64 %rd<4>;
  .shared .align 4 .b8 tile[512];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.s32 %r4, %r1, %r2, %r3;
  ld.param.u32 %r5, [n];
  setp.ge.s32 %p1, %r4, %r5;
  @%p1 bra LEAVE;
  shl.b32 %r6, %r3, 2;
  mov.u32 %r7, tile;
  add.s32 %r8, %r7, %r6;
  st.shared.u32 [%r8], %r4;
  BARRIER
  xor.b32 %r9, %r6, 128;
  add.s32 %r9, %r7, %r9;
  ld.shared.u32 %r10, [%r9];
  SHUFFLE
  ld.param.u64 %rd1, [out];
  mul.wide.s32 %rd2, %r4, 4;
  add.s64 %rd3, %rd1, %rd2;
  st.global.u32 [%rd3], %r10;
LEAVE:
  ret;
}
)";

constexpr uint32_t kThreads = 128;
constexpr uint32_t kCount = 300;  // of 3 TBs, so that the third ends within a warp

class PartialWarps : public ::testing::Test {
 protected:
  void WriteWorkload(const std::string& barrier, const std::string& shuffle) {
    std::string text = std::string(kHead) + kExchange;
    text.replace(text.find("BARRIER"), 7, barrier);
    text.replace(text.find("SHUFFLE"), 7, shuffle);
    std::ofstream(folder_.File("kernel.ptx")) << text;
    std::ofstream(folder_.File("workload.toml")) << fmt::format(
        "name = \"exchange\"\n[buffer.out]\ntype = \"u32\"\ncount = 384\nfill = \"zero\"\n"
        "[[launch]]\nptx = \"kernel.ptx\"\nentry = \"exchange\"\ngrid = [3]\nblock = [{}]\n"
        "args = [\"out\", {{ u32 = {} }}]\n[check.out]\nfile = \"expected.bin\"\n",
        kThreads, kCount);
  }
  template <class Value>
  void Expect(const Value& value) {
    std::vector<uint32_t> expected(384);
    for (uint32_t i = 0; i < kCount; ++i) expected[i] = value(i);
    std::ofstream(folder_.File("expected.bin"), std::ios::binary)
        .write(reinterpret_cast<const char*>(expected.data()),
               static_cast<std::streamsize>(expected.size() * 4));
  }
  CommandResult Run(const std::string& options) {
    return RunFlagstone(fmt::format("run '{}' -q {}", folder_.File("workload.toml"), options));
  }
  // Of the other warp; beyond the last thread nobody has written.
  static uint32_t Partner(uint32_t i) { return (i ^ 32) < kCount ? i ^ 32 : 0; }

  ScratchFolder folder_;
};

const char* const kWays[] = {"--functional", "--engine model", "--engine rtl",
                             "--engine model --threads 2 --policy rb"};

TEST_F(PartialWarps, ABarrierWaitsForThreadsThatHaveNotExited) {
  WriteWorkload("bar.sync 0;", "");
  Expect(Partner);
  for (const char* const way : kWays) {
    const CommandResult result = Run(way);
    EXPECT_EQ(result.exit_code, 0) << way << result.err << result.out;
    EXPECT_EQ(result.err, "") << way;
  }
}

TEST_F(PartialWarps, AShuffleFromALaneThatHasLeftGivesZeroAndAWarning) {
  WriteWorkload("bar.sync 0;", "shfl.sync.down.b32 %r10, %r4, 16, 31, -1;");
  // Threads 288 to 299 are the last warp's: 12 lanes, of which none has one 16 further.
  Expect([](uint32_t i) { return i % 32 >= 16 ? i : i + 16 < kCount ? i + 16 : 0; });
  std::string first;
  for (const char* const way : kWays) {
    const CommandResult result = Run(way);
    EXPECT_EQ(result.exit_code, 0) << way << result.err << result.out;
    EXPECT_THAT(result.err,
                HasSubstr("lane 0 of warp 1 of TB (2,0,0) reads from lane 16, which does not take "
                          "part: its value is unpredictable, 0 here: shfl.sync.down.b32 %r10, %r4, "
                          "16, 31, -1 (12 times)\n"))
        << way;
    if (first.empty()) first = result.err;
    EXPECT_EQ(result.err, first) << way;
  }
}

TEST_F(PartialWarps, RacesAreReportedWithBothLinesWhereAskedFor) {
  WriteWorkload("", "");
  Expect(Partner);
  const CommandResult unasked = Run("--functional");
  EXPECT_EQ(unasked.err, "");
  for (const char* const way : kWays) {
    const std::string file = folder_.File("out.json");
    const CommandResult result = Run(fmt::format("{} --check-races --json '{}'", way, file));
    EXPECT_EQ(result.exit_code, 1) << way;
    EXPECT_THAT(result.err, HasSubstr("race on shared memory: ")) << way;
    EXPECT_THAT(result.err, HasSubstr("kernel.ptx:21 (st.shared.u32 [%r8], %r4) by warp ")) << way;
    EXPECT_THAT(result.err, HasSubstr("kernel.ptx:25 (ld.shared.u32 %r10, [%r9]) by warp ")) << way;
    const auto json = nlohmann::json::parse(ReadFile(file));
    ASSERT_EQ(json["findings"].size(), 1U) << way;
    EXPECT_EQ(json["findings"][0]["kind"], "race") << way;
  }
  WriteWorkload("bar.sync 0;", "");
  EXPECT_EQ(Run("--functional --check-races").exit_code, 0);
  EXPECT_EQ(Run("--engine model --check-races").exit_code, 0);
}

}  // namespace partial_warps_test
}  // namespace flagstone
