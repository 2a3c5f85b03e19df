#include "synth/blocks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "base/error.h"
#include "synth/yosys.h"

namespace flagstone {
namespace {

TEST(SynthBlocks, NameEveryRtlModule) {
  std::set<std::string> modules;
  for (const std::string& file : RtlFiles()) {
    modules.insert(std::filesystem::path(file).stem().string());
  }
  std::set<std::string> blocks;
  for (const SynthBlock& block : SynthBlocks()) blocks.insert(std::string(block.name));
  EXPECT_EQ(blocks, modules);
}

TEST(SynthBlocks, AreTheTopsWhenNoneIsNamed) {
  const auto blocks = SelectSynthBlocks({});
  ASSERT_FALSE(blocks.empty());
  for (const SynthBlock& block : blocks) EXPECT_TRUE(block.top) << block.name;
}

TEST(SynthBlocks, KeepTheOrderOfTheirNames) {
  const auto blocks = SelectSynthBlocks({"fifo", "paver_tb_queue"});
  ASSERT_EQ(blocks.size(), 2u);
  EXPECT_EQ(blocks[0].name, "fifo");
  EXPECT_EQ(blocks[1].name, "paver_tb_queue");
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

}  // namespace
}  // namespace flagstone
