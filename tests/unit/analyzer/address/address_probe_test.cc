// The addresses of an access in all threads of a warp, with guards set aside.
#include "analyzer/address/address_probe.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/analyzer/address/kernel_under_analysis.h"

namespace flagstone {
namespace address_probe_test {

struct Probed {
  std::vector<int64_t> offsets;  // from buffer a
  std::string problem;
};

// Of the kernel's last access, in warp `warp` of TB (1, 0, 0) of two, of 40 threads each.
Probed Probe(const std::string& body, uint32_t warp = 1, uint32_t n = 0) {
  const KernelUnderAnalysis kernel(body, {2, 1, 1}, {40, 1, 1}, n);
  const KernelStructure structure(*kernel.launch().kernel);
  AddressProbe probe(kernel.launch(), structure, kernel.Analyze().accesses.back().pc);
  std::vector<uint64_t> addresses;
  Probed probed;
  if (probe.Warp({1, 0, 0}, warp, addresses)) {
    for (const uint64_t address : addresses) {
      probed.offsets.push_back(static_cast<int64_t>(address - kernel.a()));
    }
  }
  probed.problem = probe.Problem();
  return probed;
}

constexpr const char* kLoadR10 =
    "mul.wide.s32 %rd10, %r10, 4; add.s64 %rd11, %rd1, %rd10; ld.global.f32 %f1, [%rd11]; ret;";

TEST(AddressProbe, GivesTheAddressesOfAWarpsThreads) {
  const Probed probed = Probe(std::string("min.s32 %r10, %r6, 75;") + kLoadR10);
  EXPECT_EQ(probed.problem, "");
  // Threads 32 to 39 of the second TB are the 72nd to the 79th of all.
  EXPECT_EQ(probed.offsets, (std::vector<int64_t>{288, 292, 296, 300, 300, 300, 300, 300}));
}

TEST(AddressProbe, GoesPastBranchesAwayFromTheAccess) {
  const Probed probed =
      Probe(std::string("setp.lt.s32 %p1, %r3, 36; @%p1 bra END; mov.u32 %r10, %r3;") + kLoadR10 +
            " END: ret;");
  EXPECT_EQ(probed.problem, "");
  EXPECT_EQ(probed.offsets, (std::vector<int64_t>{128, 132, 136, 140, 144, 148, 152, 156}));
}

TEST(AddressProbe, FollowsEachThreadsOwnWayToTheAccess) {
  const Probed probed =
      Probe(std::string("setp.lt.s32 %p1, %r3, 36; mov.u32 %r10, %r3; @%p1 bra OVER; "
                        "sub.s32 %r10, 39, %r3; OVER: ") +
            kLoadR10);
  EXPECT_EQ(probed.offsets, (std::vector<int64_t>{128, 132, 136, 140, 12, 8, 4, 0}));
}

TEST(AddressProbe, IsInTheFirstTurnOfTheLoopsAroundTheAccess) {
  const Probed probed = Probe(
      "mov.u32 %r11, 5; LOOP: mad.lo.s32 %r10, %r11, 100, %r3; mul.wide.s32 %rd10, %r10, 4; "
      "add.s64 %rd11, %rd1, %rd10; ld.global.f32 %f1, [%rd11]; add.s32 %r11, %r11, 1; "
      "setp.lt.s32 %p1, %r11, %r3; @%p1 bra LOOP; ret;");
  ASSERT_EQ(probed.offsets.size(), 8U);
  EXPECT_EQ(probed.offsets[0], 4 * 532);
  EXPECT_EQ(probed.offsets[7], 4 * 539);
}

TEST(AddressProbe, GivesUpOnAnEndlessWay) {
  const Probed probed =
      Probe(std::string("mov.u32 %r10, 1; LOOP: shl.b32 %r10, %r10, 1; setp.ne.s32 %p1, %r10, 3; "
                        "@%p1 bra LOOP;") +
            kLoadR10);
  EXPECT_TRUE(probed.offsets.empty());
  EXPECT_EQ(probed.problem, "more than 33554432 instructions to evaluate");
}

TEST(AddressProbe, SaysWhyThereAreNoAddresses) {
  EXPECT_EQ(Probe(std::string("ld.shared.u32 %r10, [tile];") + kLoadR10).problem,
            "depends on a value read in line 23");
  EXPECT_EQ(Probe(std::string("bra END; mov.u32 %r10, %r3;") + kLoadR10 + " END: ret;").problem,
            "no path leads to it");
  EXPECT_EQ(Probe(std::string("div.s32 %r10, %r3, %r1;") + kLoadR10).problem,
            "'div.s32 %r10, %r3, %r1' in line 23 has no defined result");
}

}  // namespace address_probe_test
}  // namespace flagstone
