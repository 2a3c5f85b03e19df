// atom and red on global, shared and generic addresses (PTX ISA 9.7.13).
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "tests/unit/gpu_model/simt/kernel_run.h"

namespace flagstone {
namespace atomic_test {

// All 32 lanes of a warp update one word in lane order with the value that `setup` leaves in the
// register; each stores the old value it got.
template <class T>
struct Outcome {
  std::vector<T> old_values;
  T last;
};

template <class T>
Outcome<T> Update(const std::string& space, const std::string& setup, const std::string& atomic,
                  const char* reg, const char* type, T first) {
  const std::string text = KernelText(
      ".param .u64 word, .param .u64 out",
      ".shared .align 8 .b8 place[8];\n"
      "ld.param.u64 %rd1, [word];\nld.param.u64 %rd2, [out];\nmov.u32 %r1, %tid.x;\n"
      "mov.u64 %rd3, place;\n" +
          setup + std::string("\nld.global.") + type + " " + reg + "9, [%rd1];\n" +
          (space == "global" ? std::string()
                             : std::string("st.shared.") + type + " [%rd3], " + reg + "9;\n") +
          (space == "global"   ? "mov.u64 %rd4, %rd1;\n"
           : space == "shared" ? "mov.u64 %rd4, %rd3;\n"
                               : "cvta.shared.u64 %rd4, %rd3;\n") +
          atomic + "\nmul.wide.u32 %rd5, %r1, 8;\nadd.s64 %rd2, %rd2, %rd5;\nst.global." + type +
          " [%rd2], " + reg + "8;\n" +
          (space == "global" ? std::string()
                             : std::string("ld.shared.") + type + " " + reg +
                                   "9, [%rd3];\nst.global." + type + " [%rd1], " + reg + "9;\n") +
          "ret;");
  KernelRun run = KernelRun::FromText(text);
  run.Buffer("word", std::vector<T>{first}).Buffer("out", std::vector<uint64_t>(32)).Run();
  Outcome<T> outcome;
  for (const uint64_t bits : run.Contents<uint64_t>("out")) {
    T value;
    std::memcpy(&value, &bits, sizeof(value));
    outcome.old_values.push_back(value);
  }
  outcome.last = run.Contents<T>("word").at(0);
  return outcome;
}

template <class T>
void Check(const std::string& op, const std::string& setup, const char* reg, const char* type,
           const std::string& operands, T first, std::function<T(T old, uint32_t lane)> oracle) {
  for (const std::string space : {"global", "shared", "generic"}) {
    const std::string dotted = space == "generic" ? "" : "." + space;
    const std::string atomic =
        "atom" + dotted + "." + op + " " + reg + "8, [%rd4], " + operands + ";";
    const Outcome<T> got = Update<T>(space, setup, atomic, reg, type, first);
    T word = first;
    for (uint32_t lane = 0; lane < 32; ++lane) {
      EXPECT_EQ(got.old_values[lane], word) << atomic << ", lane " << lane;
      word = oracle(word, lane);
    }
    EXPECT_EQ(got.last, word) << atomic;
  }
}

TEST(Atomic, AddsInLaneOrder) {
  Check<uint32_t>("add.u32", "", "%r", "u32", "%r1", 0xfffffff0U,
                  [](uint32_t old, uint32_t lane) { return old + lane; });
  Check<uint64_t>("add.u64", "cvt.u64.u32 %rd7, %r1;", "%rd", "u64", "%rd7", 0xffffffffU,
                  [](uint64_t old, uint32_t lane) { return old + lane; });
  Check<float>("add.f32", "cvt.rn.f32.u32 %f1, %r1;", "%f", "f32", "%f1", 0.1F,
               [](float old, uint32_t lane) { return old + static_cast<float>(lane); });
  Check<double>("add.f64", "cvt.rn.f64.u32 %fd1, %r1;", "%fd", "f64", "%fd1", 0.1,
                [](double old, uint32_t lane) { return old + lane; });
}

TEST(Atomic, TakesMinimumAndMaximum) {
  const std::string setup = "mul.lo.u32 %r7, %r1, 0x77777777;";
  Check<int32_t>("min.s32", setup, "%r", "u32", "%r7", 5, [](int32_t old, uint32_t lane) {
    return std::min(old, static_cast<int32_t>(lane * 0x77777777U));
  });
  Check<uint32_t>("max.u32", setup, "%r", "u32", "%r7", 5U,
                  [](uint32_t old, uint32_t lane) { return std::max(old, lane * 0x77777777U); });
}

TEST(Atomic, CombinesBits) {
  const std::string setup = "mul.lo.u32 %r7, %r1, 0x01010101;";
  const auto value = [](uint32_t lane) { return lane * 0x01010101U; };
  Check<uint32_t>("and.b32", setup, "%r", "u32", "%r7", 0xffffffffU,
                  [=](uint32_t old, uint32_t lane) { return old & value(lane); });
  Check<uint32_t>("or.b32", setup, "%r", "u32", "%r7", 0U,
                  [=](uint32_t old, uint32_t lane) { return old | value(lane); });
  Check<uint32_t>("xor.b32", setup, "%r", "u32", "%r7", 0U,
                  [=](uint32_t old, uint32_t lane) { return old ^ value(lane); });
}

TEST(Atomic, ExchangesAndSwaps) {
  Check<uint32_t>("exch.b32", "", "%r", "u32", "%r1", 77U,
                  [](uint32_t, uint32_t lane) { return lane; });
  Check<uint32_t>("cas.b32", "add.u32 %r7, %r1, 1;", "%r", "u32", "%r1, %r7", 3U,
                  [](uint32_t old, uint32_t lane) { return old == lane ? lane + 1 : old; });
  Check<uint64_t>("cas.b64", "cvt.u64.u32 %rd7, %r1;\nadd.u64 %rd6, %rd7, 1;", "%rd", "u64",
                  "%rd7, %rd6", 3U,
                  [](uint64_t old, uint32_t lane) { return old == lane ? lane + 1 : old; });
}

TEST(Atomic, CountsUpAndDownAroundALimit) {
  Check<uint32_t>("inc.u32", "", "%r", "u32", "9", 7U,
                  [](uint32_t old, uint32_t) { return old >= 9 ? 0U : old + 1; });
  Check<uint32_t>("dec.u32", "", "%r", "u32", "9", 2U,
                  [](uint32_t old, uint32_t) { return old == 0 || old > 9 ? 9U : old - 1; });
}

TEST(Reduction, HasNoResultButTheMemorys) {
  const std::string text = KernelText(".param .u64 word",
                                      "ld.param.u64 %rd1, [word];\nmov.u32 %r1, %tid.x;\n"
                                      "setp.lt.u32 %p1, %r1, 10;\n"
                                      "@%p1 red.global.add.u32 [%rd1], %r1;\nret;");
  KernelRun run = KernelRun::FromText(text, {3, 1, 1}, {64, 1, 1});
  run.Buffer("word", std::vector<uint32_t>{1000}).Run();
  EXPECT_EQ(run.Contents<uint32_t>("word").at(0), 1000U + 3 * 45);
}

}  // namespace atomic_test
}  // namespace flagstone
