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
