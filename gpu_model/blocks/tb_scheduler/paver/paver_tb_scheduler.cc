#include "gpu_model/blocks/tb_scheduler/paver/paver_tb_scheduler.h"

namespace flagstone {

PaverTbScheduler::PaverTbScheduler(const TbSchedulerSize& size)
    : num_sms_(size.num_sms),
      id_bytes_(size.id_bytes),
      queues_(size.num_sms, TbQueue(size.id_bytes)),
      dispatcher_(size.num_sms, size.descriptors),
      stealer_(size.num_sms, size.id_bytes),
      rule_(size.num_sms),
      port_(size.num_sms, size.num_sms + size.descriptors) {}

void PaverTbScheduler::Reset() {
  for (TbQueue& queue : queues_) queue.Reset();
  held_ = {};
  wanted_ = {};
  dispatcher_.Reset();
  stealer_.Clear();
  rule_.Reset();
  port_.Reset();
  stopping_ = false;
  out_ = {};
}

bool PaverTbScheduler::Finished() const {
  return out_.busy && dispatcher_.Exhausted() && !Any(held_) && !port_.Waiting() &&
         rule_.NoneRuns();
}

// Nothing is offered, handed out or asked for; what waits or comes is dropped.
void PaverTbScheduler::Drain(const TbSchedulerIn& in) {
  const bool finish = Finished();
  rule_.Tick(And(out_.tb_valid, in.tb_ready), in.tb_done);
  for (uint32_t sm = 0; sm < num_sms_; ++sm) queues_[sm].Stop(sm == port_.Picked());
  held_ = wanted_ = {};
  out_.tb_valid = {};
  dispatcher_.Stop();
  stealer_.Clear();
  port_.Stop();
  if (in.mem_rsp_valid) DropAnswer(in);
  if (in.mem_req_ready) port_.Taken();
  out_.busy = stopping_ = !finish;
  ShowState();
}

void PaverTbScheduler::DropAnswer(const TbSchedulerIn& in) {
  const uint32_t owner = port_.NextAnswer();
  if (owner == kNoOwner) return;
  port_.Answered();
  if (owner == kDispatcherOwner) {
    dispatcher_.TakeDescriptor({in.mem_rsp_data[0], in.mem_rsp_data[1]});
  } else {
    queues_[owner].Stop(/*answered=*/true);
  }
}

void PaverTbScheduler::Tick(const TbSchedulerIn& in) {
  if (stopping_) {
    Drain(in);
    return;
  }
  // What happens at this edge follows from the state before it.
  const bool start = in.start && !out_.busy;
  const bool finish = Finished();
  const SmMask issue = And(out_.tb_valid, in.tb_ready);
  const bool drop = dispatcher_.Drops();
  const uint32_t group_sm = dispatcher_.NextSm(held_);
  const uint32_t requester = port_.Choose(dispatcher_.WantsFetch(), in.mem_req_ready);
  const uint32_t pick = port_.Pick(wanted_, requester);
  const Steal steal = TickStealer(in);

  rule_.Tick(issue, in.tb_done);
  ForEachSm(issue, [this](uint32_t sm) { Issue(sm); });
  if (steal.count != 0) CarryOut(steal);
  if (drop) dispatcher_.Drop();
  if (group_sm != kNoSm) Load(group_sm, dispatcher_.HandOut(group_sm));
  if (in.mem_rsp_valid) TakeAnswer(in);
  if (in.mem_req_ready) port_.Taken();
  if (requester != kNoOwner) PlaceRequest(requester);
  if (pick != kNoOwner) {
    port_.TakePick(pick);
    queues_[pick].GrantFetch();
    ClearBit(&wanted_, pick);
  }

  if (start) {
    dispatcher_.Start(in.queue_base, in.queue_count);
    port_.StartKernel();
    rule_.Start(in.steal_rule);
  }
  if (start || finish) stealer_.Clear();
  stopping_ = out_.busy && !finish && in.abort;
  out_.busy = start || (out_.busy && !finish);
  ShowState();
}

Steal PaverTbScheduler::TickStealer(const TbSchedulerIn& in) {
  const uint32_t sm = stealer_.Observed();
  uint16_t waiting = 0;
  bool issues = false;
  if (sm != kNoSm) {
    waiting = queues_[sm].Waiting();
    issues = TestBit(out_.tb_valid, sm) && TestBit(in.tb_ready, sm);
  }
  const SmMask candidates = And(AndNot(in.tb_ready, held_), rule_.Allowed());
  return stealer_.Tick(StealingEnabled(), candidates, waiting, issues);
}

void PaverTbScheduler::Load(uint32_t sm, const TbGroup& group) {
  queues_[sm].Load(group);
  SetBit(&held_, sm);
  SetBit(&wanted_, sm);
}

void PaverTbScheduler::Issue(uint32_t sm) {
  queues_[sm].Issue();
  ClearBit(&out_.tb_valid, sm);
  if (queues_[sm].held()) {
    SetBit(&wanted_, sm);
  } else {
    ClearBit(&held_, sm);
  }
}

// The thief gets the last `count` TBs of the donor's group. The donor's nextTB is not among them.
void PaverTbScheduler::CarryOut(const Steal& steal) {
  TbQueue& donor = queues_[steal.donor];
  const uint64_t last = donor.tail();
  const uint64_t kept = last - uint64_t{steal.count} * id_bytes_;
  donor.KeepUpTo(kept);
  // Its issue of this cycle has moved `next` on, behind what it keeps.
  if (steal.all && donor.next() > kept) {
    donor.Drop();
    ClearBit(&held_, steal.donor);
    ClearBit(&wanted_, steal.donor);
  }
  Load(steal.thief, {kept + id_bytes_, last});
  out_.steal_count = steal.count;
  out_.steal_donor = steal.donor;
  out_.steal_thief = steal.thief;
}

void PaverTbScheduler::TakeAnswer(const TbSchedulerIn& in) {
  const uint32_t owner = port_.NextAnswer();
  if (owner == kNoOwner) return;
  port_.Answered();
  if (owner == kDispatcherOwner) {
    dispatcher_.TakeDescriptor({in.mem_rsp_data[0], in.mem_rsp_data[1]});
    return;
  }
  const uint64_t id_mask = id_bytes_ == 2 ? 0xffff : 0xffffffff;
  queues_[owner].TakeId(static_cast<uint32_t>(in.mem_rsp_data[0] & id_mask));
  out_.tb_id[owner] = queues_[owner].tb_id();
  SetBit(&out_.tb_valid, owner);
}

void PaverTbScheduler::PlaceRequest(uint32_t owner) {
  port_.Place(owner);
  if (owner == kDispatcherOwner) {
    out_.mem_req_addr = dispatcher_.FetchAddress();
    out_.mem_req_size = 16;
    dispatcher_.GrantFetch();
  } else {
    out_.mem_req_addr = queues_[owner].next();
    out_.mem_req_size = id_bytes_;
  }
}

void PaverTbScheduler::ShowState() {
  out_.mem_req_valid = port_.RequestValid();
  out_.steal_valid = stealer_.Reporting();
  out_.wants_context = StealingEnabled() && stealer_.Armed() ? rule_.Allowed() : SmMask{};
  const bool can_request = port_.Pending(dispatcher_.WantsFetch(), wanted_);
  const bool can_load = dispatcher_.Moves(held_);
  out_.quiescent =
      stealer_.Idle() && !can_request && !can_load && !rule_.Adding() && !stopping_ && !Finished();
}

}  // namespace flagstone
