#include "base/file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "base/error.h"
#include "tests/base/error_message.h"
#include "tests/base/temporary_folder.h"

namespace flagstone {
namespace {

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
  EXPECT_EQ(BadInputMessage([&] { ReadFile(folder.path()); }),
            "cannot read '" + folder.path().string() + "': it is a directory");
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

TEST(NumberedFile, CountsFromOneBeforeTheExtension) {
  EXPECT_EQ(NumberedFile("a/out.fst", 0, 1), "a/out.fst");
  EXPECT_EQ(NumberedFile("a/out.fst", 0, 2), "a/out.1.fst");
  EXPECT_EQ(NumberedFile("out", 1, 2), "out.2");
  EXPECT_EQ(NumberedFile("", 1, 2), "");
}

}  // namespace
}  // namespace flagstone
