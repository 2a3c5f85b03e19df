// `flagstone run`: results that are right, the same for every engine and every time, and failures
// that say what went wrong and leave nothing half-written.
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "tests/system/command.h"

namespace flagstone {
namespace run_test {

using ::testing::HasSubstr;
using Json = nlohmann::ordered_json;

Json RunJson(const std::string& arguments) {
  const CommandResult result = RunFlagstone("run " + arguments + " --json -q");
  EXPECT_EQ(result.exit_code, 0) << arguments << "\n" << result.err;
  return Json::parse(result.out, nullptr, false);
}

Json WithoutHost(Json json) {
  json.erase("host");
  json.erase("command");
  return json;
}

TEST(Run, EveryWorkloadIsRightUnderEveryPolicyAndRunsEachTbOnce) {
  for (const char* workload : {"vecadd", "matmul", "syrk", "hotspot", "spmv"}) {
    for (const char* policy : {"lrr", "mst", "kway", "rb"}) {
      const Json json =
          RunJson(std::string(workload) + " --machine tiny --policy " + std::string(policy));
      ASSERT_FALSE(json["checks"].empty()) << workload;
      for (const Json& check : json["checks"]) EXPECT_TRUE(check["passed"]) << workload << policy;
      for (const Json& launch : json["launches"]) {
        EXPECT_EQ(launch["tb"]["issued"], launch["tb"]["count"]) << workload << policy;
        EXPECT_EQ(launch["tb"]["completed"], launch["tb"]["count"]) << workload << policy;
      }
    }
  }
}

TEST(Run, ModelAndRtlGiveTheSameResultAndLockstepAgrees) {
  for (const char* workload : {"vecadd", "matmul", "syrk", "hotspot", "spmv"}) {
    for (const char* policy : {"lrr", "rb"}) {
      const std::string arguments = std::string(workload) + " --policy " + policy + " --engine ";
      const Json model = RunJson(arguments + "model");
      const Json rtl = RunJson(arguments + "rtl");
      const Json lockstep = RunJson(arguments + "lockstep");
      EXPECT_EQ(model["totals"], rtl["totals"]) << arguments;
      EXPECT_EQ(model["totals"], lockstep["totals"]) << arguments;
      EXPECT_GT(lockstep["lockstep_cycles"].get<uint64_t>(), 0U);
      EXPECT_EQ(rtl["blocks"][0]["path"], "gpu.tb_scheduler");
      EXPECT_EQ(rtl["blocks"][0]["body"], "rtl");
      EXPECT_EQ(model["blocks"][0]["body"], "model");
    }
  }
}

TEST(Run, TheSameCommandGivesTheSameBytes) {
  const Json first = WithoutHost(RunJson("syrk --policy rb"));
  EXPECT_EQ(first.dump(), WithoutHost(RunJson("syrk --policy rb")).dump());
}

TEST(Run, JsonHoldsEveryKeyOfTheSchema) {
  const Json json = RunJson("matmul --policy rb");
  EXPECT_EQ(json["schema"], "flagstone.run/1");
  for (const char* key :
       {"version", "config_hash", "input_hash", "command", "seed", "size", "workload", "machine",
        "policy", "warp_scheduler", "prefetcher", "engine", "values", "blocks", "launches",
        "totals", "host", "checks_skipped", "checks"}) {
    EXPECT_TRUE(json.contains(key)) << key;
  }
  for (const Json& launch : {json["launches"][0], json["totals"]}) {
    for (const char* key :
         {"entry", "grid", "block", "tbs_per_sm", "cycles", "warp_instructions",
          "thread_instructions", "ipc", "registers_per_thread", "registers_source", "sm", "tb",
          "l1", "l2", "dram", "prefetch", "analysis"}) {
      EXPECT_TRUE(launch.contains(key)) << key;
    }
    EXPECT_EQ(launch["l1"]["hits"].get<uint64_t>() + launch["l1"]["mshr_hits"].get<uint64_t>() +
                  launch["l1"]["misses"].get<uint64_t>(),
              launch["l1"]["accesses"].get<uint64_t>());
    EXPECT_GT(launch["cycles"], 0);
  }
  EXPECT_GT(json["host"]["peak_rss_bytes"], 0);
}

TEST(Run, CountsPrefetchesByLoad) {
  const Json launch =
      RunJson("vecadd --machine tiny --prefetch caps --warp-scheduler pas")["launches"][0];
  uint64_t issued = 0, fetches = 0;
  for (const Json& load : launch["load_prefetches"]) {
    issued += load["issued"].get<uint64_t>();
    fetches += load["demand_fetches"].get<uint64_t>();
    EXPECT_GT(load["line"], 0);
    EXPECT_FALSE(load["indirect"].get<bool>());
  }
  EXPECT_EQ(launch["load_prefetches"].size(), 2U);
  EXPECT_GT(issued, 0U);
  EXPECT_EQ(issued, launch["prefetch"]["issued"].get<uint64_t>());
  EXPECT_EQ(fetches, launch["prefetch"]["demand_fetches"].get<uint64_t>());
  EXPECT_TRUE(RunJson("vecadd")["launches"][0]["load_prefetches"].empty());
}

TEST(Run, WavesOfAnSmsBlocksHaveFilesOfTheirOwn) {
  const ScratchFolder scratch;
  const std::string arguments =
      "run vecadd --machine tiny --prefetch caps --warp-scheduler pas -q --wave " +
      scratch.File("w.fst") + " --wave-to 500 --wave-scope ";
  ASSERT_EQ(RunFlagstone(arguments + "gpu.sm0.prefetcher").exit_code, 0);
  EXPECT_TRUE(std::filesystem::exists(scratch.File("w.fst")));
  ASSERT_EQ(RunFlagstone(arguments + "gpu.sm1").exit_code, 0);
  for (const char* block : {"prefetcher", "warp_scheduler0", "warp_scheduler1"}) {
    EXPECT_TRUE(std::filesystem::exists(scratch.File(fmt::format("w.gpu.sm1.{}.fst", block))));
  }
  EXPECT_EQ(RunFlagstone(arguments + "gpu.sm2").exit_code, 2);
}

TEST(Run, SaysWhereTheRegistersPerThreadComeFrom) {
  const Json said = RunJson("hotspot")["launches"][0];
  EXPECT_EQ(said["registers_source"], "workload");
  const Json estimated = RunJson("vecadd")["launches"][0];
  EXPECT_EQ(estimated["registers_source"], "estimate");
  EXPECT_GT(estimated["registers_per_thread"], 2);
  EXPECT_LT(estimated["registers_per_thread"], 32);
  EXPECT_TRUE(RunJson("vecadd --functional")["launches"][0]["registers_source"].is_null());
}

TEST(Run, HashesChangeWithTheConfigurationAndTheInput) {
  const Json base = RunJson("matmul");
  EXPECT_EQ(base["config_hash"], RunJson("matmul --engine model")["config_hash"]);
  EXPECT_NE(base["config_hash"], RunJson("matmul --set sm.l1.size_kib=48")["config_hash"]);
  EXPECT_NE(base["config_hash"], RunJson("matmul --policy rb")["config_hash"]);
  EXPECT_NE(base["input_hash"], RunJson("vecadd")["input_hash"]);
}

TEST(Run, ItsConfigurationIsWhatRanHoweverItWasAskedFor) {
  const Json own = RunJson("matmul")["config_hash"];
  EXPECT_EQ(own, RunJson("matmul --warp-scheduler gto --prefetch none")["config_hash"]);
  const Json lrr = RunJson("matmul --warp-scheduler lrr")["config_hash"];
  EXPECT_EQ(lrr, RunJson("matmul --set sm.warp_scheduler=lrr")["config_hash"]);
  EXPECT_NE(lrr, own);
  const Json caps = RunJson("matmul --prefetch caps")["config_hash"];
  EXPECT_EQ(caps, RunJson("matmul --set sm.prefetcher=caps")["config_hash"]);
  EXPECT_NE(caps, own);
  // A file's groups, not its name.
  const ScratchFolder scratch;
  const std::string run = "vecadd --engine model --policy groups:" + scratch.File("g");
  const auto with_groups_of = [&](const std::string& policy) {
    const std::string groups =
        RunFlagstone("analyze vecadd -q --dump groups --policy " + policy).out;
    WriteFileAtomically(scratch.File("g"), groups);
    return RunJson(run)["config_hash"];
  };
  const Json rb = with_groups_of("rb");
  EXPECT_NE(rb, with_groups_of("mst"));
  EXPECT_EQ(rb, with_groups_of("rb"));
}

TEST(Run, AutoPredictsUnderTheWarpSchedulerThatRunsHoweverItWasAskedFor) {
  const std::string run = "matmul --policy auto --data known --engine model ";
  const auto prediction = [&](const std::string& options) {
    return RunJson(run + options)["launches"][0]["analysis"]["prediction"];
  };
  const Json lrr = prediction("--warp-scheduler lrr");
  EXPECT_TRUE(lrr.is_object());
  EXPECT_EQ(lrr, prediction("--set sm.warp_scheduler=lrr"));
  EXPECT_NE(lrr, prediction(""));
}

TEST(Run, FunctionalRunsCountTheSameInstructionsAndNoCycles) {
  const Json timed = RunJson("matmul");
  const Json functional = RunJson("matmul --functional");
  EXPECT_EQ(timed["totals"]["warp_instructions"], functional["totals"]["warp_instructions"]);
  EXPECT_EQ(timed["totals"]["thread_instructions"], functional["totals"]["thread_instructions"]);
  EXPECT_TRUE(functional["totals"]["cycles"].is_null());
  EXPECT_TRUE(functional["checks"][0]["passed"]);
}

TEST(Run, AWaveFileIsWrittenThatHoldsTheSchedulersSignals) {
  const ScratchFolder scratch;
  const std::string file = scratch.File("w.fst");
  const CommandResult result =
      RunFlagstone("run matmul --policy rb --wave " + file + " --wave-from 10 --wave-to 400");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_GT(ReadFile(file).size(), 500U);
}

// Also where caches last over launches, which the launch is simulated with once more.
TEST(Run, AWaveBeginsAtTheFirstEventAndChangesNoResult) {
  const ScratchFolder scratch;
  const std::string kept =
      "--set sm.read_only_caches=keep --set sm.instruction_cache.size_kib=2"
      " --set sm.instruction_cache.ways=4 --set sm.instruction_cache.mshrs=2 ";
  for (const std::string& machine : {std::string(), kept}) {
    SCOPED_TRACE(machine);
    const std::string run = "run waves/steal/workload.toml --policy kway --machine tiny " + machine;
    const std::string file = scratch.File("w.fst");
    const CommandResult plain = RunFlagstone(run + "--json");
    const CommandResult waved = RunFlagstone(run + "--json --wave-on steal --wave " + file);
    ASSERT_EQ(waved.exit_code, 0) << waved.err;
    const Json with = Json::parse(waved.out, nullptr, false);
    ASSERT_TRUE(with.contains("wave_event")) << waved.err;
    const Json without = Json::parse(plain.out, nullptr, false);
    EXPECT_EQ(with["totals"], without["totals"]);
    EXPECT_EQ(with["wave_event"]["path"], "gpu.tb_scheduler");
    EXPECT_GT(ReadFile(file).size(), 200U);
    // The same window by its cycles.
    const uint64_t cycle = with["wave_event"]["cycle"].get<uint64_t>();
    const std::string again = scratch.File("again.fst");
    RunFlagstone(run + "--wave " + again + " --wave-scope gpu.tb_scheduler --wave-from " +
                 std::to_string(cycle - 200) + " --wave-to " + std::to_string(cycle + 200));
    EXPECT_TRUE(ReadFile(again) == ReadFile(file));
  }
}

TEST(Run, AWaveOfTheFirstPrefetchShowsThePrefetcherOfItsSm) {
  const ScratchFolder scratch;
  const std::string run = "run laplace3d --machine tiny --json --wave-on first-prefetch --wave " +
                          scratch.File("w.fst");
  const CommandResult none = RunFlagstone(run);
  EXPECT_EQ(none.exit_code, 0);
  EXPECT_THAT(none.err, HasSubstr("warning: no wave: the run has no first-prefetch"));
  EXPECT_TRUE(std::filesystem::is_empty(scratch.path()));
  const CommandResult caps = RunFlagstone(run + " --prefetch caps");
  ASSERT_EQ(caps.exit_code, 0) << caps.err;
  const Json json = Json::parse(caps.out, nullptr, false);
  ASSERT_TRUE(json.contains("wave_event")) << caps.err;
  EXPECT_THAT(json["wave_event"]["path"].get<std::string>(), testing::EndsWith(".prefetcher"));
  EXPECT_FALSE(std::filesystem::is_empty(scratch.path()));
}

TEST(Run, ACycleLimitFailsTheRunAndWritesNoResult) {
  const ScratchFolder scratch;
  const CommandResult result =
      RunFlagstone("run matmul --max-cycles 100 --json " + scratch.File("r.json"));
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("100"));
  EXPECT_TRUE(std::filesystem::is_empty(scratch.path()));
}

TEST(Run, AnUnwritableFileIsASystemError) {
  const CommandResult result = RunFlagstone("run vecadd --json /no/such/folder/r.json");
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, HasSubstr("/no/such/folder/r.json"));
}

