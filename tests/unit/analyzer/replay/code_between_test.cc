// What lies between two requests of kernels that can be read at a glance.
#include "analyzer/replay/code_between.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "kernels/ptx/kernel.h"
#include "tests/unit/analyzer/address/kernel_under_analysis.h"

namespace flagstone::replay {
namespace code_between_test {

using testing::ElementsAre;

struct Case {
  explicit Case(const std::string& body)
      : kernel(body + " ret;", {4, 1, 1}, {64, 1, 1}),
        addresses(kernel.Analyze()),
        code(kernel.launch(), addresses, Pcs(), MachineConfig::Load("fermi", {}).sm) {}

  std::vector<uint32_t> Pcs() const {
    std::vector<uint32_t> pcs;
    for (const AddressForm& access : addresses.accesses) pcs.push_back(access.pc);
    return pcs;
  }
  std::vector<Stretch::End> EndsOf(size_t from, size_t to) {
    std::vector<Stretch::End> ends;
    for (const Stretch& stretch : code.Find(Pcs()[from], Pcs()[to])) ends.push_back(stretch.end);
    return ends;
  }
  const Gap& LastGap(size_t from, size_t to) {
    return code.gaps()[code.Find(Pcs()[from], Pcs()[to]).back().gap];
  }

  KernelUnderAnalysis kernel;
  AddressAnalysis addresses;
  CodeBetween code;
};

constexpr const char* kLoad =
    "mul.wide.s32 %rd10, %r6, 4; add.s64 %rd11, %rd1, %rd10; add.s64 %rd12, %rd2, %rd10; "
    "ld.global.f32 %f1, [%rd11]; ";

TEST(CodeBetween, WaitsForALoadWhereItsResultIsUsed) {
  Case store(std::string(kLoad) + "st.global.f32 [%rd12], %f1;");
  EXPECT_THAT(store.EndsOf(0, 1), ElementsAre(Stretch::End::kResult, Stretch::End::kRequest));
  Case other(std::string(kLoad) + "st.global.f32 [%rd12], %f2;");
  EXPECT_THAT(other.EndsOf(0, 1), ElementsAre(Stretch::End::kRequest));
}

TEST(CodeBetween, StopsAtBarriers) {
  Case shared(std::string(kLoad) + "bar.sync 0; st.global.f32 [%rd12], %f1;");
  EXPECT_THAT(shared.EndsOf(0, 1),
              ElementsAre(Stretch::End::kBarrier, Stretch::End::kResult, Stretch::End::kRequest));
}

// A chain of four multiply-adds of latency 5, each of which waits for the one before.
TEST(CodeBetween, TakesAsLongAsItsResultsWaitForEachOther) {
  constexpr const char* kFma = "fma.rn.f32 %f2, %f2, %f2, %f2; ";
  Case once(std::string(kLoad) + kFma + "st.global.f32 [%rd12], %f2;");
  Case four(std::string(kLoad) + kFma + kFma + kFma + kFma + "st.global.f32 [%rd12], %f2;");
  const SmConfig sm = MachineConfig::Load("fermi", {}).sm;
  EXPECT_FLOAT_EQ(four.LastGap(0, 1).chain - once.LastGap(0, 1).chain,
                  static_cast<float>(3 * (sm.f32_fma.latency + sm.writeback_latency)));
  EXPECT_FLOAT_EQ(four.LastGap(0, 1).issue, 4);
}

// Of a loop without requests every turn counts.
TEST(CodeBetween, CountsTheTurnsOfALoopOnTheWay) {
  const auto loop = [](int turns) {
    return std::string(kLoad) +
           "mov.u32 %r20, 0; L: add.f32 %f2, %f2, %f2; add.u32 %r20, %r20, 1; "
           "setp.lt.u32 %p1, %r20, " +
           std::to_string(turns) +
           "; @%p1 bra L; "
           "st.global.f32 [%rd12], %f2;";
  };
  Case ten(loop(10)), twenty(loop(20));
  EXPECT_GT(twenty.LastGap(0, 1).issue, 1.9 * ten.LastGap(0, 1).issue);
  EXPECT_GT(twenty.LastGap(0, 1).chain, 1.9 * ten.LastGap(0, 1).chain);
}

// From the last request of a turn to the first one of the next.
TEST(CodeBetween, GoesAroundTheLoopThatHasBoth) {
  Case loop(
      std::string("mov.u32 %r20, 0; mov.u64 %rd11, %rd1; "
                  "L: ld.global.f32 %f1, [%rd11]; add.s64 %rd11, %rd11, 4; "
                  "add.f32 %f2, %f2, %f1; add.u32 %r20, %r20, 1; "
                  "setp.lt.u32 %p1, %r20, 8; @%p1 bra L;"));
  EXPECT_THAT(loop.EndsOf(0, 0), ElementsAre(Stretch::End::kResult, Stretch::End::kRequest));
}

}  // namespace code_between_test
}  // namespace flagstone::replay
