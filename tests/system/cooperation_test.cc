// Kernels whose TBs wait for one another, with timing: clusters, barriers of the grid, and a tensor
// map that the launch file describes.
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/system/command.h"

namespace flagstone {
namespace cooperation_test {

using ::testing::HasSubstr;
using Words = std::vector<uint32_t>;

constexpr const char* kPtx = R"(.version 8.0
.target sm_90
.address_size 64
.entry exchange(.param .u64 out) {
.reg .b32 %r<20>; .reg .b64 %rd<8>;
.shared .align 8 .b8 words[256];
ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x;
mov.u32 %r3, %cluster_ctarank; mov.u32 %r4, %cluster_nctarank;
mad.lo.u32 %r5, %r2, 64, %r1; shl.b32 %r6, %r1, 2; mov.u32 %r7, words; add.u32 %r8, %r7, %r6;
mul.lo.u32 %r9, %r5, 3; st.shared.u32 [%r8], %r9;
barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;
add.u32 %r10, %r3, 1; rem.u32 %r10, %r10, %r4;
mapa.shared::cluster.u32 %r11, %r8, %r10; ld.shared::cluster.u32 %r12, [%r11];
barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;
mul.wide.u32 %rd2, %r5, 4; add.s64 %rd3, %rd1, %rd2; st.global.u32 [%rd3], %r12; ret; }
.func meet() {
.reg .pred %p<3>; .reg .b32 %r<9>; .reg .b64 %rd<3>;
bar.sync 0; mov.u32 %r1, %tid.x; setp.ne.u32 %p1, %r1, 0; @%p1 bra JOIN;
mov.u32 %r2, %envreg1; mov.u32 %r3, %envreg2; mov.b64 %rd1, {%r3, %r2}; mov.u32 %r4, %nctaid.x;
ld.volatile.global.u32 %r5, [%rd1+4]; membar.gl;
atom.global.add.u32 %r6, [%rd1], 1; add.u32 %r6, %r6, 1;
setp.ne.u32 %p2, %r6, %r4; @%p2 bra WAIT;
st.volatile.global.u32 [%rd1], 0; membar.gl;
add.u32 %r7, %r5, 1; st.volatile.global.u32 [%rd1+4], %r7; bra JOIN;
WAIT: ld.volatile.global.u32 %r8, [%rd1+4]; setp.eq.u32 %p2, %r8, %r5; @%p2 bra WAIT;
JOIN: bar.sync 0; ret; }
.entry rounds(.param .u64 out) {
.reg .pred %p<2>; .reg .b32 %r<12>; .reg .b64 %rd<8>;
ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %nctaid.x;
mad.lo.u32 %r4, %r2, 64, %r1; shl.b32 %r5, %r3, 6; add.u32 %r6, %r4, 64; rem.u32 %r6, %r6, %r5;
mul.wide.u32 %rd2, %r4, 4; add.s64 %rd3, %rd1, %rd2;
mul.wide.u32 %rd4, %r6, 4; add.s64 %rd5, %rd1, %rd4;
st.global.u32 [%rd3], %r4; mov.u32 %r7, 0;
LOOP: call.uni meet; ld.volatile.global.u32 %r8, [%rd5]; call.uni meet;
add.u32 %r8, %r8, 1; st.global.u32 [%rd3], %r8;
add.u32 %r7, %r7, 1; setp.lt.u32 %p1, %r7, 3; @%p1 bra LOOP; ret; }
.entry tile(.param .align 64 .b8 map[128], .param .u64 out) {
.reg .pred %p<5>; .reg .b16 %rs<2>; .reg .b32 %r<20>; .reg .b64 %rd<8>;
.shared .align 128 .b8 box[1024]; .shared .align 8 .b64 bar;
ld.param.u64 %rd2, [out]; mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x;
mov.u32 %r3, %cluster_ctarank; mov.u32 %r4, box; mov.u32 %r5, bar;
setp.ne.u32 %p1, %r1, 0; @%p1 bra READY;
mbarrier.init.shared.b64 [%r5], 1; mbarrier.arrive.expect_tx.shared.b64 _, [%r5], 1024;
READY: barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;
setp.ne.u32 %p2, %r3, 0; or.pred %p2, %p2, %p1; @%p2 bra WAIT;
mov.b64 %rd1, map; cvta.param.u64 %rd1, %rd1; shr.u32 %r6, %r2, 1; shl.b32 %r7, %r6, 4;
sub.u32 %r7, %r7, 8; mov.u32 %r8, 2; mov.u16 %rs1, 3;
cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%r4], [%rd1, {%r7, %r8}], [%r5], %rs1;
WAIT: mbarrier.try_wait.parity.shared.b64 %p3, [%r5], 0; @!%p3 bra WAIT;
shl.b32 %r9, %r1, 4; add.u32 %r10, %r4, %r9; ld.shared.v4.u32 {%r11, %r12, %r13, %r14}, [%r10];
mad.lo.u32 %r15, %r2, 1024, %r9; cvt.u64.u32 %rd3, %r15; add.s64 %rd4, %rd2, %rd3;
st.global.v4.u32 [%rd4], {%r11, %r12, %r13, %r14};
barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned; ret; }
)";

