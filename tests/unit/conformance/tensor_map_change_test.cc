// tensormap.replace and tensormap.cp_fenceproxy (PTX ISA, sections 9.7.9.28 and 9.7.13.16): maps
// that kernels make of nothing or change, in shared and in global memory.
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <string>
#include <vector>

#include "tests/unit/conformance/coverage.h"
#include "tests/unit/conformance/tensor_run.h"
#include "tests/unit/gpu_model/simt/kernel_run.h"
#include "tests/unit/gpu_model/simt/stepped_launch.h"

namespace flagstone::conformance {
namespace tensor_map_change_test {

using ::testing::HasSubstr;

constexpr uint32_t kElements = 24 * 12;

// Fields of a map of a tensor of 24 x 12 floats at %rd1, of which a box takes 16 x 3 of each second
// row, swizzled, with NaNs outside; the map is at `at`, in this space.
std::string Fields(const std::string& space, const std::string& at) {
  const auto line = [&](const std::string& field, const std::string& type,
                        const std::string& values) {
    return fmt::format("tensormap.replace.tile.{}{}.b1024.{} [{}], {};\n", field, space, type, at,
                       values);
  };
  return line("global_address", "b64", "%rd1") + line("rank", "b32", "1") +
         line("box_dim", "b32", "0, 16") + line("box_dim", "b32", "1, %r30") +
         line("global_dim", "b32", "0, 24") + line("global_dim", "b32", "1, 12") +
         line("global_stride", "b64", "0, 96") + line("element_stride", "b32", "0, 1") +
         line("element_stride", "b32", "1, 2") + line("elemtype", "b32", "7") +
         line("interleave_layout", "b32", "0") + line("swizzle_mode", "b32", "2") +
         line("swizzle_atomicity", "b32", "0") + line("fill_mode", "b32", "1");
}

// Loads the box at (10, 8) by the map at %rd4 and hands it out.
constexpr char kLoad[] =
    "mbarrier.init.shared.b64 [bar], 1;\nmbarrier.arrive.expect_tx.shared.b64 _, [bar], 192;\n"
    "cp.async.bulk.tensor.2d.shared::cta.global.tile.mbarrier::complete_tx::bytes [box], [%rd4, "
    "{10, 8}], [bar];\n"
    "WAIT: bar.sync 0;\nTRY: mbarrier.try_wait.parity.shared.b64 %p2, [bar], 0;\n@!%p2 bra TRY;\n"
    "mov.u32 %r21, box; shl.b32 %r20, %r1, 2; add.u32 %r21, %r21, %r20; cvt.u64.u32 %rd6, %r20;\n"
    "add.s64 %rd6, %rd2, %rd6; ld.shared.u32 %r22, [%r21]; st.global.u32 [%rd6], %r22;\n"
    "ld.shared.u32 %r22, [%r21+128]; setp.lt.u32 %p3, %r1, 16; @%p3 st.global.u32 [%rd6+128], "
    "%r22;\nret;";

std::string Kernel(const std::string& make) {
  return KernelText(
      ".param .u64 tensor, .param .u64 out, .param .u64 maps",
      ".shared .align 128 .b8 box[256]; .shared .align 128 .b8 map[128];\n"
      ".shared .align 8 .b64 bar;\nld.param.u64 %rd1, [tensor]; ld.param.u64 %rd2, [out];\n"
      "ld.param.u64 %rd4, [maps]; mov.u32 %r1, %tid.x; mov.u32 %r2, map; mov.u32 %r30, 5;\n"
      "setp.ne.u32 %p1, %r1, 0;\nshl.b32 %r3, %r1, 2; add.u32 %r3, %r3, %r2; mov.u32 %r4, 0;\n"
      "st.shared.u32 [%r3], %r4;\nbar.warp.sync -1;\n" +
          make + "@%p1 bra WAIT;\n" + kLoad);
}

KernelRun RunOf(const std::string& make, const std::vector<MapParameter>& maps) {
  std::vector<uint32_t> tensor(kElements);
  std::iota(tensor.begin(), tensor.end(), 100U);
  KernelRun run = KernelRun::FromText(Kernel(make));
  run.Buffer("tensor", tensor).Buffer("out", std::vector<uint32_t>(48)).Buffer("maps", maps);
  return run;
}

std::vector<uint32_t> Expected() {
  std::vector<uint32_t> out(48);
  for (uint32_t i = 0; i < 48; ++i) {
    const uint32_t x = 10 + i % 16, y = 8 + 2 * (i / 16);
    // Rows of 64 bytes: two of them are a line of 128, which says how its units of 16 change
    // places.
    const uint32_t unit = i / 4, line = unit / 8;
    const uint32_t place = (line * 8 + (unit % 8 ^ line % 4)) * 4 + i % 4;
    if (place < out.size()) out[place] = x < 24 && y < 12 ? 100 + y * 24 + x : 0x7fffffff;
  }
  return out;
}

constexpr char kPublish[] =
    "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned "
    "[%rd4], [%r2], 128;\nfence.proxy.tensormap::generic.acquire.gpu [%rd4], 128;\n";

void Check(const std::string& make, const std::vector<MapParameter>& maps) {
  KernelRun run = RunOf(make, maps);
  CoverOpcodes(*run.launch().kernel, {ptx::Opcode::kTensormap});
  run.Run();
  EXPECT_EQ(run.Contents<uint32_t>("out"), Expected()) << make;
  KernelRun stepped = RunOf(make, maps);
  SteppedLaunch launch(stepped);
  launch.Run();
  EXPECT_EQ(stepped.Contents<uint32_t>("out"), Expected()) << make;
}

TEST(TensorMapChange, MakesAMapOfZerosInSharedMemoryAndPublishesIt) {
  const std::string one = "@%p1 bra MADE;\n";
  Check(one + Fields(".shared::cta", "%r2") + "MADE: bar.warp.sync -1;\n" + kPublish,
        std::vector<MapParameter>(1));
  Check("cvt.u64.u32 %rd7, %r2; cvta.shared.u64 %rd7, %rd7;\n" + one + Fields("", "%rd7") +
            "MADE: bar.warp.sync -1;\n" + kPublish,
        std::vector<MapParameter>(1));
}

TEST(TensorMapChange, ChangesAMapInGlobalMemory) {
  MapParameter other;
  other.map.dimensions = 5;
  other.map.swizzle = TensorSwizzle::k128;
  other.map.steps = {8, 8, 8, 8, 8};
  Check("@%p1 bra MADE;\n" + Fields(".global", "%rd4") +
            "fence.proxy.tensormap::generic.release.gpu;\nMADE: bar.warp.sync -1;\n",
        {other});
}

std::string MessageOfChange(const std::string& make) {
  return MessageOf(ErrorKind::kRunFailed, [&] { RunOf(make, std::vector<MapParameter>(1)).Run(); });
}

TEST(TensorMapChange, FailsWhereAFieldHasNoSuchValueOrPlace) {
  const auto field = [](const std::string& text) {
    return MessageOfChange("tensormap.replace.tile." + text + ";\n");
  };
  EXPECT_THAT(field("rank.shared::cta.b1024.b32 [%r2], 5"),
              HasSubstr("change of a tensor map's rank 5: expected at most 4, by thread (0,0,0)"));
  EXPECT_THAT(field("swizzle_mode.shared::cta.b1024.b32 [%r2], 4"),
              HasSubstr("swizzle mode 4: expected at most 3"));
  EXPECT_THAT(field("interleave_layout.shared::cta.b1024.b32 [%r2], 1"),
              HasSubstr("interleave layout 1: expected at most 0"));
  EXPECT_THAT(field("elemtype.shared::cta.b1024.b32 [%r2], 13"),
              HasSubstr("element type 13: expected at most 12"));
  EXPECT_THAT(field("fill_mode.shared::cta.b1024.b32 [%r2], 2"), HasSubstr("expected at most 1"));
  EXPECT_THAT(field("element_stride.shared::cta.b1024.b32 [%r2], 0, 9"),
              HasSubstr("element stride 9: expected at most 8"));
  EXPECT_THAT(field("box_dim.shared::cta.b1024.b32 [%r2], 0, 257"),
              HasSubstr("box dimension 257: expected at most 256"));
  EXPECT_THAT(field("global_stride.shared::cta.b1024.b64 [%r2], 4, 16"),
              HasSubstr("dimension 4: expected 0 to 3"));
  EXPECT_THAT(field("rank.shared::cta.b1024.b32 [%r2+16], 1"), HasSubstr("misaligned"));
  EXPECT_THAT(field("rank.shared::cta.b1024.b32 [%r2+64], 1"), HasSubstr("out-of-bounds"));
  EXPECT_THAT(MessageOfChange("st.shared.u32 [%r2], 7;\n"
                              "tensormap.replace.tile.rank.shared::cta.b1024.b32 [%r2], 1;\n"),
              HasSubstr("change of what is no tensor map"));
}

// A map of which something is not set, or set to what a copy cannot do, fails the copy.
TEST(TensorMapChange, LeavesACopyThatNamesWhatIsWrong) {
  const auto made = [](const std::string& without, const std::string& instead) {
    std::string fields = Fields(".shared::cta", "%r2");
    const size_t at = fields.find("tensormap.replace.tile." + without);
    fields.replace(at, fields.find('\n', at) + 1 - at, instead);
    return MessageOfChange("@%p1 bra MADE;\n" + fields + "MADE: bar.warp.sync -1;\n" + kPublish);
  };
  EXPECT_THAT(made("elemtype", ""), HasSubstr("elements without a type"));
  EXPECT_THAT(made("rank", ""), HasSubstr("no tensor map of 2 dimensions"));
  EXPECT_THAT(made("box_dim", ""), HasSubstr("a box of 0 elements in dimension 0"));
  EXPECT_THAT(made("global_dim", ""), HasSubstr("a tensor of 0 elements in dimension 0"));
  EXPECT_THAT(made("element_stride", ""), HasSubstr("steps of 0 elements in dimension 0"));
  EXPECT_THAT(made("global_stride",
                   "tensormap.replace.tile.global_stride.shared::cta.b1024.b64 [%r2], 0, 100;\n"),
              HasSubstr("a stride of 100 bytes in dimension 1"));
  EXPECT_THAT(
      made("swizzle_mode", "tensormap.replace.tile.swizzle_mode.shared::cta.b1024.b32 [%r2], 1;\n"),
      HasSubstr("expected at most 32 with this swizzle"));
  EXPECT_THAT(made("global_address",
                   "add.s64 %rd1, %rd1, 8;\ntensormap.replace.tile."
                   "global_address.shared::cta.b1024.b64 [%r2], %rd1;\n"),
              HasSubstr("expected a multiple of 16"));
}

TEST(TensorMapChange, IsReadAndRefusedWhereTheIsaHasNoSuchForm) {
  const auto refusal = [](const std::string& text) {
    const auto module = ptx::Parse(KernelText("", text + "\nret;"), "k.ptx");
    const auto& refusals = module->kernels[0]->refusals;
    return refusals.empty() ? "" : refusals[0].reason;
  };
  EXPECT_THAT(refusal("tensormap.replace.tile.rank.global.b1024.b64 [%rd1], %rd2;"),
              HasSubstr("'.b32'"));
  EXPECT_THAT(refusal("tensormap.replace.tile.global_address.global.b1024.b32 [%rd1], %r2;"),
              HasSubstr("'.b64'"));
  EXPECT_THAT(refusal("tensormap.replace.tile.global.b1024.b32 [%rd1], %r2;"),
              HasSubstr("a field such as '.global_address'"));
  EXPECT_THAT(refusal("tensormap.replace.tile.box_dim.global.b1024.b32 [%rd1], %r1, %r2;"),
              HasSubstr("a number"));
  EXPECT_THAT(refusal("tensormap.replace.tile.box_dim.global.b1024.b32 [%rd1], %r2;"),
              HasSubstr("3 operands"));
  EXPECT_THAT(refusal("tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu "
                      "[%rd1], [%r1], 128;"),
              HasSubstr(".sync.aligned"));
}

}  // namespace tensor_map_change_test
}  // namespace flagstone::conformance
