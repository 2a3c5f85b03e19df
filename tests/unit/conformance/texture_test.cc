// tex against a host oracle that follows the CUDA C++ Programming Guide, "Texture Fetching".
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "base/random.h"
#include "tests/unit/conformance/coverage.h"
#include "tests/unit/gpu_model/simt/kernel_run.h"

namespace flagstone {
namespace texture_test {

using Four = std::array<uint32_t, 4>;
using Coordinates = std::array<uint32_t, 4>;  // as bits, in the order of the instruction's vector

uint32_t Bits(float value) { return std::bit_cast<uint32_t>(value); }
Coordinates Floats(float x, float y = 0, float z = 0) { return {Bits(x), Bits(y), Bits(z), 0}; }

// Runs one fetch per element of `places`. `operands` is what stands in the brackets behind the
// texture, with %r10 to %r13 for the coordinates' bits.
template <class T>
std::vector<Four> Fetch(const std::string& name, const std::string& operands, Texture texture,
                        const std::vector<T>& texels, const std::vector<Coordinates>& places,
                        bool by_handle = false, const std::string& level = "") {
  const auto tbs = static_cast<uint32_t>((places.size() + 31) / 32);
  std::vector<Coordinates> padded = places;
  padded.resize(size_t{tbs} * 32);
  const std::string body =
      "ld.param.u64 %rd1, [places];\nld.param.u64 %rd2, [results];\nld.param.u64 %rd9, [handle];\n"
      "mov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\nmad.lo.u32 %r3, %r2, 32, %r1;\n"
      "mul.wide.u32 %rd3, %r3, 16;\nadd.s64 %rd4, %rd1, %rd3;\nadd.s64 %rd5, %rd2, %rd3;\n"
      "ld.global.v4.u32 {%r10, %r11, %r12, %r13}, [%rd4];\n"
      "mov.b32 %f10, %r10;\nmov.b32 %f11, %r11;\nmov.b32 %f12, %r12;\nmov.b32 %f13, %r13;\n" +
      fmt::format("{} {{%r20, %r21, %r22, %r23}}, [{}, {}]{};\n", name,
                  by_handle ? "%rd9" : "image", operands, level) +
      "st.global.v4.u32 [%rd5], {%r20, %r21, %r22, %r23};\nret;";
  std::string text = KernelText(".param .u64 places, .param .u64 results, .param .u64 handle", body,
                                ".global .texref image;");
  // Results come as bits of whatever type.
  const bool floats = name.find(".v4.f32.") != std::string::npos;
  if (floats) {
    const size_t at = text.find("{%r20, %r21, %r22, %r23}, [");
    text.replace(at, 24, "{%f20, %f21, %f22, %f23}");
    const size_t store = text.find("st.global.v4.u32");
    text.replace(store, 16, "st.global.v4.f32");
    text.replace(text.find("{%r20", store), 24, "{%f20, %f21, %f22, %f23}");
  }
  KernelRun run = KernelRun::FromText(text, {tbs, 1, 1});
  run.Buffer("places", padded).Buffer("results", std::vector<Four>(padded.size()));
  run.Scalar(TextureHandle(0));
  texture.name = "image";
  run.WithTexture(texture, texels);
  run.Run();
  std::vector<Four> results = run.Contents<Four>("results");
  results.resize(places.size());
  return results;
}

Texture Image(uint32_t width, uint32_t height = 1, uint32_t depth = 1) {
  Texture texture;
  texture.width = width;
  texture.height = height;
  texture.depth = depth;
  return texture;
}

// An index along one axis, reflected or moved step by step until it lies inside; -1: the border.
int Inside(AddressMode mode, int i, int n) {
  while (i < 0 || i >= n) {
    switch (mode) {
      case AddressMode::kClamp:
        i = i < 0 ? 0 : n - 1;
        break;
      case AddressMode::kWrap:
        i += i < 0 ? n : -n;
        break;
      case AddressMode::kMirror:
        i = i < 0 ? -1 - i : 2 * n - 1 - i;
        break;
      case AddressMode::kBorder:
        return -1;
    }
  }
  return i;
}

// Texels that are integers below 2^12: all weighted sums are exact in double precision.
std::vector<float> Numbers(size_t count) {
  std::vector<float> texels(count);
  for (size_t i = 0; i < count; ++i) texels[i] = static_cast<float>((i * 2654435761U >> 7) & 4095);
  return texels;
}

float TexelAt(const Texture& t, const std::vector<float>& texels, int x, int y, int z) {
  x = Inside(t.address_mode, x, static_cast<int>(t.width));
  y = Inside(t.address_mode, y, static_cast<int>(t.height));
  z = Inside(t.address_mode, z, static_cast<int>(t.depth));
  if (x < 0 || y < 0 || z < 0) return 0;
  return texels[static_cast<size_t>(
      (z * static_cast<int>(t.height) + y) * static_cast<int>(t.width) + x)];
}

double Mix(double a, double b, double weight) { return (1 - weight) * a + weight * b; }

// The guide's formulas: along x, then y, then z. Coordinates in texels.
float Expected(const Texture& t, const std::vector<float>& texels, double x, double y, double z,
               int dimensions) {
  const auto floor = [](double v) { return static_cast<int>(std::floor(v)); };
  if (!t.linear) {
    return TexelAt(t, texels, floor(x), dimensions > 1 ? floor(y) : 0,
                   dimensions > 2 ? floor(z) : 0);
  }
  const auto fraction = [](double v) { return v - std::floor(v); };
  const double xb = x - 0.5, yb = y - 0.5, zb = z - 0.5;
  const auto row = [&](int j, int k) {
    return Mix(TexelAt(t, texels, floor(xb), j, k), TexelAt(t, texels, floor(xb) + 1, j, k),
               fraction(xb));
  };
  const auto plane = [&](int k) {
    return dimensions == 1 ? row(0, k)
                           : Mix(row(floor(yb), k), row(floor(yb) + 1, k), fraction(yb));
  };
  if (dimensions < 3) return static_cast<float>(plane(0));
  return static_cast<float>(Mix(plane(floor(zb)), plane(floor(zb) + 1), fraction(zb)));
}

struct Case {
  int dimensions;
  bool linear;
  AddressMode mode;
};

class TextureFetch : public testing::TestWithParam<Case> {};

// Weights are multiples of 1/256 here; normalized coordinates are exact, as sizes are powers of
// two.
TEST_P(TextureFetch, FollowsTheGuideInsideAndOutside) {
  const auto [dimensions, linear, mode] = GetParam();
  const bool repeats = mode == AddressMode::kWrap || mode == AddressMode::kMirror;
  for (const bool normalized : {true, false}) {
    if (repeats && !normalized) continue;
    Texture t = Image(16, dimensions > 1 ? 8 : 1, dimensions > 2 ? 4 : 1);
    t.linear = linear;
    t.normalized = normalized;
    t.address_mode = mode;
    const std::vector<float> texels = Numbers(t.Texels());
    SplitMix64 random(7);
    std::vector<Coordinates> places;
    std::vector<std::array<double, 3>> in_texels;
    for (int i = 0; i < 500; ++i) {
      std::array<double, 3> at = {};
      std::array<float, 3> given = {};
      const std::array<uint32_t, 3> sizes = {t.width, t.height, t.depth};
      for (size_t axis = 0; axis < 3; ++axis) {
        // Three sizes to either side; never on the edge of a texel, where a mirror may round.
        const double n = sizes[axis];
        at[axis] = std::floor((random.Unit() * 7 - 3) * n * 128) / 128 + 1.0 / 256;
        given[axis] = static_cast<float>(normalized ? at[axis] / n : at[axis]);
      }
      places.push_back(Floats(given[0], given[1], given[2]));
      in_texels.push_back(at);
    }
    const char* names[] = {"1d", "2d", "3d"};
    const char* operands[] = {"{%f10}", "{%f10, %f11}", "{%f10, %f11, %f12, %f13}"};
    const auto got = Fetch(fmt::format("tex.{}.v4.f32.f32", names[dimensions - 1]),
                           operands[dimensions - 1], t, texels, places);
    for (size_t i = 0; i < places.size(); ++i) {
      const auto [x, y, z] = in_texels[i];
      ASSERT_EQ(std::bit_cast<float>(got[i][0]), Expected(t, texels, x, y, z, dimensions))
          << x << " " << y << " " << z << (normalized ? " normalized" : "");
      EXPECT_EQ(got[i][1], 0U) << "a channel that is not there";
    }
  }
}

std::vector<Case> AllCases() {
  std::vector<Case> cases;
  for (const int dimensions : {1, 2, 3}) {
    for (const bool linear : {false, true}) {
      for (const AddressMode mode :
           {AddressMode::kClamp, AddressMode::kWrap, AddressMode::kMirror, AddressMode::kBorder}) {
        cases.push_back({dimensions, linear, mode});
      }
    }
  }
  return cases;
}
INSTANTIATE_TEST_SUITE_P(Modes, TextureFetch, testing::ValuesIn(AllCases()));

TEST(TextureFilter, RoundsItsWeightsTo256Steps) {
  Texture t = Image(4);
  t.linear = true;
  const std::vector<float> texels = {0, 256, 512, 1024};
  // Between the texels 0 and 1, whose middles lie at 0.5 and 1.5.
  const auto got = Fetch("tex.1d.v4.f32.f32", "{%f10}", t, texels,
                         {Floats(0.5F), Floats(0.5F + 0.49F / 256), Floats(0.5F + 0.51F / 256),
                          Floats(1.5F - 0.49F / 256)});
  EXPECT_EQ(std::bit_cast<float>(got[0][0]), 0);
  EXPECT_EQ(std::bit_cast<float>(got[1][0]), 0);
  EXPECT_EQ(std::bit_cast<float>(got[2][0]), 1);
  EXPECT_EQ(std::bit_cast<float>(got[3][0]), 256) << "a weight of one is exact";
}

TEST(TextureCoordinates, ThatAreNoNumbersOrFarOutsideAreSafe) {
  Texture t = Image(4);
  const std::vector<float> texels = {10, 20, 30, 40};
  const float inf = std::numeric_limits<float>::infinity();
  for (const bool linear : {false, true}) {
    t.linear = linear;
    const auto got = Fetch("tex.1d.v4.f32.f32", "{%f10}", t, texels,
                           {Floats(inf), Floats(-inf), Floats(NAN), Floats(1e30F)});
    EXPECT_EQ(std::bit_cast<float>(got[0][0]), 40);
    EXPECT_EQ(std::bit_cast<float>(got[1][0]), 10);
    EXPECT_EQ(std::bit_cast<float>(got[2][0]), 10);
    EXPECT_EQ(std::bit_cast<float>(got[3][0]), 40);
  }
}

TEST(TextureElements, AreReadAsTheyAreOrAsFractions) {
  const auto signed_word = [](int value) { return static_cast<uint32_t>(value); };
  Texture t = Image(4);
  const std::vector<Coordinates> all = {{0}, {1}, {2}, {3}};
  const auto as_they_are = [&](const auto& texels, ElementType type, const char* name) {
    t.type = type;
    t.normalized_float = false;
    std::vector<uint32_t> got;
    for (const Four& four : Fetch(name, "{%r10}", t, texels, all)) got.push_back(four[0]);
    return got;
  };
  EXPECT_EQ(
      as_they_are(std::vector<uint8_t>{0, 1, 200, 255}, ElementType::kU8, "tex.1d.v4.u32.s32"),
      (std::vector<uint32_t>{0, 1, 200, 255}));
  EXPECT_EQ(
      as_they_are(std::vector<int8_t>{0, -1, 127, -128}, ElementType::kS8, "tex.1d.v4.s32.s32"),
      (std::vector<uint32_t>{0, signed_word(-1), 127, signed_word(-128)}));
  EXPECT_EQ(as_they_are(std::vector<int16_t>{0, -1, 32767, -32768}, ElementType::kS16,
                        "tex.1d.v4.s32.s32"),
            (std::vector<uint32_t>{0, signed_word(-1), 32767, signed_word(-32768)}));
  EXPECT_EQ(as_they_are(std::vector<uint16_t>{0, 1, 40000, 65535}, ElementType::kU16,
                        "tex.1d.v4.u32.s32"),
            (std::vector<uint32_t>{0, 1, 40000, 65535}));
  EXPECT_EQ(
      as_they_are(std::vector<float>{0, 1, -2.5F, 1e30F}, ElementType::kF32, "tex.1d.v4.f32.s32"),
      (std::vector<uint32_t>{0, Bits(1), Bits(-2.5F), Bits(1e30F)}));
  EXPECT_EQ(as_they_are(std::vector<uint32_t>{0, 7, 0x80000000U, 0xffffffffU}, ElementType::kU32,
                        "tex.1d.v4.u32.s32"),
            (std::vector<uint32_t>{0, 7, 0x80000000U, 0xffffffffU}));
  const auto as_fractions = [&](const auto& texels, ElementType type) {
    t.type = type;
    t.normalized_float = true;
    std::vector<float> got;
    for (const Four& four : Fetch("tex.1d.v4.f32.s32", "{%r10}", t, texels, all)) {
      got.push_back(std::bit_cast<float>(four[0]));
    }
    return got;
  };
  EXPECT_EQ(as_fractions(std::vector<uint8_t>{0, 51, 255, 1}, ElementType::kU8),
            (std::vector<float>{0, 0.2F, 1, 1.0F / 255}));
  EXPECT_EQ(as_fractions(std::vector<int8_t>{0, 127, -127, -128}, ElementType::kS8),
            (std::vector<float>{0, 1, -1, -1}));
  EXPECT_EQ(as_fractions(std::vector<uint16_t>{0, 13107, 65535, 1}, ElementType::kU16),
            (std::vector<float>{0, 0.2F, 1, 1.0F / 65535}));
  EXPECT_EQ(as_fractions(std::vector<int16_t>{0, 32767, -32767, -32768}, ElementType::kS16),
            (std::vector<float>{0, 1, -1, -1}));
}

TEST(TextureElements, ComeInOneTwoOrFourChannels) {
  for (const uint32_t channels : {1U, 2U, 4U}) {
    Texture t = Image(4);
    t.type = ElementType::kS32;
    t.channels = channels;
    std::vector<int32_t> texels(4 * channels);
    for (size_t i = 0; i < texels.size(); ++i) texels[i] = static_cast<int32_t>(i) + 1;
    const Four got = Fetch("tex.1d.v4.s32.s32", "{%r10}", t, texels, {{2}})[0];
    for (uint32_t c = 0; c < 4; ++c) EXPECT_EQ(got[c], c < channels ? 2 * channels + c + 1 : 0U);
  }
}

TEST(TextureForms, TakeLayersFacesLevelsAndHandles) {
  Texture layered = Image(2, 2);
  layered.layers = 3;
  const std::vector<float> texels = Numbers(12);
  const auto of = [&](uint32_t layer) -> Coordinates { return {layer, Bits(1.5F), Bits(0.5F), 0}; };
  const auto got = Fetch("tex.a2d.v4.f32.f32", "{%r10, %f11, %f12, %f13}", layered, texels,
                         {of(0), of(2), of(9)});
  EXPECT_EQ(std::bit_cast<float>(got[0][0]), texels[1]);
  EXPECT_EQ(std::bit_cast<float>(got[1][0]), texels[9]);
  EXPECT_EQ(std::bit_cast<float>(got[2][0]), texels[9]) << "the last layer stands for those above";

  Texture rows = Image(4);
  rows.layers = 3;
  const Coordinates in_row = {1, Bits(2.5F), 0, 0};
  EXPECT_EQ(std::bit_cast<float>(
                Fetch("tex.a1d.v4.f32.f32", "{%r10, %f11}", rows, texels, {in_row})[0][0]),
            texels[6]);

  // The middle of each face, and a place right of and above the middle of +x: towards -z and +y.
  Texture cube = Image(2, 2);
  cube.layers = 6;
  std::vector<float> faces(24);
  for (size_t i = 0; i < faces.size(); ++i) faces[i] = static_cast<float>(i);
  const auto fetched =
      Fetch("tex.cube.v4.f32.f32", "{%f10, %f11, %f12, %f13}", cube, faces,
            {Floats(1, 0.5F, -0.5F), Floats(-3, -1, -1), Floats(0.1F, 2, 0.1F),
             Floats(0.1F, -2, 0.1F), Floats(0.2F, 0.1F, 5), Floats(0.2F, 0.1F, -5)});
  // Of a face of 2x2 texels: s right of the middle is x = 1, t below the middle is y = 1.
  const std::vector<float> expected = {0 + 1, 4 + 2, 8 + 3, 12 + 1, 16 + 1, 20 + 0};
  for (size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(std::bit_cast<float>(fetched[i][0]), expected[i]) << "face " << i;
  }

  Texture plane = Image(2, 2);
  EXPECT_EQ(std::bit_cast<float>(Fetch("tex.2d.v4.f32.f32", "{%f10, %f11}", plane, texels,
                                       {Floats(1.5F, 1.5F)}, /*by_handle=*/true)[0][0]),
            texels[3]);
  const Coordinates whole = {1, 1, 0, 0};
  EXPECT_EQ(std::bit_cast<float>(
                Fetch("tex.2d.v4.f32.s32", "{%r10, %r11}", plane, texels, {whole})[0][0]),
            texels[3]);
}

TEST(TextureForms, ReadTheOnlyLevelWhateverTheLevel) {
  KernelRun run = KernelRun::FromText(
      KernelText(".param .u64 out",
                 "ld.param.u64 %rd1, [out];\nmov.f32 %f1, 0f3FC00000;\n"
                 "tex.level.2d.v4.f32.f32 {%f2, %f3, %f4, %f5}, [image, {%f1, %f1}], %f1;\n"
                 "st.global.f32 [%rd1], %f2;\nret;",
                 ".global .texref image;"));
  Texture t = Image(2, 2);
  t.name = "image";
  run.Buffer("out", std::vector<float>(1)).WithTexture(t, std::vector<float>{1, 2, 3, 4}).Run();
  EXPECT_EQ(run.Contents<float>("out")[0], 4);
}

// Texel i of a texture of ones and a two is read by the coordinates of its own middle.
TEST(TextureForms, OfEveryTypeAndGeometryFindTheirTexel) {
  for (const conformance::Form& form : conformance::FormsOf({ptx::Opcode::kTex})) {
    const ptx::Geometry geometry = form.instruction.modifiers.geometry;
    const bool layered = geometry == ptx::Geometry::kA1d || geometry == ptx::Geometry::kA2d;
    const bool cube = geometry == ptx::Geometry::kCube;
    const bool by_texel = form.instruction.source_type == ptx::Type::kS32;
    const int dimensions = geometry == ptx::Geometry::k1d || geometry == ptx::Geometry::kA1d ? 1
                           : geometry == ptx::Geometry::k3d                                  ? 3
                                                                                             : 2;
    Texture t = Image(4, dimensions > 1 ? 4 : 1, dimensions > 2 ? 4 : 1);
    t.layers = layered ? 3 : cube ? 6 : 1;
    t.type = form.instruction.type == ptx::Type::kF32 ? ElementType::kF32 : ElementType::kS32;
    std::string operands;
    Coordinates place = {};
    size_t k = 0;
    const auto add = [&](bool integer, uint32_t number, float real) {
      place[k] = integer ? number : Bits(real);
      operands += (k == 0 ? "{" : ", ") + fmt::format("%{}{}", integer ? "r" : "f", 10 + k);
      ++k;
    };
    if (layered) add(true, 2, 0);
    if (cube) {  // the face -y, left of and behind the middle
      add(false, 0, -0.75F);
      add(false, 0, -1.0F);
      add(false, 0, 0.75F);
    } else {
      add(by_texel, 1, 1.5F);
      if (dimensions > 1) add(by_texel, 2, 2.5F);
      if (dimensions > 2) add(by_texel, 3, 3.5F);
    }
    if (geometry == ptx::Geometry::k3d || geometry == ptx::Geometry::kA2d || cube) {
      operands += by_texel ? ", %r13" : ", %f13";
    }
    operands += "}";
    // -y: s = x, t = -z; both at -0.75 lie in the first column and row.
    const uint32_t x = cube ? 0 : 1, y = cube ? 0 : dimensions > 1 ? 2 : 0;
    const uint32_t z = dimensions > 2 ? 3 : 0, layer = layered ? 2 : cube ? 3 : 0;
    const size_t texel = ((layer * t.depth + z) * t.height + y) * t.width + x;
    std::vector<uint32_t> texels(t.Texels(), 1);
    texels[texel] = 2;
    const std::string level = form.instruction.modifiers.level ? ", %f10" : "";
    const auto got = Fetch(form.head, operands, t, texels, {place}, false, level);
    EXPECT_EQ(got[0][0], 2U) << form.text;
    conformance::Cover(form.instruction);
  }
}

TEST(TextureFaults, NameTheInstruction) {
  const auto message = [](Texture t, const std::string& body) {
    KernelRun run = KernelRun::FromText(KernelText("", body + "\nret;", ".global .texref image;"));
    t.name = "image";
    run.WithTexture(t, std::vector<uint8_t>(64));
    return MessageOf(ErrorKind::kRunFailed, [&] { run.Run(); });
  };
  Texture bytes = Image(4);
  bytes.type = ElementType::kU8;
  EXPECT_EQ(
      message(bytes, "mov.u64 %rd1, 5;\ntex.1d.v4.u32.s32 {%r1, %r2, %r3, %r4}, [%rd1, {%r5}];"),
      "test.ptx:14: 0x5 is no texture's handle: fetch by warp 0 of TB (0,0,0): "
      "tex.1d.v4.u32.s32 {%r1, %r2, %r3, %r4}, [%rd1, {%r5}]");
  EXPECT_NE(
      message(bytes, "tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [image, {%r5}];")
          .find("an f32 fetch of texture 'image' of u8, which is not read as normalized-float"),
      std::string::npos);
  EXPECT_NE(message(Image(4),
                    "tex.cube.v4.f32.f32 {%f1, %f2, %f3, %f4}, [image, {%f5, %f6, %f7, "
                    "%f8}];")
                .find("a cube fetch of texture 'image' of 1 layers, expected 6"),
            std::string::npos);
}

TEST(TextureTiming, SeesTheAddressOfTheFirstTexelOfEachLane) {
  KernelRun run = KernelRun::FromText(KernelText(
      "", "mov.u32 %r1, %tid.x;\ntex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [image, {%r1}];\nret;",
      ".global .texref image;"));
  Texture t = Image(32);
  t.name = "image";
  run.WithTexture(t, std::vector<float>(32));
  std::vector<uint64_t> addresses;
  run.Run(
      [](void* context, uint64_t, uint32_t, const StepResult& result) {
        if (result.pc != 1) return;
        EXPECT_EQ(result.space, MemorySpace::kGlobal);
        EXPECT_EQ(result.in_space, ~0U);
        auto* seen = static_cast<std::vector<uint64_t>*>(context);
        seen->assign(result.addresses->begin(), result.addresses->end());
      },
      &addresses);
  ASSERT_EQ(addresses.size(), 32U);
  for (uint64_t lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(addresses[lane], run.memory().Named("image").address + 4 * lane);
  }
}

}  // namespace texture_test
}  // namespace flagstone
