// What the TB schedulers that count what each SM holds have in common: bcs and cache_fit.
#ifndef FLAGSTONE_GPU_MODEL_BLOCKS_TB_SCHEDULER_LIMITED_TB_SCHEDULER_H_
#define FLAGSTONE_GPU_MODEL_BLOCKS_TB_SCHEDULER_LIMITED_TB_SCHEDULER_H_

#include <array>
#include <cstdint>

#include "gpu_model/blocks/tb_scheduler/offering_tb_scheduler.h"

namespace flagstone {

// TB ids in order; settings[0], the port max_tbs, is the number of TBs that an SM may hold
// (LimitSettings). A TB counts from its issue on: an SM with one on offer gets no other offer.
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

  // Offers of so many TBs.
  uint32_t RoomFor(uint32_t tbs) const { return left() / tbs; }

  uint32_t left() const { return count_ - next_id_; }
  uint32_t limit() const { return limit_; }

 private:
  uint32_t next_id_ = 0;
  uint32_t count_ = 0;
  uint32_t limit_ = 1;
  std::array<uint32_t, kMaxSms> running_ = {};  // per SM
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_BLOCKS_TB_SCHEDULER_LIMITED_TB_SCHEDULER_H_