// A user's own workload in a folder of its own.
class OwnWorkload : public ::testing::Test {
 protected:
  void Write(const std::string& name, const std::string& text) {
    std::ofstream(scratch_.File(name)) << text;
  }
  CommandResult RunOwn(const std::string& options = "") {
    return RunFlagstone("run " + scratch_.File("workload.toml") + " --machine tiny " + options);
  }
  static std::string Toml(const std::string& grid, const std::string& block) {
    return "name = \"own\"\n[buffer.A]\ntype = \"u32\"\ncount = 64\nfill = \"zero\"\n"
           "[[launch]]\nptx = \"own.ptx\"\nentry = \"own\"\ngrid = " +
           grid + "\nblock = " + block + "\nargs = [\"A\"]\n";
  }
  static std::string Ptx(const std::string& body, const std::string& declarations = "") {
    return ".version 4.0\n.target sm_35\n.address_size 64\n" + declarations +
           ".visible .entry own(.param .u64 own_a)\n{\n.reg .pred %p<4>;\n.reg .b32 %r<8>;\n"
           ".reg .b64 %rd<8>;\nld.param.u64 %rd1, [own_a];\ncvta.to.global.u64 %rd2, %rd1;\n" +
           body + "}\n";
  }
  void ExpectFailure(int exit_code, const std::string& expected) {
    const CommandResult result = RunOwn();
    EXPECT_EQ(result.exit_code, exit_code) << result.err;
    EXPECT_THAT(result.err, HasSubstr(expected));
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  }

