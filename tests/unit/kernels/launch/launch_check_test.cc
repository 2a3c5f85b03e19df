// Workload::Load: what must fit between workload.toml, the PTX and the input files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "kernels/launch/workload.h"
#include "kernels/ptx/kernel.h"
#include "tests/unit/base/error_message.h"
#include "tests/unit/base/temporary_folder.h"

namespace flagstone {
namespace launch_check_test {

constexpr std::string_view kPtx = R"(.version 3.2
.target sm_35
.address_size 64
.visible .entry scale(
	.param .u64 scale_param_0,
	.param .u32 scale_param_1,
	.param .f32 scale_param_2,
	.param .align 4 .b8 scale_param_3[12]
)
.maxntid 64, 2, 1
{
	ret;
}
.visible .entry fixed()
.reqntid 32, 4, 1
{
	ret;
}
)";

class LaunchCheck : public testing::Test {
 protected:
  LaunchCheck() { folder_.Write("k.ptx", kPtx); }

  std::string WriteToml(std::string_view launch, std::string_view buffer = "fill = 'zero'") {
    const std::string text = "name = 'demo'\n[buffer.a]\ntype = 'f32'\ncount = 2\n" +
                             std::string(buffer) + "\n[[launch]]\nptx = 'k.ptx'\ngrid = [1]\n" +
                             std::string(launch);
    return folder_.Write("w.toml", text).string();
  }

  // The error of loading, without the folder's name in front.
  std::string Message(std::string_view launch, std::string_view buffer = "fill = 'zero'") {
    const std::string file = WriteToml(launch, buffer);
    return WithoutFolder(BadInputMessage([&] { Workload::Load(file, "test"); }));
  }

  std::string WithoutFolder(std::string message) const {
    const std::string prefix = folder_.path().string() + "/";
    for (size_t at = message.find(prefix); at != std::string::npos; at = message.find(prefix)) {
      message.erase(at, prefix.size());
    }
    return message;
  }

