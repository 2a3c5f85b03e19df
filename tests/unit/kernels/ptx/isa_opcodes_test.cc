// Each opcode of PTX ISA 9.0, and the main forms of those that have families, in texts that
// NVIDIA's ptxas 13.0 takes: they all parse, whether they are executed or their results are
// unknown.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "kernels/ptx/foreign.h"
#include "tests/unit/kernels/ptx/ptx_text.h"

namespace flagstone::ptx {
namespace isa_opcodes_test {

using ::testing::HasSubstr;

struct Line {
  std::string target;
  std::string result;  // "runs", or how many registers become unknown
  std::string text;

  std::string Opcode() const {
    const std::string text_of_opcode = text.substr(text.starts_with('@') ? text.find(' ') + 1 : 0);
    return text_of_opcode.substr(0, text_of_opcode.find_first_of(" ;"));
  }
};

std::vector<Line> Lines() {
  std::ifstream file("tests/unit/kernels/ptx/data/isa_opcodes.txt");
  std::vector<Line> lines;
  for (std::string text; std::getline(file, text);) {
    if (text.empty() || text.starts_with('#')) continue;
    std::istringstream words(text);
    Line& line = lines.emplace_back();
    words >> line.target >> line.result >> std::ws;
    std::getline(words, line.text);
  }
  return lines;
}

// Registers and variables of every kind that the texts name.
std::unique_ptr<Module> ModuleOf(const Line& line) {
  return Parse(
      ".version 9.0 .target " + line.target +
          " .address_size 64 .global .texref image; .global .surfref surface; "
          ".global .samplerref sampler; .func (.param .b32 r) helper(.param .b32 a) { ret; } "
          ".visible .entry k(.param .align 64 .b8 map[128], .param .b64 q) { .reg .pred %p<8>; "
          ".reg .b8 %b<2>; .reg .b16 %rs<10>; .reg .b32 %r<70>; .reg .b64 %rd<12>; "
          ".reg .f32 %f<70>; .reg .f64 %fd<10>; .reg .b128 %q<4>; "
          ".shared .align 128 .b8 tile[256]; TARGETS: .branchtargets END, END;\n" +
          line.text + "\nEND: ret; }",
      "k.ptx");
}

TEST(IsaOpcodes, AllParseAndThoseThatAreNotExecutedSayWhichRegistersBecomeUnknown) {
  const std::vector<Line> lines = Lines();
  EXPECT_GT(lines.size(), 400U);
  for (const Line& line : lines) {
    const auto module = ModuleOf(line);
    const Kernel& kernel = module->FindKernel("k");
    if (line.result == "runs") {
      EXPECT_EQ(kernel.refusals.size(), 0U)
          << line.text << ": " << (kernel.refusals.empty() ? "" : kernel.refusals[0].reason);
      continue;
    }
    ASSERT_EQ(kernel.refusals.size(), 1U) << line.text;
    EXPECT_THAT(kernel.refusals[0].reason, HasSubstr("is not supported")) << line.text;
    EXPECT_TRUE(kernel.refusals[0].results_only) << line.text;
    const Instruction& instruction = kernel.instructions.at(0);
    size_t written = 0;
    for (const Operand& result : instruction.operands) written += result.elements.size();
    EXPECT_EQ(std::to_string(written), line.result) << line.text;
  }
}

TEST(IsaOpcodes, AreThoseOfTheTable) {
  std::set<std::string> missing;
  for (const std::string& name : KnownInstructions()) missing.insert(name);
  std::set<std::string> unknown;
  for (const Line& line : Lines()) {
    const std::string opcode = line.Opcode();
    const auto begins = [&](const std::string& name) {
      return opcode == name || opcode.starts_with(name + ".");
    };
    bool known = line.text.starts_with('{');  // a call, in braces
    for (const std::string& name : KnownInstructions()) {
      if (!begins(name)) continue;
      known = true;
      missing.erase(name);
    }
    if (!known) unknown.insert(opcode);
  }
  missing.erase("call");
  EXPECT_THAT(missing, testing::IsEmpty());
  EXPECT_THAT(unknown, testing::IsEmpty());
}

TEST(IsaOpcodes, AnOpcodeThatIsNoneOfThemGivesTheNearOnes) {
  EXPECT_EQ(ErrorInBody("@%p1 fnma.rn.f32 %f1, %f2, %f3, %f4;"),
            "k.ptx:2:6: unknown instruction '@%p1 fnma.rn.f32 %f1, %f2, %f3, %f4': the nearest "
            "opcodes are fma, fns, mma");
  EXPECT_EQ(ErrorInBody("tcgen05.mmma.cta_group::1 [%r1], %rd1;"),
            "k.ptx:2:1: unknown instruction 'tcgen05.mmma.cta_group::1 [%r1], %rd1': the nearest "
            "opcodes are tcgen05.mma, tcgen05.commit, tcgen05.cp");
  EXPECT_EQ(ErrorInBody("multimem;"),
            "k.ptx:2:1: unknown instruction 'multimem': the nearest opcodes are multimem.st, "
            "multimem.red, mul");
}

}  // namespace isa_opcodes_test
}  // namespace flagstone::ptx
