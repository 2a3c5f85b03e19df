// Every bad input is one line that says where, what was expected and what was found.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "base/file.h"
#include "tests/unit/kernels/ptx/ptx_text.h"

namespace flagstone::ptx {
namespace parser_error_test {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

TEST(ParserError, NamesWhatAModuleBeginsWith) {
  EXPECT_EQ(ErrorOf(""),
            "k.ptx:1:1: expected '.version' at the start of a PTX module, found the end of the "
            "file");
  EXPECT_EQ(ErrorOf("// only a comment\n\n"),
            "k.ptx:3:1: expected '.version' at the start of a PTX module, found the end of the "
            "file");
  EXPECT_EQ(ErrorOf(std::string("\x7f"
                                "ELF\2\1\1\0\0\0",
                                10)),
            "k.ptx:1:1: expected '.version' at the start of a PTX module, found '\\x7F'");
  EXPECT_EQ(ErrorOf(std::string(100, '\0')),
            "k.ptx:1:1: expected '.version' at the start of a PTX module, found '\\x00'");
  EXPECT_EQ(ErrorOf(".version seven"),
            "k.ptx:1:10: expected a PTX version such as 7.5, found 'seven'");
  EXPECT_EQ(ErrorOf(".version 7.5\n.entry k() {}"),
            "k.ptx:2:1: expected '.target' after the version, found '.entry'");
  EXPECT_EQ(ErrorOf(".version 7.5 .target sm_75 .address_size 16"),
            "k.ptx:1:42: expected 32 or 64, found 16");
}

// A cut anywhere is an error, except where what is left happens to be a whole module.
TEST(ParserError, RejectsATruncatedFileWithItsLine) {
  const std::string text = ReadFile("tests/unit/kernels/ptx/data/features.nvcc13.ptx");
  EXPECT_EQ(ErrorOf(text.substr(0, text.find("bar.sync"))),
            "k.ptx:256:2: expected an instruction, a label, a directive or '}' in "
            "'shared_memory', found the end of the file");
  size_t whole = 0;
  for (size_t length = 0; length < text.size(); length += 7) {
    const std::string message = ErrorOf(text.substr(0, length));
    if (message.empty()) {
      ++whole;
      continue;
    }
    EXPECT_THAT(message, StartsWith("k.ptx:")) << length;
    EXPECT_THAT(message, Not(HasSubstr("\n"))) << length;
  }
  EXPECT_LT(whole, text.size() / 7 / 10);
}

TEST(ParserError, NamesWhatIsNoInstructionAndWhatAnInstructionDoesNotTake) {
  EXPECT_THAT(ErrorInBody("add.s32 %r1, %r2, %r3;\n  @%p1 xyz.b32   %r1,\t%r2;"),
              StartsWith("k.ptx:3:8: unknown instruction '@%p1 xyz.b32 %r1, %r2': the nearest "
                         "opcodes are clz, xor, abs"));
  EXPECT_EQ(ErrorInBody("add.foo.s32 %r1, %r2, %r3;"),
            "k.ptx:2:4: 'add' does not take '.foo' here");
  EXPECT_EQ(ErrorInBody("add.b32 %r1, %r2, %r3;"), "k.ptx:2:4: 'add' does not take '.b32' here");
  EXPECT_EQ(ErrorInBody("add %r1, %r2, %r3;"), "k.ptx:2:1: expected a type on 'add'");
  EXPECT_EQ(ErrorInBody("cvt.u32 %r1, %r2;"), "k.ptx:2:1: expected a second type on 'cvt.u32'");
  EXPECT_EQ(ErrorInBody("mul.s32 %r1, %r2, %r3;"),
            "k.ptx:2:1: expected '.lo', '.hi' or '.wide' on 'mul.s32'");
}

TEST(ParserError, NamesUnknownRegistersVariablesAndLabels) {
  EXPECT_EQ(ErrorInBody("add.s32 %r1, %r8, %r3;"), "k.ptx:2:14: unknown register '%r8'");
  EXPECT_EQ(ErrorInBody("mov.u32 %r1, %warpsize;"), "k.ptx:2:14: unknown register '%warpsize'");
  EXPECT_EQ(ErrorInBody("mov.u32 %r1, %tid;"),
            "k.ptx:2:14: expected a register in 'mov.u32', found a vector");
  EXPECT_EQ(ErrorInBody("mov.u32 %r1, %tid.a;"),
            "k.ptx:2:18: expected '.x', '.y', '.z' or '.w' after '%tid', found '.a'");
  EXPECT_EQ(ErrorInBody("mov.u64 %rd1, nowhere;"),
            "k.ptx:2:15: unknown register or variable 'nowhere'");
  EXPECT_EQ(ErrorInBody("@%q ret;"), "k.ptx:2:2: unknown predicate register '%q'");
  EXPECT_EQ(ErrorInBody("@%r1 ret;"),
            "k.ptx:2:2: expected a predicate register after '@', found '%r1' of type b32");
  EXPECT_EQ(ErrorInBody("ret;\n  @%p1 bra $L__BB0_7;"), "k.ptx:3:12: unknown label '$L__BB0_7'");
  EXPECT_EQ(ErrorInBody("{ inner: ret; } bra inner;"), "k.ptx:2:21: unknown label 'inner'");
  EXPECT_EQ(ErrorInBody("bra %r1;"), "k.ptx:2:5: expected a label, found '%r1'");
  EXPECT_EQ(ErrorInBody("bra 5;"), "k.ptx:2:5: expected a label, found '5'");
  EXPECT_EQ(ErrorInBody("L: mov.b32 %r1, L;"),
            "k.ptx:2:17: expected a register, a variable or a number, found the label 'L'");
}

TEST(ParserError, NamesDuplicateDefinitions) {
  EXPECT_EQ(ErrorInBody("L: ret;\nL: ret;"),
            "k.ptx:3:1: duplicate definition of 'L': the first is in line 2");
  EXPECT_EQ(ErrorInBody(".reg .b32 %r<4>;"),
            "k.ptx:2:11: duplicate definition of '%r': the first is in line 1");
  EXPECT_EQ(ErrorInBody(".reg .f32 %r5;"),
            "k.ptx:2:11: duplicate definition of '%r5': the first is in line 1");
  EXPECT_EQ(ErrorInBody(".reg .f32 n;"),
            "k.ptx:2:11: duplicate definition of 'n': the first is in line 1");
  EXPECT_EQ(ErrorOf(InKernel("ret;") + ".entry k() { ret; }"),
            "k.ptx:4:8: duplicate definition of 'k': the first is in line 1");
}

TEST(ParserError, RefusesHugeNumbersWithoutAllocatingThem) {
  EXPECT_EQ(ErrorInBody(".reg .b32 %x<99999999999>;"),
            "k.ptx:2:11: expected at most 4194304 registers in a module, found 99999999999 more "
            "after 48");
  EXPECT_THAT(ErrorInBody(".reg .b32 %x<4194257>;"), HasSubstr("at most 4194304 registers"));
  EXPECT_EQ(ErrorInBody(".reg .b32 %x<99999999999999999999999>;"),
            "k.ptx:2:14: expected the number of registers of at most 64 bits, found "
            "'99999999999999999999999'");
  EXPECT_EQ(ErrorInBody("add.s32 %r1, %r2, 99999999999999999999;"),
            "k.ptx:2:19: expected a number of at most 64 bits, found '99999999999999999999'");
  EXPECT_EQ(ErrorInBody("add.s32 %r1, %r2, -9223372036854775809;"),
            "k.ptx:2:20: expected a number of at most 64 bits, found '-9223372036854775809'");
}

TEST(ParserError, RefusesDeepNestingInsteadOfOverflowing) {
  EXPECT_THAT(ErrorInBody(std::string(100000, '{')),
              StartsWith("k.ptx:2:64: expected at most 64 nested braces"));
  EXPECT_THAT(ErrorOf(".version 7.5 .target sm_75\n.section .debug_x " + std::string(100000, '{')),
              StartsWith("k.ptx:2:19: expected '}' after the body of a section"));
  EXPECT_THAT(ErrorOf(".version 7.5 .target sm_75\n.global .u32 a = " + std::string(100000, '{')),
              StartsWith("k.ptx:2:19: expected a value, found '{'"));
}

TEST(ParserError, NamesWhatASyntaxErrorBreaks) {
  EXPECT_EQ(ErrorInBody("ret"), "k.ptx:3:1: expected ';' after 'ret', found '}'");
  EXPECT_EQ(ErrorInBody("add.s32 %r1, %r2 %r3;"),
            "k.ptx:2:18: expected ',' or ';' after an operand, found '%r3'");
  EXPECT_EQ(ErrorInBody("add.s32 %r1, , %r3;"), "k.ptx:2:14: expected an operand, found ','");
  EXPECT_EQ(ErrorInBody("ld.global.f32 %f1, [%rd1;"),
            "k.ptx:2:25: expected ']' after the address, found ';'");
  EXPECT_EQ(ErrorInBody("mov.b64 %rd1, {%r1, %r2;"),
            "k.ptx:2:24: expected '}' after the elements of a vector, found ';'");
  EXPECT_EQ(ErrorInBody("= 4;"),
            "k.ptx:2:1: expected an instruction, a label, a directive or '}' in 'k', "
            "found '='");
  EXPECT_EQ(ErrorInBody(".foo;"),
            "k.ptx:2:1: expected '.reg', '.shared', '.local', '.param' or an instruction, found "
            "'.foo'");
  EXPECT_EQ(ErrorInBody(".loc 1 2;"), "k.ptx:2:9: expected a column number, found ';'");
  EXPECT_EQ(ErrorOf(".version 7.5 .target sm_75\nret;"),
            "k.ptx:2:1: expected a directive such as '.entry' or '.global', found 'ret'");
  EXPECT_EQ(ErrorOf(".version 7.5 .target sm_75\n.entry k(.reg .b32 a) {}"),
            "k.ptx:2:10: expected '.param' to begin a parameter, found '.reg'");
  EXPECT_EQ(ErrorOf(".version 7.5 .target sm_75\n.entry k() {}\n.entry k(); .entry k() {}"),
            "k.ptx:3:20: duplicate definition of 'k': the first is in line 2");
  EXPECT_EQ(ErrorOf(".version 7.5 .target sm_75\n.entry k() .maxntid {}"),
            "k.ptx:2:21: expected a number, found '{'");
  EXPECT_EQ(ErrorOf(".version 7.5 .target sm_75\n/* never closed"),
            "k.ptx:2:1: expected '*/' after this comment, found the end of the file");
}

TEST(ParserError, ShowsBytesThatDoNotPrintAsNumbers) {
  EXPECT_EQ(ErrorInBody(std::string("add.s32 %r1, %r2, \0;", 20)),
            "k.ptx:2:19: expected an operand, found '\\x00'");
  EXPECT_THAT(RefusalOf("mov.\xC3\xA9 %r1, 0;"), HasSubstr("\\xC3"));
}

TEST(ParserError, IsAlsoGivenForAFileThatCannotBeRead) {
  EXPECT_THROW(ParseFile("tests/unit/kernels/ptx/data/no_such_file.ptx"), Error);
}

}  // namespace parser_error_test
}  // namespace flagstone::ptx
