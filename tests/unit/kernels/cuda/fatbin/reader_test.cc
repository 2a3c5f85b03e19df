// The reader of fat binaries, on containers of each kind of compression: the seeds of its fuzz
// target.
#include "kernels/cuda/fatbin/reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "base/file.h"
#include "tests/unit/base/error_message.h"

namespace flagstone::cuda {
namespace reader_test {

using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string Seed(const std::string& name) {
  return ReadFile("tests/system/fuzz/seeds/fat_binary_fuzz/" + name);
}

TEST(FatBinary, GivesThePtxOfEachKindOfCompression) {
  for (const char* name : {"plain", "zstd", "lz4"}) {
    const DeviceCode code = ReadFatBinary(Seed(name));
    EXPECT_THAT(code.ptx, StartsWith(".version 6.0\n")) << name;
    EXPECT_THAT(code.ptx, HasSubstr(".visible .entry k() { ret; }")) << name;
    EXPECT_EQ(code.ptx.find('\0'), std::string::npos) << name;
  }
  EXPECT_EQ(ReadFatBinary(Seed("zstd")).architecture, 75U);
}

TEST(FatBinary, TakesTheRegistersFromTheOptions) {
  EXPECT_EQ(ReadFatBinary(Seed("plain")).registers, 32U);
  EXPECT_EQ(ReadFatBinary(Seed("lz4")).registers, std::nullopt);
}

TEST(FatBinary, TakesTheHighestArchitectureOfSeveral) {
  const std::string low = Seed("plain"), high = Seed("lz4");
  std::string both = low + high.substr(16);
  const uint64_t size = both.size() - 16;
  std::memcpy(both.data() + 8, &size, sizeof size);
  EXPECT_EQ(ReadFatBinary(both).architecture, 70U);
}

TEST(FatBinary, SaysWhichOptionMachineCodeLacks) {
  EXPECT_THAT(BadInputMessage([] { ReadFatBinary(Seed("sass")); }),
              HasSubstr("-gencode arch=compute_80,code=compute_80"));
}

TEST(FatBinary, RefusesEachCutOfAContainer) {
  for (const char* name : {"plain", "zstd", "lz4"}) {
    const std::string whole = Seed(name);
    for (size_t size = 0; size < whole.size(); ++size) {
      EXPECT_THAT(BadInputMessage([&] { ReadFatBinary(whole.substr(0, size)); }),
                  HasSubstr("fat binary"))
          << name << size;
    }
  }
}

}  // namespace reader_test
}  // namespace flagstone::cuda
