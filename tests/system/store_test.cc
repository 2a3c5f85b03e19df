// The store of results behind run, compare and reproduce, as users see it.
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/file.h"
#include "base/hash.h"
#include "tests/system/command.h"

namespace flagstone {
namespace store_test {

using testing::HasSubstr;
using Json = nlohmann::ordered_json;

namespace fs = std::filesystem;

class Store : public testing::Test {
 protected:
  CommandResult Run(const std::string& arguments) {
    return RunFlagstone(fmt::format("{} --store '{}'", arguments, folder()));
  }
  // In a cache of its own: the tests beside this one go on with what the shared one holds.
  CommandResult Prune(const std::string& options = "") {
    return RunShell(fmt::format("XDG_CACHE_HOME='{}' '{}' store prune {} --store '{}'",
                                scratch_.File("cache"), FlagstoneProgram(), options, folder()));
  }
  std::string folder() const { return scratch_.File("results"); }
  std::vector<fs::path> Results() const {
    std::vector<fs::path> files;
    std::error_code error;
    for (const auto& entry : fs::recursive_directory_iterator(folder(), error)) {
      const std::string name = entry.path().string();
      if (name.ends_with(".json") && name.find("/analyses/") == std::string::npos) {
        files.push_back(entry.path());
      }
    }
    return files;
  }

