#include "gpu_model/blocks/tb_scheduler/paver/task_stealer.h"

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
  last_thief_ = num_sms_ - 1;
}

uint32_t TaskStealer::Observed() const {
  if (step_ == Step::kScan) return cycle_ < num_sms_ ? cycle_ : kNoSm;
  return step_ >= Step::kRead && step_ <= Step::kCommit ? donor_ : kNoSm;
}

void TaskStealer::StartScan() {
  step_ = Step::kScan;
  cycle_ = 0;
  max_ = 0;
  sum_ = 0;
  found_ = false;
  later_ = false;
}

// Algorithm 2, one turn of its loop: the strict comparison keeps the lowest SM of equals.
void TaskStealer::Evaluate(uint32_t sm, const Reading& reading) {
  if (reading.waiting > max_) {
    max_ = reading.waiting;
    donor_ = sm;
  }
  sum_ = (sum_ + reading.waiting) & ((uint32_t{1} << sum_bits_) - 1);
  const bool later = sm > last_thief_;
  if (reading.candidate && (!found_ || (later && !later_))) {
    thief_ = sm;
    found_ = true;
    later_ = later;
  }
}

void TaskStealer::Scan(const Reading& reading) {
  if (cycle_ >= 2) Evaluate(cycle_ - 2, readings_[1]);
  readings_[1] = readings_[0];
  readings_[0] = reading;
  if (++cycle_ == num_sms_ + 2) step_ = Step::kJudge;
}

Steal TaskStealer::Tick(bool enabled, const SmMask& candidates, uint16_t waiting, bool issues,
                        bool more_to_come) {
  const bool issued_before = issued_;
  issued_ = issues || (issued_ && step_ != Step::kRead);
  switch (step_) {
    case Step::kIdle:
      if (enabled && !ended_ && Any(candidates)) StartScan();
      break;
    case Step::kScan:
      Scan({waiting, cycle_ < num_sms_ && TestBit(candidates, cycle_)});
      break;
    case Step::kJudge:
      ended_ = max_ == 0 && !more_to_come;
      step_ = max_ == 0 || !found_ ? Step::kIdle : Step::kDivide;
      cycle_ = 0;
      break;
    case Step::kDivide:  // one bit of the average a cycle
      if (++cycle_ == sum_bits_) step_ = Step::kCount;
      break;
    case Step::kCount:
      count_ = static_cast<uint16_t>(max_ - sum_ / num_sms_);
      step_ = Step::kRead;
      break;
    case Step::kRead:  // the donor has gone on issuing since it was scanned
      waiting_ = waiting;
      step_ = Step::kSubtract;
      break;
    case Step::kSubtract:
      step_ = Step::kClamp;
      break;
    case Step::kClamp:
      all_ = waiting_ <= count_;
      count_ = std::min(count_, waiting_);
      step_ = Step::kCut;
      break;
    case Step::kCut:
      step_ = Step::kCommit;
      if (count_ == 0) StartScan();
      break;
    case Step::kCommit:
      step_ = Step::kRead;
      if (issued_before) break;  // an issue now needs no care: see Steal::all
      last_thief_ = thief_;
      step_ = Step::kReport;
      return {count_, donor_, thief_, all_};
    case Step::kReport:
      step_ = Step::kIdle;
      break;
  }
  return {};
}

}  // namespace flagstone