class Cooperation : public testing::Test {
 protected:
  // A launch of `entry`, of which `rest` says the remaining keys, and what `out` must hold then.
  void Write(const std::string& entry, const std::string& rest, const Words& expected) {
    std::ofstream(scratch_.File("own.ptx")) << kPtx;
    std::ofstream(scratch_.File("expected.bin"), std::ios::binary)
        .write(reinterpret_cast<const char*>(expected.data()),
               static_cast<std::streamsize>(expected.size() * sizeof(uint32_t)));
    std::ofstream(scratch_.File("workload.toml"))
        << "name = \"own\"\n[buffer.A]\ntype = \"u32\"\ncount = 400\nfill = \"iota\"\n"
           "[buffer.out]\ntype = \"u32\"\nfill = \"zero\"\ncount = "
        << expected.size() << "\n[[launch]]\nptx = \"own.ptx\"\nblock = [64]\nentry = \"" << entry
        << "\"\n"
        << rest << "\n[check.out]\nfile = \"expected.bin\"\n";
  }
  CommandResult Run(const std::string& options) {
    return RunFlagstone("run " + scratch_.File("workload.toml") + " --machine tiny -q --json " +
                        options);
  }
  // Under every engine and number of host threads the result is right and the cycles are the same.
  void ExpectRightAndAlike() {
    uint64_t cycles = 0;
    for (const char* options :
         {"--engine model --threads 1", "--engine model --threads 2", "--engine lockstep"}) {
      const CommandResult result = Run(options);
      ASSERT_EQ(result.exit_code, 0) << options << result.err;
      const auto json = nlohmann::json::parse(result.out);
      EXPECT_EQ(json["checks"].at(0)["max_error"], 0.0);
      const auto now = json["totals"]["cycles"].get<uint64_t>();
      EXPECT_GT(now, 100U);
      if (cycles != 0) {
        EXPECT_EQ(now, cycles) << options;
      }
      cycles = now;
    }
    EXPECT_EQ(Run("--functional").exit_code, 0);
    EXPECT_EQ(Run("--policy rb --engine model").exit_code, 0);
  }

  ScratchFolder scratch_;
};

TEST_F(Cooperation, ClustersReadTheSharedMemoryOfTheirTbs) {
  Words expected(8 * 64);
  for (uint32_t tb = 0; tb < 8; ++tb) {
    const uint32_t next = tb / 4 * 4 + (tb + 1) % 4;
    for (uint32_t t = 0; t < 64; ++t) expected[tb * 64 + t] = 3 * (next * 64 + t);
  }
  Write("exchange", "grid = [8]\ncluster = [4]\nargs = [\"out\"]", expected);
  ExpectRightAndAlike();
}

TEST_F(Cooperation, AGridMeetsAtItsBarrier) {
  constexpr uint32_t kTbs = 5;
  Words expected(kTbs * 64);
  for (uint32_t i = 0; i < expected.size(); ++i) {
    expected[i] = static_cast<uint32_t>((i + 3 * 64) % expected.size() + 3);
  }
  Write("rounds", fmt::format("grid = [{}]\nargs = [\"out\"]", kTbs), expected);
  ExpectRightAndAlike();
}

TEST_F(Cooperation, AGridThatIsTooLargeIsBadInput) {
  Write("rounds", "grid = [5000]\nargs = [\"out\"]", Words(5000 * 64));
  const CommandResult result = Run("--engine model");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("5000 TBs of a cooperative launch wait for one another, but "
                                    "machine 'tiny' holds"));
}

TEST_F(Cooperation, ATensorMapOfTheLaunchFileCopiesItsBoxToTheWholeCluster) {
  Words expected;
  for (uint32_t tb = 0; tb < 4; ++tb) {
    for (int y = 2; y < 18; ++y) {
      for (int x = 0; x < 16; ++x) {
        const int column = static_cast<int>(tb / 2) * 16 - 8 + x;
        const bool inside = y < 10 && column >= 0 && column < 40;
        expected.push_back(inside ? static_cast<uint32_t>(y * 40 + column) : 0);
      }
    }
  }
  const std::string launch =
      "grid = [4]\ncluster = [2]\nargs = [{ tensor_map = { buffer = \"A\", "
      "element_bytes = 4, shape = [40, 10], box = [16, 16]";
  Write("tile", launch + " } }, \"out\"]", expected);
  ExpectRightAndAlike();
  const auto refused = [&](const std::string& more) {
    Write("tile", launch + more + " } }, \"out\"]", expected);
    const CommandResult result = Run("--engine model");
    EXPECT_EQ(result.exit_code, 2) << more;
    return result.err;
  };
  EXPECT_THAT(refused(", swizzle = \"16B\""), HasSubstr("expected one of none, 32B, 64B, 128B"));
  EXPECT_THAT(refused(", swizzle = \"32B\""), HasSubstr("expected at most 32 with this swizzle"));
  EXPECT_THAT(refused(", strides = [168]"), HasSubstr("stride of 168 bytes"));
  EXPECT_THAT(refused(", strides = [320]"), HasSubstr("expected at most 1600 ('A')"));
  EXPECT_THAT(refused(", offset = 4"), HasSubstr("expected a multiple of 16"));
  EXPECT_THAT(refused(", steps = [1]"), HasSubstr("key 'steps' has 1 elements: expected 2"));
}

}  // namespace cooperation_test
}  // namespace flagstone
