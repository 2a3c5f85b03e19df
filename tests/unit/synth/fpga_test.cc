#include "synth/fpga.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "base/cache_files.h"
#include "base/error.h"
#include "base/file.h"
#include "base/subprocess.h"
#include "synth/fpga_wrapper.h"
#include "synth/yosys.h"

namespace flagstone {
namespace fpga_test {

using testing::HasSubstr;

constexpr char kPorts[] = R"({"modules": {"part": {"ports": {
  "clk_i": {"direction": "input", "bits": [2]},
  "data_i": {"direction": "input", "bits": [3, 4, 5]},
  "go_i": {"direction": "input", "bits": [6]},
  "sum_o": {"direction": "output", "bits": [7, 8]}}, "cells": {}}}})";

TEST(PinWrapper, HasARegisterForEachBitButTheClock) {
  const PinWrapper wrapper(kPorts, "part");
  EXPECT_EQ(wrapper.flip_flops(), 3u + 1u + 2u);
  EXPECT_EQ(wrapper.luts(), 2u);
  const std::string text = wrapper.Verilog();
  EXPECT_THAT(text, HasSubstr("part u_block (.clk_i(clk_i), .data_i(in_q[0 +: 3]), "
                              ".go_i(in_q[3 +: 1]), .sum_o(out[0 +: 2]));"));
}

TEST(PinWrapper, KnowsTheBlocksNamesOfWhatWasRouted) {
  const PinWrapper wrapper(kPorts, "part");
  EXPECT_EQ(wrapper.NameInBlock("in_q[1]"), "data_i[1]");
  EXPECT_EQ(wrapper.NameInBlock("in_q[3]"), "go_i");
  EXPECT_EQ(wrapper.NameInBlock("out[1]"), "sum_o[1]");
  EXPECT_EQ(wrapper.NameInBlock("in_q[4]"), "in_q[4]");
  EXPECT_EQ(wrapper.NameInBlock("u_block.u_a.read_q_SB_DFFE_Q_D_SB_LUT4_O_LC"), "u_a.read_q");
}

// Results of this test alone.
class OnFpga : public testing::Test {
 protected:
  OnFpga() { setenv("XDG_CACHE_HOME", cache_.path().c_str(), 1); }
  ~OnFpga() override { unsetenv("XDG_CACHE_HOME"); }
  void SetUp() override {
    if (!FindProgram("nextpnr-ice40")) {
      GTEST_SKIP() << "no FPGA here: install the package 'nextpnr-ice40'";
    }
  }
  static FpgaResult Fifo(uint32_t width, uint32_t depth) {
    return RouteOnFpga({{"fifo", true, "", {{"Width", width}, {"Depth", depth}}}}).at(0);
  }

 private:
  ScratchFolder cache_;
};

TEST_F(OnFpga, CountsTheBlockWithoutItsWrapper) {
  const FpgaResult result = Fifo(8, 4);
  // 32 of storage, two pointers of 2 bits, a count of 3 bits; Yosys may keep a pointer's bit twice.
  EXPECT_GE(result.flip_flops, 39u);
  EXPECT_LE(result.flip_flops, 41u);
  EXPECT_EQ(result.wrapper_flip_flops, (1u + 1u + 8u + 1u) + (1u + 8u));
  EXPECT_EQ(result.block_rams, 0u);
  EXPECT_GE(result.logic_cells, std::max(result.luts, result.flip_flops));
  EXPECT_LE(result.logic_cells, result.luts + result.flip_flops + result.carries);
  EXPECT_TRUE(result.fits);
  EXPECT_GT(result.fmax_mhz, 100.0);
  EXPECT_FALSE(result.from.empty());
  EXPECT_FALSE(result.to.empty());
}

TEST_F(OnFpga, GivesTheSameAgainAndReadsItFromTheCache) {
  const FpgaResult first = Fifo(4, 2);
  std::filesystem::remove_all(first.folder);
  const FpgaResult again = Fifo(4, 2);
  EXPECT_EQ(again.fmax_mhz, first.fmax_mhz);
  EXPECT_EQ(again.seed, first.seed);
  EXPECT_EQ(again.logic_cells, first.logic_cells);
  // A mark in what is kept shows whether it was read.
  std::string kept = ReadFile(again.folder / "result.json");
  const size_t luts = kept.find("\"luts\": ") + 8;
  kept.replace(luts, kept.find(',', luts) - luts, "123456");
  WriteFileAtomically(again.folder / "marked.json", kept);
  InstallChecked(again.folder / "marked.json", again.folder / "result.json");
  EXPECT_EQ(Fifo(4, 2).luts, 123456u);
}

TEST_F(OnFpga, SaysWhatDoesNotFit) {
  const FpgaResult result = Fifo(1600, 2);
  EXPECT_FALSE(result.fits);
  EXPECT_GT(result.logic_cells + result.wrapper_flip_flops, kIce40.logic_cells);
  const auto json = ToJson(std::vector<FpgaResult>{result});
  EXPECT_TRUE(json["blocks"][0]["fmax_mhz"].is_null());
  EXPECT_TRUE(json["blocks"][0]["worst_path"].is_null());
}

TEST(Fpga, SaysWhichPackageIsMissing) {
  const std::string path = std::getenv("PATH");
  const ScratchFolder programs;
  const auto yosys = programs.path() / "yosys";
  WriteFileAtomically(yosys, "#!/bin/sh\necho 'Yosys 0.23 (git)'\n");
  std::filesystem::permissions(yosys, std::filesystem::perms::owner_all);
  setenv("PATH", programs.path().c_str(), 1);
  try {
    RouteOnFpga(SelectSynthBlocks({"fifo"}));
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInternal);
    EXPECT_STREQ(error.what(), "--fpga needs nextpnr: install the package 'nextpnr-ice40'");
  }
  setenv("PATH", path.c_str(), 1);
}

}  // namespace fpga_test
}  // namespace flagstone
