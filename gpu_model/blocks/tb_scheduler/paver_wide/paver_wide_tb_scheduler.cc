#include "gpu_model/blocks/tb_scheduler/paver_wide/paver_wide_tb_scheduler.h"

namespace flagstone {

PaverWideTbScheduler::PaverWideTbScheduler(const TbSchedulerSize& size)
    : num_sms_(size.num_sms),
      id_bytes_(size.id_bytes),
      queues_(size.num_sms, WideTbQueue(size.id_bytes)),
      dispatcher_(size.num_sms, size.descriptors),
      stealer_(size.num_sms, size.id_bytes),
      rule_(size.num_sms),
      port_(size.num_sms, size.num_sms + size.descriptors) {
  for (uint32_t sm = 0; sm < num_sms_; ++sm) {
    if (sm % kBankSms == 0) banks_.push_back({});
    SetBit(&banks_.back().sms, sm);
  }
  Reset();
}

void PaverWideTbScheduler::Reset() {
  for (WideTbQueue& queue : queues_) queue.Reset();
  for (SectorBank& bank : banks_) {
    bank.turn = LowestSm(bank.sms);
    bank.picked = kNoSm;
  }
  held_ = wanted_ = movable_ = rising_ = {};
  moving_ = false;
  dispatcher_.Reset();
  stealer_.Clear();
  rule_.Reset();
  port_.Reset();
  stopping_ = false;
  out_ = {};
}

bool PaverWideTbScheduler::Finished() const {
  return out_.busy && dispatcher_.Exhausted() && !Any(held_) && !Any(out_.tb_valid) &&
         !port_.Waiting() && rule_.NoneRuns();
}

// Nothing is offered, handed out or asked for; what waits or comes is dropped.
void PaverWideTbScheduler::Drain(const TbSchedulerIn& in) {
  const bool finish = Finished();
  rule_.Tick(And(out_.tb_valid, in.tb_ready), in.tb_done);
  dispatcher_.Tick(held_);
  for (uint32_t sm = 0; sm < num_sms_; ++sm) queues_[sm].Stop(sm == port_.Picked());
  held_ = wanted_ = movable_ = rising_ = {};
  out_.tb_valid = {};
  for (SectorBank& bank : banks_) bank.picked = kNoSm;
  moving_ = false;
  dispatcher_.Stop();
  stealer_.Clear();
  port_.Stop();
  if (in.mem_rsp_valid) DropAnswer(in);
  if (in.mem_req_ready) port_.Taken();
  out_.busy = stopping_ = !finish;
  ShowState();
}

void PaverWideTbScheduler::DropAnswer(const TbSchedulerIn& in) {
  const uint32_t owner = port_.NextAnswer();
  if (owner == kNoOwner) return;
  port_.Answered();
  if (owner == kDispatcherOwner) {
    dispatcher_.TakeDescriptor({in.mem_rsp_data[0], in.mem_rsp_data[1]});
  } else {
    queues_[owner].Stop(/*answered=*/true);
  }
}

void PaverWideTbScheduler::Tick(const TbSchedulerIn& in) {
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
  dispatcher_.Tick(held_);
  if (steal.count != 0) CarryOut(steal);
  if (moving_ || Any(movable_)) MoveIds();
  ForEachSm(issue, [this](uint32_t sm) {
    queues_[sm].Issue();
    Note(sm);
  });
  if (drop) dispatcher_.Drop();
  if (group_sm != kNoSm) {
    queues_[group_sm].Load(dispatcher_.HandOut(group_sm));
    Note(group_sm);
  }
  if (in.mem_rsp_valid) TakeAnswer(in);
  if (in.mem_req_ready) port_.Taken();
  if (requester != kNoOwner) PlaceRequest(requester);
  if (pick != kNoOwner) {
    port_.TakePick(pick);
    queues_[pick].GrantFetch();
    Note(pick);
  }

  if (start) {
    dispatcher_.Start(in.queue_base, in.queue_count);
    port_.StartKernel();
    rule_.Start(in.steal_rule);
    for (SectorBank& bank : banks_) bank.turn = LowestSm(bank.sms);
  }
  if (start || finish) stealer_.Clear();
  stopping_ = out_.busy && !finish && in.abort;
  out_.busy = start || (out_.busy && !finish);
  ShowState();
}

// The donor is read again where what it can give changes between its reading and the commit.
Steal PaverWideTbScheduler::TickStealer(const TbSchedulerIn& in) {
  const uint32_t sm = stealer_.Observed();
  uint16_t waiting = 0;
  bool changes = false;
  if (sm != kNoSm) {
    waiting = queues_[sm].Waiting();
    changes = (TestBit(out_.tb_valid, sm) && TestBit(in.tb_ready, sm)) ||
              (in.mem_rsp_valid && port_.NextAnswer() == sm) ||
              (Moves(sm) && queues_[sm].MoveCrosses());
  }
  const SmMask candidates = And(AndNot(AndNot(in.tb_ready, held_), out_.tb_valid), rule_.Allowed());
  return stealer_.Tick(StealingEnabled(), candidates, waiting, changes, Any(rising_));
}

// The thief gets the last `count` TBs of the donor's group.
void PaverWideTbScheduler::CarryOut(const Steal& steal) {
  WideTbQueue& donor = queues_[steal.donor];
  const uint64_t last = donor.tail();
  const uint64_t kept = last - uint64_t{steal.count} * id_bytes_;
  donor.KeepUpTo(kept, steal.all);
  Note(steal.donor);
  queues_[steal.thief].Load({kept + id_bytes_, last});
  Note(steal.thief);
  out_.steal_count = steal.count;
  out_.steal_donor = steal.donor;
  out_.steal_thief = steal.thief;
}

void PaverWideTbScheduler::MoveIds() {
  moving_ = false;
  const SmMask movable = movable_;
  for (SectorBank& bank : banks_) {
    SmMask wanting = And(movable, bank.sms);
    if (bank.picked != kNoSm) {
      ClearBit(&wanting, bank.picked);
      queues_[bank.picked].MoveId();
      out_.tb_id[bank.picked] = queues_[bank.picked].tb_id();
      Note(bank.picked);
    }
    bank.picked = PickSm(wanting, bank.turn);
    if (bank.picked == kNoSm) continue;
    moving_ = true;
    const uint32_t after = bank.picked + 1;
    bank.turn = after < num_sms_ && TestBit(bank.sms, after) ? after : LowestSm(bank.sms);
  }
}

void PaverWideTbScheduler::TakeAnswer(const TbSchedulerIn& in) {
  const uint32_t owner = port_.NextAnswer();
  if (owner == kNoOwner) return;
  port_.Answered();
  if (owner == kDispatcherOwner) {
    dispatcher_.TakeDescriptor({in.mem_rsp_data[0], in.mem_rsp_data[1]});
  } else {
    queues_[owner].TakeSector(in.mem_rsp_data);
    Note(owner);
  }
}

void PaverWideTbScheduler::PlaceRequest(uint32_t owner) {
  port_.Place(owner);
  if (owner == kDispatcherOwner) {
    out_.mem_req_addr = dispatcher_.FetchAddress();
    out_.mem_req_size = 16;
    dispatcher_.GrantFetch();
  } else {
    out_.mem_req_addr = queues_[owner].sector_address();
    out_.mem_req_size = kIdSectorBytes;
  }
}

void PaverWideTbScheduler::Note(uint32_t sm) {
  const WideTbQueue& queue = queues_[sm];
  const auto put = [sm](SmMask* mask, bool value) {
    ClearBit(mask, sm);
    if (value) SetBit(mask, sm);
  };
  put(&held_, queue.held());
  put(&wanted_, queue.WantsFetch());
  put(&movable_, queue.WantsId());
  put(&rising_, queue.Rising());
  put(&out_.tb_valid, queue.valid());
}

void PaverWideTbScheduler::ShowState() {
  out_.mem_req_valid = port_.RequestValid();
  out_.steal_valid = stealer_.Reporting();
  out_.wants_context = StealingEnabled() && stealer_.Armed() ? rule_.Allowed() : SmMask{};
  const bool can_request = port_.Pending(dispatcher_.WantsFetch(), wanted_);
  const bool can_load = dispatcher_.Moves(held_);
  out_.quiescent = stealer_.Idle() && !can_request && !can_load && !moving_ && !Any(movable_) &&
                   dispatcher_.Settled(held_) && !rule_.Adding() && !stopping_ && !Finished();
}

}  // namespace flagstone
