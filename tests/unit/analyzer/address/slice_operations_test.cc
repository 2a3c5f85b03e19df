// The operations of slices against the evaluation of one instruction, which they stand for.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "analyzer/address/integer_ops.h"
#include "analyzer/address/slice_program.h"
#include "base/random.h"
#include "kernels/ptx/parser.h"

namespace flagstone {
namespace slice_operations_test {

constexpr uint64_t kUntouched = 0x123456789abcdef1;  // in lanes that are not wanted

std::vector<uint64_t> Values(SplitMix64* random) {
  std::vector<uint64_t> values = {0,
                                  1,
                                  31,
                                  32,
                                  63,
                                  64,
                                  0x7fff,
                                  0x8000,
                                  0xffff,
                                  0x7fffffff,
                                  0x80000000,
                                  0xffffffff,
                                  0x7fffffffffffffff,
                                  0x8000000000000000,
                                  ~uint64_t{0}};
  for (int i = 0; i < 8; ++i) values.push_back(random->Next() >> random->Below(64));
  return values;
}

TEST(SliceOperations, GiveWhatTheEvaluationOfAnInstructionGives) {
  std::string body;
  for (const std::string width : {"16", "32", "64"}) {
    const std::string r = width == "16" ? "%rs" : width == "32" ? "%r" : "%rd";
    const std::string abc = " " + r + "1, " + r + "2, " + r + "3";
    for (const std::string sign : {"u", "s"}) {
      const std::string type = sign + width;
      for (const char* op :
           {"add.", "sub.", "mul.lo.", "mul.hi.", "div.", "rem.", "min.", "max."}) {
        body += op + type + abc + ";\n";
      }
      body += "mad.lo." + type + abc + ", " + r + "4;\nmov." + type + " " + r + "1, " + r + "2;\n";
      body += "shr." + type + " " + r + "1, " + r + "2, %r3;\n";
      for (const char* from : {"u16", "s16", "u32", "s32", "u64", "s64"}) {
        const std::string bits = std::string(from).substr(1);
        const std::string of = bits == "16" ? "%rs" : bits == "32" ? "%r" : "%rd";
        body += "cvt." + type + "." + from + " " + r + "1, " + of + "2;\n";
      }
      for (const char* from : {"u8", "s8"}) {
        body += "cvt." + type + "." + from + " " + r + "1, %r2;\n";
      }
      body += "selp." + type + abc + ", %p1;\n";
      for (const char* compare : {"eq", "ne", "lt", "le", "gt", "ge"}) {
        body += std::string("setp.") + compare + "." + type + " %p1, " + r + "2, " + r + "3;\n";
      }
      if (width == "64") continue;
      const std::string wide = width == "16" ? "%r" : "%rd";
      body += "mul.wide." + type + " " + wide + "1, " + r + "2, " + r + "3;\n";
      body += "mad.wide." + type + " " + wide + "1, " + r + "2, " + r + "3, " + wide + "4;\n";
    }
    body +=
        "neg.s" + width + " " + r + "1, " + r + "2;\nnot.b" + width + " " + r + "1, " + r + "2;\n";
    for (const char* op : {"and.b", "or.b", "xor.b"}) body += op + width + abc + ";\n";
    body += "shl.b" + width + " " + r + "1, " + r + "2, %r3;\n";
  }
  for (const char* op : {"and", "or", "xor"}) body += op + std::string(".pred %p1, %p2, %p3;\n");
  body += "not.pred %p1, %p2;\nmov.pred %p1, %p2;\n";
  const auto module = ptx::Parse(
      ".version 8.0 .target sm_90 .address_size 64 .entry k { .reg .pred %p<8>; .reg .b16 %rs<8>;"
      " .reg .b32 %r<8>; .reg .b64 %rd<8>;\n" +
          body + "ret; }",
      "k.ptx");
  SplitMix64 random(7);
  size_t tried = 0;
  for (const ptx::Instruction& instruction : module->kernels[0]->instructions) {
    if (instruction.opcode == ptx::Opcode::kRet) continue;
    const SliceOperation operation = OperationOf(instruction);
    const size_t count = instruction.operands.size() - 1;
    ASSERT_NE(operation, nullptr) << instruction.text;
    const std::vector<uint64_t> values = Values(&random);
    for (const uint64_t a : values) {
      std::vector<uint64_t> lanes_a(kSliceLanes, a), lanes_b(kSliceLanes), lanes_c(kSliceLanes);
      for (uint32_t lane = 0; lane < kSliceLanes; ++lane) {
        lanes_b[lane] = values[lane % values.size()];
        lanes_c[lane] = random.Next();
      }
      const bool divides =
          instruction.opcode == ptx::Opcode::kDiv || instruction.opcode == ptx::Opcode::kRem;
      const uint32_t lanes = random.Below(2) == 0 ? ~uint32_t{0} : uint32_t(random.Next());
      std::vector<uint64_t> result(kSliceLanes, kUntouched);
      const SliceOperands all = {result.data(), lanes_a.data(), lanes_b.data(), lanes_c.data(),
                                 lanes};
      if (divides) {
        const uint64_t wide = ~uint64_t{0} >> (64 - 8 * ptx::SizeInBytes(instruction.type));
        lanes_b[5] = ~wide;
        SliceOperands one = all;
        one.lanes = 1U << 5;
        ASSERT_FALSE(operation(one)) << instruction.text;
        for (uint64_t& b : lanes_b) b = (b & wide) == 0 ? 1 : b;
      }
      ASSERT_TRUE(operation(all)) << instruction.text;
      for (uint32_t lane = 0; lane < kSliceLanes; ++lane) {
        const std::vector<uint64_t> sources = {a, lanes_b[lane], lanes_c[lane]};
        const auto expected = EvaluateInteger(instruction, std::span(sources).first(count));
        ASSERT_TRUE(expected.has_value()) << instruction.text;
        const bool wanted = (lanes >> lane & 1) != 0;
        ASSERT_EQ(result[lane], wanted ? *expected : kUntouched)
            << instruction.text << " " << a << " " << lanes_b[lane];
        ++tried;
      }
    }
  }
  EXPECT_GT(tried, 40000U);
}

}  // namespace slice_operations_test
}  // namespace flagstone