  ScratchFolder scratch_;
};

TEST_F(OwnWorkload, RunsFromItsPath) {
  Write("workload.toml", Toml("[2, 1, 1]", "[32, 1, 1]"));
  Write("own.ptx", Ptx("mov.u32 %r1, %tid.x;\nmul.wide.u32 %rd3, %r1, 4;\n"
                       "add.s64 %rd4, %rd2, %rd3;\nst.global.u32 [%rd4], %r1;\nret;\n"));
  EXPECT_EQ(RunOwn().exit_code, 0) << RunOwn().err;
}

TEST_F(OwnWorkload, AnOutOfBoundsAccessFailsTheRunWithItsLine) {
  Write("workload.toml", Toml("[1, 1, 1]", "[32, 1, 1]"));
  Write("own.ptx", Ptx("st.global.u32 [%rd2+256], %r1;\nret;\n"));
  ExpectFailure(1, "own.ptx:11");
}

TEST_F(OwnWorkload, AMisalignedAccessFailsTheRun) {
  Write("workload.toml", Toml("[1, 1, 1]", "[32, 1, 1]"));
  Write("own.ptx", Ptx("st.global.u32 [%rd2+2], %r1;\nret;\n"));
  ExpectFailure(1, "misaligned");
}

TEST_F(OwnWorkload, AKernelThatWaitsForeverIsReportedWithItsWarps) {
  Write("workload.toml", Toml("[1, 1, 1]", "[64, 1, 1]"));
  // The second warp spins on a flag that nobody sets.
  Write("own.ptx", Ptx("LOOP:\nld.global.u32 %r1, [%rd2];\nsetp.eq.u32 %p1, %r1, 0;\n"
                       "@%p1 bra LOOP;\nret;\n"));
  const CommandResult result = RunOwn("--max-cycles 20000");
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("20000"));
}

