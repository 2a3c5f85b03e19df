// Recursion and alloca: a stack of frames in local memory (kernels/ptx/frames.h).
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "base/error.h"
#include "tests/unit/conformance/coverage.h"
#include "tests/unit/conformance/spelled_forms.h"
#include "tests/unit/gpu_model/simt/kernel_run.h"

namespace flagstone::conformance {
namespace stack_test {

using ptx::Opcode;
using ptx::Type;

// One warp; `body` finds the thread's number in %r1 and leaves its word in %r2.
KernelRun Prepare(const std::string& functions, const std::string& body) {
  KernelRun run = KernelRun::FromText(
      KernelText(".param .u64 out",
                 "ld.param.u64 %rd20, [out]; mov.u32 %r1, %tid.x;\n" + body +
                     "\nmul.wide.u32 %rd21, %r1, 4; add.s64 %rd20, %rd20, %rd21;\n"
                     "st.global.u32 [%rd20], %r2; ret;",
                 functions));
  run.Buffer("out", std::vector<uint32_t>(32, 77));
  return run;
}

void Expect(const std::string& functions, const std::string& body,
            const std::function<uint32_t(uint32_t)>& oracle) {
  KernelRun run = Prepare(functions, body);
  run.Run();
  const std::vector<uint32_t> out = run.Contents<uint32_t>("out");
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(out[i], oracle(i)) << "thread " << i;
}

// "call" of a function of u32 by variables.
std::string Call(const std::string& function, const std::string& to, const std::string& argument) {
  return fmt::format(
      "{{ .param .u32 a; .param .u32 q; st.param.u32 [a], {}; call (q), {}, (a);\n"
      "ld.param.u32 {}, [q]; }}\n",
      argument, function, to);
}

const std::string kFib =
    ".func (.param .u32 r) fib (.param .u32 n) { .reg .u32 x<6>; .reg .pred p;\n"
    "ld.param.u32 x1, [n]; setp.lt.u32 p, x1, 2; @p bra BASE; sub.u32 x2, x1, 1;\n" +
    Call("fib", "x3", "x2") + "sub.u32 x2, x1, 2;\n" + Call("fib", "x4", "x2") +
    "add.u32 x3, x3, x4; st.param.u32 [r], x3; ret;\nBASE: st.param.u32 [r], x1; ret; }\n";

uint32_t Fib(uint32_t n) { return n < 2 ? n : Fib(n - 1) + Fib(n - 2); }

TEST(Recursion, OfEachLaneHasItsOwnDepth) {
  Expect(kFib, "rem.u32 %r3, %r1, 11;\n" + Call("fib", "%r2", "%r3"),
         [](uint32_t i) { return Fib(i % 11); });
}

TEST(Recursion, IsEnteredFromSeveralPlaces) {
  Expect(kFib,
         "and.b32 %r3, %r1, 7;\n" + Call("fib", "%r4", "%r3") + "setp.gt.u32 %p1, %r1, 15;\n" +
             "mov.u32 %r2, %r4; @%p1 bra LATE; bra DONE; LATE:\n" + Call("fib", "%r5", "6") +
             "add.u32 %r2, %r4, %r5;\nDONE:",
         [](uint32_t i) { return Fib(i & 7) + (i > 15 ? 8 : 0); });
}

// Through one another, by registers as old PTX passes them.
TEST(Recursion, GoesThroughOtherFunctions) {
  const std::string functions =
      ".func (.reg .u32 r) odd (.reg .u32 n);\n"
      ".func (.reg .u32 r) even (.reg .u32 n) { .reg .pred p; setp.eq.u32 p, n, 0;\n"
      "mov.u32 r, 1; @p ret; sub.u32 n, n, 1; call (r), odd, (n); ret; }\n"
      ".func (.reg .u32 r) odd (.reg .u32 n) { .reg .pred p; setp.eq.u32 p, n, 0;\n"
      "mov.u32 r, 0; @p ret; sub.u32 n, n, 1; call (r), even, (n); ret; }\n";
  Expect(functions, "call (%r2), even, (%r1);", [](uint32_t i) { return i % 2 == 0 ? 1U : 0U; });
}

// A function that calls what it is given, and is given itself.
TEST(Recursion, GoesThroughRegisters) {
  const std::string functions =
      ".func (.param .u32 r) down (.param .u32 n, .param .u64 f) { .reg .u32 x<4>; .reg .u64 y;\n"
      ".reg .pred p; ld.param.u32 x1, [n]; ld.param.u64 y, [f]; st.param.u32 [r], 0;\n"
      "setp.eq.u32 p, x1, 0; @p ret; sub.u32 x2, x1, 1;\n"
      "{ .param .u32 a; .param .u64 b; .param .u32 q; st.param.u32 [a], x2; st.param.u64 [b], y;\n"
      "P: .callprototype (.param .u32 _) _ (.param .u32 _, .param .u64 _);\n"
      "call (q), y, (a, b), P; ld.param.u32 x3, [q]; }\n"
      "add.u32 x3, x3, x1; st.param.u32 [r], x3; ret; }\n";
  Expect(functions,
         "mov.u64 %rd1, down; { .param .u32 a; .param .u64 b; .param .u32 q; and.b32 %r3, %r1, 7;\n"
         "st.param.u32 [a], %r3; st.param.u64 [b], %rd1; call (q), down, (a, b);\n"
         "ld.param.u32 %r2, [q]; }",
         [](uint32_t i) { return (i & 7) * ((i & 7) + 1) / 2; });
}

// Predicates, 16 bits, doubles, and variables whose addresses are taken: each frame has its own.
TEST(Recursion, PreservesWhatItsCallerNeeds) {
  const std::string functions =
      ".func (.param .u32 r) f (.param .u32 n) { .reg .u32 x<9>; .reg .u16 h; .reg .f64 d;\n"
      ".reg .pred p, odd; .reg .u64 y<3>; .local .align 8 .b8 own[16];\n"
      "ld.param.u32 x1, [n]; st.param.u32 [r], 1; setp.eq.u32 p, x1, 0; @p ret;\n"
      "and.b32 x2, x1, 1; setp.ne.u32 odd, x2, 0; cvt.u16.u32 h, x1; cvt.rn.f64.u32 d, x1;\n"
      "mov.u64 y1, own; cvta.local.u64 y1, y1; st.u32 [y1+4], x1; st.local.u32 [own+8], 5;\n"
      "sub.u32 x3, x1, 1;\n" +
      Call("f", "x4", "x3") +
      "ld.local.u32 x5, [own+4]; ld.u32 x6, [y1+8]; cvt.u32.u16 x7, h; cvt.rzi.u32.f64 x8, d;\n"
      "add.u32 x4, x4, x5; add.u32 x4, x4, x6; add.u32 x4, x4, x7; add.u32 x4, x4, x8;\n"
      "@odd add.u32 x4, x4, 1000; st.param.u32 [r], x4; ret; }\n";
  Expect(functions, "and.b32 %r3, %r1, 7;\n" + Call("f", "%r2", "%r3"), [](uint32_t i) {
    uint32_t sum = 1;
    for (uint32_t n = 1; n <= (i & 7); ++n) sum += 3 * n + 5 + (n % 2 == 1 ? 1000 : 0);
    return sum;
  });
}

// A structure by value, which the callee changes and whose address it takes.
TEST(Recursion, PassesStructuresByValue) {
  const std::string functions =
      ".func (.param .align 4 .b8 r[8]) f (.param .align 4 .b8 s[12]) { .reg .u32 x<9>; .reg .pred "
      "p;\n"
      ".reg .u64 y; ld.param.u32 x1, [s]; ld.param.u32 x2, [s+4]; ld.param.u32 x3, [s+8];\n"
      "setp.eq.u32 p, x1, 0; @p bra BASE; sub.u32 x4, x1, 1; add.u32 x5, x2, x1;\n"
      "{ .param .align 4 .b8 a[12]; .param .align 4 .b8 q[8]; st.param.u32 [a], x4;\n"
      "st.param.u32 [a+4], x5; st.param.u32 [a+8], x3; call (q), f, (a);\n"
      "ld.param.u32 x6, [q]; ld.param.u32 x7, [q+4]; }\n"
      "mov.b64 y, s; ld.local.u32 x8, [y]; add.u32 x7, x7, x8;\n"
      "st.param.u32 [r], x6; st.param.u32 [r+4], x7; ret;\n"
      "BASE: st.param.u32 [r], x2; st.param.u32 [r+4], x3; ret; }\n";
  Expect(
      functions,
      "and.b32 %r3, %r1, 7; { .param .align 4 .b8 a[12]; .param .align 4 .b8 q[8];\n"
      "st.param.u32 [a], %r3; st.param.u32 [a+4], 0; st.param.u32 [a+8], 100; call (q), f, (a);\n"
      "ld.param.u32 %r4, [q]; ld.param.u32 %r5, [q+4]; }\nmad.lo.u32 %r2, %r4, 1000, %r5;",
      [](uint32_t i) {
        const uint32_t sum = (i & 7) * ((i & 7) + 1) / 2;
        return sum * 1000 + 100 + sum;
      });
}

std::string Message(KernelRun* run) {
  try {
    run->Run();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Recursion, ThatIsTooDeepIsAFaultWithLineAndDepth) {
  KernelRun run =
      Prepare(".func (.reg .u32 r) f (.reg .u32 n) { add.u32 n, n, 1;\ncall (r), f, (n); ret; }\n",
              "call (%r2), f, (%r1);");
  CoverOpcodes(*run.launch().kernel, {Opcode::kStackOverflow});
  const std::string message = Message(&run);
  // 1,024 bytes are 64 frames of a header alone.
  EXPECT_EQ(message.substr(0, 10), "test.ptx:5") << message;
  EXPECT_NE(message.find("stack overflow: more than 1024 bytes"), std::string::npos) << message;
  EXPECT_NE(message.find("at a depth of 64 calls by thread (0,0,0)"), std::string::npos) << message;
}

TEST(Alloca, GivesEachThreadRoomOfItsOwn) {
  for (const Form& form : FormsOf({Opcode::kAlloca})) {
    const bool narrow = form.instruction.type == Type::kU32;
    const std::string wide = narrow ? "cvt.u64.u32 %rd6, %r6; cvt.u64.u32 %rd7, %r7;" : "";
    const std::string r = narrow ? "%r" : "%rd";
    Expect("",
           fmt::format("mov.{0} {1}5, 24; alloca.{0} {1}6, {1}5; alloca.{0} {1}7, 40, 64; {2}\n"
                       "st.local.u32 [%rd6+20], %r1; st.local.u32 [%rd7], 5;\n"
                       "and.b64 %rd8, %rd7, 63; cvt.u32.u64 %r8, %rd8;\n"
                       "ld.local.u32 %r2, [%rd6+20]; add.u32 %r2, %r2, %r8;",
                       narrow ? "u32" : "u64", r, wide),
           [](uint32_t i) { return i; });
    Cover(form.instruction);
  }
}

TEST(Alloca, IsUndoneByStackrestoreAndByReturns) {
  const std::string body =
      "mov.u32 %r2, 0; mov.u32 %r5, 0;\n"
      "AGAIN: stacksave.{0} {1}3; alloca.{0} {1}4, 512; st.local.u32 [{1}4+508], %r5;\n"
      "ld.local.u32 %r6, [{1}4+508]; add.u32 %r2, %r2, %r6; stackrestore.{0} {1}3;\n"
      "call (%r6), g, (%r5); add.u32 %r2, %r2, %r6;\n"
      "add.u32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, 10; @%p1 bra AGAIN;";
  const std::string g =
      ".func (.reg .u32 r) g (.reg .u32 n) { .reg .u64 y; alloca.u64 y, 600;\n"
      "st.local.u32 [y+596], n; ld.local.u32 r, [y+596]; ret; }\n";
  for (const bool narrow : {true, false}) {
    Expect(g, fmt::format(fmt::runtime(body), narrow ? "u32" : "u64", narrow ? "%r" : "%rd"),
           [](uint32_t) { return 90U; });
  }
  for (const Form& form : FormsOf({Opcode::kStacksave, Opcode::kStackrestore})) {
    Cover(form.instruction);
  }
}

TEST(Alloca, OfTooMuchIsAFault) {
  for (const char* const bytes : {"1040", "0xFFFFFFFFFFFFFFF0"}) {
    KernelRun run = Prepare("", fmt::format("mov.u64 %rd1, {}; alloca.u64 %rd2, %rd1;", bytes));
    const std::string message = Message(&run);
    EXPECT_NE(message.find("at a depth of 0 calls"), std::string::npos) << message;
  }
  KernelRun run =
      Prepare("", "setp.eq.u32 %p1, %r1, 99; @%p1 alloca.u64 %rd1, 9999; mov.u32 %r2, 1;");
  EXPECT_EQ(Message(&run), "");  // no lane asks
}

// Pointers of 32 bits.
TEST(Recursion, WorksWithNarrowPointers) {
  const std::string text =
      ModuleText(".param .u32 out",
                 "ld.param.u32 %r20, [out]; mov.u32 %r1, %tid.x;\n"
                 "and.b32 %r3, %r1, 7;\n" +
                     Call("fib", "%r2", "%r3") +
                     "alloca.u32 %r4, 8; st.local.u32 [%r4], %r2;\n"
                     "ld.local.u32 %r2, [%r4]; mad.lo.u32 %r20, %r1, 4, %r20;\n"
                     "st.global.u32 [%r20], %r2; ret;",
                 Type::kU32);
  const size_t entry = text.find(".visible .entry");
  KernelRun run = KernelRun::FromText(text.substr(0, entry) + kFib + text.substr(entry));
  run.Buffer("out", std::vector<uint32_t>(32)).Run();
  const std::vector<uint32_t> out = run.Contents<uint32_t>("out");
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(out[i], Fib(i & 7)) << i;
  CoverOpcodes(*run.launch().kernel, {Opcode::kStackOverflow});
}

}  // namespace stack_test
}  // namespace flagstone::conformance
