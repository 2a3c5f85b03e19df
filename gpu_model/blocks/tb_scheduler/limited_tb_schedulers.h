// The two dispatchers that count what each SM holds: block CTA scheduling and cache-fit. The models
// of rtl/dispatch/bcs_tb_scheduler.sv and cache_fit_tb_scheduler.sv.
#ifndef FLAGSTONE_GPU_MODEL_BLOCKS_TB_SCHEDULER_LIMITED_TB_SCHEDULERS_H_
#define FLAGSTONE_GPU_MODEL_BLOCKS_TB_SCHEDULER_LIMITED_TB_SCHEDULERS_H_

#include <array>
#include <cstdint>

#include "gpu_model/blocks/tb_scheduler/offering_tb_scheduler.h"

namespace flagstone {

// TB ids in order; settings[0] is the number of TBs that an SM may hold (LimitSettings). A TB
// counts from its issue on: an SM with one on offer gets no other offer.
class LimitedTbScheduler : public OfferingTbScheduler {
 public:
  using OfferingTbScheduler::OfferingTbScheduler;

 protected:
  void Begin(const TbSchedulerIn& in) override;
  void Issued(const SmMask& issue) override;
  void Completed(const SmMask& done) override;
  SmMask SmsWithRoomFor(uint32_t tbs) const;
  // The first of the next ids, which are taken.
  uint32_t TakeIds(uint32_t tbs);

  uint32_t left() const { return count_ - next_id_; }
  uint32_t limit() const { return limit_; }

 private:
  uint32_t next_id_ = 0;
  uint32_t count_ = 0;
  uint32_t limit_ = 1;
  std::array<uint32_t, kMaxSms> running_ = {};  // per SM
};

// No SM holds more than the limit, even with a context free (PAVER, section 6.1).
class CacheFitTbScheduler final : public LimitedTbScheduler {
 public:
  using LimitedTbScheduler::LimitedTbScheduler;

 private:
  Offer Take(uint32_t /*sm*/) override { return {TakeIds(1)}; }
  SmMask Eligible() const override { return left() != 0 ? SmsWithRoomFor(1) : SmMask{}; }
};

// Two consecutive TBs to the same SM, when it has room for both (PAVER, section 6.2).
class BcsTbScheduler final : public LimitedTbScheduler {
 public:
  using LimitedTbScheduler::LimitedTbScheduler;

 private:
  // The last of an odd count goes alone, and so do all where a pair never fits.
  uint32_t Together() const { return left() == 1 || limit() < 2 ? 1 : 2; }
  Offer Take(uint32_t /*sm*/) override {
    const uint32_t tbs = Together();
    return {TakeIds(tbs), tbs == 2};
  }
  SmMask Eligible() const override { return left() != 0 ? SmsWithRoomFor(Together()) : SmMask{}; }
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_BLOCKS_TB_SCHEDULER_LIMITED_TB_SCHEDULERS_H_
