#include "systemc/cosim/verilate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <thread>
#include <vector>

#include "base/cache_files.h"
#include "base/error.h"
#include "base/file.h"
#include "systemc/cosim/tb_scheduler_factory.h"
#include "tests/blocks/contract/tb_scheduler_bench.h"
#include "tests/unit/systemc/cosim/fst_file.h"

namespace flagstone {
namespace verilate_test {

namespace fs = std::filesystem;

constexpr uint32_t kSms = 5;  // that no other test asks for

// A cache folder of the test's own, and PATH restored at the end.
class Verilate : public testing::Test {
 protected:
  Verilate()
      : cache_(fs::temp_directory_path() / "flagstone_verilate_test"), path_(std::getenv("PATH")) {
    setenv("XDG_CACHE_HOME", cache_.c_str(), 1);
  }
  ~Verilate() override {
    setenv("PATH", path_.c_str(), 1);
    fs::remove_all(cache_);
  }

  std::vector<std::string> CachedFiles(const std::string& extension) const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(cache_ / "flagstone")) {
      if (entry.path().extension() == extension) names.push_back(entry.path().filename().string());
    }
    return names;
  }

  // The error of asking for parameters that are in no cache, with `path` as $PATH.
  static std::string ErrorWithPath(const fs::path& path) {
    setenv("PATH", path.c_str(), 1);
    try {
      VerilateBlock("lrr_tb_scheduler", {{"NumSm", 7}, {"IdWidth", 16}});
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kInternal);
      return error.what();
    }
    return "";
  }

  fs::path cache_;
  std::string path_;
};

TEST_F(Verilate, BuildsABodyOnceIntoTheCache) {
  fs::remove_all(cache_);
  LockstepReport report;
  BodyOptions options;
  options.lockstep = &report;
  const fs::path wave = fs::temp_directory_path() / "flagstone_verilate_test.fst";
  options.rtl.wave = {wave.string(), 0, 100};
  {
    const auto scheduler =
        MakeTbScheduler(*FindTbScheduler("paver"), Engine::kLockstep, {kSms, 2}, options);
    BenchConfig config;
    config.num_sms = kSms;
    config.run_cycles = [](uint32_t sm, uint32_t) -> uint64_t { return sm == 2 ? 500 : 30; };
    const Groups groups = {{0, 1}, {2}, {3, 4, 5, 6, 7, 8, 9, 10}, {11, 12}, {13}, {14}};
    const KernelRecord record = TbSchedulerBench(scheduler.get(), config).RunGroups(groups);
    ExpectIssuedOnceInOrder(groups, record, kSms);
    EXPECT_FALSE(record.steals.empty());
  }
  EXPECT_GT(report.compared_cycles, 100u);
  EXPECT_TRUE(FstFile(wave).HasSignal("gpu.tb_scheduler.tb_valid_o"));
  fs::remove(wave);

  const std::vector<std::string> libraries = CachedFiles(".so");
  ASSERT_EQ(libraries.size(), 1u);
  EXPECT_THAT(libraries[0], testing::StartsWith("paver_tb_scheduler_5_16_4-"));
  // Nothing else stays behind but Verilator's runtime (core, threads, waves) and the locks of
  // libraries and of folders where they are built.
  EXPECT_EQ(CachedFiles(".o").size(), 3u);
  EXPECT_THAT(CachedFiles(""), testing::UnorderedElementsAre("locks", ".builds"));

  const RtlParameters parameters = {{"NumSm", kSms}, {"IdWidth", 16}, {"Descriptors", 4}};
  // The second time it is there. Without waves it is another library.
  VerilateBlock("paver_tb_scheduler", parameters, {.wave = true});
  EXPECT_EQ(CachedFiles(".so").size(), 1u);
  VerilateBlock("paver_tb_scheduler", parameters);
  EXPECT_EQ(CachedFiles(".so").size(), 2u);
}

// `store prune` of another process: it removes what libraries share as soon as it stands there, and
// the first library before it is loaded.
TEST_F(Verilate, BuildsABodyWhileTheCacheIsPruned) {
  fs::remove_all(cache_);
  std::atomic<bool> built = false;
  std::atomic<uint32_t> shared = 0, libraries = 0;
  std::thread prune([&] {
    while (!built) {
      for (const CacheEntry& entry : CacheEntries(cache_ / "flagstone")) {
        const bool library = entry.path.extension() == ".so";
        if (library && libraries != 0) continue;
        RemoveCacheEntry(entry);
        ++(library ? libraries : shared);
      }
    }
  });
  EXPECT_NO_THROW(VerilateBlock("lrr_tb_scheduler", {{"NumSm", 6}, {"IdWidth", 16}}));
  built = true;
  prune.join();
  EXPECT_EQ(CachedFiles(".so").size(), 1u);
  EXPECT_EQ(libraries, 1u);
  EXPECT_GE(shared, 2u);
}

TEST_F(Verilate, SaysWhichPackageIsMissing) {
  EXPECT_THAT(ErrorWithPath("/nowhere"), testing::HasSubstr("install the package 'verilator'"));
  const fs::path tools = cache_ / "tools";
  fs::create_directories(tools);
  fs::create_symlink("/usr/bin/verilator", tools / "verilator");
  unsetenv("CXX");
  EXPECT_THAT(ErrorWithPath(tools), testing::HasSubstr("install the package 'g++'"));
}

TEST_F(Verilate, ReportsAFailingToolInOneLine) {
  const fs::path tools = cache_ / "tools";
  fs::create_directories(tools);
  WriteFileAtomically(tools / "verilator",
                      "#!/bin/sh\necho 'noise'\necho '%Error: something broke'\nexit 1\n");
  fs::permissions(tools / "verilator", fs::perms::owner_all);
  EXPECT_THAT(ErrorWithPath(tools.string() + ":" + path_),
              testing::AllOf(testing::HasSubstr("Verilating lrr_tb_scheduler failed"),
                             testing::HasSubstr("%Error: something broke"),
                             testing::Not(testing::HasSubstr("\n"))));
  EXPECT_THAT(CachedFiles(".so"), testing::IsEmpty());
}

TEST(CacheFolder, FollowsTheXdgRule) {
  setenv("XDG_CACHE_HOME", "/somewhere", 1);
  EXPECT_EQ(CacheFolder(), "/somewhere/flagstone");
  unsetenv("XDG_CACHE_HOME");
  setenv("HOME", "/home/user", 1);
  EXPECT_EQ(CacheFolder(), "/home/user/.cache/flagstone");
}

}  // namespace verilate_test
}  // namespace flagstone
