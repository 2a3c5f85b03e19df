#include "gpu_model/blocks/tb_scheduler/task_stealer.h"

#include <algorithm>
#include <bit>

namespace flagstone {

TaskStealer::TaskStealer(uint32_t num_sms, uint32_t id_bytes)
    : num_sms_(num_sms), sum_bits_(SumBits(num_sms, id_bytes)) {}

uint32_t TaskStealer::SumBits(uint32_t num_sms, uint32_t id_bytes) {
  return id_bytes == 2 ? 16 : 16 + static_cast<uint32_t>(std::bit_width(num_sms - 1));
}

void TaskStealer::Clear() {
  step_ = Step::kIdle;
  ended_ = false;
  first_thief_ = 0;
}

uint32_t TaskStealer::Observed() const {
  if (step_ == Step::kScan) return cycle_;
  return step_ == Step::kCommit ? donor_ : kNoSm;
}

void TaskStealer::StartScan() {
  step_ = Step::kScan;
  cycle_ = 0;
  max_ = 0;
  sum_ = 0;
}

// Algorithm 2, one turn of its loop: the strict comparison keeps the lowest SM of equals.
void TaskStealer::Scan(uint16_t waiting) {
  if (waiting > max_) {
    max_ = waiting;
    donor_ = cycle_;
  }
  sum_ = (sum_ + waiting) & ((uint32_t{1} << sum_bits_) - 1);
  if (++cycle_ < num_sms_) return;
  cycle_ = 0;
  ended_ = max_ == 0;
  step_ = ended_ ? Step::kIdle : Step::kDivide;
}

Steal TaskStealer::Tick(bool enabled, const SmMask& candidates, uint16_t waiting, uint16_t left) {
  switch (step_) {
    case Step::kIdle: {
      if (!enabled || ended_ || !Any(candidates)) break;
      thief_ = PickSm(candidates, first_thief_);
      first_thief_ = (thief_ + 1) % num_sms_;
      StartScan();
      break;
    }
    case Step::kScan:
      Scan(waiting);
      break;
    case Step::kDivide:  // one bit of the average a cycle
      if (++cycle_ == sum_bits_) step_ = Step::kCount;
      break;
    case Step::kCount:
      count_ = static_cast<uint16_t>(max_ - sum_ / num_sms_);
      step_ = Step::kCommit;
      break;
    case Step::kCommit:
      // The donor has gone on issuing since it was scanned.
      count_ = std::min(count_, left);
      if (count_ == 0) {
        StartScan();
        break;
      }
      step_ = Step::kReport;
      return {count_, donor_, thief_};
    case Step::kReport:
      step_ = Step::kIdle;
      break;
  }
  return {};
}

}  // namespace flagstone
