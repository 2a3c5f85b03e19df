#include "synth/cell_library.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>

#include "base/error.h"
#include "base/file.h"
#include "base/paths.h"
#include "base/subprocess.h"

namespace flagstone {
namespace cell_library_test {

using testing::HasSubstr;
using testing::StartsWith;

// A library with one inverter, one flip-flop and what a test changes.
std::string Small(
    const std::string& units = "time_unit : \"1ns\"; capacitive_load_unit (1, pf);",
    const std::string& state = "ff (Q, QN) { next_state : \"D\"; clocked_on : \"C\"; }") {
  return "/* small */\nlibrary (small) {\n  nom_voltage : 1.8; " + units +
         "\n  cell (NOT) { area : 2; pin (A) { direction : input; capacitance : 0.003; }\n"
         "    pin (Y) { direction : output; function : \"!A\"; } }\n"
         "  cell (REG) { area : 9; " +
         state +
         "\n    pin (D) { direction : input; } pin (C) { direction : input; clock : true; }\n"
         "    pin (O) { direction : output; function : \"Q\"; } }\n}\n";
}

std::string Refusal(const std::string& text) {
  try {
    MakeCellLibrary(text, "small.lib");
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kBadInput);
    return error.what();
  }
  return "no error";
}

TEST(CellLibrary, ReadsCellsInOurUnits) {
  const CellLibrary library = MakeCellLibrary(Small(), "small.lib");
  EXPECT_EQ(library.name, "small");
  EXPECT_DOUBLE_EQ(library.voltage, 1.8);
  EXPECT_DOUBLE_EQ(library.Find("NOT")->Pin("A")->capacitance_ff, 3.0);
  EXPECT_EQ(library.Smallest(CellKind::kFlipFlop, "+")->name, "REG");
  EXPECT_EQ(library.Smallest(CellKind::kFlipFlop, "-"), nullptr);
  EXPECT_EQ(library.Follower(true)->name, "NOT");
}

TEST(CellLibrary, RefusesAFileThatEndsEarly) {
  const std::string whole = Small();
  for (size_t size = 0; size + 2 < whole.size(); size += 7) {
    EXPECT_THAT(Refusal(whole.substr(0, size)), HasSubstr("small.lib:")) << size;
  }
  EXPECT_THAT(Refusal(whole.substr(0, whole.size() - 3)),
              HasSubstr("the file ends early: expected '}'"));
}

TEST(CellLibrary, RefusesUnitsThatItDoesNotKnow) {
  EXPECT_EQ(Refusal(Small("time_unit : \"1us\"; capacitive_load_unit (1, pf);")),
            "small.lib:3: time_unit is '1us': expected one of 100ps, 10ps, 1ns, 1ps");
  EXPECT_EQ(Refusal(Small("time_unit : \"1ns\"; capacitive_load_unit (1, nf);")),
            "small.lib:3: capacitive_load_unit: expected (number, ff) or (number, pf)");
  EXPECT_THAT(Refusal(Small("time_unit : \"1ns\";")), HasSubstr("capacitive_load_unit"));
}

TEST(CellLibrary, RefusesALibraryWithoutFlipFlops) {
  EXPECT_THAT(Refusal(Small("time_unit : \"1ns\"; capacitive_load_unit (1, pf);", "")),
              StartsWith("small.lib: no flip-flop with only a clock and a data input: expected"));
}

TEST(CellLibrary, SaysThatAFileIsMissing) {
  try {
    ReadCellLibrary("/nowhere/cells.lib");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kBadInput);
    EXPECT_THAT(error.what(), HasSubstr("/nowhere/cells.lib"));
  }
}

// Installed or not: the cells, or the package to install.
TEST(CellLibrary, KnowsDebiansLibrariesByName) {
  for (const std::string name : {"osu018", "osu035", "osu050"}) {
    try {
      const CellLibrary library = ReadCellLibrary(name);
      EXPECT_NE(library.Smallest(CellKind::kFlipFlop, "+"), nullptr) << name;
      EXPECT_NE(library.Follower(true), nullptr) << name;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kInternal);
      EXPECT_EQ(error.what(), "library '" + name + "' is not installed: install the package " +
                                  "'qflow-tech-" + name + "'");
    }
  }
}

