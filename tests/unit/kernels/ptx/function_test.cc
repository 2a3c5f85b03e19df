// Device functions and calls: what the parser takes, what it makes of them, what it refuses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "tests/unit/kernels/ptx/ptx_text.h"

namespace flagstone::ptx {
namespace function_test {

using ::testing::HasSubstr;
using ::testing::StartsWith;

// Functions on line 2, the body of the entry "k" on line 3.
std::string WithFunctions(const std::string& functions, const std::string& body) {
  return ".version 8.0 .target sm_75 .address_size 64\n" + functions +
         "\n.entry k(.param .u64 p) { .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p<4>;\n" +
         body + "\n}\n";
}

// Why the entry cannot run; empty if it can.
std::string RefusalOf(const std::string& functions, const std::string& body) {
  const auto module = Parse(WithFunctions(functions, body), "k.ptx");
  try {
    module->CheckRunnable(module->FindKernel("k"));
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kBadInput);
    return error.what();
  }
  return "";
}

std::vector<std::string> TextOf(const Kernel& kernel) {
  std::vector<std::string> lines;
  for (const Instruction& instruction : kernel.instructions) {
    lines.push_back(std::string(ToString(instruction.opcode)) + "|" + instruction.text);
  }
  return lines;
}

constexpr const char* kTwice =
    ".func (.param .b32 r) twice(.param .b32 x) { .reg .b32 %a; ld.param.u32 %a, [x]; "
    "add.s32 %a, %a, %a; st.param.b32 [r], %a; ret; }";
constexpr const char* kCallTwice =
    "{ .param .b32 x; .param .b32 y; st.param.b32 [x+0], %r1; call.uni (y), twice, (x); "
    "ld.param.b32 %r2, [y+0]; }";

TEST(Function, IsInlinedWithParametersInRegisters) {
  const auto module = Parse(WithFunctions(kTwice, kCallTwice), "k.ptx");
  const Kernel& kernel = module->FindKernel("k");
  const std::vector<std::string> expected = {
      "mov|st.param.b32 [x+0], %r1", "call|call.uni (y), twice, (x)",
      "mov|ld.param.u32 %a, [x]",    "add|add.s32 %a, %a, %a",
      "mov|st.param.b32 [r], %a",    "bra|ret",
      "mov|ld.param.b32 %r2, [y+0]", "ret|ret"};
  EXPECT_EQ(TextOf(kernel), expected);
  EXPECT_EQ(kernel.instructions[5].operands[0].target, 6U);
  EXPECT_EQ(kernel.instructions[2].location.line, 2);
  // The argument's register is the parameter's.
  EXPECT_EQ(kernel.instructions[0].operands[0].reg, kernel.instructions[2].operands[1].reg);
  EXPECT_EQ(kernel.instructions[4].operands[0].reg, kernel.instructions[6].operands[1].reg);
  EXPECT_EQ(kernel.local_bytes, 0U);
  EXPECT_TRUE(kernel.refusals.empty());
}

TEST(Function, GetsNewRegistersInEachCopy) {
  const auto module = Parse(WithFunctions(kTwice, std::string(kCallTwice) + kCallTwice), "k.ptx");
  const Kernel& kernel = module->FindKernel("k");
  const Instruction& first = kernel.instructions[3];
  const Instruction& second = kernel.instructions[10];
  ASSERT_EQ(second.opcode, Opcode::kAdd);
  EXPECT_NE(first.operands[0].reg, second.operands[0].reg);
  EXPECT_EQ(kernel.registers[second.operands[0].reg].name, "%a");
}

TEST(Function, HasItsLocalAndSharedVariablesOnceInAKernel) {
  const std::string functions =
      ".shared .b32 both[4]; .func f { .local .align 8 .b8 depot[24]; .shared .b64 own; "
      ".reg .b64 %d; mov.u64 %d, depot; mov.u64 %d, own; mov.u64 %d, both; }";
  const auto module =
      Parse(WithFunctions(functions, "call f; call f; mov.u64 %rd1, both;"), "k.ptx");
  const Kernel& kernel = module->FindKernel("k");
  EXPECT_EQ(kernel.local_bytes, 24U);
  EXPECT_EQ(kernel.shared_bytes, 24U);
  ASSERT_EQ(kernel.shared.size(), 2U);
  const Instruction& last = kernel.instructions[kernel.instructions.size() - 2];
  EXPECT_EQ(last.operands[1].variable, kernel.shared[1].get());
}

TEST(Function, MayBeDeclaredBeforeAndAfterItsDefinition) {
  const std::string prototype = ".func (.param .b32 r) twice(.param .b32 x)\n;";
  for (const std::string& functions :
       {prototype + kTwice, std::string(kTwice) + ".extern " + prototype,
        ".weak " + std::string(kTwice), ".visible " + std::string(kTwice)}) {
    EXPECT_EQ(RefusalOf(functions, kCallTwice), "");
  }
  const auto module = Parse(".version 8.0 .target sm_75 .address_size 64 " + prototype +
                                ".entry k() { .reg .b32 %r<3>;" + kCallTwice + "}" + kTwice,
                            "k.ptx");
  EXPECT_TRUE(module->FindKernel("k").refusals.empty());
}

TEST(Function, MayGoByAnAlias) {
  EXPECT_EQ(RefusalOf(".func f { ret; } .func g; .alias g, f;", "call g;"), "");
  EXPECT_THAT(ErrorOf(WithFunctions(".func f; .func g; .alias g, f;", "call g;")),
              HasSubstr("expected a function without a body and, after it, one with a body"));
  EXPECT_THAT(ErrorOf(WithFunctions(".func g; .alias g, f;", "")),
              HasSubstr("unknown function 'f'"));
}

TEST(Function, MayCarryDirectivesAndAttributes) {
  EXPECT_EQ(RefusalOf(".func .attribute(.unified(1, 2)) f() .noreturn { exit; }\n"
                      ".func g() .abi_preserve 4 { .pragma \"nounroll\"; ret; }",
                      "call f, (); call g;"),
            "");
}

// tests/unit/conformance/stack_test.cc has what frames do.
TEST(Function, ThatCallsItselfStandsOnceInAKernel) {
  EXPECT_EQ(RefusalOf(".func f { call f; }", "call f;"), "");
  EXPECT_EQ(
      RefusalOf(".func a; .func b { call a; } .func c { call b; } .func a { call c; }", "call c;"),
      "");
  const auto count = [](const std::string& functions, const std::string& body) {
    const auto module = Parse(WithFunctions(functions, body), "k.ptx");
    int traps = 0;
    for (const Instruction& i : module->kernels[0]->instructions) {
      traps += i.opcode == Opcode::kTrap ? 1 : 0;
    }
    EXPECT_EQ(module->kernels[0]->uses_stack, functions.find("call f") != std::string::npos);
    return traps;
  };
  EXPECT_EQ(count(".func f { trap; call f; ret; }", "call f; call f; call f;"), 1);
  EXPECT_EQ(count(".func f { trap; ret; }", "call f; call f; call f;"), 3);
}

TEST(Function, ThatIsRecursiveAndVariadicIsRefused) {
  EXPECT_THAT(RefusalOf(".func f(.param .b8 va[]) { call f, (va); ret; }",
                        "{ .param .b8 a[8]; call f, (a); }"),
              HasSubstr("a variadic function that calls itself is not supported"));
}

TEST(Function, ThatCannotBeFollowedIsRefusedInTheKernelsThatCallIt) {
  EXPECT_EQ(RefusalOf(".extern .func f(.param .b32 x);", "ret;"), "");
  EXPECT_THAT(RefusalOf(".extern .func f;", "call f;"),
              HasSubstr("expected a function with a body, found only a prototype of 'f'"));
  EXPECT_THAT(RefusalOf(".extern .func (.param .b64 r) malloc(.param .b32 n);",
                        "{ .param .b32 n; .param .b64 r; call (r), malloc, (n); }"),
              HasSubstr("expected a function with a body, found only a prototype of 'malloc'"));
  EXPECT_THAT(
      RefusalOf("",
                "P: .callprototype (.param .b32 _) _ (.param .b32 _, .param .b64 _);\n"
                "call (%r1), %rd1, (%r2, %rd2), P;"),
      StartsWith("k.ptx:5:1: entry 'k' cannot run: no function of the file whose address is "
                 "taken fits this call through a register: "
                 "'call (%r1), %rd1, (%r2, %rd2), P'"));
  EXPECT_EQ(RefusalOf(".func f { ret; }", "T: .calltargets f;\ncall %rd1, T;"), "");
  EXPECT_EQ(RefusalOf(".func f { ret; } .global .u64 g = f;", "call %rd1;"), "");
  EXPECT_THAT(RefusalOf("", "mov.u64 %rd1, k;"),
              HasSubstr("the address of an entry is not supported (launches by kernels)"));
}

TEST(Function, RefusalsAreListedOnce) {
  const std::string message =
      RefusalOf(".func f { .reg .b64 %d; tld4.r.2d.v4.f32.f32 %d, [%d]; pmevent 1; }",
                "call f; call f; call f, (%r1);");
  EXPECT_THAT(message,
              StartsWith("k.ptx:2:25: entry 'k' cannot run: this instruction is not "
                         "supported: 'tld4.r.2d.v4.f32.f32 %d, [%d]'; also 'pmevent 1' in"));
  EXPECT_THAT(message, HasSubstr("'call f, (%r1)' in line 4"));
}

TEST(Function, AndItsCallMustFit) {
  EXPECT_THAT(RefusalOf(kTwice, "call twice, (%r1);"),
              HasSubstr("'twice' takes 1 argument and gives 1 result, found 1 and 0"));
  EXPECT_THAT(RefusalOf(kTwice, "call (%r1), twice, (%rd1);"),
              HasSubstr("argument 1 of 'twice': expected 4 bytes, found 8"));
  EXPECT_THAT(RefusalOf(kTwice, "{ .param .b64 y; call (y), twice, (%r1); }"),
              HasSubstr("result 1 of 'twice': expected 4 bytes, found 8"));
  EXPECT_THAT(
      RefusalOf(kTwice, "{ .param .b32 y; call (y), twice, (y); }"),
      HasSubstr("expected other variables as the results of 'twice' than as its arguments"));
  EXPECT_THAT(RefusalOf(".func f(.param .b8 s[4]) { ret; }", "call f, (%r1);"),
              HasSubstr("argument 1 of 'f': expected a '.param' variable for an array"));
}

TEST(Function, ErrorsNameTheirPlace) {
  EXPECT_EQ(ErrorOrRefusalOf(WithFunctions("", "call nothing;")),
            "k.ptx:4:6: unknown function 'nothing'");
  EXPECT_EQ(ErrorOf(WithFunctions(".func f { ret; }\n.func f { ret; }", "")),
            "k.ptx:3:7: duplicate definition of 'f': the first is in line 2");
  EXPECT_EQ(ErrorOf(WithFunctions(".global .u32 f; .func f;", "")),
            "k.ptx:2:23: duplicate definition of 'f': the first is in line 2");
  EXPECT_THAT(ErrorOrRefusalOf(WithFunctions(".func f { ret; }", "call f, (k);")),
              StartsWith("k.ptx:4:10: expected a register, a number or a '.param' variable"));
  EXPECT_THAT(ErrorOf(WithFunctions(".func f(.param .b32 a { ret; }", "")),
              StartsWith("k.ptx:2:23: expected ')' after the parameters"));
  EXPECT_THAT(ErrorOrRefusalOf(WithFunctions("", "st.param.u64 [p], %rd1;")),
              StartsWith("k.ptx:4:1: expected a '.param' variable of a call"));
}

TEST(Function, GrowthIsLimited) {
  // Each function calls the one before twice: 2^30 copies of the first.
  std::string functions = ".func f0 { .reg .b32 %a; mov.u32 %a, 0; mov.u32 %a, 1; }";
  for (int i = 1; i <= 30; ++i) {
    const std::string call = "call f" + std::to_string(i - 1) + ";";
    functions += ".func f" + std::to_string(i) + " { " + call + call + " }";
  }
  EXPECT_THAT(RefusalOf(functions, "call f30;"),
              HasSubstr("expected at most 65536 instructions from inlined calls in a kernel"));
  EXPECT_EQ(RefusalOf(functions, "call f12;"), "");
}

TEST(Function, DepthIsLimited) {
  std::string functions = ".func f0 { ret; }";
  for (int i = 1; i <= 80; ++i) {
    functions += ".func f" + std::to_string(i) + " { call f" + std::to_string(i - 1) + "; }";
  }
  EXPECT_THAT(RefusalOf(functions, "call f80;"),
              HasSubstr("expected at most 64 calls inside one another"));
  EXPECT_EQ(RefusalOf(functions, "call f63;"), "");
}

TEST(IndexedBranch, BecomesComparisonsAndBranches) {
  const auto module = Parse(WithFunctions("",
                                          "T: .branchtargets A, B, C;\n@%p1 brx.idx.uni %r1, T;\n"
                                          "A: mov.u32 %r2, 1; B: mov.u32 %r2, 2; C: ret;"),
                            "k.ptx");
  const std::vector<Instruction>& code = module->FindKernel("k").instructions;
  ASSERT_EQ(code.size(), 9U);
  EXPECT_EQ(code[0].opcode, Opcode::kBra);
  EXPECT_TRUE(code[0].guard_negated);
  EXPECT_EQ(code[0].operands[0].target, 6U);
  EXPECT_EQ(code[1].opcode, Opcode::kSetp);
  EXPECT_EQ(code[2].operands[0].target, 6U);
  EXPECT_EQ(code[4].operands[0].target, 7U);
  EXPECT_EQ(code[5].operands[0].target, 8U);
  EXPECT_FALSE(code[5].guard.has_value());
  EXPECT_THAT(ErrorOf(WithFunctions("", "L: brx.idx %r1, L;")),
              HasSubstr("expected the name of a '.branchtargets' list, found 'L'"));
  EXPECT_THAT(ErrorOf(WithFunctions("", "T: .branchtargets A; brx.idx %r1, T;")),
              HasSubstr("unknown label 'A'"));
}

TEST(Function, SamplesOfCompilersParse) {
  const auto module = ParseFile("tests/unit/kernels/ptx/data/features.clang14_calls.ptx");
  EXPECT_EQ(module->kernels.size(), 7U);
  for (const auto& kernel : module->kernels) {
    EXPECT_TRUE(kernel->refusals.empty()) << kernel->name;
    for (const Instruction& instruction : kernel->instructions) {
      for (const Operand& operand : instruction.operands) {
        EXPECT_FALSE(operand.variable != nullptr && operand.variable->space == Space::kParam &&
                     operand.variable->name.starts_with("param"))
            << instruction.text;
      }
    }
  }
}

}  // namespace function_test
}  // namespace flagstone::ptx
