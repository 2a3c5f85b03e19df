#include "synth/synth.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <span>

#include "base/cache_files.h"
#include "base/error.h"
#include "base/file.h"
#include "base/paths.h"
#include "base/subprocess.h"
#include "synth/mapping.h"
#include "synth/timing.h"
#include "synth/yosys.h"

namespace flagstone {
namespace synth_test {

using testing::AllOf;
using testing::ContainsRegex;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

SynthBlock Block(std::string_view name, std::vector<SynthParameter> parameters) {
  return {name, true, "", std::move(parameters)};
}

const CellLibrary& Library() {
  static const CellLibrary kLibrary = ReadCellLibrary("");
  return kLibrary;
}

// Results of this test alone.
class Synthesize : public testing::Test {
 protected:
  Synthesize() { setenv("XDG_CACHE_HOME", cache_.path().c_str(), 1); }
  ~Synthesize() override { unsetenv("XDG_CACHE_HOME"); }
  static SynthResult One(const SynthBlock& block) {
    return flagstone::Synthesize({block}, Library()).at(0);
  }

 private:
  ScratchFolder cache_;
};

TEST_F(Synthesize, CountsTheFlipFlopsThatTheModuleDeclares) {
  // fifo of 4 entries of 8 bits: 32 of storage, two pointers of 2 bits, a count of 3 bits.
  const SynthResult result = One(Block("fifo", {{"Width", 8}, {"Depth", 4}}));
  EXPECT_EQ(result.flip_flops, 32u + 2u + 2u + 3u);
  EXPECT_GT(result.cells, result.flip_flops);
  EXPECT_GT(result.logic_depth, 1u);
  EXPECT_GT(result.seconds, 0.0);
}

TEST_F(Synthesize, SplitsTheAreaByWhatTheCellsDo) {
  const SynthResult result = One(Block("fifo", {{"Width", 8}, {"Depth", 4}}));
  const LibraryCell& flip_flop = *Library().Find("DFF_X1");
  const LibraryCell& gate = *Library().Find("CLKGATE_X1");
  EXPECT_NEAR(result.storage_um2, 32 * flip_flop.area_um2, 1e-6);
  // The pointers and the count, and a clock gate for each entry.
  EXPECT_NEAR(result.sequential_um2, 7 * flip_flop.area_um2 + 4 * gate.area_um2, 1e-9);
  EXPECT_GT(result.combinational_um2, 0.0);
  EXPECT_DOUBLE_EQ(result.area_um2,
                   result.storage_um2 + result.sequential_um2 + result.combinational_um2);
}

TEST_F(Synthesize, TakesTheBlocksParameters) {
  EXPECT_EQ(One(Block("fifo", {{"Width", 16}, {"Depth", 2}})).flip_flops, 32u + 1u + 1u + 2u);
}

TEST_F(Synthesize, CountsThePapersEighteenBytesPerSm) {
  // next, tail and nextTB (PAVER, section 5.1), and the control bits G, V and F.
  EXPECT_EQ(One(SelectSynthBlocks({"paver_tb_queue"}).at(0)).flip_flops, 18u * 8 + 3);
}

TEST_F(Synthesize, FindsNoStateInAnArbiter) {
  const SynthResult result = One(Block("round_robin_pick", {{"Count", 5}}));
  EXPECT_EQ(result.flip_flops, 0u);
  EXPECT_EQ(result.sequential_um2, 0.0);
  EXPECT_GT(result.fmax_mhz, 100.0);  // between a register before and one after
}

TEST_F(Synthesize, NamesTheWorstPathInTheRtlsTerms) {
  const SynthResult result = One(Block("outstanding_tbs", {{"NumSm", 4}}));
  EXPECT_THAT(result.to, HasSubstr("count_q["));
  EXPECT_GT(result.fmax_mhz, 100.0);
}

TEST_F(Synthesize, GivesTheSameTableInEachStorageAtAnotherCost) {
  const auto rows = SelectSynthBlocks({"table_storage"});
  const auto results = flagstone::Synthesize(rows, Library());
  ASSERT_EQ(results.size(), 3u);
  const double bits = 32 * 16;
  EXPECT_NEAR(results[0].storage_um2, bits * Library().Find("DFF_X1")->area_um2, 1e-6);
  EXPECT_NEAR(results[1].storage_um2, bits * Library().Find("DLH_X1")->area_um2, 1e-6);
  EXPECT_GT(results[2].storage_um2, bits * 0.49);
  EXPECT_GT(results[0].area_um2, results[1].area_um2);
  EXPECT_GT(results[1].area_um2, results[2].area_um2);
}

TEST_F(Synthesize, ReportsProgressAfterEachBlock) {
  std::vector<std::string> seen;
  SynthOptions options;
  options.jobs = 1;
  flagstone::Synthesize({Block("outstanding_tbs", {{"NumSm", 2}}), Block("fifo", {{"Depth", 2}})},
                        Library(), options,
                        [&](const SynthBlock& block, size_t done, size_t number) {
                          seen.push_back(fmt::format("{} {}/{}", block.name, done, number));
                        });
  EXPECT_THAT(seen, ElementsAre("outstanding_tbs 1/2", "fifo 2/2"));
}

TEST_F(Synthesize, TakesAResultFromTheCacheUntilItsCauseChanges) {
  const SynthBlock block = Block("fifo", {{"Width", 4}, {"Depth", 2}});
  const SynthResult first = One(block);
  // A mark in what is kept shows whether it was read.
  std::string kept = ReadFile(first.folder / "result.json");
  const size_t cells = kept.find("\"cells\": ") + 9;
  kept.replace(cells, kept.find(',', cells) - cells, "123456");
  WriteFileAtomically(first.folder / "marked.json", kept);
  InstallChecked(first.folder / "marked.json", first.folder / "result.json");
  EXPECT_EQ(One(block).cells, 123456u);
  SynthBlock faster = block;
  faster.clock_mhz = 900;
  EXPECT_NE(One(faster).cells, 123456u);
  SynthBlock wider = Block("fifo", {{"Width", 5}, {"Depth", 2}});
  EXPECT_NE(One(wider).cells, 123456u);
}

TEST_F(Synthesize, MapsABlockThatMissesItsClockAgain) {
  SynthBlock block = Block("outstanding_tbs", {{"NumSm", 15}});
  EXPECT_THAT(ReadFile(One(block).folder / "script.ys"), Not(HasSubstr("abc_lean.script")));
  block.clock_mhz = 1450;  // the first misses it, the second meets it
  const SynthResult result = One(block);
  EXPECT_GE(result.fmax_mhz, block.clock_mhz);
  EXPECT_THAT(ReadFile(result.folder / "script.ys"),
              AllOf(HasSubstr("abc_lean.script"), Not(HasSubstr("abc_fast.script"))));
  EXPECT_FALSE(std::filesystem::exists(result.folder / "first"));
  EXPECT_FALSE(std::filesystem::exists(result.folder / "again"));
  const ScratchFolder once;
  const double period_ns = 1000 / block.clock_mhz;
  const MappedBlock mapped = MapBlock(block, Library(), period_ns, once.path());
  EXPECT_LT(AnalyzeTiming(mapped, Library(), period_ns, 0, once.path()).fmax_mhz, block.clock_mhz);
}

TEST_F(Synthesize, MapsByTheGatesDelays) {
  // Mapped by depth alone, carries ripple: these are more than a fifth faster.
  const SynthBlock block = Block("tb_sequence", {{"IdWidth", 32}});
  const ScratchFolder folder;
  const double period_ns = 0.6;
  const MappedBlock first = MapBlock(block, Library(), period_ns, folder.path());
  const double by_depth = AnalyzeTiming(first, Library(), period_ns, 0, folder.path()).fmax_mhz;
  for (const AbcScript& abc : std::span(kAbcScripts).subspan(1)) {
    const MappedBlock faster = RemapBlock(block, abc, Library(), folder.path());
    EXPECT_GT(AnalyzeTiming(faster, Library(), period_ns, 0, folder.path()).fmax_mhz,
              1.2 * by_depth)
        << abc.file;
  }
}

TEST_F(Synthesize, BuffersWhatDrivesManyRegisters) {
  // Each bit of what is pushed drives 80 registers: ten buffers, and two before these.
  const SynthBlock block = Block("fifo", {{"Width", 4}, {"Depth", 80}});
  const ScratchFolder folder;
  const MappedBlock mapped = MapBlock(block, Library(), 1, folder.path());
  std::map<uint32_t, int> registers;
  int buffers = 0;
  for (const NetlistCell& cell : mapped.netlist.cells) {
    if (cell.name.starts_with("data_i[0]$outputs")) ++buffers;
    if (cell.type->kind == CellKind::kFlipFlop) ++registers[cell.Net("D")];
  }
  EXPECT_EQ(buffers, 12);
  for (const auto& [net, count] : registers) EXPECT_LE(count, 8) << mapped.netlist.nets[net];
}

TEST_F(Synthesize, LosesSpeedToWires) {
  const SynthBlock block = Block("fifo", {{"Width", 8}, {"Depth", 4}});
  SynthOptions wired;
  wired.wire_ff = 5;
  EXPECT_LT(flagstone::Synthesize({block}, Library(), wired).at(0).fmax_mhz, One(block).fmax_mhz);
}

TEST_F(Synthesize, SaysWhichPackageIsMissing) {
  const std::string path = std::getenv("PATH");
  const ScratchFolder programs;
  setenv("PATH", programs.path().c_str(), 1);
  const auto message = [] {
    try {
      flagstone::Synthesize(SelectSynthBlocks({"fifo"}), Library());
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kInternal);
      return std::string(error.what());
    }
    return std::string("no error");
  };
  const auto program = [&](const char* name, const char* says) {
    WriteFileAtomically(programs.path() / name, fmt::format("#!/bin/sh\necho '{}'\n", says));
    std::filesystem::permissions(programs.path() / name, std::filesystem::perms::owner_all);
  };
  EXPECT_EQ(message(), "synthesis needs Yosys: install the package 'yosys'");
  program("yosys", "Yosys 1.2 (new)");
  EXPECT_THAT(message(), HasSubstr("Yosys is of version 'Yosys 1.2 (new)': expected 0.23"));
  program("yosys", "Yosys 0.23 (git)");
  EXPECT_EQ(message(), "timing needs OpenSTA: install the package 'opensta'");
  program("sta", "3.0.1");
  EXPECT_THAT(message(), HasSubstr("OpenSTA is of version '3.0.1': expected 2.x"));
  setenv("PATH", path.c_str(), 1);
}

TEST(SynthJson, HasEveryKeyOfTheSchema) {
  SynthResult result;
  result.block = Block("fifo", {{"Width", 8}});
  result.cells = 5;
  const auto json = ToJson({result}, Library());
  EXPECT_EQ(json["schema"], "flagstone.synth/1");
  EXPECT_EQ(json["library"], "teaching_45nm");
  EXPECT_THAT(json["tools"]["yosys"].get<std::string>(), HasSubstr("Yosys"));
  EXPECT_THAT(json["tools"]["sta"].get<std::string>(), HasSubstr("OpenSTA"));
  const auto& block = json["blocks"][0];
  EXPECT_EQ(block["name"], "fifo");
  EXPECT_EQ(block["parameters"]["Width"], 8);
  EXPECT_EQ(block["cells"], 5);
  for (const char* key : {"flip_flops", "area_um2", "sequential_um2", "combinational_um2",
                          "storage_um2", "logic_depth", "leakage_uw", "seconds"}) {
    EXPECT_TRUE(block[key].is_number()) << key;
  }
  for (const char* key : {"fmax_mhz", "energy_pj", "default_energy_pj"}) {  // not measured here
    EXPECT_TRUE(block.contains(key) && block[key].is_null()) << key;
  }
}

TEST_F(Synthesize, LeavesScriptsThatRunAlone) {
  const SynthResult result = One(SelectSynthBlocks({"fifo"}).at(0));
  const std::string rerun = (DataFolder() / "synth" / "rerun").string();
  const ProcessResult run = RunProcess({rerun, "fifo"});
  EXPECT_EQ(run.status, 0) << run.output;
  // No net drives so many registers that the netlist has buffers which Yosys has not.
  EXPECT_THAT(run.output, ContainsRegex(fmt::format("Number of cells: +{}\n", result.cells)));
  EXPECT_THAT(run.output,
              HasSubstr(fmt::format("Chip area for module '\\fifo': {:.6f}\n", result.area_um2)));
  EXPECT_THAT(run.output, HasSubstr(fmt::format("Startpoint: {}$cell", result.from)));
  EXPECT_THAT(run.output,
              HasSubstr(fmt::format("worst slack {:.2f}\n",
                                    1000 / result.block.clock_mhz - 1000 / result.fmax_mhz)));
  const ProcessResult none = RunProcess({rerun, "paver_tb_queue"});
  EXPECT_EQ(none.status, 2);
  EXPECT_THAT(none.output, HasSubstr("run flagstone synth paver_tb_queue"));
}

// Each block behind the seam is looked at by tests/blocks/rtl/lint.
TEST(CombinationalOutputs, AreNoneInABlockBehindTheSeam) {
  for (SynthBlock& block : SelectSynthBlocks({"lrr_tb_scheduler", "l2_remote_policy"})) {
    for (SynthParameter& parameter : block.parameters) {
      if (parameter.name == "NumSm") parameter.value = 3;
      if (parameter.name == "IssuePorts") parameter.value = 2;
    }
    EXPECT_THAT(CombinationalOutputs(block), IsEmpty()) << block.name;
  }
}

TEST(CombinationalOutputs, AreFoundBitByBit) {
  const ScratchFolder folder;
  const std::string file = (folder.path() / "leaky.sv").string();
  WriteFileAtomically(file, R"(
module leaky (
  input  logic       clk_i,
  input  logic [3:0] a_i,
  output logic [3:0] wire_o,
  output logic       gate_o,
  output logic       register_o
);
  logic [3:0] a_q;
  always_ff @(posedge clk_i) a_q <= a_i;
  assign wire_o     = {a_q[3:1], a_i[2]};
  assign gate_o     = a_q[0] & a_i[0];
  assign register_o = a_q[1] ^ a_q[2];
endmodule
)");
  EXPECT_THAT(CombinationalOutputs(Block("leaky", {}), {file}), ElementsAre("gate_o", "wire_o[0]"));
}

TEST(RunYosys, RefusesAnImplicitlyDeclaredSignal) {
  const ScratchFolder folder;
  const std::string file = (folder.path() / "peeking.sv").string();
  WriteFileAtomically(file, R"(
module part (input logic clk_i, input logic d_i);
  logic d_q;
  always_ff @(posedge clk_i) d_q <= d_i;
endmodule
module peeking (input logic clk_i, input logic d_i, output logic q_o);
  part u_part (.clk_i, .d_i);
  assign q_o = u_part.d_q;
endmodule
)");
  try {
    CombinationalOutputs(Block("peeking", {}), {file});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInternal);
    EXPECT_THAT(error.what(), HasSubstr("implicitly declared"));
  }
}

}  // namespace synth_test
}  // namespace flagstone
