// txq, suq, and samplers beside textures (PTX ISA, sections 5.3 and 9.7.10).
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <bit>
#include <map>
#include <string>
#include <vector>

#include "tests/unit/conformance/coverage.h"
#include "tests/unit/gpu_model/simt/kernel_run.h"

namespace flagstone {
namespace texture_query_test {

Texture Described() {
  Texture texture;
  texture.name = "image";
  texture.width = 8;
  texture.height = 4;
  texture.layers = 6;
  texture.channels = 2;
  texture.type = ElementType::kS16;
  texture.address_mode = AddressMode::kBorder;
  texture.linear = true;
  texture.normalized = true;
  return texture;
}

TEST(TextureQueries, TellWhatTheLaunchDescribes) {
  // By the ISA's words; channels by OpenCL's numbers: CL_SIGNED_INT16, CL_RG.
  const std::map<std::string, uint32_t> expected = {
      {"txq.width", 8},
      {"txq.height", 4},
      {"txq.depth", 1},
      {"txq.array_size", 6},
      {"txq.channel_data_type", 0x10d8},
      {"txq.channel_order", 0x10b2},
      {"txq.normalized_coords", 1},
      {"txq.num_mipmap_levels", 1},
      {"txq.num_samples", 1},
      {"txq.filter_mode", 1},
      {"txq.addr_mode_0", 4},
      {"txq.addr_mode_1", 4},
      {"txq.addr_mode_2", 4},
      {"txq.force_unnormalized_coords", 0},
      {"txq.level.width", 8},
      {"txq.level.height", 4},
      {"txq.level.depth", 1},
      {"suq.width", 8},
      {"suq.height", 4},
      {"suq.depth", 1},
      {"suq.array_size", 6},
      {"suq.channel_data_type", 0x10d8},
      {"suq.channel_order", 0x10b2},
      {"suq.memory_layout", 1},
  };
  const std::vector<conformance::Form> forms = conformance::FormsOf({ptx::Opcode::kTxq});
  EXPECT_EQ(forms.size(), expected.size());
  for (const conformance::Form& form : forms) {
    std::string name = form.text.substr(0, form.text.find(".b32"));
    const std::string body =
        "ld.param.u64 %rd2, [out]; ld.param.u64 %rd1, [handle];\n"
        "mov.u32 %r2, 0;\n" +
        form.text + "\nst.global.u32 [%rd2], %r1;\nret;";
    KernelRun run = KernelRun::FromText(KernelText(".param .u64 out, .param .u64 handle", body));
    run.Buffer("out", std::vector<uint32_t>(1, 77)).Scalar(TextureHandle(0));
    run.WithTexture(Described(), std::vector<uint32_t>(8 * 4 * 6)).Run();
    EXPECT_EQ(run.Contents<uint32_t>("out")[0], expected.at(name)) << form.text;
    conformance::Cover(form.instruction);
  }
}

// A texture of 0, 1, 2, 3 that is read at 1.5 by its own modes, nearest and clamped, or a
// sampler's.
float At(const std::string& coordinate, const std::string& sampler, const std::string& before,
         bool with_other) {
  const std::string body =
      "ld.param.u64 %rd2, [out]; ld.param.u64 %rd3, [handle];\n"
      "tex.1d.v4.f32.f32 {%f10, %f11, %f12, %f13}, [image, " +
      sampler + "{" + coordinate + "}];\nst.global.f32 [%rd2], %f10;\nret;";
  KernelRun run = KernelRun::FromText(
      KernelText(".param .u64 out, .param .u64 handle", body, ".global .texref image;\n" + before));
  run.Buffer("out", std::vector<float>(1, 77)).Scalar(TextureHandle(1));
  Texture image;
  image.name = "image";
  image.width = 4;
  run.WithTexture(image, std::vector<float>{0, 1, 2, 3});
  if (with_other) {
    image.name = "s";
    image.address_mode = AddressMode::kBorder;
    image.linear = true;
    run.WithTexture(image, std::vector<float>(4));
  }
  for (const ptx::Instruction& instruction : run.launch().kernel->instructions) {
    if (instruction.opcode == ptx::Opcode::kTex) conformance::Cover(instruction);
  }
  run.Run();
  return run.Contents<float>("out")[0];
}

TEST(Samplers, SayHowATextureIsRead) {
  const std::string half = "0f3FC00000";  // 1.5: between the texels 1 and 2, in the middle of 1
  const std::string between = "0f40000000";
  const std::string outside = "0fC1000000";
  EXPECT_EQ(At(between, "", "", false), 2);
  EXPECT_EQ(At(between, "s, ", ".global .samplerref s;\n", false), 2);   // the texture's own modes
  EXPECT_EQ(At(between, "s, ", ".global .samplerref s;\n", true), 1.5);  // those of [texture.s]
  EXPECT_EQ(At(between, "%rd3, ", "", true), 1.5);
  EXPECT_EQ(At(half, "%rd3, ", "", true), 1);
  EXPECT_EQ(At(outside, "", "", false), 0);
  EXPECT_EQ(At(outside, "%rd3, ", "", true), 0);
}

// As OpenCL's compilers pass them.
TEST(TextureParameters, HoldHandles) {
  KernelRun run = KernelRun::FromText(
      KernelText(".param .u64 out, .param .texref t, .param .samplerref s",
                 "ld.param.u64 %rd2, [out]; txq.width.b32 %r1, [t]; txq.filter_mode.b32 %r2, [s];\n"
                 "tex.1d.v4.f32.f32 {%f10, %f11, %f12, %f13}, [t, s, {0f40000000}];\n"
                 "st.global.u32 [%rd2], %r1; st.global.u32 [%rd2+4], %r2; st.global.f32 [%rd2+8], "
                 "%f10;\nret;"));
  run.Buffer("out", std::vector<uint32_t>(3)).Scalar(TextureHandle(0)).Scalar(TextureHandle(1));
  Texture image;
  image.name = "image";
  image.width = 4;
  run.WithTexture(image, std::vector<float>{0, 1, 2, 3});
  image.name = "sampler";
  image.linear = true;
  run.WithTexture(image, std::vector<float>(4)).Run();
  const std::vector<uint32_t> out = run.Contents<uint32_t>("out");
  EXPECT_EQ(out[0], 4U);
  EXPECT_EQ(out[1], 1U);
  EXPECT_EQ(std::bit_cast<float>(out[2]), 1.5F);
}

}  // namespace texture_query_test
}  // namespace flagstone
