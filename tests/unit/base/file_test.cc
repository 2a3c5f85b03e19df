#include "base/file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <string>
#include <thread>

#include "base/error.h"
#include "tests/unit/base/error_message.h"
#include "tests/unit/base/temporary_folder.h"

namespace flagstone {
namespace file_test {

size_t FilesIn(const std::filesystem::path& folder) {
  const auto all = std::filesystem::directory_iterator(folder);
  return static_cast<size_t>(std::distance(begin(all), end(all)));
}

TEST(File, ReadsBackWhatWasWrittenByteForByte) {
  const TemporaryFolder folder;
  const std::string bytes("a\0b\r\n\xff", 6);
  WriteFileAtomically(folder.path() / "f", bytes);
  EXPECT_EQ(ReadFile(folder.path() / "f"), bytes);
  EXPECT_EQ(FilesIn(folder.path()), 1U) << "no temporary file stays";
}

TEST(File, ReplacesAnOlderFileWhole) {
  const TemporaryFolder folder;
  WriteFileAtomically(folder.path() / "f", "a long first text");
  WriteFileAtomically(folder.path() / "f", "short");
  EXPECT_EQ(ReadFile(folder.path() / "f"), "short");
}

TEST(File, ReadsAnEmptyFileAsNoBytes) {
  const TemporaryFolder folder;
  folder.Write("empty", "");
  EXPECT_EQ(ReadFile(folder.path() / "empty"), "");
}

TEST(File, SaysWhyAFileCannotBeRead) {
  const TemporaryFolder folder;
  const std::string missing = (folder.path() / "missing").string();
  EXPECT_EQ(BadInputMessage([&] { ReadFile(missing); }),
            "cannot read '" + missing + "': No such file or directory");
  EXPECT_EQ(
      BadInputMessage([&] { ReadFile(folder.path()); }),
      "cannot read '" + folder.path().string() + "': it is a directory: expected a regular file");
}

// Nobody writes to the pipe, and /dev/zero has no end.
TEST(File, ReadsNoDeviceAndNoPipe) {
  const TemporaryFolder folder;
  const std::string pipe = (folder.path() / "pipe").string();
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(BadInputMessage([&] { ReadFile(pipe); }),
            "cannot read '" + pipe + "': it is a pipe: expected a regular file");
  std::filesystem::create_symlink("/dev/zero", folder.path() / "link");
  EXPECT_THAT(BadInputMessage([&] { ReadFile(folder.path() / "link"); }),
              testing::HasSubstr("it is a device: expected a regular file"));
}

TEST(File, LeavesNothingBehindWhenItCannotWrite) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.path() / "target");  // a rename onto a folder fails
  folder.Write("target/inside", "x");
  try {
    WriteFileAtomically(folder.path() / "target", "text");
    FAIL() << "no error was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInternal);
    EXPECT_THAT(error.what(), testing::StartsWith("cannot write '" + folder.path().string()));
  }
  EXPECT_EQ(FilesIn(folder.path()), 1U);
  EXPECT_THROW(WriteFileAtomically(folder.path() / "no" / "folder", "text"), Error);
}

TEST(File, GoesThroughSymbolicLinksAndKeepsThem) {
  const TemporaryFolder folder;
  folder.Write("old", "old");
  const auto link = folder.path() / "link";
  std::filesystem::create_symlink("old", link);
  WriteFileAtomically(link, "new");
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  EXPECT_EQ(ReadFile(folder.path() / "old"), "new");
  const auto dangling = folder.path() / "dangling";
  std::filesystem::create_symlink("link2", dangling);
  std::filesystem::create_symlink("made", folder.path() / "link2");
  WriteFileAtomically(dangling, "text");
  EXPECT_TRUE(std::filesystem::is_symlink(dangling));
  EXPECT_EQ(ReadFile(folder.path() / "made"), "text");
}

TEST(File, KeepsTheModeOfTheFileThatItReplaces) {
  const TemporaryFolder folder;
  const auto file = folder.Write("f", "old");
  std::filesystem::permissions(file, std::filesystem::perms(0640));
  WriteFileAtomically(file, "new");
  EXPECT_EQ(std::filesystem::status(file).permissions(), std::filesystem::perms(0640));
}

TEST(File, WritesIntoAFifoAndLeavesIt) {
  const TemporaryFolder folder;
  const std::string fifo = (folder.path() / "fifo").string();
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  std::string read;
  std::thread reader([&] {  // ReadFile takes no pipe but a shell's
    std::ifstream stream(fifo);
    std::getline(stream, read);
  });
  WriteFileAtomically(fifo, "through");
  reader.join();
  EXPECT_EQ(read, "through");
  EXPECT_TRUE(std::filesystem::is_fifo(fifo));
  EXPECT_EQ(FilesIn(folder.path()), 1U);
}

// A node of the same device as /dev/full would do, but making one needs root; links are followed to
// the real one, and it must stay a device.
TEST(File, WritesIntoADeviceAndReportsThatItIsFull) {
  const TemporaryFolder folder;
  const auto link = folder.path() / "full";
  std::filesystem::create_symlink("/dev/full", link);
  try {
    WriteFileAtomically(link, "text");
    FAIL() << "no error was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInternal);
    EXPECT_EQ(error.what(), "cannot write '" + link.string() + "': No space left on device");
  }
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/full"));
  WriteFileAtomically("/dev/null", "text");
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
  EXPECT_EQ(FilesIn(folder.path()), 1U);
}

TEST(StagedFile, ArrivesWithItsCommitOnly) {
  const TemporaryFolder folder;
  const auto target = folder.Write("f", "old");
  {
    const StagedFile staged(target);
    std::ofstream(staged.path()) << "half";
    EXPECT_EQ(ReadFile(target), "old");
  }
  EXPECT_EQ(ReadFile(target), "old");
  EXPECT_EQ(FilesIn(folder.path()), 1U);
  StagedFile staged(target);
  std::ofstream(staged.path()) << "new";
  staged.Commit();
  EXPECT_EQ(ReadFile(target), "new");
  EXPECT_EQ(FilesIn(folder.path()), 1U);
}

TEST(StagedFile, IsRemovedBySignalHandlers) {
  const TemporaryFolder folder;
  const StagedFile staged(folder.path() / "f");
  EXPECT_EQ(FilesIn(folder.path()), 1U);
  RemoveTemporaryFiles();
  EXPECT_EQ(FilesIn(folder.path()), 0U);
}

TEST(NumberedFile, CountsFromOneBeforeTheExtension) {
  EXPECT_EQ(NumberedFile("a/out.fst", 0, 1), "a/out.fst");
  EXPECT_EQ(NumberedFile("a/out.fst", 0, 2), "a/out.1.fst");
  EXPECT_EQ(NumberedFile("out", 1, 2), "out.2");
  EXPECT_EQ(NumberedFile("", 1, 2), "");
  EXPECT_EQ(NumberedFile("-", 1, 2), "-");
  EXPECT_EQ(NumberedFile("/dev/null", 1, 2), "/dev/null");
}

}  // namespace file_test
}  // namespace flagstone
