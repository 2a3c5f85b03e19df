// What a warp does together with matrices and copies: ldmatrix, stmatrix, movmatrix, cp.async, and
// elect (PTX ISA, sections 9.7.9.25, 9.7.13.15 and 9.7.14). The places of elements in registers are
// those of the ISA's figures, written out here element by element.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/random.h"
#include "tests/unit/conformance/coverage.h"
#include "tests/unit/gpu_model/simt/kernel_run.h"

namespace flagstone::conformance {
namespace matrix_test {

using ptx::Opcode;

// One warp runs `body` on %r0 = lane and %rd0 = its 16 words of `in` and of `out` at %rd1.
std::vector<uint32_t> RunWarp(const std::string& body, const std::vector<uint32_t>& in,
                              const std::vector<Opcode>& covered) {
  const std::string text =
      "mov.u32 %r0, %tid.x;\nld.param.u64 %rd0, [in];\nld.param.u64 %rd1, [out];\n"
      "mul.wide.u32 %rd2, %r0, 16;\nadd.s64 %rd0, %rd0, %rd2;\nadd.s64 %rd1, %rd1, %rd2;\n" +
      body + "ret;";
  KernelRun run = KernelRun::FromText(
      KernelText(".param .u64 in, .param .u64 out", ".shared .align 16 .b8 tile[1024];\n" + text));
  run.Buffer("in", in).Buffer("out", std::vector<uint32_t>(128));
  CoverOpcodes(*run.launch().kernel, covered);
  run.Run();
  return run.Contents<uint32_t>("out");
}

std::vector<uint32_t> RandomWords() {
  SplitMix64 random(3);
  std::vector<uint32_t> words(128);
  for (uint32_t& word : words) word = static_cast<uint32_t>(random.Next());
  return words;
}

// 16-bit element of row r, column c of matrix m, where each lane has a row of four words.
uint32_t Half(const std::vector<uint32_t>& words, uint32_t matrix, uint32_t row, uint32_t column) {
  return words[(matrix * 8 + row) * 4 + column / 2] >> (16 * (column % 2)) & 0xffff;
}

constexpr const char* kRowAddress =
    "mov.u32 %r1, tile;\nshl.b32 %r2, %r0, 4;\nadd.u32 %r1, %r1, %r2;\n";

TEST(LoadMatrix, SpreadsTheRowsThatLanesPointTo) {
  const std::vector<uint32_t> in = RandomWords();
  for (const Form& form : FormsOf({Opcode::kLdmatrix})) {
    const ptx::Modifiers& m = form.instruction.modifiers;
    const char* const list = m.matrices == 1   ? "{%r10}"
                             : m.matrices == 2 ? "{%r10, %r11}"
                                               : "{%r10, %r11, %r12, %r13}";
    const std::vector<uint32_t> out = RunWarp(
        std::string("mov.b32 %r10, 0; mov.b32 %r11, 0; mov.b32 %r12, 0; mov.b32 %r13, 0;\n"
                    "ld.global.v4.u32 {%r20, %r21, %r22, %r23}, [%rd0];\n") +
            kRowAddress + "st.shared.v4.u32 [%r1], {%r20, %r21, %r22, %r23};\nbar.sync 0;\n" +
            form.head + " " + list + ", [%r1];\n" +
            "st.global.v4.u32 [%rd1], {%r10, %r11, %r12, %r13};\n",
        in, {Opcode::kLdmatrix});
    for (uint32_t lane = 0; lane < 32; ++lane) {
      for (uint32_t matrix = 0; matrix < 4; ++matrix) {
        uint32_t expected = 0;
        for (uint32_t part = 0; part < 2; ++part) {
          const uint32_t row = m.transposed ? lane % 4 * 2 + part : lane / 4;
          const uint32_t column = m.transposed ? lane / 4 : lane % 4 * 2 + part;
          if (matrix < m.matrices) expected |= Half(in, matrix, row, column) << (16 * part);
        }
        ASSERT_EQ(out[lane * 4 + matrix], expected) << form.head << " lane " << lane;
      }
    }
  }
}

TEST(StoreMatrix, IsTheInverseOfLoadMatrix) {
  const std::vector<uint32_t> in = RandomWords();
  for (const Form& form : FormsOf({Opcode::kStmatrix})) {
    const ptx::Modifiers& m = form.instruction.modifiers;
    const char* const list = m.matrices == 1   ? "{%r20}"
                             : m.matrices == 2 ? "{%r20, %r21}"
                                               : "{%r20, %r21, %r22, %r23}";
    const std::vector<uint32_t> out =
        RunWarp(std::string("ld.global.v4.u32 {%r20, %r21, %r22, %r23}, [%rd0];\n") + kRowAddress +
                    form.head + " [%r1], " + list + ";\nbar.sync 0;\n" +
                    "ld.shared.v4.u32 {%r10, %r11, %r12, %r13}, [%r1];\n" +
                    "st.global.v4.u32 [%rd1], {%r10, %r11, %r12, %r13};\n",
                in, {Opcode::kStmatrix});
    for (uint32_t lane = 0; lane < 32; ++lane) {
      for (uint32_t matrix = 0; matrix < m.matrices; ++matrix) {
        for (uint32_t part = 0; part < 2; ++part) {
          const uint32_t row = m.transposed ? lane % 4 * 2 + part : lane / 4;
          const uint32_t column = m.transposed ? lane / 4 : lane % 4 * 2 + part;
          ASSERT_EQ(Half(out, matrix, row, column), in[lane * 4 + matrix] >> (16 * part) & 0xffff)
              << form.head << " lane " << lane;
        }
      }
    }
  }
}

TEST(MoveMatrix, Transposes) {
  const std::vector<uint32_t> in = RandomWords();
  for (const Form& form : FormsOf({Opcode::kMovmatrix})) {
    const std::vector<uint32_t> out = RunWarp(
        "ld.global.u32 %r20, [%rd0];\n" + form.head + " %r10, %r20;\nst.global.u32 [%rd1], %r10;\n",
        in, {Opcode::kMovmatrix});
    const auto element = [&](uint32_t row, uint32_t column) {
      return in[(row * 4 + column / 2) * 4] >> (16 * (column % 2)) & 0xffff;
    };
    for (uint32_t lane = 0; lane < 32; ++lane) {
      const uint32_t row = lane / 4, column = lane % 4 * 2;
      EXPECT_EQ(out[lane * 4], element(column, row) | element(column + 1, row) << 16);
    }
  }
}

// Groups and waits change nothing here: the copy is there at once.
TEST(AsynchronousCopy, BringsBytesToSharedMemoryAndZerosAfterThem) {
  const std::vector<uint32_t> in = RandomWords();
  for (const int bytes : {4, 8, 16}) {
    for (const int given : {bytes, 0, bytes / 2}) {
      const std::string size = given == bytes ? "" : fmt::format(", {}", given);
      const std::vector<uint32_t> out = RunWarp(
          std::string(kRowAddress) +
              fmt::format("st.shared.v4.u32 [%r1], {{9, 9, 9, 9}};\n"
                          "cp.async.{}.shared.global [%r1], [%rd0], {}{};\n",
                          bytes == 16 ? "cg" : "ca", bytes, size) +
              "cp.async.commit_group;\ncp.async.wait_group 0;\ncp.async.wait_all;\nbar.sync 0;\n"
              "ld.shared.v4.u32 {%r10, %r11, %r12, %r13}, [%r1];\n"
              "st.global.v4.u32 [%rd1], {%r10, %r11, %r12, %r13};\n",
          in, {Opcode::kCpAsync});
      for (uint32_t i = 0; i < 128; ++i) {
        const int at = static_cast<int>(i % 4) * 4;
        const uint32_t mask = given - at >= 4 ? ~0U : given > at ? 0xffff : 0;
        ASSERT_EQ(out[i], at < bytes ? in[i] & mask : 9U) << bytes << " " << given << " " << i;
      }
    }
  }
}

TEST(Election, ChoosesTheLowestLaneOfTheMask) {
  const std::vector<uint32_t> out = RunWarp(
      "setp.gt.u32 %p2, %r0, 4;\n@%p2 elect.sync %r10|%p1, 0xfffff0ff;\nselp.u32 %r11, 1, 0, %p1;\n"
      "@!%p2 mov.u32 %r10, 77;\n@!%p2 mov.u32 %r11, 0;\n"
      "st.global.v2.u32 [%rd1], {%r10, %r11};\n",
      RandomWords(), {Opcode::kElect});
  for (uint32_t lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(out[lane * 4], lane > 4 ? 5U : 77U);
    EXPECT_EQ(out[lane * 4 + 1], lane == 5 ? 1U : 0U);
  }
}

}  // namespace matrix_test
}  // namespace flagstone::conformance
