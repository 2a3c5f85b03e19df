// How much work an mma is for the tensor cores.
#include "gpu_model/simt/instruction_class.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tests/unit/gpu_model/simt/kernel_run.h"

namespace flagstone::simt {
namespace instruction_class_test {

// In sixteenths of an m16n8k16 of f16.
uint16_t WorkOf(const std::string& instruction) {
  const auto module = ptx::Parse(KernelText("", instruction + ";\nret;"), "work.ptx");
  const auto& all = module->kernels.at(0)->instructions;
  const auto mma = std::find_if(all.begin(), all.end(), [](const ptx::Instruction& i) {
    return i.opcode == ptx::Opcode::kMma;
  });
  if (mma == all.end()) return 0;
  EXPECT_EQ(PipeOf(*mma), Pipe::kTensor);
  return TensorWorkOf(*mma);
}

TEST(TensorWork, IsInProportionToTheProductsAndTheirBits) {
  const std::string sums = "{%f1, %f2, %f3, %f4}";
  const std::string four = "{%r1, %r2, %r3, %r4}", two = "{%r5, %r6}";
  const std::string m16n8k16 = "mma.sync.aligned.m16n8k16.row.col.";
  const std::string m16n8k32 = "mma.sync.aligned.m16n8k32.row.col.";
  const auto operands = [](const std::string& d, const std::string& a, const std::string& b) {
    return " " + d + ", " + a + ", " + b + ", " + d;
  };
  EXPECT_EQ(WorkOf(m16n8k16 + "f32.f16.f16.f32" + operands(sums, four, two)), 16);
  EXPECT_EQ(WorkOf(m16n8k32 + "s32.s8.s8.s32" + operands(four, four, two)), 16);
  EXPECT_EQ(WorkOf(m16n8k32 + "f32.e4m3.e5m2.f32" + operands(sums, four, two)), 16);
  EXPECT_EQ(WorkOf(m16n8k16 + "f16.e4m3.e5m2.f16" + operands(two, two, "{%r7}")), 8);
  EXPECT_EQ(
      WorkOf("mma.sync.aligned.m8n8k4.col.row.f16.f16.f16.f16" + operands(four, two, "{%r7, %r8}")),
      8);  // four products
  EXPECT_EQ(WorkOf("wmma.mma.sync.aligned.row.col.m8n8k32.s32.s4.s4.s32" +
                   operands(two, "{%r1}", "{%r2}")),
            4);
  EXPECT_EQ(WorkOf("wmma.mma.xor.popc.sync.aligned.row.col.m8n8k128.s32.b1.b1.s32" +
                   operands(two, "{%r1}", "{%r2}")),
            4);
}

}  // namespace instruction_class_test
}  // namespace flagstone::simt
