#include "gpu_model/blocks/tb_scheduler/paver/paver_parts.h"

#include <bit>

#include "gpu_model/blocks/field_rows.h"

namespace flagstone {

const TbQueueOut& TbQueueBlock::Settle(const TbQueueIn& in) {
  out_ = {};
  out_.fetch_wanted = queue_.WantsFetch();
  if (in.fetch_read) out_.fetch_addr = queue_.next();
  out_.tb_valid = queue_.valid();
  out_.tb_id = queue_.tb_id();
  out_.held = queue_.held();
  if (in.read && queue_.held()) {
    out_.read_tail = queue_.tail();
    out_.read_next = (queue_.next() / id_bytes_) & 0xffff;
  }
  out_.read_issue = in.read && queue_.valid() && in.tb_ready;
  return out_;
}

void TbQueueBlock::Tick(const TbQueueIn& in) {
  const bool issues = queue_.valid() && in.tb_ready;
  if (issues) queue_.Issue();
  if (in.cut) queue_.KeepUpTo(in.cut_tail);
  if (in.cut && in.cut_all && issues) queue_.Drop();
  if (in.load) queue_.Load({in.load_next, in.load_tail});
  if (in.fetch_rsp) queue_.TakeId(in.fetch_id);
  if (in.fetch_grant) queue_.GrantFetch();
  if (in.stop) queue_.Stop(in.fetch_read);
}

FieldTable<TbQueueIn> TbQueueInputs(uint32_t id_bytes) {
  using In = TbQueueIn;
  return {Scalar<&In::stop>("stop", 1),
          Scalar<&In::load>("load", 1),
          Scalar<&In::load_next>("load_next", 64, "load"),
          Scalar<&In::load_tail>("load_tail", 64, "load"),
          Scalar<&In::cut>("cut", 1),
          Scalar<&In::cut_tail>("cut_tail", 64, "cut"),
          Scalar<&In::cut_all>("cut_all", 1, "cut"),
          Scalar<&In::fetch_grant>("fetch_grant", 1),
          Scalar<&In::fetch_read>("fetch_read", 1),
          Scalar<&In::fetch_rsp>("fetch_rsp", 1),
          Scalar<&In::fetch_id>("fetch_id", 8 * id_bytes, "fetch_rsp"),
          Scalar<&In::tb_ready>("tb_ready", 1),
          Scalar<&In::read>("read", 1)};
}

FieldTable<TbQueueOut> TbQueueOutputs(uint32_t id_bytes) {
  using Out = TbQueueOut;
  return {Scalar<&Out::fetch_wanted>("fetch_wanted", 1),
          Scalar<&Out::fetch_addr>("fetch_addr", 64),
          Scalar<&Out::tb_valid>("tb_valid", 1),
          Scalar<&Out::tb_id>("tb_id", 8 * id_bytes, "tb_valid"),
          Scalar<&Out::held>("held", 1),
          Scalar<&Out::read_tail>("read_tail", 64),
          Scalar<&Out::read_next>("read_next", 16),
          Scalar<&Out::read_issue>("read_issue", 1)};
}

const GroupDispatcherOut& GroupDispatcherBlock::Settle(const GroupDispatcherIn& in) {
  out_ = {};
  out_.fetch_wanted = !in.stop && dispatcher_.WantsFetch();
  out_.fetch_addr = dispatcher_.FetchAddress();
  out_.exhausted = dispatcher_.Exhausted();
  out_.moves = in.stop ? dispatcher_.Waiting() : dispatcher_.Moves(in.held);
  if (in.stop) return out_;
  const uint32_t sm = dispatcher_.NextSm(in.held);
  if (sm == kNoSm) return out_;
  const TbGroup& group = dispatcher_.Oldest();
  SetBit(&out_.load, sm);
  out_.load_next = group.first;
  out_.load_tail = group.last;
  return out_;
}

void GroupDispatcherBlock::Tick(const GroupDispatcherIn& in) {
  const uint32_t sm = in.stop ? kNoSm : dispatcher_.NextSm(in.held);
  if (in.stop) {
    dispatcher_.Stop();
  } else if (dispatcher_.Drops()) {
    dispatcher_.Drop();
  }
  if (sm != kNoSm) dispatcher_.HandOut(sm);
  if (in.fetch_rsp) dispatcher_.TakeDescriptor({in.fetch_data[0], in.fetch_data[1]});
  if (in.fetch_grant) dispatcher_.GrantFetch();
  if (in.start) dispatcher_.Start(in.queue_base, in.queue_count);
}

FieldTable<GroupDispatcherIn> GroupDispatcherInputs(uint32_t num_sms) {
  using In = GroupDispatcherIn;
  return {Scalar<&In::stop>("stop", 1),
          Scalar<&In::start>("start", 1),
          Scalar<&In::queue_base>("queue_base", 64, "start"),
          Scalar<&In::queue_count>("queue_count", 32, "start"),
          Scalar<&In::fetch_grant>("fetch_grant", 1),
          Scalar<&In::fetch_rsp>("fetch_rsp", 1),
          Scalar<&In::fetch_data>("fetch_data", 128, "fetch_rsp"),
          BitLanes<&In::held>("held", num_sms)};
}

FieldTable<GroupDispatcherOut> GroupDispatcherOutputs(uint32_t num_sms) {
  using Out = GroupDispatcherOut;
  const auto loads = [](const Out& out, uint32_t) { return Any(out.load); };
  return {Scalar<&Out::fetch_wanted>("fetch_wanted", 1),
          Scalar<&Out::fetch_addr>("fetch_addr", 64, "fetch_wanted"),
          BitLanes<&Out::load>("load", num_sms),
          Scalar<&Out::load_next>("load_next", 64).When(loads),
          Scalar<&Out::load_tail>("load_tail", 64).When(loads),
          Scalar<&Out::moves>("moves", 1),
          Scalar<&Out::exhausted>("exhausted", 1)};
}

void FetchPortBlock::Reset() {
  port_.Reset();
  out_ = {};
}

uint32_t FetchPortBlock::Requester(const FetchPortIn& in) const {
  const uint32_t requester = port_.Choose(in.desc_wanted, in.mem_req_ready);
  return in.stop && requester != kDispatcherOwner ? kNoOwner : requester;
}

const FetchPortOut& FetchPortBlock::Settle(const FetchPortIn& in) {
  const uint32_t requester = Requester(in);
  const uint32_t pick = in.stop ? kNoOwner : port_.Pick(in.id_wanted, requester);
  const uint32_t answered = in.mem_rsp_valid ? port_.NextAnswer() : kNoOwner;
  out_.id_grant = out_.id_read = out_.id_rsp = {};
  if (pick != kNoOwner) SetBit(&out_.id_grant, pick);
  if (port_.Picked() != kNoOwner) SetBit(&out_.id_read, port_.Picked());
  if (answered < kMaxSms) SetBit(&out_.id_rsp, answered);
  out_.desc_grant = requester == kDispatcherOwner;
  out_.desc_rsp = answered == kDispatcherOwner;
  out_.mem_req_valid = port_.RequestValid();
  out_.pending = port_.Pending(in.desc_wanted, in.id_wanted);
  out_.waiting = port_.Waiting();
  return out_;
}

void FetchPortBlock::Tick(const FetchPortIn& in) {
  const uint32_t requester = Requester(in);
  const uint32_t pick = in.stop ? kNoOwner : port_.Pick(in.id_wanted, requester);
  if (in.mem_rsp_valid && port_.NextAnswer() != kNoOwner) port_.Answered();
  if (in.mem_req_ready) port_.Taken();
  if (requester != kNoOwner) {
    port_.Place(requester);
    const bool descriptor = requester == kDispatcherOwner;
    out_.mem_req_addr = descriptor ? in.desc_addr : in.id_addr;
    out_.mem_req_size = descriptor ? 16 : id_bytes_;
  }
  if (pick != kNoOwner) port_.TakePick(pick);
  if (in.stop) port_.Stop();
  if (in.clear) port_.StartKernel();
}

FieldTable<FetchPortIn> FetchPortInputs(uint32_t num_sms) {
  using In = FetchPortIn;
  return {Scalar<&In::clear>("clear", 1),
          Scalar<&In::stop>("stop", 1),
          BitLanes<&In::id_wanted>("id_wanted", num_sms),
          Scalar<&In::id_addr>("id_addr", 64),
          Scalar<&In::desc_wanted>("desc_wanted", 1),
          Scalar<&In::desc_addr>("desc_addr", 64, "desc_wanted"),
          Scalar<&In::mem_req_ready>("mem_req_ready", 1),
          Scalar<&In::mem_rsp_valid>("mem_rsp_valid", 1)};
}

FieldTable<FetchPortOut> FetchPortOutputs(uint32_t num_sms) {
  using Out = FetchPortOut;
  return {BitLanes<&Out::id_grant>("id_grant", num_sms),
          BitLanes<&Out::id_read>("id_read", num_sms),
          BitLanes<&Out::id_rsp>("id_rsp", num_sms),
          Scalar<&Out::desc_grant>("desc_grant", 1),
          Scalar<&Out::desc_rsp>("desc_rsp", 1),
          Scalar<&Out::mem_req_valid>("mem_req_valid", 1),
          Scalar<&Out::mem_req_addr>("mem_req_addr", 64, "mem_req_valid"),
          Scalar<&Out::mem_req_size>("mem_req_size", 5, "mem_req_valid"),
          Scalar<&Out::pending>("pending", 1),
          Scalar<&Out::waiting>("waiting", 1)};
}

void TaskStealerBlock::Reset() {
  stealer_.Clear();
  last_ = {};
}

const TaskStealerOut& TaskStealerBlock::Settle(const TaskStealerIn& in) {
  out_ = {};
  const uint32_t observed = stealer_.Observed();
  out_.reads = observed != kNoSm;
  if (out_.reads) SetBit(&out_.read, observed);
  out_.idle = stealer_.Idle();
  out_.armed = in.enable && stealer_.Armed();
  out_.steal_valid = stealer_.Reporting();
  out_.steal_count = last_.count;
  out_.steal_donor = last_.donor;
  out_.steal_thief = last_.thief;
  TaskStealer after = stealer_;
  const Steal steal =
      after.Tick(in.enable, in.candidate, Waiting(in), in.read_issue, in.more_to_come);
  if (steal.count == 0) return out_;
  SetBit(&out_.load, steal.thief);
  SetBit(&out_.cut, steal.donor);
  out_.cut_tail = Tail(in) - uint64_t{steal.count} * id_bytes_;
  out_.cut_all = steal.all;
  out_.load_next = out_.cut_tail + id_bytes_;
  out_.load_tail = Tail(in);
  return out_;
}

void TaskStealerBlock::Tick(const TaskStealerIn& in) {
  if (stealer_.KeepsTail()) tail_ = in.read_tail;
  const Steal steal =
      stealer_.Tick(in.enable, in.candidate, Waiting(in), in.read_issue, in.more_to_come);
  if (steal.count != 0) last_ = steal;
  if (in.clear) stealer_.Clear();
}

FieldTable<TaskStealerIn> TaskStealerInputs(uint32_t num_sms) {
  using In = TaskStealerIn;
  return {Scalar<&In::clear>("clear", 1),
          Scalar<&In::enable>("enable", 1),
          BitLanes<&In::candidate>("candidate", num_sms),
          Scalar<&In::read_tail>("read_tail", 64),
          Scalar<&In::read_next>("read_next", 16),
          Scalar<&In::read_issue>("read_issue", 1),
          Scalar<&In::more_to_come>("more_to_come", 1)};
}

FieldTable<TaskStealerOut> TaskStealerOutputs(uint32_t num_sms) {
  using Out = TaskStealerOut;
  const auto width = num_sms > 1 ? static_cast<uint32_t>(std::bit_width(num_sms - 1)) : 1;
  const auto reads = [](const Out& out, uint32_t) { return out.reads; };
  const auto steals = [](const Out& out, uint32_t) { return Any(out.load); };
  return {BitLanes<&Out::read>("read", num_sms).When(reads),
          BitLanes<&Out::load>("load", num_sms),
          Scalar<&Out::load_next>("load_next", 64).When(steals),
          Scalar<&Out::load_tail>("load_tail", 64).When(steals),
          BitLanes<&Out::cut>("cut", num_sms),
          Scalar<&Out::cut_tail>("cut_tail", 64).When(steals),
          Scalar<&Out::cut_all>("cut_all", 1).When(steals),
          Scalar<&Out::armed>("armed", 1),
          Scalar<&Out::idle>("idle", 1),
          Scalar<&Out::steal_valid>("steal_valid", 1),
          Scalar<&Out::steal_count>("steal_count", 16, "steal_valid"),
          Scalar<&Out::steal_donor>("steal_donor", width, "steal_valid"),
          Scalar<&Out::steal_thief>("steal_thief", width, "steal_valid")};
}

}  // namespace flagstone
