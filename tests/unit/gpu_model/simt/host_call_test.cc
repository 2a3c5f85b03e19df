// vprintf prints and __assertfail fails the run.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "tests/unit/gpu_model/simt/kernel_run.h"

namespace flagstone {
namespace host_call_test {

constexpr const char* kPrototypes =
    ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n"
    ".extern .func __assertfail(.param .b64 m, .param .b64 f, .param .b32 l, .param .b64 n, "
    ".param .b64 c);\n";

// A zero-terminated .global string.
std::string String(const std::string& name, const std::string& text) {
  std::string bytes;
  for (const char c : text) bytes += std::to_string(static_cast<int>(c)) + ", ";
  return ".global .b8 " + name + "[" + std::to_string(text.size() + 1) + "] = {" + bytes + "0};\n";
}

// Prints `format` with what `arguments` stores at [%rd1 + ...] in local memory; the result of
// vprintf goes to `out`. The text is parsed as PTX; %r1 is the thread.
std::string PrintText(const std::string& format, const std::string& arguments) {
  return KernelText(".param .u64 out",
                    ".local .align 8 .b8 depot[64]; mov.u64 %rd1, depot; mov.u32 %r1, %tid.x;\n" +
                        arguments +
                        "cvta.local.u64 %rd2, %rd1; mov.u64 %rd3, format; cvta.global.u64 %rd3, "
                        "%rd3;\n{ .param .b64 f; .param .b64 a; .param .b32 r;\n"
                        "st.param.b64 [f], %rd3; st.param.b64 [a], %rd2;\n"
                        "call.uni (r), vprintf, (f, a); ld.param.b32 %r9, [r]; }\n"
                        "ld.param.u64 %rd5, [out]; mul.wide.u32 %rd6, %r1, 4;\n"
                        "add.s64 %rd5, %rd5, %rd6; st.global.u32 [%rd5], %r9; ret;",
                    kPrototypes + String("format", format) + String("text", "flag"));
}

struct Printed {
  std::string text;
  std::vector<int32_t> results;
};
Printed Print(const std::string& format, const std::string& arguments, Dim3 block = {1, 1, 1}) {
  KernelRun run = KernelRun::FromText(PrintText(format, arguments), {1, 1, 1}, block);
  run.Buffer("out", std::vector<int32_t>(block.Count(), 77));
  testing::internal::CaptureStderr();
  run.Run();
  return {testing::internal::GetCapturedStderr(), run.Contents<int32_t>("out")};
}

TEST(Vprintf, PrintsEachKindOfArgument) {
  const Printed numbers =
      Print("%d|%5i|%-5u|%05d|%+d|%x|%#X|%o|%c|%%",
            "st.local.s32 [%rd1], -7; st.local.u32 [%rd1+4], 42; st.local.u32 [%rd1+8], 42;\n"
            "st.local.u32 [%rd1+12], 42; st.local.u32 [%rd1+16], 42;\n"
            "st.local.u32 [%rd1+20], 255; st.local.u32 [%rd1+24], 255; st.local.u32 [%rd1+28], 8;\n"
            "st.local.u32 [%rd1+32], 65;\n");
  EXPECT_EQ(numbers.text, "-7|   42|42   |00042|+42|ff|0XFF|10|A|%");
  EXPECT_EQ(numbers.results[0], 9);

  const Printed floats = Print("%f %.2e %g %8.3f|",
                               "st.local.f64 [%rd1], 0d3FF8000000000000;\n"
                               "st.local.f64 [%rd1+8], 0dC0F86A0000000000;\n"
                               "st.local.f64 [%rd1+16], 0d3FE0000000000000;\n"
                               "st.local.f64 [%rd1+24], 0d400921FB54442D18;\n");
  EXPECT_EQ(floats.text, "1.500000 -1.00e+05 0.5    3.142|");

  // The string and the wide numbers are aligned to 8 bytes behind the first.
  const Printed wide = Print("%hhd %s %lld %lu %p %zu\n",
                             "st.local.u32 [%rd1], 511; mov.u64 %rd4, text;\n"
                             "cvta.global.u64 %rd4, %rd4; st.local.u64 [%rd1+8], %rd4;\n"
                             "st.local.u64 [%rd1+16], -5; st.local.u64 [%rd1+24], -1;\n"
                             "st.local.u64 [%rd1+32], 4096; st.local.u64 [%rd1+40], 9;\n");
  EXPECT_EQ(wide.text, "-1 flag -5 18446744073709551615 0x1000 9\n");

  const Printed stars = Print("%*d|%-*d|%.*f|%6s|",
                              "st.local.u32 [%rd1], 4; st.local.u32 [%rd1+4], 1;\n"
                              "st.local.u32 [%rd1+8], 4; st.local.u32 [%rd1+12], 2;\n"
                              "st.local.u32 [%rd1+16], 1; st.local.f64 [%rd1+24], 0.25;\n"
                              "mov.u64 %rd4, text; st.local.u64 [%rd1+32], %rd4;\n");
  EXPECT_EQ(stars.text, "   1|2   |0.2|  flag|");
}

TEST(Vprintf, PrintsLaneByLaneInOrder) {
  const Printed printed = Print("%d,", "st.local.u32 [%rd1], %r1;\n", {40, 1, 1});
  std::string expected;
  for (int i = 0; i < 40; ++i) expected += std::to_string(i) + ",";
  EXPECT_EQ(printed.text, expected);
  EXPECT_EQ(printed.results, std::vector<int32_t>(40, 1));
}

TEST(Vprintf, FailsWhereItCannotReadOrConvert) {
  const auto message = [](const std::string& format, const std::string& arguments) {
    KernelRun run = KernelRun::FromText(PrintText(format, arguments), {1, 1, 1}, {1, 1, 1});
    run.Buffer("out", std::vector<int32_t>(1));
    return MessageOf(ErrorKind::kRunFailed, [&] { run.Run(); });
  };
  EXPECT_NE(message("%s", "st.local.u64 [%rd1], 12345;\n")
                .find("out-of-bounds read of 1 bytes at 0x3039 by thread (0,0,0) of TB (0,0,0)"),
            std::string::npos);
  EXPECT_NE(message("%d", "add.u64 %rd1, %rd1, 64;\n").find("out-of-bounds read of 4 bytes"),
            std::string::npos);
  EXPECT_NE(message("%k", "").find("unknown conversion '%k' in a format of printf"),
            std::string::npos);
  EXPECT_NE(message("%", "").find("unknown conversion '%'"), std::string::npos);
}

// The text that one thread prints with these two words of arguments, each of 64 bits.
std::string TextOf(const std::string& format, uint64_t first, uint64_t second) {
  return Print(format, "mov.u64 %rd8, " + std::to_string(first) + ";\nmov.u64 %rd9, " +
                           std::to_string(second) +
                           ";\nst.local.u64 [%rd1], %rd8; st.local.u64 [%rd1+8], %rd9;\n")
      .text;
}

TEST(Vprintf, ReadsSixtyFourBitsWhereTheSizeSaysSo) {
  constexpr uint64_t kFirst = 0x1'0000'0002, kSecond = 7;
  for (const std::string size : {"l", "ll", "j", "z", "t"}) {
    EXPECT_EQ(TextOf("%" + size + "d %" + size + "x", kFirst, kSecond), "4294967298 7") << size;
  }
  for (const std::string size : {"", "h", "hh", "L"}) {
    EXPECT_EQ(TextOf("%" + size + "d %" + size + "u", kFirst, kSecond), "2 1") << size;
  }
  EXPECT_EQ(TextOf("%p %p", kFirst, kSecond), "0x100000002 0x7");
}

TEST(Vprintf, CutsWidthsAtFourDigitsAndLeavesOutANegativePrecision) {
  EXPECT_EQ(TextOf("%1234d", 5, 0), std::string(1233, ' ') + "5");
  EXPECT_EQ(TextOf("%12345d|", 5, 0), std::string(9998, ' ') + "5|");
  EXPECT_EQ(TextOf("%*d", 0x5'0000'4e20, 0), std::string(9998, ' ') + "5");
  EXPECT_EQ(TextOf("%*d|", 0x5'ffff'fffd, 0), "5  |") << "a negative width asks for the left";
  EXPECT_EQ(TextOf("%-*d|", 0x5'ffff'fffd, 0), "5  |");
  EXPECT_EQ(TextOf("%.*f", 0xffff'ffff, 0x3ff4'0000'0000'0000), "1.250000");
  EXPECT_EQ(TextOf("%.1f", 0x3ff4'0000'0000'0000, 0), "1.2");
  EXPECT_EQ(TextOf("%++d and 100%%", 5, 0), "+5 and 100%");
}

TEST(Vprintf, GivesMinusOneWithoutAFormat) {
  KernelRun run = KernelRun::FromText(KernelText(
      ".param .u64 out",
      "ld.param.u64 %rd5, [out]; mov.u64 %rd3, 0;\n{ .param .b64 f; .param .b64 a; .param .b32 r;\n"
      "st.param.b64 [f], %rd3; st.param.b64 [a], %rd3;\ncall.uni (r), vprintf, (f, a);\n"
      "ld.param.b32 %r9, [r]; } st.global.u32 [%rd5], %r9; ret;",
      kPrototypes));
  run.Buffer("out", std::vector<int32_t>{77}).Run();
  EXPECT_EQ(run.Contents<int32_t>("out")[0], -1);
}

TEST(Vprintf, PrintsIntoTheTextThatIsAskedForAndNoMoreThanSixtyFourKibibytesOfAString) {
  KernelRun run = KernelRun::FromText(
      KernelText(
          ".param .u64 long",
          ".local .align 8 .b8 depot[8]; ld.param.u64 %rd4, [long]; mov.u64 %rd1, depot;\n"
          "st.local.u64 [%rd1], %rd4; cvta.local.u64 %rd2, %rd1; mov.u64 %rd3, format;\n"
          "cvta.global.u64 %rd3, %rd3; { .param .b64 f; .param .b64 a; .param .b32 r;\n"
          "st.param.b64 [f], %rd3; st.param.b64 [a], %rd2; call.uni (r), vprintf, (f, a); } ret;",
          kPrototypes + String("format", "<%s>")),
      {1, 1, 1}, {1, 1, 1});
  run.Buffer("long", std::vector<char>(70'000, 'x'));
  std::string text;
  PrintTo(&text);
  run.Run();
  PrintTo(nullptr);
  EXPECT_EQ(text, "<" + std::string(65'536, 'x') + ">");
}

TEST(Assertfail, FailsTheRunAndNamesAssertionFileLineAndThread) {
  const std::string text =
      KernelText("",
                 "mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 5; @%p1 bra Good;\n"
                 "mov.u64 %rd1, message; cvta.global.u64 %rd1, %rd1; mov.u64 %rd2, file;\n"
                 "cvta.global.u64 %rd2, %rd2; mov.u64 %rd3, function; cvta.global.u64 %rd3, %rd3;\n"
                 "{ .param .b64 a; .param .b64 b; .param .b32 c; .param .b64 d; .param .b64 e;\n"
                 "st.param.b64 [a], %rd1; st.param.b64 [b], %rd2; st.param.b32 [c], 13;\n"
                 "st.param.b64 [d], %rd3; st.param.b64 [e], 1;\n"
                 "call.uni __assertfail, (a, b, c, d, e); } Good: ret;",
                 kPrototypes + String("message", "i < 5") + String("file", "a.cu") +
                     String("function", "void k(int)"));
  KernelRun run = KernelRun::FromText(text, {1, 1, 1}, {8, 2, 1});
  const std::string message = MessageOf(ErrorKind::kRunFailed, [&] { run.Run(); });
  EXPECT_NE(
      message.find(": assertion 'i < 5' failed in 'void k(int)', line 13 of 'a.cu', by thread "
                   "(5,0,0) of TB (0,0,0): call.uni __assertfail, (a, b, c, d, e)"),
      std::string::npos)
      << message;
  KernelRun passing = KernelRun::FromText(text, {1, 1, 1}, {5, 1, 1});
  passing.Run();
}

}  // namespace host_call_test
}  // namespace flagstone
