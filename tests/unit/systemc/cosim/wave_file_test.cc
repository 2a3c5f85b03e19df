// A wave arrives whole or not at all, and says why.
#include "systemc/cosim/wave_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "base/error.h"
#include "tests/unit/base/temporary_folder.h"

namespace flagstone {
namespace wave_file_test {

std::string FstBlock(char type, size_t payload) {
  const auto length = static_cast<char>(8 + payload);
  return type + std::string(7, '\0') + length + std::string(payload, 'x');
}

// Header, values, geometry, hierarchy.
std::string Whole() { return FstBlock(0, 40) + FstBlock(8, 9) + FstBlock(3, 5) + FstBlock(4, 7); }

bool IsWhole(const std::string& bytes) {
  const TemporaryFolder folder;
  return IsWholeFst(folder.Write("w.fst", bytes).string());
}

TEST(WaveFile, IsWholeOnlyWithAllItsBlocksToTheirEnds) {
  EXPECT_TRUE(IsWhole(Whole()));
  for (size_t length = 0; length < Whole().size(); ++length) {
    EXPECT_FALSE(IsWhole(Whole().substr(0, length))) << length;
  }
  EXPECT_FALSE(IsWhole(FstBlock(8, 9) + Whole()));
  EXPECT_FALSE(IsWhole(Whole() + FstBlock(static_cast<char>(255), 9)));
}

TEST(WaveFile, ThatIsCutOffIsNotPutIntoItsPlaceAndIsToldLater) {
  const TemporaryFolder folder;
  const auto target = folder.Write("w.fst", "an older wave");
  {
    WaveFile wave(target.string());
    std::ofstream(wave.path(), std::ios::binary) << Whole().substr(0, 60);
    wave.Close();
  }
  EXPECT_EQ(ReadFile(target), "an older wave");
  try {
    ThrowWaveError();
    FAIL() << "no error was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInternal);
    EXPECT_EQ(error.what(), "cannot write the wave '" + target.string() +
                                "': its end is missing, is the disk full?");
  }
  ThrowWaveError();  // once
  EXPECT_FALSE(std::filesystem::is_empty(folder.path()));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

TEST(WaveFile, HasADateThatDoesNotHangOnTheDay) {
  const TemporaryFolder folder;
  const std::string target = (folder.path() / "w.fst").string();
  // A header of the library's length.
  const std::string header = std::string(7, '\0') + "\x01\x49" + std::string(321, 'x');
  {
    WaveFile wave(target);
    std::ofstream(wave.path(), std::ios::binary) << header << Whole().substr(49);
    wave.Close();
  }
  ThrowWaveError();
  const std::string bytes = ReadFile(target);
  EXPECT_EQ(bytes.substr(202, 26), std::string("Thu Jan  1 00:00:00 1970\n", 25) + '\0');
  EXPECT_EQ(bytes.substr(0, 202), header.substr(0, 202));
  EXPECT_EQ(bytes.substr(321), header.substr(321) + Whole().substr(49));
}

TEST(WaveFile, ArrivesWhenItIsWhole) {
  const TemporaryFolder folder;
  const std::string target = (folder.path() / "w.fst").string();
  {
    WaveFile wave(target);
    std::ofstream(wave.path(), std::ios::binary) << Whole();
    std::ofstream(wave.path() + ".hier") << "names";
    wave.Close();
  }
  ThrowWaveError();
  EXPECT_EQ(ReadFile(target), Whole());
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

}  // namespace wave_file_test
}  // namespace flagstone
