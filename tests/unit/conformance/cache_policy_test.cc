// createpolicy, and every access that takes its result as a cache hint (PTX ISA, section 9.7.9.18).
// The ISA leaves the bits of a policy open: the oracle takes those that CCCL's headers describe.
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <string>
#include <vector>

#include "base/random.h"
#include "tests/unit/conformance/coverage.h"
#include "tests/unit/gpu_model/simt/kernel_run.h"

namespace flagstone::conformance {
namespace cache_policy_test {

using ptx::Eviction;
using ptx::Opcode;
using ptx::PolicyKind;

constexpr const char* kInOut = ".param .u64 in, .param .u64 out";
// %rd3, %rd2: the thread's 16 bytes of `in`, 8 of `out`.
constexpr const char* kPlaces =
    "ld.param.u64 %rd3, [in];\nld.param.u64 %rd4, [out];\nmov.u32 %r9, %tid.x;\n"
    "mul.wide.u32 %rd5, %r9, 16;\nadd.s64 %rd3, %rd3, %rd5;\n"
    "mul.wide.u32 %rd5, %r9, 8;\nadd.s64 %rd4, %rd4, %rd5;\nmov.u64 %rd1, 7;\n";

// What the body leaves in %rd1 of each thread.
std::vector<uint64_t> Outputs(const std::string& body, const std::vector<uint64_t>& in) {
  KernelRun run = KernelRun::FromText(
      KernelText(kInOut, kPlaces + body + "\nst.global.u64 [%rd4], %rd1;\nret;"));
  run.Buffer("in", in).Buffer("out", std::vector<uint64_t>(32)).Run();
  CoverOpcodes(*run.launch().kernel, {Opcode::kCreatepolicy});
  return run.Contents<uint64_t>("out");
}

uint64_t Priorities(const ptx::Modifiers& m) {
  const uint64_t primary = m.primary == Eviction::kFirst    ? 1
                           : m.primary == Eviction::kLast   ? 2
                           : m.primary == Eviction::kNormal ? 3
                                                            : 0;
  return primary << 57 | (m.secondary == Eviction::kFirst ? uint64_t{1} << 56 : 0);
}

std::vector<Form> PolicyForms(PolicyKind kind) {
  std::vector<Form> forms;
  for (const Form& form : FormsOf({Opcode::kCreatepolicy})) {
    if (form.instruction.modifiers.policy_kind == kind) forms.push_back(form);
  }
  return forms;
}

// The constants that libraries bring along.
TEST(CachePolicy, OfAllLinesIsTheConstantThatLibrariesUse) {
  const auto policy = [](const std::string& text) { return Outputs(text, {0}).at(31); };
  EXPECT_EQ(policy("createpolicy.fractional.L2::evict_last.b64 %rd1;"), 0x14f0000000000000U);
  EXPECT_EQ(policy("createpolicy.fractional.L2::evict_first.b64 %rd1, 1.0;"), 0x12f0000000000000U);
  EXPECT_EQ(policy("createpolicy.fractional.L2::evict_unchanged.b64 %rd1, 0f3F800000;"),
            0x10f0000000000000U);
  EXPECT_EQ(policy("createpolicy.fractional.L2::evict_normal.L2::evict_first.b64 %rd1, 0.5;"),
            0x1770000000000000U);
}

TEST(CachePolicy, OfAFractionCountsInSixteenths) {
  const std::vector<Form> forms = PolicyForms(PolicyKind::kFractional);
  EXPECT_EQ(forms.size(), 12U);
  for (const Form& form : forms) {
    std::vector<uint64_t> in(64), expected;
    for (uint32_t lane = 0; lane < 32; ++lane) {
      // The sixteenths themselves, and between them.
      const float fraction = static_cast<float>(lane + 1) / 32;
      in[2 * lane] = std::bit_cast<uint32_t>(fraction);
      const uint64_t sixteenths = lane / 2 + 1;
      expected.push_back((sixteenths - 1) << 52 | uint64_t{2} << 59 |
                         Priorities(form.instruction.modifiers));
    }
    EXPECT_EQ(Outputs("ld.global.f32 %f1, [%rd3];\n" + form.text, in), expected) << form.text;
  }
}

TEST(CachePolicy, OfARangeHasTheSmallestBlocksOfWhich128HoldIt) {
  const std::vector<Form> forms = PolicyForms(PolicyKind::kRange);
  EXPECT_EQ(forms.size(), 12U);
  for (const Form& form : forms) {
    SplitMix64 random(9);
    std::vector<uint64_t> in, expected;
    for (uint32_t lane = 0; lane < 32; ++lane) {
      uint64_t address = random.Next() >> (8 + lane % 24);
      const uint32_t total = lane == 0 ? ~uint32_t{0} : uint32_t{1} << (lane % 32) | (lane % 3);
      auto primary = static_cast<uint32_t>(1 + random.Below(total));
      uint64_t block = 4096, size = 0;
      for (; 128 * block < total; block *= 2) ++size;
      if (lane % 2 == 1 && primary >= block) {  // whole blocks
        address -= address % block;
        primary -= static_cast<uint32_t>(primary % block);
      }
      in.push_back(address);
      in.push_back(primary | uint64_t{total} << 32);
      uint64_t blocks = 1;
      while (blocks < 127 && (address / block + blocks) * block < address + primary) ++blocks;
      expected.push_back(blocks << 37 | address / block % 128 << 44 | size << 52 |
                         uint64_t{3} << 59 | Priorities(form.instruction.modifiers));
    }
    const std::string read =
        "ld.global.u64 %rd2, [%rd3];\nld.global.v2.u32 {%r1, %r2}, [%rd3+8];\n";
    EXPECT_EQ(Outputs(read + form.text, in), expected) << form.text;
    std::string global = form.text;
    global.insert(global.find(".range") + 6, ".global");
    EXPECT_EQ(Outputs(read + global, in), expected) << global;
  }
}

TEST(CachePolicy, IsWhatAnAccessPropertyHolds) {
  std::vector<uint64_t> in(64), expected;
  for (uint64_t lane = 0; lane < 32; ++lane) {
    in[2 * lane] = 0x14f0000000000000U + lane;
    expected.push_back(in[2 * lane]);
  }
  EXPECT_EQ(Outputs("ld.global.u64 %rd2, [%rd3];\ncreatepolicy.cvt.L2.b64 %rd1, %rd2;", in),
            expected);
}

TEST(CachePolicy, IsWrittenByLanesWhoseGuardHolds) {
  const std::vector<uint64_t> got = Outputs(
      "setp.lt.u32 %p1, %r9, 3;\n@%p1 createpolicy.fractional.L2::evict_last.b64 %rd1;", {0});
  for (size_t lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(got[lane], lane < 3 ? 0x14f0000000000000U : 7U);
  }
}

// Each access with a hint, and what the word at %rd3, which holds 5, and %r1 are behind it.
TEST(CacheHint, IsTakenByAllAccessesAndChangesNoValue) {
  const std::string bulk = ".L2::cache_hint ";
  const std::string load = "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes";
  struct Case {
    std::string text;
    uint32_t word = 5, value = 0;
  };
  const std::vector<Case> cases = {
      {"ld.global.L2::cache_hint.u32 %r1, [%rd3], %rd6;", 5, 5},
      {"ld.global.nc.L1::no_allocate.L2::cache_hint.L2::128B.v2.u32 {%r1, %r2}, [%rd3], %rd6;", 5,
       5},
      {"ld.global.L2::cache_hint.v4.b64 {%rd7, _, _, _}, [%rd3], %rd6; cvt.u32.u64 %r1, %rd7;", 5,
       5},
      {"st.global.L2::cache_hint.u32 [%rd3], 8, %rd6;", 8, 0},
      {"st.global.L2::cache_hint.v8.b32 [%rd3], {%r8, %r8, %r8, %r8, %r8, %r8, %r8, %r8}, %rd6;", 8,
       0},
      {"atom.global.add.L2::cache_hint.u32 %r1, [%rd3], 2, %rd6;", 7, 5},
      {"atom.global.cas.L2::cache_hint.b32 %r1, [%rd3], 5, 9, %rd6;", 9, 5},
      {"red.relaxed.gpu.global.max.L2::cache_hint.u32 [%rd3], 6, %rd6;", 6, 0},
      {"red.global.add.L2::cache_hint.v2.f32 [%rd3], {0f00000000, 0f00000000}, %rd6;", 5, 0},
      {"cp.async.ca.shared.global.L2::cache_hint [tile], [%rd3], 4, %rd6;\ncp.async.wait_all;\n"
       "ld.shared.u32 %r1, [tile];",
       5, 5},
      {"mbarrier.init.shared.b64 [bar], 1;\n" + load + bulk +
           "[tile], [%rd3], 16, [bar], %rd6;\n"
           "ld.shared.u32 %r1, [tile];",
       5, 5},
      {"st.shared.u32 [tile], %r8;\ncp.async.bulk.global.shared::cta.bulk_group" + bulk +
           "[%rd3], [tile], 16, %rd6;\ncp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;",
       8, 0},
  };
  for (const Case& one : cases) {
    KernelRun run = KernelRun::FromText(
        KernelText(kInOut,
                   ".shared .align 16 .b8 tile[32];\n.shared .align 8 .b64 bar;\n"
                   "ld.param.u64 %rd3, [in];\nld.param.u64 %rd4, [out];\nmov.u32 %r1, 0;\n"
                   "mov.u32 %r8, 8;\ncreatepolicy.fractional.L2::evict_last.b64 %rd6, 0.25;\n" +
                       one.text + "\nst.global.u32 [%rd4], %r1;\nret;"),
        {1, 1, 1}, {1, 1, 1});
    run.Buffer("in", std::vector<uint32_t>{5, 0, 0, 0, 0, 0, 0, 0})
        .Buffer("out", std::vector<uint32_t>(1))
        .Run();
    EXPECT_EQ(run.Contents<uint32_t>("in")[0], one.word) << one.text;
    EXPECT_EQ(run.Contents<uint32_t>("out")[0], one.value) << one.text;
  }
}

}  // namespace cache_policy_test
}  // namespace flagstone::conformance