TEST_F(OwnWorkload, BadGridsAndBlocksAreBadInput) {
  Write("own.ptx", Ptx("ret;\n"));
  Write("workload.toml", Toml("[0, 1, 1]", "[32, 1, 1]"));
  ExpectFailure(2, "grid");
  Write("workload.toml", Toml("[1, 1, 1]", "[2048, 1, 1]"));
  ExpectFailure(2, "block");
}

TEST_F(OwnWorkload, MoreSharedMemoryThanAnSmHasIsBadInput) {
  Write("workload.toml", Toml("[1, 1, 1]", "[32, 1, 1]"));
  Write("own.ptx",
        ".version 4.0\n.target sm_35\n.address_size 64\n"
        ".visible .entry own(.param .u64 own_a)\n{\n.reg .b32 %r<4>;\n"
        ".shared .align 4 .b8 big[1000000];\nmov.u32 %r1, big;\nret;\n}\n");
  ExpectFailure(2, "shared memory");
}

TEST_F(OwnWorkload, BrokenPtxIsBadInputWithFileAndLine) {
  Write("workload.toml", Toml("[1, 1, 1]", "[32, 1, 1]"));
  Write("own.ptx", "");
  ExpectFailure(2, "own.ptx:1");
  Write("own.ptx", Ptx("frob.u32 %r1, %r2;\nret;\n"));
  ExpectFailure(2, "own.ptx:11");
  Write("own.ptx", Ptx("add.s32 %r1, %r2"));
  ExpectFailure(2, "own.ptx:");
  Write("own.ptx", std::string("\x7f"
                               "ELF\0\1\2",
                               7));
  ExpectFailure(2, "own.ptx:1");
}

TEST_F(OwnWorkload, BrokenTomlIsBadInputWithFileAndLine) {
  Write("own.ptx", Ptx("ret;\n"));
  Write("workload.toml", Toml("[1, 1, 1]", "[32, 1, 1]") + "colour = \"red\"\n");
  ExpectFailure(2, "colour");
  Write("workload.toml", "name = \n");
  ExpectFailure(2, "workload.toml:1");
  Write("workload.toml", Toml("[1, 1, 1]", "[32, 1, 1]"));
  std::filesystem::remove(scratch_.File("own.ptx"));
  ExpectFailure(2, "own.ptx");
}

}  // namespace run_test
}  // namespace flagstone
