// What the contract tests on netlists are for: a netlist with a fault does not pass.
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "base/error.h"
#include "systemc/cosim/lockstep_body.h"
#include "systemc/cosim/rtl_body.h"
#include "systemc/cosim/tb_scheduler_factory.h"
#include "tests/blocks/contract/tb_scheduler_bench.h"
#include "tests/blocks/gate_level/netlists.h"

namespace flagstone {
namespace wrong_netlist_test {

// Bits 0 and 1 of the TB id that stands next take each other's value.
void SwapTwoWires(Netlist* netlist) {
  std::vector<NetlistPin*> bits;
  for (NetlistCell& cell : netlist->cells) {
    if (cell.name != "u_sequence.id_q[0]" && cell.name != "u_sequence.id_q[1]") continue;
    for (NetlistPin& pin : cell.pins) {
      if (pin.name == cell.type->data) bits.push_back(&pin);
    }
  }
  ASSERT_EQ(bits.size(), 2u);
  std::swap(bits[0]->net, bits[1]->net);
}

// TBs that a netlist of `lrr_tb_scheduler` issues as its model does.
size_t Issued(const NetlistChange& change) {
  const auto type = TbSchedulerType(*FindTbScheduler("lrr"), {3, 2});
  const BlockAbi& abi = VerilateNetlist(type.name, type.parameters, /*full=*/false, change);
  LockstepReport report;
  auto model = type.model();
  model->Reset();
  LockstepBody<TbSchedulerIn, TbSchedulerOut> body(
      "gpu.tb_scheduler", std::move(model),
      std::make_unique<RtlBody<TbSchedulerIn, TbSchedulerOut>>(type, abi, RtlBodyOptions{}),
      type.outputs, nullptr, &report, type.settles);
  BenchConfig config;
  config.num_sms = 3;
  config.contexts = 2;
  return TbSchedulerBench(&body, config).RunSequential(20).issues.size();
}

TEST(WrongNetlist, IsSeenInLockstep) {
  EXPECT_EQ(Issued(nullptr), 20u);
  EXPECT_THROW(Issued(SwapTwoWires), Error);
}

}  // namespace wrong_netlist_test
}  // namespace flagstone
