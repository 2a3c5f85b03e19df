// Walks PAVER's global queue in memory and hands its TB groups out to SMs that hold none.
// The model of rtl/paver/paver_group_dispatcher.sv.
#ifndef FLAGSTONE_GPU_MODEL_BLOCKS_TB_SCHEDULER_PAVER_GROUP_DISPATCHER_H_
#define FLAGSTONE_GPU_MODEL_BLOCKS_TB_SCHEDULER_PAVER_GROUP_DISPATCHER_H_

#include <cstdint>
#include <vector>

#include "gpu_model/blocks/sm_mask.h"
#include "gpu_model/blocks/tb_scheduler/paver/tb_queue.h"

namespace flagstone {

class GroupDispatcher {
 public:
  // `depth`: descriptors fetched ahead, waiting for an SM or in flight; at least 1.
  GroupDispatcher(uint32_t num_sms, uint32_t depth)
      : num_sms_(num_sms), all_sms_(FirstSms(num_sms)), groups_(depth) {}

  void Reset();
  // `base`: byte address of the first 16-byte descriptor {first id, last id}.
  void Start(uint64_t base, uint32_t count);

  bool WantsFetch() const { return WantsFetch(static_cast<uint32_t>(groups_.size())); }
  // With at most `limit` descriptors in flight or waiting.
  bool WantsFetch(uint32_t limit) const { return left_ != 0 && waiting_ + in_flight_ < limit; }
  uint64_t FetchAddress() const { return address_; }
  void GrantFetch();
  void TakeDescriptor(const TbGroup& group);

  // A cycle of a kernel that is given up, in place of Drop and HandOut: no more descriptors are
  // fetched; one of those that wait, or come, is dropped.
  void Stop();
  bool Waiting() const { return waiting_ != 0; }

  // The group that has come last is empty (last before first): Drop is this cycle's.
  bool Drops() const { return newest_is_empty_; }
  void Drop();
  // The SM that gets a group in this cycle: round-robin among those that hold none; or kNoSm.
  uint32_t NextSm(const SmMask& held) const;
  // A group is dropped or handed out in this cycle.
  bool Moves(const SmMask& held) const { return Drops() || NextSm(held) != kNoSm; }
  // The group that goes out next, where NextSm names an SM.
  const TbGroup& Oldest() const { return groups_[oldest_]; }
  // The group for `sm`, which NextSm has named.
  TbGroup HandOut(uint32_t sm);

  // All groups are handed out; none waits or is in flight.
  bool Exhausted() const { return left_ == 0 && waiting_ == 0 && in_flight_ == 0; }

 private:
  void PopOldest();

  uint32_t num_sms_;
  SmMask all_sms_;
  uint64_t address_ = 0;  // of the next descriptor to fetch
  uint32_t left_ = 0;     // descriptors not yet asked for
  uint32_t in_flight_ = 0;
  std::vector<TbGroup> groups_;  // waiting for an SM, a ring
  uint32_t oldest_ = 0;
  uint32_t waiting_ = 0;
  uint32_t first_sm_ = 0;  // where round-robin goes on
  bool newest_is_empty_ = false;
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_BLOCKS_TB_SCHEDULER_PAVER_GROUP_DISPATCHER_H_
