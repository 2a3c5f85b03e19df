// Hands TB groups out as paver's dispatcher does, and has a descriptor in flight for every SM that
// waits for a group. The model of rtl/paver_wide/paver_wide_group_dispatcher.sv.
#ifndef FLAGSTONE_GPU_MODEL_BLOCKS_TB_SCHEDULER_PAVER_WIDE_WIDE_GROUP_DISPATCHER_H_
#define FLAGSTONE_GPU_MODEL_BLOCKS_TB_SCHEDULER_PAVER_WIDE_WIDE_GROUP_DISPATCHER_H_

#include <array>
#include <cstdint>

#include "gpu_model/blocks/sm_mask.h"
#include "gpu_model/blocks/tb_scheduler/paver/group_dispatcher.h"

namespace flagstone {

// A descriptor on its way to a waiting SM needs no place: it is handed out as it comes. How many
// SMs wait is known two cycles late, in which two of them may get a group: two of the places are
// for the descriptors of these.
class WideGroupDispatcher {
 public:
  static constexpr uint32_t kLate = 2;
  // `depth`: places for descriptors, more than kLate.
  WideGroupDispatcher(uint32_t num_sms, uint32_t depth);

  void Reset();
  void Start(uint64_t base, uint32_t count) { groups_.Start(base, count); }
  // Of each cycle, with the SMs that hold a group before it.
  void Tick(const SmMask& held);

  bool WantsFetch() const { return groups_.WantsFetch(limit_); }
  uint64_t FetchAddress() const { return groups_.FetchAddress(); }
  void GrantFetch() { groups_.GrantFetch(); }
  void TakeDescriptor(const TbGroup& group) { groups_.TakeDescriptor(group); }
  void Stop() { groups_.Stop(); }
  bool Drops() const { return groups_.Drops(); }
  void Drop() { groups_.Drop(); }
  uint32_t NextSm(const SmMask& held) const { return groups_.NextSm(held); }
  bool Moves(const SmMask& held) const { return groups_.Moves(held); }
  const TbGroup& Oldest() const { return groups_.Oldest(); }
  TbGroup HandOut(uint32_t sm) { return groups_.HandOut(sm); }
  bool Exhausted() const { return groups_.Exhausted(); }
  // A Tick with these SMs would change nothing.
  bool Settled(const SmMask& held) const {
    return parts_ == Parts(held) && limit_ == Limit(parts_);
  }

 private:
  static constexpr uint32_t kPartSms = 16;
  using Counts = std::array<uint8_t, kMaxSms / kPartSms>;  // of SMs with a group
  static Counts Parts(const SmMask& held);
  uint32_t Limit(const Counts& parts) const;

  GroupDispatcher groups_;
  uint32_t most_;  // descriptors in flight or waiting, while no SM holds a group
  Counts parts_ = {};
  uint32_t limit_;
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_BLOCKS_TB_SCHEDULER_PAVER_WIDE_WIDE_GROUP_DISPATCHER_H_