  ScratchFolder scratch_;
};

// What a stored result adds to what it prints.
std::string WithoutTheStore(std::string text) {
  for (const auto& [said, else_] :
       {std::pair<std::string_view, std::string_view>{", from the store\n", "\n"},
        {" (from the store)\n", "\n"},
        {"\"from_store\": true", "\"from_store\": false"}}) {
    const size_t at = text.find(said);
    if (at != std::string::npos) text.replace(at, said.size(), else_);
  }
  return text;
}

TEST_F(Store, AStoredRunPrintsTheSameAndThatItIsStored) {
  const std::vector<std::string> commands = {
      "run syrk --engine model",
      "run scan --engine model --json",
      "run syrk --engine model --policy rb --miss-classes",
      "run laplace3d --engine model --machine caps_fermi --prefetch caps --warp-scheduler pas",
      "run bfs --engine model --machine tiny --json -",
      "run vecadd --functional",
      "run matmul --engine model --values slice --no-check",
      "run reduction_k6 --engine model",
      "run vecadd --engine rtl --machine tiny",
  };
  for (const std::string& command : commands) {
    SCOPED_TRACE(command);
    const CommandResult computed = Run(command);
    ASSERT_EQ(computed.exit_code, 0) << computed.err;
    const size_t results = Results().size();
    const CommandResult found = Run(command);
    EXPECT_NE(found.out, computed.out);
    EXPECT_EQ(WithoutTheStore(found.out), computed.out);
    EXPECT_EQ(found.err, computed.err);
    EXPECT_EQ(found.exit_code, 0);
    EXPECT_EQ(Results().size(), results);
    // And without a store, but for the times of this host.
    const CommandResult alone = RunFlagstone(command);
    EXPECT_EQ(alone.err, computed.err);
    if (command.find("--json") == std::string::npos) {
      EXPECT_EQ(alone.out, computed.out);
    }
  }
}

// The figures are those that the file holds, not computed again.
TEST_F(Store, ARunIsTakenFromTheStoreUnlessItIsToBeFresh) {
  const std::string command = "run vecadd --engine model --machine tiny --json -v";
  EXPECT_THAT(Run(command).err, testing::Not(HasSubstr("store")));
  EXPECT_THAT(Run(command).err, HasSubstr("the store holds"));
  EXPECT_THAT(Run(command + " --fresh").err, testing::Not(HasSubstr("store")));
  EXPECT_EQ(Results().size(), 1U);
}

TEST_F(Store, CompareAndRunShareResults) {
  const std::string options = " --engine model --machine tiny";
  EXPECT_EQ(Run("compare vecadd matmul --policy lrr,rb" + options).exit_code, 0);
  EXPECT_EQ(Results().size(), 4U);
  const CommandResult table = Run("compare vecadd matmul --policy lrr,rb --json" + options);
  EXPECT_THAT(Run("compare vecadd matmul --policy lrr,rb" + options).out,
              HasSubstr("engine model; 4 of 4 results are from the store\n"));
  EXPECT_THAT(Run("run matmul --policy rb -v" + options).err, HasSubstr("the store holds"));
  EXPECT_EQ(Results().size(), 4U);
  EXPECT_EQ(Run("compare vecadd matmul --policy lrr,rb --json" + options).out, table.out);
}

// It takes well over the 5 ms from which on analyses are kept. An analysis that is found counts as
// what it took when it was made, to the last bit.
TEST_F(Store, ARunThatIsNotKeptTakesTheAnalysisOfOneThatIs) {
  const std::string run = "run srad --size medium --policy auto --data known --engine model -q";
  const auto with_jit = [](const Json& json) {
    return json["host"]["kernel_and_jit_seconds"].get<double>();
  };
  const auto json_of = [&](const std::string& options) {
    return Json::parse(Run(run + options + " --json").out, nullptr, false);
  };
  const Json first = json_of("");
  const Json second = json_of(" --timeline " + scratch_.File("t.json"));
  EXPECT_EQ(Results().size(), 1U);
  EXPECT_EQ(first["totals"], second["totals"]);
  EXPECT_EQ(with_jit(first), with_jit(second));
  EXPECT_THAT(Prune("--all").out, HasSubstr("removed 1 results"));
  for (const auto& entry : fs::recursive_directory_iterator(folder())) {
    EXPECT_FALSE(entry.is_regular_file()) << entry.path();
  }
}

// Who asks for RTL gets what RTL has computed, or an error.
TEST_F(Store, AResultOfModelsIsNoneOfTheRtl) {
  const std::string options = " --machine tiny -q";
  EXPECT_THAT(Run("run vecadd --engine model" + options).out, HasSubstr("engine model\n"));
  EXPECT_THAT(Run("run vecadd --engine model" + options).out,
              HasSubstr("engine model, from the store\n"));
  const CommandResult without =
      RunShell(fmt::format("PATH=/nowhere '{}' run vecadd --engine rtl {} --store '{}'",
                           FlagstoneProgram(), options, folder()));
  EXPECT_EQ(without.exit_code, 3);
  EXPECT_THAT(without.err, HasSubstr("needs Verilator"));
  EXPECT_THAT(Run("run vecadd --engine rtl" + options).out, HasSubstr("engine rtl\n"));
  EXPECT_THAT(Run("run vecadd --engine rtl" + options).out,
              HasSubstr("engine rtl, from the store\n"));
}

// The files of two results change places.
TEST_F(Store, AResultUnderAnothersNameIsFound) {
  const std::string command = "compare vecadd syrk --policy lrr --engine model --machine tiny -q";
  const CommandResult computed = Run(command);
  std::vector<fs::path> files = Results();
  ASSERT_EQ(files.size(), 2U);
  fs::copy_file(files[0], files[1], fs::copy_options::overwrite_existing);
  const CommandResult verified = Run("store verify");
  EXPECT_EQ(verified.exit_code, 1);
  EXPECT_THAT(verified.out, HasSubstr("1 results are whole, 1 are damaged"));
  fs::copy_file(files[0], files[1], fs::copy_options::overwrite_existing);
  const CommandResult again = Run(command);
  EXPECT_THAT(again.err, HasSubstr("is damaged (its bytes are not those"));
  EXPECT_EQ(again.out.substr(0, again.out.find("engine")),
            computed.out.substr(0, computed.out.find("engine")));
}

TEST_F(Store, ADamagedResultIsSetAsideAndComputedAgain) {
  const std::string command = "run vecadd --engine model --machine tiny";
  const CommandResult computed = Run(command);
  ASSERT_EQ(Results().size(), 1U);
  std::string bytes = ReadFile(Results()[0]);
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 2);
  WriteFileAtomically(Results()[0], bytes);
  EXPECT_EQ(RunFlagstone(fmt::format("store list --store '{}' --json", folder())).exit_code, 0);
  const CommandResult again = Run(command);
  EXPECT_EQ(again.out, computed.out);
  EXPECT_EQ(again.exit_code, 0);
  EXPECT_EQ(Run("store verify").exit_code, 0);
}

TEST_F(Store, VerifyFindsWhatIsDamaged) {
  Run("run vecadd --engine model --machine tiny");
  Run("run vecadd --engine model --machine tiny --policy rb");
  WriteFileAtomically(Results()[0], "{}\n");
  const CommandResult found = Run("store verify");
  EXPECT_EQ(found.exit_code, 1);
  EXPECT_THAT(found.out, HasSubstr("set aside as"));
  EXPECT_THAT(found.out, HasSubstr("1 results are whole, 1 are damaged\n"));
  EXPECT_THAT(Prune().out, HasSubstr("1 damaged files"));
  EXPECT_THAT(Run("store").out, HasSubstr("\n1 result, "));
  EXPECT_THAT(Prune("--all").out, HasSubstr("removed 1 results"));
  EXPECT_TRUE(Results().empty());
}

// Results of another build stay for it, and go when asked for.
TEST_F(Store, AnotherBuildsResultsAreNamedAndPruned) {
  Run("run vecadd --engine model --machine tiny");
  ASSERT_EQ(Results().size(), 1U);
  const CommandResult here = Run("store list --json");
  EXPECT_EQ(Json::parse(here.out)["results"][0]["this_build"], true);
  EXPECT_THAT(Prune().out, HasSubstr("removed 0 results"));
  ASSERT_EQ(Results().size(), 1U);

  // As another build would have written it, checksum included.
  std::string payload = ReadFile(Results()[0]);
  payload = payload.substr(payload.find('\n') + 1);
  payload.pop_back();
  payload.replace(payload.find("\"code\":\"") + 8, 16, "0123456789abcdef");
  Fnv1a hash;
  hash.Add(std::string_view(Results()[0].stem().native()));
  hash.Add(std::string_view(payload));
  WriteFileAtomically(
      Results()[0],
      fmt::format("{{\"schema\":\"flagstone.result/2\",\"checksum\":\"{:016x}\"}}\n{}\n",
                  hash.Value(), payload));
  EXPECT_EQ(Run("store verify").exit_code, 0);
  EXPECT_THAT(Run("store").out, HasSubstr("1 are another build's"));
  EXPECT_THAT(Prune().out, HasSubstr("removed 1 results"));
  EXPECT_TRUE(Results().empty());
}

TEST_F(Store, BadUseIsOneLine) {
  EXPECT_EQ(Run("store empty").exit_code, 2);
  EXPECT_THAT(Run("store empty").err, HasSubstr("expected list, verify or prune"));
  EXPECT_EQ(Run("store list --all").exit_code, 2);
  const CommandResult none = RunFlagstone("store list --store none");
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_EQ(none.err, "flagstone: there is no store of results: expected a folder after --store\n");
}

TEST_F(Store, APlaceThatCannotBeWrittenIsOneLineAndNoFailure) {
  WriteFileAtomically(folder(), "a file in the way");
  const CommandResult one = Run("run vecadd --engine model --machine tiny");
  EXPECT_EQ(one.exit_code, 0);
  EXPECT_THAT(one.err, HasSubstr("warning: results are not kept: cannot write in '" + folder()));
  const CommandResult many = Run("compare vecadd matmul --engine model --machine tiny");
  EXPECT_EQ(many.exit_code, 0);
  EXPECT_EQ(many.err, one.err);
}

// Killed in the middle and started again, `reproduce` goes on and ends with the same bytes.
TEST_F(Store, AKilledReproduceGoesOn) {
  WriteFileAtomically(scratch_.File("e.toml"), R"(description = "d"
source = "s"
machines = ["tiny", "fermi"]
size = "test"
baseline = "lrr"
[[variant]]
name = "lrr"
[[variant]]
name = "rb"
policy = "rb"
[[set]]
name = "all"
workloads = ["syrk", "matmul", "hotspot", "scan"]
[[table]]
name = "cycles"
title = "cycles"
key = "cycles"
)");
  const std::string arguments =
      fmt::format("reproduce '{}' --engine model -q --jobs 2", scratch_.File("e.toml"));
  const std::string undisturbed = RunFlagstone(arguments).out;
  // Killed once three results are there.
  RunShell(fmt::format(
      "'{0}' {1} --store '{2}' & while [ $(ls '{2}'/*/*.json 2>/dev/null | wc -l) -lt 3 "
      "]; do sleep 0.01; done; kill -9 $!; wait; sleep 0.3",
      FlagstoneProgram(), arguments, folder()));
  std::map<fs::path, fs::file_time_type> before;
  for (const fs::path& file : Results()) before[file] = fs::last_write_time(file);
  ASSERT_GE(before.size(), 3U);
  const CommandResult last = Run(arguments);
  EXPECT_EQ(last.exit_code, 0) << last.err;
  EXPECT_THAT(last.out, HasSubstr(" results are from the store\n"));
  EXPECT_EQ(last.out.substr(0, last.out.find("engine ")),
            undisturbed.substr(0, undisturbed.find("engine ")));
  EXPECT_EQ(Results().size(), 16U);
  for (const auto& [file, written] : before) EXPECT_EQ(fs::last_write_time(file), written) << file;
  EXPECT_EQ(Run("store verify").exit_code, 0);
}

// Studies of loads keep what they find for each workload, and take it again.
TEST_F(Store, AStudyOfLoadsIsTakenFromTheStore) {
  const auto study = [&](const char* name, const std::string& rest) {
    WriteFileAtomically(scratch_.File(name),
                        "description = \"d\"\nsource = \"s\"\nsize = \"test\"\n" + rest);
    return fmt::format("reproduce '{}' --engine model -q", scratch_.File(name));
  };
  const std::string workloads = "workloads = [\"vecadd\", \"matmul_tiled\"]\n";
  const std::vector<std::string> commands = {
      study("distance.toml",
            workloads + "study = \"warp-distance\"\nmachine = \"tiny\"\nwarps = 3\n"),
      study("bases.toml", workloads + "study = \"tb-bases\"\nmachine = \"tiny\"\n"),
      study("iterations.toml", workloads + "study = \"load-iterations\"\n"),
      study("coalescing.toml", workloads + R"(study = "coalescing"
machine = "tiny"
[[kernel]]
workload = "vecadd"
kernel = "vecadd"
degree = 1
sectors_in_range = 4
sector_expectation = 4
sectors_per_request = 4
)"),
      study("ladm.toml", R"(study = "ladm"
[[kernel]]
workload = "vecadd"
kernel = "vecadd"
locality = "NL"
scheduler = "align-aware"
[[kernel]]
workload = "matmul_tiled"
kernel = "matmul_tiled"
locality = "RCL"
scheduler = "row-binding"
)")};
  for (const std::string& command : commands) {
    SCOPED_TRACE(command);
    const size_t before = Results().size();
    const CommandResult computed = Run(command);
    ASSERT_EQ(computed.exit_code, 0) << computed.err;
    EXPECT_EQ(computed.out, RunFlagstone(command).out);
    std::map<fs::path, fs::file_time_type> kept;
    for (const fs::path& file : Results()) kept[file] = fs::last_write_time(file);
    EXPECT_EQ(kept.size(), before + 2);
    EXPECT_EQ(Run(command).out, computed.out);
    for (const auto& [file, written] : kept) EXPECT_EQ(fs::last_write_time(file), written) << file;
    EXPECT_EQ(Results().size(), before + 2);
    EXPECT_EQ(Run(command + " --fresh").out, computed.out);
    size_t anew = 0;
    for (const auto& [file, written] : kept) anew += fs::last_write_time(file) != written;
    EXPECT_EQ(anew, 2U);
  }
  // Another machine is another study; a run of the same machine is another result.
  EXPECT_EQ(Run(commands[0] + " --set sm.l1.mshrs=9").exit_code, 0);
  EXPECT_EQ(Results().size(), 12U);
  EXPECT_EQ(Run("run vecadd --machine tiny --engine model").exit_code, 0);
  EXPECT_EQ(Results().size(), 13U);
  EXPECT_THAT(Run("store").out, HasSubstr("13 results"));
}

// A machine that has changed is simulated again, and no other.
TEST_F(Store, AChangedMachineKeyComputesOnlyTheRunsOfItsMachine) {
  const auto machine = [&](const char* name, int mshrs) {
    WriteFileAtomically(scratch_.File(name), fmt::format(R"(name = "{}"
base = "tiny"
[sm.l1]
mshrs = {}
)",
                                                         name, mshrs));
  };
  machine("a.toml", 8);
  machine("b.toml", 16);
  WriteFileAtomically(scratch_.File("e.toml"),
                      fmt::format(R"(description = "d"
source = "s"
machines = ["{}", "{}"]
size = "test"
baseline = "lrr"
[[variant]]
name = "lrr"
[[variant]]
name = "rb"
policy = "rb"
[[set]]
name = "all"
workloads = ["vecadd", "matmul", "syrk"]
[[table]]
name = "cycles"
title = "cycles"
key = "cycles"
)",
                                  scratch_.File("a.toml"), scratch_.File("b.toml")));
  const std::string command = "reproduce " + scratch_.File("e.toml") + " --engine model -q";
  EXPECT_EQ(Run(command).exit_code, 0);
  EXPECT_EQ(Results().size(), 12U);
  machine("b.toml", 24);
  const CommandResult changed = Run(command);
  EXPECT_EQ(Results().size(), 18U);
  const std::string fresh = RunFlagstone(command).out;
  EXPECT_EQ(changed.out.substr(0, changed.out.find("engine ")),
            fresh.substr(0, fresh.find("engine ")));
}

}  // namespace store_test
}  // namespace flagstone
