// What the TB schedulers without a queue in memory have in common: at each issue port one offer a
// cycle at most, SM after SM, to SMs with a free context and no offer pending. The model of
// rtl/dispatch/tb_offer_bank.sv and of the control around it; which TB is next, and who may have
// it, each TB scheduler adds.
#ifndef FLAGSTONE_GPU_MODEL_BLOCKS_TB_SCHEDULER_OFFERING_TB_SCHEDULER_H_
#define FLAGSTONE_GPU_MODEL_BLOCKS_TB_SCHEDULER_OFFERING_TB_SCHEDULER_H_

#include <cstdint>
#include <vector>

#include "gpu_model/blocks/common/running_tbs.h"
#include "gpu_model/blocks/sm_mask.h"
#include "gpu_model/blocks/tb_scheduler/ports.h"

namespace flagstone {

class OfferingTbScheduler : public TbScheduler {
 public:
  explicit OfferingTbScheduler(const TbSchedulerSize& size);

  void Reset() override;
  const TbSchedulerOut& Outputs() const override { return out_; }
  void Tick(const TbSchedulerIn& in) override;
  bool Idle(const TbSchedulerIn& in) const override {
    return out_.quiescent && !HasEvent(out_, in);
  }

 protected:
  struct Offer {
    uint32_t id = 0;
    bool pair = false;  // id, which is even, and then the one after it
  };

  // A kernel begins; before the first one there is nothing to hand out.
  virtual void Begin(const TbSchedulerIn& in) = 0;
  // Takes the next TB, or pair, for an SM of Eligible().
  virtual Offer Take(uint32_t sm) = 0;
  // Offers that may be made in a cycle with the state that it finds.
  virtual uint32_t Room() const = 0;
  // SMs that may be offered a TB when they have a free context.
  virtual SmMask Eligible() const = 0;
  // One TB is issued on each of these SMs,
  virtual void Issued(const SmMask& /*issue*/) {}
  // or has completed.
  virtual void Completed(const SmMask& /*done*/) {}
  // Work of its own that goes on without inputs: one step a cycle, from the one after Begin.
  virtual bool Walking() const { return false; }
  virtual void Walk() {}

  uint32_t num_sms() const { return num_sms_; }
  const SmMask& all_sms() const { return all_sms_; }

 private:
  struct IssuePort {
    SmMask sms = {};    // that it serves
    uint32_t turn = 0;  // which of them comes first
  };

  bool Finished() const;
  void ResetTurns();
  void MakeOffers(SmMask open);

  const uint32_t num_sms_;
  const uint32_t port_sms_;
  const SmMask all_sms_;
  const uint32_t id_mask_;
  std::vector<IssuePort> ports_;
  RunningTbs running_;
  SmMask second_ = {};    // the second of a pair is owed
  bool stopped_ = false;  // the kernel is given up: nobody may have what the order has left
  TbSchedulerOut out_;
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_BLOCKS_TB_SCHEDULER_OFFERING_TB_SCHEDULER_H_
