// mov, packing, special registers, and literals of all kinds (PTX ISA 9.7.9, 10).
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/conformance/conformance.h"
#include "tests/unit/gpu_model/simt/kernel_run.h"

namespace flagstone::conformance {
namespace move_test {

TEST(Mov, CopiesBits) {
  Conforms<uint16_t, uint16_t>("mov.u16 {r}, {a};", [](uint16_t a) { return a; });
  Conforms<float, float>("mov.f32 {r}, {a};", [](float a) { return a; });
  Conforms<uint64_t, double>("mov.b64 {r}, {a};", [](double a) { return ToBits(a); });
}

TEST(Mov, CopiesEveryType) {
  for (const char* type : {"b16", "u16", "s16"}) {
    Conforms<uint16_t, uint16_t>(std::string("mov.") + type + " {r}, {a};",
                                 [](uint16_t a) { return a; });
  }
  for (const char* type : {"b32", "u32", "s32"}) {
    Conforms<uint32_t, uint32_t>(std::string("mov.") + type + " {r}, {a};",
                                 [](uint32_t a) { return a; });
  }
  for (const char* type : {"b64", "u64", "s64"}) {
    Conforms<uint64_t, uint64_t>(std::string("mov.") + type + " {r}, {a};",
                                 [](uint64_t a) { return a; });
  }
  Conforms<double, double>("mov.f64 {r}, {a};", [](double a) { return a; });
}

// Global memory lies at its generic addresses.
TEST(Cvta, OfGlobalAddressesChangesNothing) {
  for (const char* name : {"cvta.global.u32", "cvta.to.global.u32"}) {
    Conforms<uint32_t, uint32_t>(std::string(name) + " {r}, {a};", [](uint32_t a) { return a; });
  }
}

TEST(Mov, PacksTheFirstElementLowest) {
  Conforms<uint64_t, uint32_t, uint32_t>(
      "mov.b64 {r}, {{{a}, {b}}};", [](uint32_t a, uint32_t b) { return uint64_t{b} << 32 | a; });
  Conforms<uint32_t, uint16_t, uint16_t>("mov.b32 {r}, {{{a}, {b}}};", [](uint16_t a, uint16_t b) {
    return static_cast<uint32_t>(uint32_t{b} << 16 | a);
  });
}

TEST(Mov, Unpacks) {
  Conforms<uint32_t, uint64_t>("mov.b64 {{%r29, {r}}}, {a};",
                               [](uint64_t a) { return static_cast<uint32_t>(a >> 32); });
  Conforms<uint16_t, uint64_t>("mov.b64 {{%rs26, {r}, %rs27, %rs28}}, {a};",
                               [](uint64_t a) { return static_cast<uint16_t>(a >> 16); });
}

TEST(Mov, TakesLiterals) {
  const auto value = [](const std::string& text, Kind kind) {
    return Execute(text, kind, {}, {{}}, false).at(0);
  };
  EXPECT_EQ(value("mov.u32 {r}, -1;", Kind::kU32), 0xffffffffU);
  EXPECT_EQ(value("mov.u16 {r}, 0x1234;", Kind::kU16), 0x1234U);
  EXPECT_EQ(value("mov.u64 {r}, -2;", Kind::kU64), ~uint64_t{1});
  EXPECT_EQ(value("mov.f32 {r}, 0f3F800000;", Kind::kF32), 0x3f800000U);
  EXPECT_EQ(value("mov.f32 {r}, 0.5;", Kind::kF32), 0x3f000000U);
  EXPECT_EQ(value("mov.f64 {r}, 0d4000000000000000;", Kind::kF64), 0x4000000000000000U);
  EXPECT_EQ(value("mov.b32 {r}, 0f40490FDB;", Kind::kU32), 0x40490fdbU);
  EXPECT_EQ(value("add.s32 {r}, 40, 2;", Kind::kS32), 42U);
}

// Registers that are vectors: whole, and by elements of either kind of name.
TEST(VectorRegisters, AreAsManyRegistersAsTheyHaveElements) {
  KernelRun run =
      KernelRun::FromText(KernelText(".param .u64 in, .param .u64 out",
                                     ".reg .v4 .f32 V, U; .reg .v2 .b32 W<3>;\n"
                                     "ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out];\n"
                                     "ld.global.v4.f32 V, [%rd1];\n"
                                     "add.f32 V.y, V.r, V.a;\n"  // x + w
                                     "mov.v4.f32 U, V;\n"
                                     "mov.f32 U.w, 0f41000000;\n"
                                     "st.global.v4.f32 [%rd2], U;\n"
                                     "mov.v4.f32 {%f1, %f2, _, %f4}, V;\n"
                                     "st.global.v4.f32 [%rd2+16], {%f1, %f2, V.b, %f4};\n"
                                     "mov.v4.f32 V, {V.w, V.z, V.y, V.x};\n"  // in place
                                     "st.global.v4.f32 [%rd2+32], V;\n"
                                     "mov.v2.b32 W1, {17, 18};\n"
                                     "mov.b64 %rd3, W1;\n"
                                     "mov.b64 W2, %rd3;\n"
                                     "mov.b32 W0.x, W2.y; mov.b32 W0.g, W1.x;\n"
                                     "st.global.v2.b32 [%rd2+48], W0;\nret;"));
  run.Buffer("in", std::vector<float>{1, 2, 3, 4}).Buffer("out", std::vector<float>(14)).Run();
  std::vector<float> out = run.Contents<float>("out");
  EXPECT_EQ(run.Contents<uint32_t>("out")[12], 18U);
  EXPECT_EQ(run.Contents<uint32_t>("out")[13], 17U);
  out.resize(12);
  EXPECT_EQ(out, (std::vector<float>{1, 5, 3, 8, 1, 5, 3, 4, 4, 3, 5, 1}));
}

TEST(VectorRegisters, GoToFunctionsAndComeBack) {
  KernelRun run = KernelRun::FromText(KernelText(
      ".param .u64 out",
      ".reg .v2 .b32 V, W; ld.param.u64 %rd1, [out]; mov.v2.b32 V, {3, 4};\n"
      "call (W), swapped, (V, %r9); st.global.v2.b32 [%rd1], W; ret;",
      ".func (.reg .v2 .b32 r) swapped (.reg .v2 .b32 x, .reg .b32 y) { mov.b32 r.x, x.y; "
      "add.u32 r.y, x.x, 10; ret; }\n"));
  run.Buffer("out", std::vector<uint32_t>(2)).Run();
  EXPECT_EQ(run.Contents<uint32_t>("out"), (std::vector<uint32_t>{4, 13}));
}

// Each thread's value of a special register, for 2 x 2 x 1 TBs of 8 x 3 x 2 threads.
std::vector<uint32_t> Special(const std::string& name) {
  KernelRun run =
      KernelRun::FromText(KernelText(".param .u64 out",
                                     "ld.param.u64 %rd1, [out];\n"
                                     "mov.u32 %r1, %ctaid.y;\nmov.u32 %r2, %nctaid.x;\n"
                                     "mov.u32 %r3, %ctaid.x;\nmad.lo.u32 %r1, %r1, %r2, %r3;\n"
                                     "mov.u32 %r4, %tid.z;\nmov.u32 %r5, %tid.y;\n"
                                     "mov.u32 %r6, %tid.x;\n"
                                     "mad.lo.u32 %r4, %r4, 3, %r5;\nmad.lo.u32 %r4, %r4, 8, %r6;\n"
                                     "mad.lo.u32 %r4, %r1, 48, %r4;\n"
                                     "mul.wide.u32 %rd2, %r4, 4;\nadd.s64 %rd1, %rd1, %rd2;\n"
                                     "mov.u32 %r7, " +
                                         name + ";\nst.global.u32 [%rd1], %r7;\nret;"),
                          {2, 2, 1}, {8, 3, 2});
  run.Buffer("out", std::vector<uint32_t>(4 * 48)).Run();
  return run.Contents<uint32_t>("out");
}

TEST(SpecialRegisters, TellPlaceAndShape) {
  const auto expect = [](const std::string& name, uint32_t (*oracle)(uint32_t tb, uint32_t t)) {
    const std::vector<uint32_t> got = Special(name);
    for (uint32_t i = 0; i < got.size(); ++i) {
      ASSERT_EQ(got[i], oracle(i / 48, i % 48)) << name << " of thread " << i;
    }
  };
  expect("%tid.x", [](uint32_t, uint32_t t) { return t % 8; });
  expect("%tid.y", [](uint32_t, uint32_t t) { return t / 8 % 3; });
  expect("%tid.z", [](uint32_t, uint32_t t) { return t / 24; });
  expect("%ctaid.x", [](uint32_t tb, uint32_t) { return tb % 2; });
  expect("%ctaid.y", [](uint32_t tb, uint32_t) { return tb / 2; });
  expect("%ctaid.z", [](uint32_t, uint32_t) { return 0U; });
  expect("%ntid.x", [](uint32_t, uint32_t) { return 8U; });
  expect("%ntid.y", [](uint32_t, uint32_t) { return 3U; });
  expect("%ntid.z", [](uint32_t, uint32_t) { return 2U; });
  expect("%nctaid.x", [](uint32_t, uint32_t) { return 2U; });
  expect("%nctaid.z", [](uint32_t, uint32_t) { return 1U; });
  expect("%laneid", [](uint32_t, uint32_t t) { return t % 32; });
  expect("%warpid", [](uint32_t, uint32_t t) { return t / 32; });
  expect("%nwarpid", [](uint32_t, uint32_t) { return 2U; });
  expect("%lanemask_eq", [](uint32_t, uint32_t t) { return 1U << t % 32; });
  expect("%lanemask_lt", [](uint32_t, uint32_t t) { return (1U << t % 32) - 1; });
  expect("%lanemask_ge", [](uint32_t, uint32_t t) { return ~((1U << t % 32) - 1); });
}

}  // namespace move_test
}  // namespace flagstone::conformance
