// Which contexts of each SM are in use: the model of rtl/dispatch_top/sm_contexts.sv.
#ifndef FLAGSTONE_GPU_MODEL_BLOCKS_DISPATCH_TOP_SM_CONTEXTS_H_
#define FLAGSTONE_GPU_MODEL_BLOCKS_DISPATCH_TOP_SM_CONTEXTS_H_

#include <array>
#include <bit>
#include <cstdint>

#include "gpu_model/blocks/dispatch_top/ports.h"

namespace flagstone {

class SmContexts {
 public:
  explicit SmContexts(uint32_t num_sms) : num_sms_(num_sms) {}

  void Reset() { *this = SmContexts(num_sms_); }
  const SmMask& done() const { return done_; }
  bool Stray() const { return stray_; }
  bool None() const { return running_ == 0; }

  // Those with a free context among `allowed`; one that was freed now counts a cycle later.
  SmMask Room(uint32_t allowed) const {
    SmMask room = {};
    for (uint32_t sm = 0; sm < num_sms_; ++sm) {
      if ((allowed & ~used_[sm]) != 0 && !TestBit(done_, sm)) SetBit(&room, sm);
    }
    return room;
  }
  uint32_t FirstFree(uint32_t sm, uint32_t allowed) const {
    return static_cast<uint32_t>(std::countr_zero(allowed & ~used_[sm]));
  }

  // `taken_sm`: kNoSm, or the SM that gets a TB in context `taken`.
  void Tick(uint32_t taken_sm, uint32_t taken, uint32_t tag, const DispatchTopIn& in) {
    done_ = {};
    stray_ = false;
    ForEachSm(in.done_valid, [&](uint32_t sm) {
      const uint64_t bit = uint64_t{1} << in.done_context[sm];
      if ((used_[sm] & bit) == 0 || in.done_tag[sm] != tag) {
        stray_ = true;
        return;
      }
      used_[sm] &= ~static_cast<uint32_t>(bit);
      SetBit(&done_, sm);
      --running_;
    });
    if (taken_sm == kNoSm) return;
    used_[taken_sm] |= 1U << taken;
    ++running_;
  }

 private:
  uint32_t num_sms_;
  std::array<uint32_t, kMaxSms> used_ = {};
  uint32_t running_ = 0;
  SmMask done_ = {};
  bool stray_ = false;
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_BLOCKS_DISPATCH_TOP_SM_CONTEXTS_H_
