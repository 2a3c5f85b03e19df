#include "gpu_model/blocks/tb_scheduler/offering_tb_scheduler.h"

namespace flagstone {

OfferingTbScheduler::OfferingTbScheduler(const TbSchedulerSize& size)
    : num_sms_(size.num_sms),
      port_sms_(size.PortSms()),
      all_sms_(FirstSms(size.num_sms)),
      id_mask_(size.id_bytes == 2 ? 0xffff : 0xffffffff) {
  for (uint32_t sm = 0; sm < num_sms_; ++sm) {
    if (sm % port_sms_ == 0) ports_.push_back({});
    SetBit(&ports_.back().sms, sm);
  }
  ResetTurns();
}

void OfferingTbScheduler::ResetTurns() {
  for (IssuePort& port : ports_) port.turn = LowestSm(port.sms);
}

void OfferingTbScheduler::Reset() {
  Begin({});
  while (Walking()) Walk();
  ResetTurns();
  running_ = {};
  second_ = {};
  stopped_ = false;
  out_ = {};
}

bool OfferingTbScheduler::Finished() const {
  return out_.busy && !Walking() && !Any(out_.wants_context) && !Any(out_.tb_valid) &&
         running_.None();
}

// One port after the other, as long as there are TBs.
void OfferingTbScheduler::MakeOffers(SmMask open) {
  for (uint32_t room = Room(); room != 0 && Any(open); --room) {
    IssuePort& port = ports_[LowestSm(open) / port_sms_];
    const uint32_t sm = PickSm(And(open, port.sms), port.turn);
    const Offer offer = Take(sm);
    out_.tb_id[sm] = offer.id & id_mask_;
    SetBit(&out_.tb_valid, sm);
    if (offer.pair) SetBit(&second_, sm);
    port.turn = sm + 1 < num_sms_ && TestBit(port.sms, sm + 1) ? sm + 1 : LowestSm(port.sms);
    open = AndNot(open, port.sms);
  }
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
  if (Any(open)) MakeOffers(open);
  if (Any(issue)) Issued(issue);
  if (Any(in.tb_done)) Completed(in.tb_done);
  if (walks) Walk();
  if (stopped_) out_.tb_valid = second_ = {};
  if (start) {
    Begin(in);
    ResetTurns();
  }
  stopped_ = !start && (stopped_ || (out_.busy && !finish && in.abort));
  out_.busy = start || (out_.busy && !finish);
  out_.wants_context = stopped_ ? SmMask{} : Eligible();
  out_.quiescent = !Finished() && !Walking() && !running_.Adding() && !(out_.busy && stopped_);
}

}  // namespace flagstone
