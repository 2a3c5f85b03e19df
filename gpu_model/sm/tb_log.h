// Which TB was in which slot of one SM, from when to when.
#ifndef FLAGSTONE_GPU_MODEL_SM_TB_LOG_H_
#define FLAGSTONE_GPU_MODEL_SM_TB_LOG_H_

#include <cstdint>
#include <vector>

namespace flagstone {

struct TbSpan {
  uint64_t tb = 0;
  uint64_t from = 0;  // core cycles of the launch: the TB's first in the slot
  uint64_t to = 0;    // the one in which it ended; kOpen while it runs
  uint32_t slot = 0;

  static constexpr uint64_t kOpen = ~uint64_t{0};
};

// A move of TBs from one SM's share to another's, by the TB scheduler.
struct StealEvent {
  uint64_t cycle = 0;  // core cycle
  uint32_t tbs = 0;
  uint32_t donor = 0, thief = 0;  // SMs
};

// Kept by an SM whose user wants it; spans come in the order in which they begin.
class TbLog {
 public:
  explicit TbLog(uint32_t slots) : open_(slots, kNone) {}

  void Start(uint32_t slot, uint64_t tb, uint64_t now) {
    open_[slot] = spans_.size();
    spans_.push_back({tb, now, TbSpan::kOpen, slot});
    ++running_;
  }
  void End(uint32_t slot, uint64_t now) {
    spans_[open_[slot]].to = now;
    open_[slot] = kNone;
    --running_;
  }
  const std::vector<TbSpan>& spans() const { return spans_; }
  uint32_t running() const { return running_; }  // TBs on the SM

 private:
  static constexpr size_t kNone = ~size_t{0};
  std::vector<TbSpan> spans_;
  std::vector<size_t> open_;  // per slot: the index of its span
  uint32_t running_ = 0;
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_SM_TB_LOG_H_
