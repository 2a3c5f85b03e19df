// Executed addresses = analysed addresses, for every static global access of every workload.
#include <gtest/gtest.h>

#include "analyzer/address/address_analysis.h"
#include "launch/launch_sequence.h"
#include "launch/workload.h"
#include "ptx/kernel.h"
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
