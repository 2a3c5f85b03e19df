// Each block of the registry, driven alone: its bodies answer random stimuli alike.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>

#include "systemc/cosim/block_registry.h"
#include "systemc/cosim/stimulus.h"
#include "tests/blocks/stimuli/asked_length.h"
#include "tests/blocks/stimuli/stimuli.h"

namespace flagstone {
namespace blocks_test {

class EachBlock : public testing::TestWithParam<size_t> {
 protected:
  const BlockRow& row() const { return BlockRows()[GetParam()]; }
};

std::string Response(const BlockRow& row, const std::string& stimulus, Engine engine,
                     const BodyOptions& options = {}) {
  const auto block = row.make(ChooseParameters(row, {}), engine, options);
  // No cycles behind the stimulus: inputs at rest may break a promise that a block relies on, such
  // as a queue that stands while the task stealer reads it.
  return Respond(ParseStimulus(stimulus, "test", block->inputs()), 0, block.get());
}

TEST_P(EachBlock, AnswersAlikeAsModelAndAsRtl) {
  for (uint64_t seed = 1; seed <= 8; ++seed) {
    const KernelSize size = seed % 2 == 0 ? KernelSize::kLarge : KernelSize::kSmall;
    const std::string stimulus =
        RandomStimulus(row(), ChooseParameters(row(), {}), seed, 2000, size);
    LockstepReport report;
    BodyOptions options;
    options.lockstep = &report;
    options.rtl.reset_seed = seed;
    // Throws at the first difference, and where an assertion in the RTL fails.
    const std::string lockstep = Response(row(), stimulus, Engine::kLockstep, options);
    EXPECT_GE(report.compared_cycles, 2000u);
    EXPECT_GT(lockstep.size(), 2000u);
  }
}

TEST_P(EachBlock, WritesTheSameResponseFromEachEngine) {
  const std::string stimulus = RandomStimulus(row(), ChooseParameters(row(), {}), 9, 500);
  const std::string rtl = Response(row(), stimulus, Engine::kRtl);
  EXPECT_TRUE(rtl == Response(row(), stimulus, Engine::kLockstep));
  // What the model alone knows to mean nothing is `-` in its response and a value in the RTL's.
  if (row().name == "paver_task_stealer") return;
  EXPECT_TRUE(rtl == Response(row(), stimulus, Engine::kModel));
}

TEST_P(EachBlock, StartsFromResetEachTime) {
  if (row().name == "paver_task_stealer") {
    GTEST_SKIP() << "after reset it shows some queue, which nobody looks at";
  }
  const std::string stimulus = RandomStimulus(row(), ChooseParameters(row(), {}), 3, 300);
  const auto block = row().make(ChooseParameters(row(), {}), Engine::kRtl, {});
  const Stimulus parsed = ParseStimulus(stimulus, "test", block->inputs());
  const std::string first = Respond(parsed, 0, block.get());
  block->Reset();
  EXPECT_TRUE(first == Respond(parsed, 0, block.get()));
}

// Block after block, other seeds each time.
TEST(EachBlockDeep, AnswersAlikeForAsLongAsAskedFor) {
  const AskedLength asked;
  if (asked.none()) GTEST_SKIP() << "no length is asked for";
  LockstepReport report;
  for (uint64_t seed = 100; !asked.Reached(report.compared_cycles); ++seed) {
    for (const BlockRow& row : BlockRows()) {
      BodyOptions options;
      options.lockstep = &report;
      options.rtl.reset_seed = seed;
      const std::string stimulus = RandomStimulus(row, ChooseParameters(row, {}), seed, 1000);
      Response(row, stimulus, Engine::kLockstep, options);  // throws at the first difference
      if (asked.Reached(report.compared_cycles)) break;
    }
  }
  std::printf("%llu cycles\n", static_cast<unsigned long long>(report.compared_cycles));
  EXPECT_GT(report.compared_cycles, 0u);
}

std::vector<size_t> All() {
  std::vector<size_t> rows(BlockRows().size());
  for (size_t i = 0; i < rows.size(); ++i) rows[i] = i;
  return rows;
}

INSTANTIATE_TEST_SUITE_P(Registry, EachBlock, testing::ValuesIn(All()),
                         [](const auto& row) { return std::string(BlockRows()[row.param].name); });

}  // namespace blocks_test
}  // namespace flagstone
