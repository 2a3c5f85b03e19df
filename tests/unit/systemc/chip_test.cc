// A chip that stands twice in one simulation: each runs its TBs as it would alone.
#include "systemc/chip.h"

#include <gtest/gtest.h>

#include <cstring>
#include <deque>
#include <exception>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "gpu_model/blocks/warp_scheduler/descriptor.h"
#include "systemc/cosim/tb_scheduler_factory.h"
#include "systemc/gpu.h"
#include "systemc/scoped_kernel.h"
#include "tests/unit/gpu_model/sm/sm_kernel.h"

namespace flagstone {
namespace chip_test {

// What a chip of two SMs is given: eight TBs, a memory and a TB scheduler of its own.
struct Work {
  explicit Work(uint32_t first_sm) {
    SmSetup& setup = setups[0].sm;
    TbDispatchSetup& dispatch = setups[0].dispatch;
    setup.machine = &machine;
    setup.program = &kernel.program();
    setup.memory = kernel.memory();
    setup.link = &setups[0].link;
    setup.tbs_per_sm = 2;
    setup.first_sm = first_sm;
    setup.make_warp_scheduler = [this](uint32_t sm, uint32_t) {
      sms.insert(sm);
      return MakeWarpScheduler("gto", machine.sm.scheduling);
    };
    dispatch.block = block.get();
    dispatch.link = &setups[0].link;
    dispatch.ledger = &ledger;
    dispatch.memory = kernel.memory();
    dispatch.sms = machine.sm.count;
    dispatch.tb_count = dispatch.queue_count = 8;
  }

  SmKernel kernel;
  const MachineConfig machine = MachineConfig::Load("tiny", {});
  TbLedger ledger{8};
  std::unique_ptr<TbScheduler> block =
      MakeTbScheduler(*FindTbScheduler("lrr"), Engine::kModel, {machine.sm.count, 2});
  std::deque<NodeSetup> setups{1};
  std::set<uint32_t> sms;  // that have asked for a warp scheduler
};

class UntilAllAreDone final : public RunControl {
 public:
  void Add(const GpuModule* part) { parts_.push_back(part); }
  uint64_t Watch(uint64_t now) override {
    stopped_ = now >= kMostCycles;
    return kMostCycles;
  }
  bool Finished() override {
    for (const GpuModule* part : parts_) {
      if (part->HandsOutTbs()) return false;
      for (const auto& [core, name] : part->cores()) {
        if (!core->Drained()) return false;
      }
    }
    return finished = stopped_ = true;
  }
  void Fail(std::exception_ptr error) override {
    stopped_ = true;
    std::rethrow_exception(error);
  }

  bool finished = false;

 private:
  static constexpr uint64_t kMostCycles = 100'000;
  std::vector<const GpuModule*> parts_;
};

struct Outcome {
  std::vector<uint64_t> counts;
  std::string sm_name;
  std::set<uint32_t> sms;
  uint32_t first_word = 0;
};

Outcome OutcomeOf(const GpuModule& part, Work* work) {
  Outcome outcome;
  for (const SmModule* sm : part.sms()) {
    outcome.counts.push_back(sm->core->completed());
    outcome.counts.push_back(sm->core->last_progress());
    outcome.counts.push_back(sm->core->L1(kNever).misses);
  }
  for (const L2Module* slice : part.l2()) {
    outcome.counts.push_back(slice->core->statistics().accesses);
  }
  outcome.counts.push_back(part.nodes[0]->chip.noc->request->statistics().packets);
  outcome.counts.push_back(part.nodes[0]->chip.noc->reply->statistics().packets);
  outcome.sm_name = part.sms()[1]->name();
  outcome.sms = work->sms;
  std::memcpy(&outcome.first_word, work->kernel.memory()->At(work->kernel.address()), 4);
  return outcome;
}

std::vector<Outcome> RunChips(const std::vector<std::string>& names) {
  ScopedKernel kernel;
  UntilAllAreDone control;
  std::deque<Work> works;
  std::deque<GpuModule> parts;
  uint64_t cycle = 0;
  for (const std::string& name : names) {
    Work& work = works.emplace_back(static_cast<uint32_t>(2 * works.size()));
    control.Add(&parts.emplace_back(name.c_str(), work.machine));
  }
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  for (size_t i = 0; i < parts.size(); ++i) {
    parts[i].Begin(works[i].setups, nullptr, {}, &control, &cycle);
  }
  sc_core::sc_start();
  EXPECT_TRUE(control.finished);
  std::vector<Outcome> outcomes;
  for (size_t i = 0; i < parts.size(); ++i) outcomes.push_back(OutcomeOf(parts[i], &works[i]));
  return outcomes;
}

TEST(Chip, RunsBesideAnotherAsItDoesAlone) {
  const Outcome alone = RunChips({"alone"}).at(0);
  EXPECT_EQ(alone.counts[0] + alone.counts[3], 8U);
  EXPECT_GT(alone.first_word, 0U);  // how many of the TBs read what another has stored
  const std::vector<Outcome> both = RunChips({"left", "right"});
  for (const Outcome& outcome : both) {
    EXPECT_EQ(outcome.counts, alone.counts);
    EXPECT_EQ(outcome.first_word, alone.first_word);
  }
}

TEST(Chip, NamesItsPartsAfterItsOwnerAndNumbersItsSmsInTheGpu) {
  const std::vector<Outcome> both = RunChips({"left", "right"});
  EXPECT_EQ(both[0].sm_name, "left.sm1");
  EXPECT_EQ(both[1].sm_name, "right.sm1");
  EXPECT_EQ(both[0].sms, (std::set<uint32_t>{0, 1}));
  EXPECT_EQ(both[1].sms, (std::set<uint32_t>{2, 3}));
}

}  // namespace chip_test
}  // namespace flagstone
