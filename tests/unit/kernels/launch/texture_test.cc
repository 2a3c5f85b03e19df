// [texture.NAME]: its keys, what must fit to the buffers, and how launches name textures.
#include "kernels/launch/texture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "kernels/launch/workload.h"
#include "tests/unit/base/error_message.h"
#include "tests/unit/base/temporary_folder.h"

namespace flagstone {
namespace texture_test {

using testing::HasSubstr;

constexpr std::string_view kHead = R"(name = "demo"
[buffer.pixels]
type = "u8"
count = 96
fill = "iota"
[buffer.grid]
type = "f32"
count = 64
fill = "zero"
)";
constexpr std::string_view kLaunch = R"([[launch]]
ptx = "k.ptx"
entry = "k"
grid = [1]
block = [32]
args = [{ texture = "image" }, "grid"]
)";

std::string TextOf(const std::string& texture) {
  return std::string(kHead) + "[texture.image]\n" + texture + std::string(kLaunch);
}
Workload Parse(const std::string& texture) {
  return Workload::Parse(TextOf(texture), "w.toml", "test");
}
std::string Message(const std::string& texture) {
  return BadInputMessage([&] { Parse(texture); });
}

TEST(ParseTexture, ReadsEveryKey) {
  const Workload workload = Parse(
      "buffer = 'pixels'\nwidth = 4\nheight = 3\nlayers = 2\nchannels = 4\naddress = 'mirror'\n"
      "filter = 'linear'\nnormalized = true\nread = 'normalized-float'\n");
  ASSERT_EQ(workload.textures.size(), 1U);
  const TextureSpec& texture = workload.textures[0];
  EXPECT_EQ(texture.name, "image");
  EXPECT_EQ(texture.buffer, "pixels");
  EXPECT_EQ(texture.width, 4U);
  EXPECT_EQ(texture.height, 3U);
  EXPECT_EQ(texture.depth, 1U);
  EXPECT_EQ(texture.layers, 2U);
  EXPECT_EQ(texture.channels, 4U);
  EXPECT_EQ(texture.address_mode, AddressMode::kMirror);
  EXPECT_TRUE(texture.linear);
  EXPECT_TRUE(texture.normalized);
  EXPECT_TRUE(texture.normalized_float);
  EXPECT_EQ(workload.launches[0].arguments[0].texture, "image");
}

TEST(ParseTexture, ClampsToTheNearestTexelByDefault) {
  const TextureSpec texture = Parse("buffer = 'grid'\nwidth = 64\n").textures.at(0);
  EXPECT_EQ(texture.Texels(), 64U);
  EXPECT_EQ(texture.channels, 1U);
  EXPECT_EQ(texture.address_mode, AddressMode::kClamp);
  EXPECT_FALSE(texture.linear || texture.normalized || texture.normalized_float);
}

TEST(ParseTexture, NamesWhatIsWrongAndWhere) {
  EXPECT_EQ(Message("buffer = 'grid'\nwidth = 8\naddress = 'repeat'\n"),
            "w.toml:13:11: key 'address' is 'repeat': expected one of clamp, wrap, mirror, border");
  EXPECT_EQ(Message("buffer = 'grid'\nwidth = 8\naddress = 'wrap'\n"),
            "w.toml:13:11: key 'address' is 'wrap': expected 'normalized = true' with it, or "
            "'clamp' or 'border'");
  EXPECT_EQ(Message("buffer = 'grid'\nwidth = 8\nchannels = 3\n"),
            "w.toml:13:12: key 'channels' is 3: expected 1, 2 or 4");
  EXPECT_THAT(Message("buffer = 'grid'\nwidth = 8\ndepth = 2\nlayers = 2\n"),
              HasSubstr("[texture.image] has both depth and layers"));
  EXPECT_THAT(Message("buffer = 'grid'\n"), HasSubstr("missing key 'width'"));
  EXPECT_THAT(Message("buffer = 'grid'\nwidth = 8\nmipmaps = 2\n"), HasSubstr("unknown key"));
}

TEST(ParseTexture, MustLieInABufferOfATypeThatItCanRead) {
  EXPECT_EQ(Message("buffer = 'grit'\nwidth = 8\n"),
            "w.toml:10:1: texture 'image' of unknown buffer 'grit': expected one of pixels, grid");
  EXPECT_EQ(Message("buffer = 'grid'\nwidth = 8\nheight = 9\n"),
            "w.toml:10:1: texture 'image' has 72 elements: expected at most 64 ('grid')");
  EXPECT_EQ(Message("buffer = 'grid'\nwidth = 8\nread = 'normalized-float'\n"),
            "w.toml:10:1: texture 'image' reads f32 as normalized-float: expected u8, s8, u16 or "
            "s16");
  EXPECT_EQ(Message("buffer = 'pixels'\nwidth = 8\nfilter = 'linear'\n"),
            "w.toml:10:1: texture 'image' filters u8: expected f32 or read = \"normalized-float\" "
            "with filter = \"linear\"");
}

TEST(ParseTexture, ArgumentsNameTexturesThatExist) {
  std::string text = TextOf("buffer = 'grid'\nwidth = 8\n");
  text.replace(text.find("texture = \"image\""), 17, "texture = \"imago\"");
  EXPECT_EQ(BadInputMessage([&] { Workload::Parse(text, "w.toml", "test"); }),
            "w.toml:18:9: unknown texture 'imago': expected one of image");
}

TEST(BindTexture, GivesLaunchesHandlesByArgumentAndByVariable) {
  TemporaryFolder folder;
  folder.Write("k.ptx", R"(.version 3.2
.target sm_35
.address_size 64
.global .texref image;
.global .texref unused;
.visible .entry k(.param .u64 texture, .param .u64 grid)
{
	ret;
}
)");
  const Workload workload = Workload::Load(
      folder.Write("w.toml", TextOf("buffer = 'grid'\nwidth = 8\nheight = 8\n")), "test");
  const BoundWorkload bound = Bind(workload);
  const KernelLaunch& launch = bound.launches.at(0);
  uint64_t argument = 0;
  std::memcpy(&argument, launch.parameters.data(), sizeof(argument));
  EXPECT_EQ(argument, TextureHandle(0));
  EXPECT_EQ(launch.symbols.at("image"), TextureHandle(0));
  EXPECT_FALSE(launch.symbols.contains("unused"));
  ASSERT_EQ(launch.textures.size(), 1U);
  EXPECT_EQ(launch.textures[0].base, bound.memory.Named("grid").address);
  EXPECT_EQ(launch.textures[0].type, ElementType::kF32);
}

TEST(BindTexture, RefusesATextureForAParameterThatIsNoPointer) {
  TemporaryFolder folder;
  folder.Write("k.ptx", R"(.version 3.2
.target sm_35
.address_size 64
.visible .entry k(.param .u32 texture, .param .u64 grid)
{
	ret;
}
)");
  const auto file = folder.Write("w.toml", TextOf("buffer = 'grid'\nwidth = 8\n"));
  EXPECT_THAT(BadInputMessage([&] { Workload::Load(file, "test"); }),
              HasSubstr("argument 1 of 'k' is texture 'image', its parameter is .u32 texture"));
}

}  // namespace texture_test
}  // namespace flagstone
