// The memory port that all SMs' TB queues and the group dispatcher share.
// The model of rtl/paver/paver_fetch_port.sv.
#ifndef FLAGSTONE_GPU_MODEL_BLOCKS_TB_SCHEDULER_PAVER_FETCH_PORT_H_
#define FLAGSTONE_GPU_MODEL_BLOCKS_TB_SCHEDULER_PAVER_FETCH_PORT_H_

#include <cstdint>
#include <vector>

#include "gpu_model/blocks/sm_mask.h"

namespace flagstone {

// Who waits for an answer of the memory: an SM's number, the dispatcher, or nobody.
inline constexpr uint32_t kDispatcherOwner = kMaxSms;
inline constexpr uint32_t kNoOwner = kMaxSms + 1;

// A request of an SM passes two steps: the SM is picked, and a cycle or more later its request is
// placed, which shows it to the memory. A descriptor's is placed at once, and first.
class FetchPort {
 public:
  // `outstanding`: the most requests that can wait for their answers at once.
  FetchPort(uint32_t num_sms, uint32_t outstanding) : num_sms_(num_sms), owners_(outstanding) {}

  void Reset();
  void StartKernel() { first_sm_ = 0; }
  // A kernel is given up: the SM picked is forgotten.
  void Stop() { picked_ = kNoOwner; }

  bool RequestValid() const { return request_valid_; }
  bool Waiting() const { return waiting_ != 0; }  // for an answer

  // Whose request is placed in this cycle: the dispatcher's, else that of the SM picked; kNoOwner
  // if there is none, or if the request shown is not taken.
  uint32_t Choose(bool descriptor_wanted, bool memory_ready) const;
  // The SM that is picked in this cycle, in which `placed` was chosen: round-robin; or kNoOwner.
  uint32_t Pick(const SmMask& ids_wanted, uint32_t placed) const;
  // The SM picked before, or kNoOwner.
  uint32_t Picked() const { return picked_; }
  // Something happens without an input: a request is placed, or an SM is picked.
  bool Pending(bool descriptor_wanted, const SmMask& ids_wanted) const {
    return Choose(descriptor_wanted, false) != kNoOwner || (picked_ == kNoOwner && Any(ids_wanted));
  }
  // Whose answer comes next, or kNoOwner.
  uint32_t NextAnswer() const { return waiting_ == 0 ? kNoOwner : owners_[oldest_]; }

  void Answered();                          // the answer has come: its owner, not kNoOwner, is done
  void Taken() { request_valid_ = false; }  // the memory has taken the request shown
  // After Answered and Taken of the same cycle: what Choose and Pick have named.
  void Place(uint32_t owner);
  void TakePick(uint32_t sm);

 private:
  uint32_t num_sms_;
  std::vector<uint32_t> owners_;  // of the requests without an answer, a ring
  uint32_t oldest_ = 0;
  uint32_t waiting_ = 0;
  uint32_t first_sm_ = 0;  // where round-robin goes on
  uint32_t picked_ = kNoOwner;
  bool request_valid_ = false;
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_BLOCKS_TB_SCHEDULER_PAVER_FETCH_PORT_H_
