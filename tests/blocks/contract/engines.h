// The three bodies that every contract test runs on.
#ifndef FLAGSTONE_TESTS_BLOCKS_CONTRACT_ENGINES_H_
#define FLAGSTONE_TESTS_BLOCKS_CONTRACT_ENGINES_H_

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "systemc/cosim/tb_scheduler_factory.h"

namespace flagstone {

inline std::string EngineName(const testing::TestParamInfo<Engine>& engine) {
  switch (engine.param) {
    case Engine::kModel:
      return "Model";
    case Engine::kRtl:
      return "Rtl";
    case Engine::kLockstep:
      return "Lockstep";
  }
  return "Unknown";
}

// A test whose parameter is the body; a lockstep run that compared nothing fails.
class ContractTest : public testing::TestWithParam<Engine> {
 protected:
  std::unique_ptr<TbScheduler> Make(const TbSchedulerDescriptor* kind,
                                    const TbSchedulerSize& size) {
    BodyOptions options;
    options.lockstep = &report_;
    return MakeTbScheduler(*kind, GetParam(), size, options);
  }

  void TearDown() override {
    if (GetParam() == Engine::kLockstep) {
      EXPECT_GT(report_.compared_cycles, 0u);
    }
  }

 private:
  LockstepReport report_;
};

}  // namespace flagstone

#endif  // FLAGSTONE_TESTS_BLOCKS_CONTRACT_ENGINES_H_
