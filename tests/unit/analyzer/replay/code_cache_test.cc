#include "analyzer/replay/code_cache.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/unit/analyzer/address/kernel_under_analysis.h"

namespace flagstone::replay {
namespace code_cache_test {

// 300 additions between two loads: more lines of code than the cache holds.
TEST(CodeCache, FetchesOnceForWarpsThatGoThroughTheSameCodeTogether) {
  std::string body = "ld.global.f32 %f1, [%rd1]; ";
  for (int i = 0; i < 300; ++i) body += "add.f32 %f2, %f2, %f2; ";
  const KernelUnderAnalysis kernel(body + "ld.global.f32 %f3, [%rd1]; ret;", {1, 1, 1}, {64, 1, 1});
  const AddressAnalysis addresses = kernel.Analyze();
  const MachineConfig machine = MachineConfig::Load("fermi", {});
  ASSERT_EQ(addresses.accesses.size(), 2U);
  const uint32_t from = addresses.accesses[0].pc, to = addresses.accesses[1].pc;
  CodeBetween code(kernel.launch(), addresses, {from, to}, machine.sm);
  const uint16_t gap = code.Find(from, to).back().gap;
  const uint32_t lines = code.gaps()[gap].end_line - code.gaps()[gap].first_line;
  MemoryLevels levels(machine, nullptr);
  CodeCache cache({.size_kib = 1, .ways = 2});
  ASSERT_GT(lines, 8U);
  const double first = cache.Fetch(0, code, gap, 100, &levels);
  EXPECT_GT(first, 100 + lines * machine.l2.pipeline_latency);  // one after the other
  EXPECT_EQ(cache.Fetch(0, code, gap, 200, &levels), first);
  EXPECT_EQ(levels.moved().l2_reads, 4 * lines);
}

// A later one finds what has stayed.
TEST(CodeCache, FetchesNothingAgainThatHasRoom) {
  const KernelUnderAnalysis kernel("ld.global.f32 %f1, [%rd1]; st.global.f32 [%rd2], %f1; ret;",
                                   {1, 1, 1}, {64, 1, 1});
  const AddressAnalysis addresses = kernel.Analyze();
  const MachineConfig machine = MachineConfig::Load("fermi", {});
  const uint32_t from = addresses.accesses[0].pc, to = addresses.accesses[1].pc;
  CodeBetween code(kernel.launch(), addresses, {from, to}, machine.sm);
  const uint16_t gap = code.Find(from, to).front().gap;
  MemoryLevels levels(machine, nullptr);
  CodeCache cache(machine.sm.instruction_cache);
  const double first = cache.Fetch(0, code, gap, 100, &levels);
  EXPECT_GT(first, 100);
  EXPECT_EQ(cache.Fetch(0, code, gap, first + 50, &levels), first + 50);
}

}  // namespace code_cache_test
}  // namespace flagstone::replay
