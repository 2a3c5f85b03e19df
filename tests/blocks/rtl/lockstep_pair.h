// A golden model and a Verilated TB scheduler side by side, for tests of the one against the other.
#ifndef FLAGSTONE_TESTS_BLOCKS_RTL_LOCKSTEP_PAIR_H_
#define FLAGSTONE_TESTS_BLOCKS_RTL_LOCKSTEP_PAIR_H_

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>

#include "gpu_model/blocks/sm_mask.h"
#include "gpu_model/blocks/tb_scheduler/ports.h"
#include "systemc/cosim/tb_scheduler_factory.h"

namespace flagstone {

// Gets every tick for the model. The RTL's ticks are left out while the RTL itself says that they
// would change nothing, if `gated`: wrong gating then shows as a difference.
class LockstepPair final : public TbScheduler {
 public:
  LockstepPair(const TbSchedulerDescriptor* kind, const TbSchedulerSize& size, bool gated,
               uint64_t reset_seed)
      : num_sms_(size.num_sms),
        gated_(gated),
        model_(MakeTbScheduler(*kind, Engine::kModel, size)) {
    BodyOptions options;
    options.rtl.reset_seed = reset_seed;
    rtl_ = MakeTbScheduler(*kind, Engine::kRtl, size, options);
    Compare();
  }

  void Reset() override {
    model_->Reset();
    rtl_->Reset();
    Compare();
  }
  const TbSchedulerOut& Outputs() const override { return rtl_->Outputs(); }
  bool Idle(const TbSchedulerIn& in) const override { return model_->Idle(in); }

  void Tick(const TbSchedulerIn& in) override {
    const bool skip = gated_ && Outputs().quiescent && !HasEvent(Outputs(), in);
    model_->Tick(in);
    if (skip) {
      ++skipped_;
    } else {
      rtl_->Tick(in);  // throws when an assertion in the RTL fails
    }
    ++ticks_;
    Compare();
  }

  uint64_t ticks() const { return ticks_; }
  uint64_t skipped() const { return skipped_; }

 private:
  void Compare() {
    if (failed_) return;  // the first difference is the one to look at
    const TbSchedulerOut& m = model_->Outputs();
    const TbSchedulerOut& r = rtl_->Outputs();
    Equal("tb_valid[0..63]", m.tb_valid[0], r.tb_valid[0]);
    Equal("tb_valid[64..127]", m.tb_valid[1], r.tb_valid[1]);
    ForEachSm(m.tb_valid, [&](uint32_t sm) { Equal("tb_id", m.tb_id[sm], r.tb_id[sm]); });
    Equal("busy", m.busy, r.busy);
    Equal("quiescent", m.quiescent, r.quiescent);
    Equal("wants_context[0..63]", m.wants_context[0], r.wants_context[0]);
    Equal("wants_context[64..127]", m.wants_context[1], r.wants_context[1]);
    Equal("mem_req_valid", m.mem_req_valid, r.mem_req_valid);
    if (m.mem_req_valid) {
      Equal("mem_req_addr", m.mem_req_addr, r.mem_req_addr);
      Equal("mem_req_size", m.mem_req_size, r.mem_req_size);
    }
    Equal("steal_valid", m.steal_valid, r.steal_valid);
    if (m.steal_valid) {
      Equal("steal_count", m.steal_count, r.steal_count);
      Equal("steal_donor", m.steal_donor, r.steal_donor);
      Equal("steal_thief", m.steal_thief, r.steal_thief);
    }
  }

  void Equal(const char* field, uint64_t model, uint64_t rtl) {
    if (model == rtl || failed_) return;
    failed_ = true;
    ADD_FAILURE() << field << " after tick " << ticks_ << ", " << num_sms_ << " SMs: model "
                  << model << ", RTL " << rtl;
  }

  const uint32_t num_sms_;
  const bool gated_;
  std::unique_ptr<TbScheduler> model_;
  std::unique_ptr<TbScheduler> rtl_;
  uint64_t ticks_ = 0;
  uint64_t skipped_ = 0;
  bool failed_ = false;
};

}  // namespace flagstone

#endif  // FLAGSTONE_TESTS_BLOCKS_RTL_LOCKSTEP_PAIR_H_
