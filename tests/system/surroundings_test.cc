// Odd surroundings: caches that are damaged, streams that are closed, folders that are missing,
// users who share a store, processes that are killed.
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <regex>
#include <string>

#include "base/file.h"
#include "tests/system/command.h"

namespace flagstone {
namespace surroundings_test {

using ::testing::HasSubstr;
using ::testing::Not;
using Json = nlohmann::ordered_json;

namespace fs = std::filesystem;

class Surroundings : public ::testing::Test {
 protected:
  // In the scratch folder, with these variables set.
  CommandResult Run(const std::string& variables, const std::string& arguments) const {
    return RunShell(fmt::format("cd '{}' && {} '{}' {}", scratch_.path().string(), variables,
                                FlagstoneProgram(), arguments));
  }
  std::string Cache() const { return scratch_.File("cache"); }
  // The only file of the cache whose name has this beginning and end.
  fs::path Cached(const std::string& from, const std::string& to) const {
    for (const auto& entry : fs::recursive_directory_iterator(Cache())) {
      const std::string name = entry.path().filename().string();
      if (name.starts_with(from) && name.ends_with(to)) return entry.path();
    }
    ADD_FAILURE() << "no " << from << "*" << to;
    return {};
  }
  ScratchFolder scratch_;
};

// The time of this host stands last in its row.
std::string WithoutSeconds(const std::string& table) {
  return std::regex_replace(table, std::regex(" +[0-9.]+\n"), "\n");
}

constexpr char kFifo[] = "block fifo --param Depth=8 --stimulus in.csv --response out.csv";

TEST_F(Surroundings, ADamagedLibraryIsSaidInOneLineAndMadeAgain) {
  const std::string variables = fmt::format("XDG_CACHE_HOME='{}'", Cache());
  WriteFileAtomically(scratch_.File("in.csv"), "push,data,pop\n1,7,0\n0,0,1\n0,0,0\n");
  const CommandResult made = Run(variables, kFifo);
  ASSERT_EQ(made.exit_code, 0) << made.err;
  const std::string out = ReadFile(scratch_.File("out.csv"));
  const fs::path library = Cached("fifo", ".so"), object = Cached("verilated-", ".o");
  const auto expect_healed = [&](const std::function<void()>& damage, const fs::path& damaged) {
    damage();
    const CommandResult again = Run(variables, kFifo);
    EXPECT_EQ(again.exit_code, 0) << again.err;
    EXPECT_THAT(again.err,
                HasSubstr(fmt::format("warning: '{}' in the cache is damaged", damaged.string())));
    EXPECT_EQ(ReadFile(scratch_.File("out.csv")), out);
    EXPECT_EQ(Run(variables, kFifo).err, "");
  };
  expect_healed([&] { fs::resize_file(library, 1000); }, library);
  expect_healed([&] { fs::resize_file(library, 0); }, library);
  // An object is read when a library is made.
  expect_healed(
      [&] {
        std::ofstream(object, std::ios::binary) << "garbage";
        fs::remove(library);
        fs::remove(library.string() + ".sum");
      },
      object);
}

TEST_F(Surroundings, ADamagedSynthesisResultIsMadeAgain) {
  const std::string variables = fmt::format("XDG_CACHE_HOME='{}'", Cache());
  const std::string command = "synth first_index -q";
  const CommandResult made = Run(variables, command);
  ASSERT_EQ(made.exit_code, 0) << made.err;
  const fs::path result = Cached("result", ".json");
  for (const char* name : {"result.json", "netlist.json", "timing.rpt"}) {
    fs::resize_file(result.parent_path() / name, 10);
    const CommandResult again = Run(variables, command + " --detail --json");
    EXPECT_EQ(again.exit_code, 0) << again.err;
    EXPECT_THAT(again.err, HasSubstr(std::string(name) + "' in the cache is damaged"));
    EXPECT_EQ(Run(variables, command).err, "");
    EXPECT_EQ(WithoutSeconds(Run(variables, command).out), WithoutSeconds(made.out));
  }
  // What a later run reads, and no more.
  for (const auto& entry : fs::directory_iterator(result.parent_path())) {
    const std::string name = entry.path().stem().string();
    EXPECT_TRUE(name.starts_with("result") || name.starts_with("netlist") ||
                name.starts_with("timing") || name.starts_with("macros") ||
                name.starts_with("abc") || name == "script" || name == "latches" ||
                name == "clock_gates")
        << entry.path();
  }
}

TEST_F(Surroundings, PruneBoundsWhatWasBuilt) {
  const std::string variables = fmt::format("XDG_CACHE_HOME='{}'", Cache());
  ASSERT_EQ(Run(variables, "synth first_index round_robin_pick -q").exit_code, 0);
  EXPECT_THAT(Run(variables, "store prune").out, HasSubstr("removed 0 built on first use"));
  EXPECT_THAT(Run(variables, "store prune --built-mb 0").out, HasSubstr("; 0 are left (0 kB)"));
  for (const auto& entry : fs::directory_iterator(Cache() + "/flagstone/synth")) {
    EXPECT_EQ(entry.path().filename(), ".builds");  // of what is being made
  }
}

TEST_F(Surroundings, ARelativeCacheFolderWorks) {
  WriteFileAtomically(scratch_.File("in.csv"), "push,data,pop\n1,7,0\n");
  const CommandResult result = Run("XDG_CACHE_HOME=cache", kFifo);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(fs::exists(Cached("fifo", ".so")));
}

// An abort was here, and the first file that was opened took the place of stdout.
TEST_F(Surroundings, ClosedStreamsAreNoAbort) {
  EXPECT_EQ(Run("", "list >&- 2>&-").exit_code, 3);
  const CommandResult out = Run("", "list >&-");
  EXPECT_EQ(out.exit_code, 3);
  EXPECT_EQ(out.err, "flagstone: cannot write to stdout\n");
  EXPECT_EQ(Run("", "run nothing 2>&-").exit_code, 2);
  EXPECT_EQ(Run("", "run vecadd --functional -q --json r.json >&- 2>&-").exit_code, 3);
  EXPECT_EQ(Json::parse(ReadFile(scratch_.File("r.json")))["workload"], "vecadd");
}

TEST_F(Surroundings, AMissingFolderOfTemporariesIsNamed) {
  const std::string variables =
      fmt::format("XDG_CACHE_HOME='{}' TMPDIR=/nonexistent", scratch_.File("other"));
  for (const char* command : {"synth fifo -q", "run vecadd --engine rtl -q --machine tiny"}) {
    const CommandResult result = Run(variables, command);
    EXPECT_EQ(result.exit_code, 2) << result.err;
    EXPECT_THAT(result.err, HasSubstr("TMPDIR is '/nonexistent': expected a folder")) << command;
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  }
}

TEST_F(Surroundings, ANumberBeyondAllIsOneLine) {
  WriteFileAtomically(scratch_.File("r.json"),
                      R"({"schema": "flagstone.run/1", "totals": {"cycles": 1e999}})");
  for (const char* command : {"report r.json", "diff r.json r.json"}) {
    const CommandResult result = Run("", command);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.err, HasSubstr("'r.json' is no result of flagstone: number overflow"));
    EXPECT_THAT(result.err, Not(HasSubstr("json.exception")));
  }
}

TEST_F(Surroundings, AKilledCompareLeavesNoWorker) {
  const CommandResult result = RunShell(fmt::format(
      "'{}' compare syrk matmul --size paper --policy lrr --engine model --store none --jobs 2 -q "
      ">/dev/null 2>&1 & parent=$!\n"
      "for i in $(seq 200); do workers=$(pgrep -P $parent | tr '\\n' ' '); "
      "[ $(echo $workers | wc -w) = 2 ] && break; sleep 0.05; done\n"
      "[ $(echo $workers | wc -w) = 2 ] || echo no workers\n"
      "kill -9 $parent; wait 2>/dev/null\n"
      "for i in $(seq 100); do alive=; for w in $workers; do "
      "grep -qs 'State:.[^Z]' /proc/$w/status && alive=1; done; "
      "[ -z \"$alive\" ] && exit 0; sleep 0.05; done\n"
      "echo left; kill -9 $workers",
      FlagstoneProgram()));
  EXPECT_EQ(result.out, "");
}

// A file that a killed run has left beside an output goes with the next run that writes there.
TEST_F(Surroundings, TemporariesOfKilledRunsGo) {
  char host[256] = {};
  gethostname(host, sizeof host - 1);
  const CommandResult dead = RunShell("sh -c 'echo $$'");
  const std::string process = dead.out.substr(0, dead.out.size() - 1);
  const auto left = [&](const std::string& of, const std::string& by) {
    const std::string name = fmt::format("{}.{}.0.tmp", of, by);
    WriteFileAtomically(scratch_.File(name), "half");
    return scratch_.File(name);
  };
  const std::string ours = left("r.json", fmt::format("{}.{}", host, process));
  const std::string living = left("r.json", fmt::format("{}.{}", host, getpid()));
  const std::string other_file = left("s.json", fmt::format("{}.{}", host, process));
  const std::string other_host = left("r.json", fmt::format("not{}.{}", host, process));
  EXPECT_EQ(Run("", "run vecadd --functional -q --json r.json").exit_code, 0);
  EXPECT_FALSE(fs::exists(ours));
  EXPECT_TRUE(fs::exists(living));
  EXPECT_TRUE(fs::exists(other_file));
  EXPECT_TRUE(fs::exists(other_host));
}

// Two users under umask 077: the second is told which folder it cannot read.
TEST_F(Surroundings, AStoreThatAnotherUserHasClosedIsNamed) {
  if (geteuid() != 0 || RunShell("command -v setpriv").exit_code != 0) {
    GTEST_SKIP() << "needs root and setpriv to be two users";
  }
  RunShell(fmt::format("chmod 755 '{}'", scratch_.path().string()));
  const std::string command = "run vecadd --engine model --machine tiny -q --store store";
  ASSERT_EQ(RunShell(fmt::format("cd '{}' && umask 077 && '{}' {}", scratch_.path().string(),
                                 FlagstoneProgram(), command))
                .exit_code,
            0);
  const CommandResult other =
      RunShell(fmt::format("cd '{}' && setpriv --reuid 65534 --clear-groups '{}' {}",
                           scratch_.path().string(), FlagstoneProgram(), command));
  EXPECT_EQ(other.exit_code, 0) << other.err;
  EXPECT_THAT(other.err, HasSubstr("warning: the store cannot read 'store'"));
  EXPECT_THAT(other.err, HasSubstr("docs/command.md says how users share a store"));

  // Folders that are open, and a file that is not: it is no damage, and stays.
  RunShell(fmt::format("chmod -R a+rwX '{0}' && find '{0}' -type f -exec chmod 600 {{}} +",
                       scratch_.File("store")));
  const std::string as_other = fmt::format("cd '{}' && setpriv --reuid 65534 --clear-groups '{}' ",
                                           scratch_.path().string(), FlagstoneProgram());
  EXPECT_THAT(RunShell(as_other + "store verify --store store").out,
              HasSubstr("0 results are whole, 0 are damaged, 1 cannot be read"));
  const CommandResult second = RunShell(as_other + command);
  EXPECT_EQ(second.exit_code, 0) << second.err;
  EXPECT_THAT(second.err, HasSubstr("warning: the store cannot read 'store/"));
  EXPECT_FALSE(fs::exists(scratch_.File("store/damaged")));
}

// Entries of a store that no run has written there.
TEST_F(Surroundings, FifosAndLinksInAStoreAreSetAsideAndNotRead) {
  const std::string command = "run vecadd --engine model --machine tiny -q --store store";
  ASSERT_EQ(Run("", command).exit_code, 0);
  fs::path file;
  for (const auto& entry : fs::recursive_directory_iterator(scratch_.File("store"))) {
    if (entry.path().extension() == ".json") file = entry.path();
  }
  for (const char* make : {"mkfifo", "ln -s /dev/zero", "mkdir"}) {
    ASSERT_EQ(RunShell(fmt::format("rm -r '{0}'; {1} '{0}'", file.string(), make)).exit_code, 0);
    const CommandResult verified = Run("timeout 60", "store verify --store store");
    EXPECT_EQ(verified.exit_code, 1) << make;
    EXPECT_THAT(verified.out, HasSubstr("it is no regular file: set aside as")) << make;
    ASSERT_EQ(RunShell(fmt::format("{1} '{0}'", file.string(), make)).exit_code, 0);
    const CommandResult result = Run("timeout 60", command);
    EXPECT_EQ(result.exit_code, 0) << make << result.err;
    EXPECT_THAT(result.err, HasSubstr("is damaged (it is no regular file)")) << make;
  }
}

}  // namespace surroundings_test
}  // namespace flagstone