TEST(TeachingLibrary, IsWhatItsScriptWrites) {
  const auto folder = DataFolder() / "synth/library";
  const ProcessResult written = RunProcess({"python3", (folder / "make_teaching_45nm").string()});
  EXPECT_EQ(written.status, 0);
  EXPECT_TRUE(written.output == ReadFile(folder / "teaching_45nm.lib"));
}

TEST(TeachingLibrary, HasThePublishedAreas) {
  const CellLibrary library = ReadCellLibrary("");
  EXPECT_GE(library.cells.size(), 40u);
  EXPECT_DOUBLE_EQ(library.Find("INV_X1")->area_um2, 0.532);
  EXPECT_DOUBLE_EQ(library.Find("DFF_X1")->area_um2, 4.522);
  EXPECT_DOUBLE_EQ(library.Find("DFF_X1")->leakage_nw, 79);
  EXPECT_EQ(library.Smallest(CellKind::kLatch, "+")->name, "DLH_X1");
  EXPECT_EQ(library.Smallest(CellKind::kClockGate)->name, "CLKGATE_X1");
  EXPECT_NE(library.Tie('0'), nullptr);
}

// OpenSTA's delay of an inverter that drives four, in a chain of them so that slopes settle, and of
// a flip-flop.
TEST(TeachingLibrary, HasThePublishedDelays) {
  const CellLibrary library = ReadCellLibrary("");
  std::string netlist = "module chain (c, i, o);\n input c, i;\n output o;\n wire n0";
  for (int i = 1; i <= 12; ++i) netlist += fmt::format(", n{}", i);
  netlist += ";\n DFF_X1 r (.D(i), .CK(c), .Q(n0));\n";
  for (int i = 0; i < 12; ++i) {
    netlist += fmt::format(" INV_X1 s{0} (.A(n{0}), .ZN(n{1}));\n", i, i + 1);
    for (int load = 0; load < 3; ++load)
      netlist += fmt::format(" INV_X1 l{0}_{1} (.A(n{0}));\n", i, load);
  }
  netlist += " assign o = n12;\nendmodule\n";
  const auto folder = std::filesystem::temp_directory_path() / fmt::format("fo4-{}", getpid());
  std::filesystem::create_directories(folder);
  WriteFileAtomically(folder / "chain.v", netlist);
  WriteFileAtomically(folder / "chain.tcl",
                      fmt::format("read_liberty {}\nread_verilog chain.v\nlink_design chain\n"
                                  "create_clock -period 1 [get_ports c]\nset_clock_transition 0.02 "
                                  "[all_clocks]\nset_output_delay 0 -clock c [get_ports o]\n"
                                  "report_checks -digits 4\n",
                                  library.file));
  const std::string report = RunProcess({"sta", "-no_splash", "-exit", "chain.tcl"}, folder).output;
  std::filesystem::remove_all(folder);
  const auto time_at = [&](const std::string& pin) {  // "delay time ^ pin (CELL)"
    const size_t at = report.find(pin);
    EXPECT_NE(at, std::string::npos) << report;
    const size_t line = report.rfind('\n', at) + 1;
    double delay = 0, time = 0;
    sscanf(report.c_str() + line, "%lf %lf", &delay, &time);
    return time * 1000;
  };
  EXPECT_NEAR(time_at("r/Q"), 104, 4);  // published_45nm.csv has 104.7 for 7.6 fF; 6.8 fF here
  const double fo4 = (time_at("s9/ZN") - time_at("s3/ZN")) / 6;
  EXPECT_GE(fo4, 20);
  EXPECT_LE(fo4, 25);
}

}  // namespace cell_library_test
}  // namespace flagstone
