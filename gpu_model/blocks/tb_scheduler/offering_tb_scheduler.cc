#include "gpu_model/blocks/tb_scheduler/offering_tb_scheduler.h"

namespace flagstone {

void OfferingTbScheduler::Reset() {
  Begin({});
  while (Walking()) Walk();
  first_sm_ = 0;
  running_ = {};
  second_ = {};
  out_ = {};
}

bool OfferingTbScheduler::Finished() const {
  return out_.busy && !Walking() && !Any(out_.wants_context) && !Any(out_.tb_valid) &&
         running_.None();
}

void OfferingTbScheduler::Tick(const TbSchedulerIn& in) {
  // What happens at this edge follows from the state before it.
  const bool start = in.start && !out_.busy;
  const bool finish = Finished();
  const SmMask issue = And(out_.tb_valid, in.tb_ready);
  const SmMask open = And(AndNot(in.tb_ready, out_.tb_valid), out_.wants_context);
  const bool walks = Walking();

  running_.Tick(issue, in.tb_done);
  const SmMask second = And(issue, second_);
  ForEachSm(second, [this](uint32_t sm) { out_.tb_id[sm] |= 1; });
  out_.tb_valid = AndNot(out_.tb_valid, AndNot(issue, second));
  second_ = AndNot(second_, second);
  if (Any(open)) {
    const uint32_t sm = PickSm(open, first_sm_);
    const Offer offer = Take(sm);
    out_.tb_id[sm] = offer.id & id_mask_;
    SetBit(&out_.tb_valid, sm);
    if (offer.pair) SetBit(&second_, sm);
    first_sm_ = (sm + 1) % num_sms_;
  }
  if (Any(issue)) Issued(issue);
  if (Any(in.tb_done)) Completed(in.tb_done);
  if (walks) Walk();
  if (start) {
    Begin(in);
    first_sm_ = 0;
  }
  out_.busy = start || (out_.busy && !finish);
  out_.wants_context = Eligible();
  out_.quiescent = !Finished() && !Walking() && !running_.Adding();
}

}  // namespace flagstone
