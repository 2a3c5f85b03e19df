// Tiles that cp.async.bulk.tensor swizzles into shared memory are what wgmma reads there: both take
// the same bits of the address (PTX ISA, sections 5.5.7 and 9.7.15.5).
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "base/random.h"
#include "kernels/launch/tensor_map.h"
#include "tests/unit/conformance/matrix_elements.h"
#include "tests/unit/gpu_model/simt/kernel_run.h"

namespace flagstone::conformance {
namespace wgmma_tensor_copy_test {

using ptx::Type;

constexpr uint32_t kRows = 64, kThreads = 128, kSums = 32;

struct Parameter {
  TensorMap map;
  std::array<uint8_t, TensorMap::kBytes - sizeof(TensorMap)> rest = {};
};

// 64 rows of halves, of which one pattern's width is copied.
TensorMap MapOf(uint64_t base, uint32_t columns, TensorSwizzle swizzle) {
  TensorMap map;
  map.base = base;
  map.dimensions = 2;
  map.strides = {2, 2 * columns};
  map.shape = {columns, kRows, 1, 1, 1};
  map.box = {static_cast<uint16_t>(columns), kRows, 1, 1, 1};
  map.swizzle = swizzle;
  return map;
}

// `at`: bytes from the beginning of the room to the tile.
std::string Descriptor(const char* name, uint32_t at, uint32_t width, uint32_t mode) {
  const uint64_t bits = uint64_t{8 * width / 16} << 32 | uint64_t{mode} << 62 | at / 16;
  return fmt::format("mov.b64 {}, {};\n", name, bits);
}

std::string Kernel(uint32_t width, uint32_t mode) {
  const uint32_t bytes = kRows * width;
  std::string sums;
  for (uint32_t i = 0; i < kSums; ++i) sums += fmt::format("{}%sum{}", i == 0 ? "" : ", ", i);
  const std::string copy =
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes ";
  std::string body =
      ".shared .align 1024 .b8 room[16384]; .shared .align 8 .b64 bar; .reg .b32 %sum<32>;\n"
      "mov.u32 %r1, %tid.x; mov.u32 %r2, room; add.u32 %r3, %r2, 8192; mov.u32 %r4, bar;\n"
      "setp.ne.u32 %p1, %r1, 0; @%p1 bra WAIT;\nmbarrier.init.shared.b64 [bar], 1;\n" +
      fmt::format("mbarrier.arrive.expect_tx.shared.b64 _, [bar], {};\n", 2 * bytes) +
      "mov.b64 %rd1, a; cvta.param.u64 %rd1, %rd1; mov.b64 %rd2, b; cvta.param.u64 %rd2, %rd2;\n" +
      copy + "[%r2], [%rd1, {0, 0}], [%r4];\n" + copy + "[%r3], [%rd2, {0, 0}], [%r4];\n" +
      "WAIT: bar.sync 0;\nTRY: mbarrier.try_wait.parity.shared.b64 %p2, [bar], 0;\n@!%p2 bra TRY;\n"
      "wgmma.fence.sync.aligned;\n";
  for (uint32_t at = 0; at < width; at += 32) {
    body += Descriptor("%rd3", at, width, mode) + Descriptor("%rd4", 8192 + at, width, mode) +
            "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {" + sums + "}, %rd3, %rd4, " +
            (at == 0 ? "0" : "1") + ", 1, 1, 0, 0;\n";
  }
  body += "wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n" +
          fmt::format("ld.param.u64 %rd5, [out]; mad.wide.u32 %rd5, %r1, {}, %rd5;\n", 4 * kSums);
  for (uint32_t i = 0; i < kSums; ++i) {
    body += fmt::format("st.global.b32 [%rd5+{}], %sum{};\n", 4 * i, i);
  }
  return KernelText(".param .align 64 .b8 a[128], .param .align 64 .b8 b[128], .param .u64 out",
                    body + "ret;");
}

TEST(WarpgroupMultiply, ReadsWhatTensorCopiesSwizzle) {
  struct Mode {
    TensorSwizzle swizzle;
    uint32_t width, bits;
  };
  for (const Mode mode : {Mode{TensorSwizzle::k32, 32, 3}, Mode{TensorSwizzle::k64, 64, 2},
                          Mode{TensorSwizzle::k128, 128, 1}}) {
    const uint32_t depth = mode.width / 2;
    SplitMix64 random(5);
    std::vector<uint16_t> a(kRows * depth), b(kRows * depth);
    std::vector<double> av(a.size()), bv(b.size());
    for (size_t i = 0; i < a.size(); ++i) {
      a[i] = static_cast<uint16_t>(Element(Type::kF16, &random, &av[i]));
      b[i] = static_cast<uint16_t>(Element(Type::kF16, &random, &bv[i]));
    }
    KernelRun run = KernelRun::FromText(Kernel(mode.width, mode.bits), {1, 1, 1}, {kThreads, 1, 1});
    const auto allocate = [&](const char* name, const std::vector<uint16_t>& from) {
      const uint64_t address = run.memory().Allocate(name, 2 * from.size());
      std::memcpy(run.memory().At(address), from.data(), 2 * from.size());
      return Parameter{MapOf(address, depth, mode.swizzle)};
    };
    run.Scalar(allocate("A", a)).Scalar(allocate("B", b));
    run.Buffer("out", std::vector<float>(kThreads * kSums)).Run();
    const std::vector<float> out = run.Contents<float>("out");
    for (uint32_t thread = 0; thread < kThreads; ++thread) {
      const uint32_t lane = thread % 32;
      for (uint32_t i = 0; i < kSums; ++i) {
        const uint32_t row = thread / 32 * 16 + lane / 4 + i % 4 / 2 * 8;
        const uint32_t column = i / 4 * 8 + lane % 4 * 2 + i % 2;
        double expected = 0;
        for (uint32_t k = 0; k < depth; ++k) {
          expected += av[row * depth + k] * bv[column * depth + k];
        }
        ASSERT_EQ(double{out[thread * kSums + i]}, expected) << mode.width << " " << thread;
      }
    }
  }
}

}  // namespace wgmma_tensor_copy_test
}  // namespace flagstone::conformance
