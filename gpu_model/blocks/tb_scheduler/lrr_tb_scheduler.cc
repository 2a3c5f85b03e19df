#include "gpu_model/blocks/tb_scheduler/lrr_tb_scheduler.h"

namespace flagstone {

void LrrTbScheduler::Reset() {
  next_id_ = 0;
  count_ = 0;
  first_sm_ = 0;
  running_ = 0;
  out_ = {};
}

bool LrrTbScheduler::Finished() const {
  return out_.busy && next_id_ == count_ && !Any(out_.tb_valid) && running_ == 0;
}

void LrrTbScheduler::Tick(const TbSchedulerIn& in) {
  const bool start = in.start && !out_.busy;
  const bool finish = Finished();
  const SmMask issue = And(out_.tb_valid, in.tb_ready);
  const SmMask open = AndNot(in.tb_ready, out_.tb_valid);

  running_ = static_cast<uint16_t>(running_ + CountSms(issue) - CountSms(in.tb_done));
  out_.tb_valid = AndNot(out_.tb_valid, issue);
  if (next_id_ != count_ && Any(open)) {
    const uint32_t sm = PickSm(open, first_sm_);
    out_.tb_id[sm] = next_id_ & id_mask_;
    SetBit(&out_.tb_valid, sm);
    first_sm_ = (sm + 1) % num_sms_;
    ++next_id_;
  }
  if (start) {
    next_id_ = 0;
    count_ = in.queue_count;
    first_sm_ = 0;
  }
  out_.busy = start || (out_.busy && !finish);
  out_.wants_context = next_id_ != count_;
  out_.quiescent = !Finished();
}

}  // namespace flagstone
