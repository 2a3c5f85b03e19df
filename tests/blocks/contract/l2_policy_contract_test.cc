// LADM's L2 policy on each body: what it decides is the table of docs/ladm.md, for each request in
// each lane, a cycle later.
#include <gtest/gtest.h>

#include <memory>

#include "base/random.h"
#include "gpu_model/blocks/l2_policy/l2_remote_policy.h"
#include "systemc/cosim/l2_policy_ports.h"
#include "tests/blocks/contract/engines.h"

namespace flagstone {
namespace l2_policy_contract_test {

using Kind = L2RequestKind;
constexpr uint32_t kNode = 3;

class L2PolicyTest : public testing::TestWithParam<Engine> {
 protected:
  void Make(const L2PolicySize& size, bool once, bool caching) {
    BodyOptions options;
    options.rtl.path = "gpu.node3.l2_policy";
    options.rtl.reset_seed = 5;
    options.lockstep = &report_;
    block_ =
        MakeBody<L2PolicyIn, L2PolicyOut, L2PolicyPorts>(L2PolicyType(size), GetParam(), options);
    Tell(once, caching);
  }
  void Tell(bool once, bool caching) {
    L2PolicyIn in;
    in.cfg_valid = true;
    in.cfg_node = kNode;
    in.cfg_once = once;
    in.cfg_remote_caching = caching;
    block_->Tick(in);
  }
  static void Ask(uint32_t lane, bool from_fabric, Kind kind, uint32_t home, L2PolicyIn* in) {
    Put(&in->req_valid, lane, true);
    Put(&in->req_from_fabric, lane, from_fabric);
    in->req_kind[lane] = static_cast<uint8_t>(kind);
    in->req_home[lane] = static_cast<uint8_t>(home);
  }
  L2Decision Decide(bool from_fabric, Kind kind, uint32_t home) {
    L2PolicyIn in;
    Ask(0, from_fabric, kind, home, &in);
    block_->Tick(in);
    EXPECT_TRUE(flagstone::Test(block_->Outputs().dec_valid, 0));
    return DecisionOf(block_->Outputs(), 0);
  }
  void TearDown() override {
    if (GetParam() == Engine::kLockstep) {
      EXPECT_GT(report_.compared_cycles, 0u);
    }
  }

  LockstepReport report_;
  std::unique_ptr<L2Policy> block_;
};

constexpr L2Decision Of(L2Class request, bool keep) {
  return {.request = request, .probe = true, .keep = keep};
}
constexpr L2Decision kHome = Of(L2Class::kLocalLocal, true);

TEST_P(L2PolicyTest, KeepsWhatIsAtHomeHere) {
  for (const bool once : {false, true}) {
    Make({2, 4}, once, true);
    for (const Kind kind : {Kind::kRead, Kind::kUncachedRead, Kind::kWrite, Kind::kAtomic}) {
      EXPECT_EQ(Decide(false, kind, kNode), kHome);
    }
    EXPECT_EQ(Decide(true, Kind::kWrite, kNode), Of(L2Class::kRemoteLocal, true));
    EXPECT_EQ(Decide(true, Kind::kAtomic, kNode), Of(L2Class::kRemoteLocal, true));
  }
}

TEST_P(L2PolicyTest, KeepsWhatOthersReadTwiceOrOnce) {
  Make({2, 4}, /*once=*/false, true);
  EXPECT_EQ(Decide(true, Kind::kRead, kNode), Of(L2Class::kRemoteLocal, true));
  EXPECT_EQ(Decide(true, Kind::kUncachedRead, kNode), Of(L2Class::kRemoteLocal, true));
  Tell(/*once=*/true, true);
  EXPECT_EQ(Decide(true, Kind::kRead, kNode), Of(L2Class::kRemoteLocal, false));
  EXPECT_EQ(Decide(true, Kind::kUncachedRead, kNode), Of(L2Class::kRemoteLocal, false));
}

TEST_P(L2PolicyTest, SendsOthersLinesToTheirHome) {
  Make({2, 4}, false, true);
  L2Decision read = Of(L2Class::kLocalRemote, true);
  read.forward = true;
  EXPECT_EQ(Decide(false, Kind::kRead, 9), read);
  L2Decision write = Of(L2Class::kLocalRemote, false);
  write.forward = write.update = true;
  EXPECT_EQ(Decide(false, Kind::kWrite, 9), write);
  L2Decision atomic = Of(L2Class::kLocalRemote, false);
  atomic.forward = atomic.invalidate = true;
  EXPECT_EQ(Decide(false, Kind::kAtomic, 9), atomic);
  Tell(false, /*caching=*/false);
  const L2Decision past = {.request = L2Class::kLocalRemote, .forward = true};
  for (const Kind kind : {Kind::kRead, Kind::kUncachedRead, Kind::kWrite, Kind::kAtomic}) {
    EXPECT_EQ(Decide(false, kind, 9), past);
  }
}

TEST_P(L2PolicyTest, ShowsAFaultForARequestThatCameToTheWrongNode) {
  Make({2, 4}, false, true);
  Decide(true, Kind::kRead, 9);
  EXPECT_TRUE(flagstone::Test(block_->Outputs().dec_fault, 0));
  Decide(true, Kind::kRead, kNode);
  EXPECT_FALSE(flagstone::Test(block_->Outputs().dec_fault, 0));
  Decide(false, Kind::kRead, 9);
  EXPECT_FALSE(flagstone::Test(block_->Outputs().dec_fault, 0));
}

TEST_P(L2PolicyTest, DecidesInEachLaneAndIsQuietWithoutRequests) {
  for (const L2PolicySize size : {L2PolicySize{8, 4}, L2PolicySize{70, 5}, L2PolicySize{128, 5}}) {
    Make(size, true, true);
    SplitMix64 random(size.lanes);
    for (uint32_t cycle = 0; cycle < 500; ++cycle) {
      L2PolicyIn in;
      for (uint32_t lane = 0; lane < size.lanes; ++lane) {
        if (random.Below(4) != 0) continue;
        const bool from_fabric = lane % 2 == 1;
        Ask(lane, from_fabric, static_cast<Kind>(random.Below(4)),
            from_fabric ? kNode : static_cast<uint32_t>(random.Below(8)), &in);
      }
      if (cycle % 5 == 0) in = {};
      block_->Tick(in);
      const L2PolicyOut& out = block_->Outputs();
      ASSERT_EQ(out.dec_valid, in.req_valid) << cycle;
      ASSERT_EQ(out.quiescent, !Any(in.req_valid)) << cycle;
      // In lockstep every tick is made.
      ASSERT_EQ(block_->Idle({}), out.quiescent && GetParam() != Engine::kLockstep);
      ForEachLane(in.req_valid, [&](uint32_t lane) {
        const bool here = in.req_home[lane] == kNode;
        const L2Class request = lane % 2 == 1 ? L2Class::kRemoteLocal
                                : here        ? L2Class::kLocalLocal
                                              : L2Class::kLocalRemote;
        EXPECT_EQ(DecisionOf(out, lane),
                  DecideL2(request, static_cast<Kind>(in.req_kind[lane]), true, true));
        EXPECT_FALSE(flagstone::Test(out.dec_fault, lane));
      });
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Engines, L2PolicyTest,
                         testing::Values(Engine::kModel, Engine::kRtl, Engine::kLockstep),
                         EngineName);

}  // namespace l2_policy_contract_test
}  // namespace flagstone
