// suld.b and sust.b (PTX ISA, sections 9.7.11.1 and 9.7.11.2) of every geometry, width and mode.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/conformance/coverage.h"
#include "tests/unit/gpu_model/simt/kernel_run.h"

namespace flagstone::conformance {
namespace surface_test {

using ptx::Geometry;
using ptx::Opcode;
using ptx::SurfaceMode;

// 4 x 3 texels of 8 bytes, and 2 slices or layers.
constexpr int kRow = 32, kHeight = 3, kSlices = 2;

Texture Image() {
  Texture image;
  image.name = "image";
  image.width = 4;
  image.height = kHeight;
  image.depth = 1;
  image.layers = 1;
  image.channels = 2;
  image.type = ElementType::kU32;
  return image;
}

// Lanes 0 to 31 go to places inside and, but for .trap, outside of the surface.
struct Place {
  int x, y, z;
};
Place PlaceOf(int lane, int bytes, SurfaceMode mode) {
  const bool outside = mode != SurfaceMode::kTrap;
  const int steps = kRow / bytes + (outside ? 2 : 0);
  return {(lane % steps - (outside ? 1 : 0)) * bytes, lane / 3 % (outside ? 4 : 3),
          lane / 5 % (outside ? 3 : 2)};
}

bool IsFlat(Geometry g) { return g == Geometry::k1d || g == Geometry::kA1d; }

// The byte that a place begins at; -1: nothing is there.
int ByteOf(Place at, Geometry geometry, int bytes, SurfaceMode mode) {
  if (IsFlat(geometry)) at.y = 0;
  if (geometry == Geometry::k1d || geometry == Geometry::k2d) at.z = 0;
  const int height = IsFlat(geometry) ? 1 : kHeight;
  const auto outside = [](int value, int size) { return value < 0 || value >= size; };
  if (outside(at.x, kRow - bytes + 1) || outside(at.y, height) || outside(at.z, kSlices)) {
    if (mode == SurfaceMode::kZero) return -1;
    const auto clamp = [](int value, int most) { return value < 0 ? 0 : std::min(value, most); };
    at = {clamp(at.x, kRow - bytes), clamp(at.y, height - 1), clamp(at.z, kSlices - 1)};
  }
  return (at.z * height + at.y) * kRow + at.x;
}

const char* Coordinates(Geometry geometry) {
  switch (geometry) {
    case Geometry::k1d:
      return "{%r10}";
    case Geometry::k2d:
      return "{%r10, %r11}";
    case Geometry::kA1d:
      return "{%r12, %r10}";
    case Geometry::k3d:
      return "{%r10, %r11, %r12, %r12}";
    default:
      return "{%r12, %r10, %r11, %r11}";
  }
}

void CheckForm(const Form& form) {
  const ptx::Modifiers& m = form.instruction.modifiers;
  const bool loads = form.instruction.opcode == Opcode::kSuld;
  const int bytes = ptx::SizeInBytes(form.instruction.type);
  const char* reg = bytes == 8 ? "%rd9" : bytes == 4 ? "%r9" : "%rs9";
  Texture image = Image();
  if (IsFlat(m.geometry)) image.height = 1;
  if (m.geometry == Geometry::k3d) image.depth = kSlices;
  if (m.geometry == Geometry::kA1d || m.geometry == Geometry::kA2d) image.layers = kSlices;
  std::vector<uint8_t> texels(kRow * kHeight * kSlices);
  for (size_t i = 0; i < texels.size(); ++i) texels[i] = static_cast<uint8_t>(i + 1);
  std::vector<int32_t> places;
  for (int lane = 0; lane < 32; ++lane) {
    const Place at = PlaceOf(lane, bytes, m.surface_mode);
    places.insert(places.end(), {at.x, at.y, at.z, 0});
  }
  const std::string access =
      loads ? fmt::format("{} {}, [%rd8, {}];\n", form.head, reg, Coordinates(m.geometry))
            : fmt::format("{} [%rd8, {}], {};\n", form.head, Coordinates(m.geometry), reg);
  const char* width = bytes == 8 ? "b64" : bytes == 4 ? "b32" : bytes == 2 ? "b16" : "b8";
  const std::string body =
      "ld.param.u64 %rd0, [places]; ld.param.u64 %rd1, [values]; mov.u64 %rd8, image;\n"
      "mov.u32 %r0, %tid.x; mul.wide.u32 %rd2, %r0, 16; add.s64 %rd0, %rd0, %rd2;\n"
      "mul.wide.u32 %rd2, %r0, 8; add.s64 %rd1, %rd1, %rd2;\n"
      "ld.global.v4.u32 {%r10, %r11, %r12, %r13}, [%rd0];\n" +
      (loads ? access + fmt::format("st.global.{} [%rd1], {};\n", width, reg)
             : fmt::format("ld.global.{} {}, [%rd1];\n", width, reg) + access) +
      "ret;";
  KernelRun run = KernelRun::FromText(
      KernelText(".param .u64 places, .param .u64 values", body, ".global .surfref image;\n"));
  std::vector<uint64_t> values(32);
  for (size_t i = 0; i < 32; ++i) values[i] = loads ? 0 : 0x8182838485868788U + i;
  run.WithTexture(image, texels).Buffer("places", places).Buffer("values", values).Run();
  const std::vector<uint64_t> got = run.Contents<uint64_t>("values");
  std::vector<uint8_t> expected = texels;
  for (int lane = 0; lane < 32; ++lane) {
    const int at = ByteOf(PlaceOf(lane, bytes, m.surface_mode), m.geometry, bytes, m.surface_mode);
    for (int b = 0; b < bytes; ++b) {
      const auto i = static_cast<size_t>(lane);
      if (loads) {
        const uint64_t want = at < 0 ? 0 : texels[static_cast<size_t>(at + b)];
        ASSERT_EQ(got[i] >> (8 * b) & 0xff, want) << access << " lane " << lane;
      } else if (at >= 0) {
        expected[static_cast<size_t>(at + b)] = static_cast<uint8_t>(values[i] >> (8 * b));
      }
    }
  }
  if (!loads) {
    ASSERT_EQ(run.Contents<uint8_t>("image"), expected) << access;
  }
  Cover(form.instruction);
}

TEST(Surface, ReadsAndWritesBytesOfTexels) {
  for (const Form& form : FormsOf({Opcode::kSuld, Opcode::kSust})) CheckForm(form);
}

TEST(Surface, MovesVectors) {
  KernelRun run = KernelRun::FromText(KernelText(
      "",
      "mov.u64 %rd8, image; mov.u32 %r0, %tid.x; shl.b32 %r1, %r0, 4; mov.u32 %r2, 0; mov.u32 %r3, "
      "1;\nsetp.lt.u32 %p1, %r0, 2;\n@%p1 suld.b.2d.v4.b32.trap {%r4, %r5, %r6, %r7}, [%rd8, {%r1, "
      "%r2}];\n@%p1 sust.b.2d.v4.b32.trap [%rd8, {%r1, %r3}], {%r7, %r6, %r5, %r4};\nret;",
      ".global .surfref image;\n"));
  std::vector<uint32_t> texels(24);
  for (uint32_t i = 0; i < 24; ++i) texels[i] = i + 1;
  run.WithTexture(Image(), texels).Run();
  const std::vector<uint32_t> got = run.Contents<uint32_t>("image");
  for (uint32_t i = 0; i < 8; ++i) EXPECT_EQ(got[8 + i], i / 4 * 4 + 4 - i % 4);
}

TEST(Surface, FailsOutsideWithTrap) {
  KernelRun run =
      KernelRun::FromText(KernelText("",
                                     "mov.u64 %rd8, image; mov.u32 %r1, 32; mov.u32 %r2, 0;\n"
                                     "suld.b.2d.b32.trap %r4, [%rd8, {%r1, %r2}];\nret;",
                                     ".global .surfref image;\n"));
  run.WithTexture(Image(), std::vector<uint32_t>(24));
  const std::string message = MessageOf(ErrorKind::kRunFailed, [&] { run.Run(); });
  EXPECT_NE(message.find("outside of surface 'image'"), std::string::npos) << message;
}

}  // namespace surface_test
}  // namespace flagstone::conformance
