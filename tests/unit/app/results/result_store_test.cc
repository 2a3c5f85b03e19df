// Results in files: whole or not at all, and found again by their names.
#include "app/results/result_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "base/error.h"
#include "base/file.h"
#include "tests/unit/base/temporary_folder.h"

namespace flagstone {
namespace result_store_test {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace fs = std::filesystem;

class ResultStoreTest : public testing::Test {
 protected:
  static StoredResult Result(int cycles) {
    return {"0123", "0.1.0", "w/workload.toml", {{"cycles", cycles}, {"rate", 0.1}}};
  }
  void Overwrite(const std::string& name, const std::string& bytes) {
    WriteFileAtomically(store_.PathOf(name), bytes);
  }

  TemporaryFolder folder_;
  std::vector<std::string> said_;
  ResultStore store_{folder_.path() / "results",
                     [this](const std::string& line) { said_.push_back(line); }};
};

TEST_F(ResultStoreTest, GivesBackWhatWasPut) {
  EXPECT_FALSE(store_.Get("ab01"));
  EXPECT_THAT(store_.Names(), IsEmpty());
  store_.Put("ab01", Result(7));
  store_.Put("aa02", Result(8));
  EXPECT_THAT(store_.Names(), ElementsAre("aa02", "ab01"));
  const std::optional<StoredResult> found = store_.Get("ab01");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->record.dump(), Result(7).record.dump());
  EXPECT_EQ(found->code, "0123");
  EXPECT_EQ(found->workload, "w/workload.toml");
  EXPECT_THAT(said_, IsEmpty());
}

TEST_F(ResultStoreTest, ADamagedFileIsSetAsideAndSaidInOneLine) {
  store_.Put("ab01", Result(7));
  std::string bytes = ReadFile(store_.PathOf("ab01"));
  bytes[bytes.find("cycles\":7") + 8] = '9';
  Overwrite("ab01", bytes);
  EXPECT_THAT(store_.Problem("ab01"), HasSubstr("not those that were written"));
  EXPECT_FALSE(store_.Get("ab01"));
  ASSERT_EQ(said_.size(), 1U);
  EXPECT_THAT(said_[0], HasSubstr("ab01.json' is damaged (its bytes are not those"));
  EXPECT_FALSE(fs::exists(store_.PathOf("ab01")));
  EXPECT_EQ(store_.RemoveDamaged(), 1U);
  EXPECT_EQ(store_.RemoveDamaged(), 0U);
}

TEST_F(ResultStoreTest, AFileUnderAnotherNameIsDamaged) {
  store_.Put("ab01", Result(7));
  store_.Put("aa02", Result(8));
  fs::copy_file(store_.PathOf("ab01"), store_.PathOf("aa02"), fs::copy_options::overwrite_existing);
  EXPECT_THAT(store_.Problem("aa02"), HasSubstr("not those that were written under this name"));
  EXPECT_FALSE(store_.Get("aa02"));
  EXPECT_TRUE(store_.Get("ab01"));
}

// Read, a FIFO would wait for ever, and /dev/zero would fill the memory.
TEST_F(ResultStoreTest, WhatIsNoRegularFileIsSetAsideAndNotRead) {
  store_.Put("ab01", Result(7));
  const auto replace = [&](auto make) {
    fs::remove_all(store_.PathOf("ab01"));
    make(store_.PathOf("ab01"));
    said_.clear();
    EXPECT_THAT(store_.Names(), ElementsAre("ab01"));
    EXPECT_THAT(store_.Problem("ab01"), HasSubstr("no regular file"));
    EXPECT_FALSE(store_.Get("ab01"));
    ASSERT_EQ(said_.size(), 1U);
    EXPECT_THAT(said_[0], HasSubstr("set aside"));
    EXPECT_FALSE(fs::exists(fs::symlink_status(store_.PathOf("ab01"))));
  };
  replace([](const fs::path& path) { ASSERT_EQ(mkfifo(path.c_str(), 0666), 0); });
  replace([](const fs::path& path) { fs::create_symlink("/dev/zero", path); });
  replace([](const fs::path& path) { fs::create_symlink("nowhere", path); });
  replace([](const fs::path& path) { fs::create_directory(path); });
}

// Each cut of a file, and each of its bytes changed, is seen.
TEST_F(ResultStoreTest, NoChangeOfAByteGoesUnseen) {
  store_.Put("ab01", Result(7));
  const std::string good = ReadFile(store_.PathOf("ab01"));
  EXPECT_EQ(store_.Problem("ab01"), "");
  for (size_t i = 0; i < good.size(); ++i) {
    Overwrite("ab01", good.substr(0, i));
    EXPECT_NE(store_.Problem("ab01"), "") << "cut at " << i;
    std::string changed = good;
    changed[i] = static_cast<char>(changed[i] ^ 1);
    Overwrite("ab01", changed);
    EXPECT_NE(store_.Problem("ab01"), "") << "changed at " << i;
  }
}

TEST_F(ResultStoreTest, APlaceThatCannotBeWrittenIsAnErrorWithItsName) {
  folder_.Write("results", "a file in the way");
  try {
    store_.Put("ab01", Result(7));
    FAIL() << "expected an error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInternal);
    EXPECT_THAT(error.what(), HasSubstr("cannot write in '" + store_.folder().string()));
  }
}

// A reader sees whole results only, while one is written again and again, and after its writer was
// killed.
TEST_F(ResultStoreTest, NobodySeesHalfAResult) {
  StoredResult large = Result(1);
  large.record["text"] = std::string(1'000'000, 'x');
  size_t read = 0;
  for (int round = 0; round < 10; ++round) {
    const pid_t child = fork();
    if (child == 0) {
      for (;;) store_.Put("ab01", large);
    }
    for (size_t last = read + 20; read < last;) {
      for (const std::string& name : store_.Names()) {
        EXPECT_EQ(store_.Problem(name), "");
        ++read;
      }
    }
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    for (const std::string& name : store_.Names()) EXPECT_EQ(store_.Problem(name), "");
  }
  EXPECT_EQ(store_.Names().size(), 1U);
}

TEST_F(ResultStoreTest, OnlyOldTemporariesAreRemoved) {
  store_.Put("ab01", Result(7));
  const fs::path old = store_.PathOf("ab01").parent_path() / ".old.json.node.1.tmp";
  const fs::path young = store_.PathOf("ab01").parent_path() / ".young.json.node.1.tmp";
  WriteFileAtomically(old, "half");
  WriteFileAtomically(young, "half");
  fs::last_write_time(old, fs::last_write_time(old) - std::chrono::hours(2));
  EXPECT_EQ(RemoveLeftTemporaries(store_.folder()), 1U);
  EXPECT_FALSE(fs::exists(old));
  EXPECT_TRUE(fs::exists(young));
  EXPECT_THAT(store_.Names(), ElementsAre("ab01"));
}

}  // namespace result_store_test
}  // namespace flagstone