  TemporaryFolder folder_;
};

constexpr const char* kBytes = "{ bytes = '000000000000000000000000' }";

std::string Scale(const std::string& args, const std::string& block = "[64]") {
  return "entry = 'scale'\nblock = " + block + "\nargs = [" + args + "]\n";
}

TEST_F(LaunchCheck, AcceptsWhatFits) {
  const std::string args = std::string("'a', { s32 = 1 }, { f32 = 1 }, ") + kBytes;
  const Workload workload = Workload::Load(WriteToml(Scale(args, "[128, 1]")), "test");
  ASSERT_EQ(workload.modules.size(), 1U);
  EXPECT_EQ(workload.KernelOf(0).name, "scale");
  const std::string same_size = std::string("{ u64 = 0 }, { u32 = 1 }, { f32 = 1 }, ") + kBytes;
  Workload::Load(WriteToml(Scale(same_size)), "test");
}

TEST_F(LaunchCheck, ListsTheEntriesForAnUnknownOne) {
  const std::string message = Message("entry = 'scail'\nblock = [1]\nargs = []\n");
  EXPECT_THAT(message, testing::HasSubstr("scail"));
  EXPECT_THAT(message, testing::HasSubstr("scale, fixed"));
}

TEST_F(LaunchCheck, CountsTheArguments) {
  EXPECT_EQ(Message(Scale("'a'")), "w.toml:6:1: 'scale' is given 1 arguments: expected 4");
}

TEST_F(LaunchCheck, SaysWhichArgumentDoesNotFitItsParameter) {
  const std::string rest = std::string(", { s32 = 1 }, { f32 = 1 }, ") + kBytes;
  EXPECT_EQ(Message(Scale("{ s32 = 1 }" + rest)),
            "w.toml:11:9: argument 1 of 'scale' is a scalar s32, its parameter is .u64 "
            "scale_param_0: expected a buffer or a scalar s64 or u64");
  EXPECT_EQ(Message(Scale("{ f64 = 1 }" + rest)),
            "w.toml:11:9: argument 1 of 'scale' is a scalar f64, its parameter is .u64 "
            "scale_param_0: expected a buffer or a scalar s64 or u64");
  EXPECT_EQ(Message(Scale(std::string("'a', 'a', { f32 = 1 }, ") + kBytes)),
            "w.toml:11:14: argument 2 of 'scale' is buffer 'a', its parameter is .u32 "
            "scale_param_1: expected a scalar s32 or u32");
  EXPECT_EQ(Message(Scale(std::string("'a', { f32 = 1 }, { f32 = 1 }, ") + kBytes)),
            "w.toml:11:14: argument 2 of 'scale' is a scalar f32, its parameter is .u32 "
            "scale_param_1: expected a scalar s32 or u32");
  EXPECT_EQ(Message(Scale(std::string("'a', { s32 = 1 }, { s32 = 1 }, ") + kBytes)),
            "w.toml:11:27: argument 3 of 'scale' is a scalar s32, its parameter is .f32 "
            "scale_param_2: expected a scalar f32");
  EXPECT_EQ(Message(Scale("'a', { s32 = 1 }, { f32 = 1 }, { bytes = '00ff' }")),
            "w.toml:11:40: argument 4 of 'scale' is 2 raw bytes, its parameter is .b8[12] "
            "scale_param_3: expected { bytes = ... } of 12 bytes");
}

TEST_F(LaunchCheck, RespectsTheBlockSizesThatThePtxDeclares) {
  const std::string args = std::string("'a', { s32 = 1 }, { f32 = 1 }, ") + kBytes;
  EXPECT_EQ(Message(Scale(args, "[129]")),
            "w.toml:6:1: block has 129 threads: 'scale' has .maxntid, expected at most 128");
  EXPECT_EQ(Message("entry = 'fixed'\nblock = [4, 32]\nargs = []\n"),
            "w.toml:6:1: block is [4, 32, 1]: 'fixed' has .reqntid, expected [32, 4, 1]");
  Workload::Load(WriteToml("entry = 'fixed'\nblock = [32, 4]\nargs = []\n"), "test");
}

TEST_F(LaunchCheck, SaysThatThePtxIsMissingOrBroken) {
  std::filesystem::remove(folder_.path() / "k.ptx");
  EXPECT_EQ(Message("entry = 'fixed'\nblock = [32, 4]\nargs = []\n"),
            "cannot read 'k.ptx': No such file or directory");
  folder_.Write("k.ptx", "");
  EXPECT_THAT(Message("entry = 'fixed'\nblock = [32, 4]\nargs = []\n"),
              testing::StartsWith("k.ptx:1:1: "));
}

TEST_F(LaunchCheck, ChecksTheSizeOfFillAndCheckFiles) {
  const std::string fixed = "entry = 'fixed'\nblock = [32, 4]\nargs = []\n";
  folder_.Write("in.bin", "1234567");
  EXPECT_EQ(Message(fixed, "fill = 'file'\nfile = 'in.bin'"),
            "w.toml:2:1: 'in.bin' has 7 bytes: expected 8 for buffer 'a' of 2 f32");
  EXPECT_EQ(Message(fixed, "fill = 'file'\nfile = 'none.bin'"),
            "cannot read 'none.bin': No such file or directory");
  EXPECT_EQ(Message(fixed + "[check.a]\nfile = 'in.bin'\n"),
            "w.toml:12:1: 'in.bin' has 7 bytes: expected 8 for buffer 'a' of 2 f32");
}

TEST_F(LaunchCheck, HashesThePtxAndTheFillFiles) {
  const std::string fixed = "entry = 'fixed'\nblock = [32, 4]\nargs = []\n";
  const auto hash = [&] {
    return Workload::Load(WriteToml(fixed, "fill = 'file'\nfile = 'in.bin'"), "test").input_hash;
  };
  folder_.Write("in.bin", "12345678");
  const uint64_t first = hash();
  EXPECT_EQ(hash(), first);
  folder_.Write("in.bin", "12345679");
  const uint64_t second = hash();
  EXPECT_NE(second, first);
  folder_.Write("k.ptx", std::string(kPtx) + "// changed\n");
  EXPECT_NE(hash(), second);
}

TEST_F(LaunchCheck, ParsesAPtxFileOnceForAllItsLaunches) {
  const Workload workload = Workload::Load(
      WriteToml("entry = 'fixed'\nblock = [32, 4]\nargs = []\n[[launch]]\nptx = 'k.ptx'\n"
                "grid = [1]\nentry = 'fixed'\nblock = [32, 4]\nargs = []\n"),
      "test");
  EXPECT_EQ(workload.modules.size(), 1U);
  EXPECT_EQ(workload.launch_modules, (std::vector<size_t>{0, 0}));
}

}  // namespace launch_check_test
}  // namespace flagstone
