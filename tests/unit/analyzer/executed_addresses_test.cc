// Executed addresses = analysed addresses, for every static global access of every workload.
#include <gtest/gtest.h>

#include "analyzer/address/address_analysis.h"
#include "kernels/launch/launch_sequence.h"
#include "kernels/launch/workload.h"
#include "kernels/ptx/kernel.h"
#include "tests/unit/analyzer/address/kernel_under_analysis.h"
#include "tests/unit/analyzer/executed_accesses.h"

namespace flagstone {
namespace executed_addresses_test {

class ExecutedAddresses : public testing::TestWithParam<std::string> {};

TEST_P(ExecutedAddresses, AreTheAnalysedOnesForEveryAccessOfTheWorkload) {
  const Workload workload = Workload::Load(FindWorkload(GetParam()), "test");
  BoundWorkload bound = Bind(workload);
  uint32_t compared = 0;
  LaunchSequence sequence(&bound);
  while (const KernelLaunch* launch = sequence.Next()) {
    const AddressAnalysis analysis = AnalyzeAddresses(*launch, bound.memory);
    const ExecutedAccesses executed = RunAndRecord(*launch, &bound.memory);
    std::set<uint32_t> analysed;
    for (const AddressForm& access : analysis.accesses) {
      analysed.insert(access.pc);
      const uint32_t tbs = ExpectSameAddresses(analysis, access, *launch, executed);
      // Only what depends on loaded values may be left out.
      EXPECT_EQ(tbs == 0, access.address_class == AddressClass::kIndirect) << access.reason;
      compared += tbs;
    }
    for (const auto& [where, addresses] : executed) {
      // Texture fetches have coordinates, not addresses.
      if (launch->kernel->instructions.at(where.first).opcode == ptx::Opcode::kTex) continue;
      EXPECT_TRUE(analysed.contains(where.first)) << "no analysis of pc " << where.first;
    }
  }
  EXPECT_GT(compared, 0U);
}

// A stride is a number of elements: a register of it, or a number in the text.
TEST(ExecutedAddressesOfMatrices, AreTheAnalysedOnesWhereElementsAreBelowAByte) {
  KernelUnderAnalysis run(
      "mul.wide.s32 %rd10, %r4, 512;\n  add.s64 %rd11, %rd1, %rd10;\n"
      "wmma.load.a.sync.aligned.row.m8n8k32.global.u4 {%r10}, [%rd11+16], %r1;\n"
      "wmma.load.b.sync.aligned.col.m8n8k128.global.b1 {%r11}, [%rd11], 384;\n"
      "wmma.load.c.sync.aligned.row.m8n8k32.global.s32 {%r12, %r13}, [%rd11], 8;\n"
      "wmma.mma.sync.aligned.row.col.m8n8k32.s32.u4.u4.s32 {%r12, %r13}, {%r10}, {%r11}, {%r12, "
      "%r13};\n"
      "wmma.store.d.sync.aligned.col.m8n8k32.global.s32 [%rd2], {%r12, %r13}, %r2;\n  ret;\n",
      {3, 1, 1}, {32, 1, 1}, 96, 8);
  const AddressAnalysis analysis = run.Analyze();
  const ExecutedAccesses executed = RunAndRecord(run.launch(), &run.memory());
  std::set<std::set<uint64_t>> first_tb;  // the addresses of each access
  for (const AddressForm& access : analysis.accesses) {
    EXPECT_EQ(ExpectSameAddresses(analysis, access, run.launch(), executed), 3U);
    first_tb.insert(executed.at({access.pc, 0}));
  }
  std::set<uint64_t> a, b;
  for (uint64_t line = 0; line < 8; ++line) {
    for (uint64_t word = 0; word < 4; ++word) {
      a.insert(run.a() + 16 + line * 48 + word * 4);  // 96 elements of 4 bits
      b.insert(run.a() + line * 48 + word * 4);       // 384 of one bit
    }
  }
  EXPECT_TRUE(first_tb.contains(a));
  EXPECT_TRUE(first_tb.contains(b));
}

INSTANTIATE_TEST_SUITE_P(EveryWorkload, ExecutedAddresses, testing::ValuesIn(ListWorkloads()),
                         [](const auto& workload) {
                           std::string name = workload.param;
                           for (char& c : name) {
                             if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
                           }
                           return name;
                         });

}  // namespace executed_addresses_test
}  // namespace flagstone
