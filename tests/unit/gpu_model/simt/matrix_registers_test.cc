// Which registers of which lanes hold the elements of a matrix, by one form of each instruction.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/gpu_model/simt/kernel_run.h"

namespace flagstone {
namespace matrix_registers_test {

using Words = std::vector<uint32_t>;

// Each lane has four words of `in` in %r1 to %r4 and leaves %r11 to %r14 in its words of `out`.
Words Outputs(const Words& in, const std::string& body) {
  KernelRun run = KernelRun::FromText(
      KernelText(".param .u64 in, .param .u64 out",
                 ".shared .align 16 .b8 tile[512];\nld.param.u64 %rd1, [in];\n"
                 "ld.param.u64 %rd2, [out];\nmov.u32 %r9, %laneid;\nmul.wide.u32 %rd3, %r9, 16;\n"
                 "add.s64 %rd1, %rd1, %rd3;\nadd.s64 %rd2, %rd2, %rd3;\n"
                 "ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%rd1];\nmov.u32 %r10, tile;\n"
                 "shl.b32 %r8, %r9, 4;\nadd.u32 %r8, %r8, %r10;\n" +
                     body + "st.global.v4.u32 [%rd2], {%r11, %r12, %r13, %r14};\nret;"));
  run.Buffer("in", in).Buffer("out", Words(128)).Run();
  return run.Contents<uint32_t>("out");
}

TEST(Matrices, AreMultipliedAndAddedFromTheRegistersOfAllLanes) {
  // A: 8 x 16 bytes in %r1; B: 16 x 8 in %r2; C: 8 x 8 words in %r3 and %r4.
  Words in(128);
  std::vector<std::vector<int32_t>> a(8, std::vector<int32_t>(16)), b(16, std::vector<int32_t>(8)),
      c(8, std::vector<int32_t>(8));
  uint32_t seed = 1;
  const auto next = [&] { return static_cast<int8_t>((seed = seed * 1664525 + 1013904223) >> 24); };
  for (uint32_t lane = 0; lane < 32; ++lane) {
    for (uint32_t i = 0; i < 4; ++i) {
      const int8_t of_a = next(), of_b = next();
      a[lane / 4][lane % 4 * 4 + i] = of_a;
      b[lane % 4 * 4 + i][lane / 4] = of_b;
      in[4 * lane] |= uint32_t{static_cast<uint8_t>(of_a)} << (8 * i);
      in[4 * lane + 1] |= uint32_t{static_cast<uint8_t>(of_b)} << (8 * i);
    }
    for (uint32_t i = 0; i < 2; ++i) {
      c[lane / 4][lane % 4 * 2 + i] = next();
      in[4 * lane + 2 + i] = static_cast<uint32_t>(c[lane / 4][lane % 4 * 2 + i]);
    }
  }
  const Words out = Outputs(
      in,
      "mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%r11, %r12}, {%r1}, {%r2}, {%r3, %r4};\n"
      "mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%r13, %r14}, {%r1}, {%r2}, {%r11, %r12};\n");
  for (uint32_t lane = 0; lane < 32; ++lane) {
    for (uint32_t i = 0; i < 2; ++i) {
      int32_t sum = 0;
      for (size_t k = 0; k < 16; ++k) sum += a[lane / 4][k] * b[k][lane % 4 * 2 + i];
      const int32_t once = c[lane / 4][lane % 4 * 2 + i] + sum;
      EXPECT_EQ(static_cast<int32_t>(out[4 * lane + i]), once) << lane;
      EXPECT_EQ(static_cast<int32_t>(out[4 * lane + 2 + i]), once + sum) << lane;
    }
  }
}

// 32 rows of 16 bytes, of which each matrix has eight.
TEST(Matrices, AreLoadedAndStoredRowByRowFromTheAddressesOfTheLanes) {
  Words in(128);
  for (uint32_t i = 0; i < 128; ++i) in[i] = 1000 + i;
  const Words loaded =
      Outputs(in,
              "st.shared.v4.u32 [%r8], {%r1, %r2, %r3, %r4};\nbar.sync 0;\nmov.u32 %r13, 7;\n"
              "ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r11, %r12}, [%r8];\n"
              "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r14}, [%r8];\n");
  for (uint32_t lane = 0; lane < 32; ++lane) {
    const uint32_t word = lane / 4 * 4 + lane % 4;
    EXPECT_EQ(Words(loaded.begin() + 4 * lane, loaded.begin() + 4 * lane + 4),
              (Words{1000 + word, 1032 + word, 7, 1000 + word}));
  }
  const Words stored =
      Outputs(in,
              "stmatrix.sync.aligned.m8n8.x4.shared.b16 [%r8], {%r1, %r2, %r3, %r4};\nbar.sync 0;\n"
              "ld.shared.v4.u32 {%r11, %r12, %r13, %r14}, [%r8];\n");
  for (uint32_t row = 0; row < 32; ++row) {
    for (uint32_t i = 0; i < 4; ++i) {
      const uint32_t lane = row % 8 * 4 + i, matrix = row / 8;
      EXPECT_EQ(stored[4 * row + i], in[4 * lane + matrix]) << row;
    }
  }
}

}  // namespace matrix_registers_test
}  // namespace flagstone
