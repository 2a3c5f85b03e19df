// The bodies of CAPS's prefetcher that every contract test runs on.
#ifndef FLAGSTONE_TESTS_BLOCKS_CONTRACT_CAPS_ENGINES_H_
#define FLAGSTONE_TESTS_BLOCKS_CONTRACT_CAPS_ENGINES_H_

#include <gtest/gtest.h>

#include <memory>

#include "gpu_model/blocks/prefetcher/caps/caps_prefetcher.h"
#include "systemc/cosim/sm_blocks_factory.h"
#include "tests/blocks/contract/engines.h"

namespace flagstone {

// A test whose parameter is the body; a lockstep run that compared nothing fails.
class CapsTest : public testing::TestWithParam<Engine> {
 protected:
  std::unique_ptr<CapsBlock> Make(const CapsConfig& config, uint64_t reset_seed = 1) {
    BodyOptions options;
    options.rtl.path = "gpu.sm0.prefetcher";
    options.rtl.reset_seed = reset_seed;
    options.lockstep = &report_;
    return MakePrefetcherBody(CapsPrefetcherType(config), GetParam(), options);
  }

  void TearDown() override {
    if (GetParam() == Engine::kLockstep) {
      EXPECT_GT(report_.compared_cycles, 0u);
    }
  }

 private:
  LockstepReport report_;
};

inline const auto kCapsEngines = testing::Values(Engine::kModel, Engine::kRtl, Engine::kLockstep);

}  // namespace flagstone

#endif  // FLAGSTONE_TESTS_BLOCKS_CONTRACT_CAPS_ENGINES_H_
