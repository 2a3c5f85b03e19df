#include "synth/blocks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "base/error.h"
#include "synth/yosys.h"

namespace flagstone {
namespace blocks_test {

TEST(SynthBlocks, NameEveryRtlModule) {
  std::set<std::string> modules;
  for (const std::string& file : RtlFiles()) {
    const std::string name = std::filesystem::path(file).stem().string();
    if (!name.starts_with("table_storage_")) modules.insert(name);  // bodies: table_storage chooses
  }
  std::set<std::string> blocks;
  for (const SynthBlock& block : SynthBlocks()) blocks.insert(std::string(block.name));
  EXPECT_EQ(blocks, modules);
}

constexpr TbSchedulerSize kSize = {.num_sms = 20, .descriptors = 8, .issue_ports = 10};

TEST(SynthBlocks, AreAllWhenNoneIsNamed) {
  EXPECT_EQ(SelectSynthBlocks({}).size(), SynthBlocks().size());
}

TEST(SynthBlocks, KeepTheOrderOfTheirNames) {
  const auto blocks = SelectSynthBlocks({"fifo", "paver_tb_queue"});
  ASSERT_EQ(blocks.size(), 2u);
  EXPECT_EQ(blocks[0].name, "fifo");
  EXPECT_EQ(blocks[1].name, "paver_tb_queue");
}

TEST(SynthBlocks, StandForEachOfTheirMachines) {
  const auto blocks = SelectSynthBlocks({"paver_task_stealer"});
  ASSERT_EQ(blocks.size(), 3u);
  EXPECT_EQ(blocks[2].parameters[0].value, 80u);
  EXPECT_EQ(blocks[2].clock_mhz, 1200);
  const auto on_one = ForMachine(blocks, kSize, 900);
  ASSERT_EQ(on_one.size(), 1u);
  EXPECT_EQ(on_one[0].parameters[0].value, 20u);
  EXPECT_EQ(on_one[0].clock_mhz, 900);
}

TEST(SynthBlocks, FetchAsManyDescriptorsAheadAsTheMachine) {
  const auto blocks =
      ForMachine(SelectSynthBlocks({"paver_tb_scheduler", "paver_group_dispatcher"}), kSize, 900);
  ASSERT_EQ(blocks.size(), 2u);
  for (const SynthBlock& block : blocks) {
    const auto is = [](const SynthParameter& p) { return p.name == "Descriptors" && p.value == 8; };
    EXPECT_TRUE(std::any_of(block.parameters.begin(), block.parameters.end(), is)) << block.name;
  }
}

TEST(SynthBlocks, OfferAsManyTbsACycleAsTheMachineHasClusters) {
  const auto blocks =
      ForMachine(SelectSynthBlocks({"lrr_tb_scheduler", "bcs_tb_scheduler"}), kSize, 900);
  ASSERT_EQ(blocks.size(), 2u);  // lrr's two sizes are one on a machine
  for (const SynthBlock& block : blocks) {
    const auto is = [](const SynthParameter& p) { return p.name == "IssuePorts" && p.value == 10; };
    EXPECT_TRUE(std::any_of(block.parameters.begin(), block.parameters.end(), is)) << block.name;
  }
}

TEST(SynthBlocks, TakeAParameterWithinItsRange) {
  auto blocks = SelectSynthBlocks({"fifo"});
  SetParameter(&blocks, "Depth", 7);
  EXPECT_EQ(blocks[0].parameters[1].value, 7u);
  const auto message = [&](std::string_view name, uint32_t value) {
    try {
      SetParameter(&blocks, name, value);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kBadInput);
      return std::string(error.what());
    }
    return std::string("no error");
  };
  EXPECT_EQ(message("Depth", 0), "--param Depth=0: expected 1 to 1024");
  EXPECT_EQ(message("NumSm", 3),
            "--param NumSm: no block here has it: expected one of Width, Depth");
}

TEST(SynthBlocks, TakeAParameterThatOnlyTheirRtlHas) {
  auto blocks = SelectSynthBlocks({"paver_tb_scheduler"});
  SetParameter(&blocks, "AddrWidth", 32);
  for (const SynthBlock& block : blocks) {
    EXPECT_EQ(block.parameters.back().name, "AddrWidth");
    EXPECT_EQ(block.parameters.back().value, 32u);
  }
}

TEST(SynthBlocks, StandOnceWhenAParameterMakesThemEqual) {
  auto blocks = SelectSynthBlocks({"caps_prefetcher"});
  EXPECT_EQ(WithoutRepeats(blocks).size(), 4u);
  SetParameter(&blocks, "Style", 2);
  EXPECT_EQ(WithoutRepeats(blocks).size(), 2u);
  blocks.pop_back();  // has a parameter more
  EXPECT_EQ(WithoutRepeats(blocks).size(), 1u);
}

TEST(SynthBlocks, RefuseAnUnknownNameAndListTheKnown) {
  try {
    SelectSynthBlocks({"fifo", "fofi"});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kBadInput);
    EXPECT_THAT(error.what(), testing::AllOf(testing::HasSubstr("unknown block 'fofi'"),
                                             testing::HasSubstr("paver_tb_scheduler"),
                                             testing::HasSubstr("fifo")));
  }
}

}  // namespace blocks_test
}  // namespace flagstone
