// Files of a cache: whole, or made again; and folders of builds that were killed.
#include "base/cache_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>

#include "base/file.h"
#include "tests/unit/base/temporary_folder.h"

namespace flagstone {
namespace cache_files_test {

using testing::HasSubstr;

namespace fs = std::filesystem;

class CacheFiles : public testing::Test {
 protected:
  fs::path Install(const std::string& name, const std::string& text) {
    InstallChecked(folder_.Write("built", text), folder_.path() / name);
    return folder_.path() / name;
  }
  TemporaryFolder folder_;
};

TEST_F(CacheFiles, AnInstalledFileIsReady) {
  const fs::path file = Install("a.so", "text");
  EXPECT_EQ(ReadFile(file), "text");
  EXPECT_EQ(ProblemOfChecked(file), "");
  EXPECT_TRUE(IsReadyInCache(file));
  EXPECT_FALSE(IsReadyInCache(folder_.path() / "b.so"));
  EXPECT_EQ(ProblemOfChecked(folder_.path() / "b.so"), "it is missing");
}

// Each cut, each changed byte, and what is no regular file: removed, and said in one line.
TEST_F(CacheFiles, WhatIsNotWholeIsRemovedAndSaid) {
  const auto expect_removed = [&](auto damage, const std::string& reason) {
    const fs::path file = Install("a.so", "some bytes");
    damage(file);
    EXPECT_THAT(ProblemOfChecked(file), HasSubstr(reason));
    testing::internal::CaptureStderr();
    EXPECT_FALSE(IsReadyInCache(file));
    const std::string said = testing::internal::GetCapturedStderr();
    EXPECT_THAT(said, HasSubstr("a.so' in the cache is damaged (" + reason));
    EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1);
    EXPECT_FALSE(fs::exists(fs::symlink_status(file)));
  };
  const std::string changed = "its bytes are not those";
  for (size_t size = 0; size < 10; ++size) {
    expect_removed([size](const fs::path& file) { fs::resize_file(file, size); }, changed);
  }
  for (size_t i = 0; i < 10; ++i) {
    expect_removed(
        [i](const fs::path& file) {
          std::string bytes = ReadFile(file);
          bytes[i] = static_cast<char>(bytes[i] ^ 1);
          WriteFileAtomically(file, bytes);
        },
        changed);
  }
  const std::string no_file = "it is no regular file";
  expect_removed(
      [](const fs::path& file) {
        fs::remove(file);
        ASSERT_EQ(mkfifo(file.c_str(), 0666), 0);
      },
      no_file);
  expect_removed(
      [](const fs::path& file) {
        fs::remove(file);
        fs::create_symlink("/dev/zero", file);
      },
      no_file);
  expect_removed(
      [](const fs::path& file) {
        fs::remove(file);
        fs::create_directories(file / "below");
      },
      no_file);
}

// As builds before left them.
TEST_F(CacheFiles, AFileWithoutItsSumIsMadeAgainWithoutAWord) {
  const fs::path file = Install("a.so", "some bytes");
  fs::remove(file.string() + ".sum");
  EXPECT_EQ(ProblemOfChecked(file), "its size and hash are not beside it");
  testing::internal::CaptureStderr();
  EXPECT_FALSE(IsReadyInCache(file));
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_FALSE(fs::exists(file));
}

TEST_F(CacheFiles, FoldersOfKilledBuildsAreRemovedByTheNextAndNoOthers) {
  const BuildFolder here(folder_.path());
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  if (child == 0) {
    const BuildFolder killed(folder_.path());
    WriteFileAtomically(killed.path() / "half", "x");
    (void)!write(ends[1], "x", 1);
    for (;;) pause();
  }
  char byte = 0;
  ASSERT_EQ(read(ends[0], &byte, 1), 1);
  const auto folders = [&] {
    size_t count = 0;
    for (const auto& entry : fs::directory_iterator(folder_.path())) {
      if (entry.is_directory()) ++count;
    }
    return count;
  };
  EXPECT_EQ(folders(), 2U);
  { const BuildFolder third(folder_.path()); }
  EXPECT_EQ(folders(), 2U);  // both are in use
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  { const BuildFolder third(folder_.path()); }
  EXPECT_EQ(folders(), 1U);
  EXPECT_TRUE(fs::exists(here.path()));
}

TEST_F(CacheFiles, EntriesAreThoseUsedLastFirst) {
  Install("old.so", "12345");
  Install("new.o", "123");
  fs::create_directories(folder_.path() / "synth" / "block-1");
  folder_.Write("synth/block-1/result.json", "12");
  folder_.Write("other.txt", "no entry");
  const auto now = fs::file_time_type::clock::now();
  fs::last_write_time(folder_.path() / "old.so.sum", now - std::chrono::hours(50));
  fs::last_write_time(folder_.path() / "synth" / "block-1", now - std::chrono::hours(20));
  const std::vector<CacheEntry> entries = CacheEntries(folder_.path());
  ASSERT_EQ(entries.size(), 3U);
  EXPECT_EQ(entries[0].path.filename(), "new.o");
  EXPECT_EQ(entries[1].path.filename(), "block-1");
  EXPECT_EQ(entries[1].bytes, 2U);
  EXPECT_EQ(entries[2].path.filename(), "old.so");
  EXPECT_EQ(entries[2].bytes, 5U);
  RemoveCacheEntry(entries[2]);
  RemoveCacheEntry(entries[1]);
  EXPECT_EQ(CacheEntries(folder_.path()).size(), 1U);
  EXPECT_FALSE(fs::exists(folder_.path() / "old.so.sum"));
}

}  // namespace cache_files_test
}  // namespace flagstone
