#include "gpu_model/blocks/dispatch_top/gpu_dispatch_top.h"

namespace flagstone {
namespace {

constexpr uint32_t kAllBytes = 15;
constexpr uint32_t kSlaveError = 2;
constexpr uint32_t kMagic = 0x4654;  // in register identity

LaunchPrepare::Shape PrepareShape(const DispatchTopSize& size) {
  return {.num_sms = size.num_sms,
          .count_bits = size.CountBits(),
          .contexts = size.contexts,
          .has_queue = size.HasQueue(),
          .shares = size.scheduler == DispatchScheduler::kChunk,
          .sm = size.sm};
}

uint64_t Joined(uint32_t low, uint32_t high) { return uint64_t{high} << 32 | low; }

}  // namespace

const TbSchedulerDescriptor& DescriptorOf(DispatchScheduler scheduler) {
  constexpr std::string_view kNames[] = {"lrr", "chunk", "paver_wide", "paver"};
  static_assert(std::size(kNames) == kDispatchSchedulers);
  return *FindTbScheduler(kNames[static_cast<size_t>(scheduler)]);
}

GpuDispatchTop::GpuDispatchTop(const DispatchTopSize& size)
    : size_(size),
      prepare_(PrepareShape(size)),
      hand_over_(size.num_sms),
      contexts_(size.num_sms),
      reads_(size.reads),
      scheduler_(DescriptorOf(size.scheduler)
                     .model({.num_sms = size.num_sms,
                             .id_bytes = size.id_bits / 8,
                             .descriptors = size.descriptors})) {}

void GpuDispatchTop::Reset() {
  registers_ = {};
  write_ready_ = write_answer_ = read_ready_ = read_answer_ = false;
  prepare_.Reset();
  control_ = {};
  hand_over_.Reset();
  contexts_.Reset();
  divider_.Reset();
  reads_.Reset();
  scheduler_->Reset();
  entry_ = parameters_ = 0;
  allowed_ = 0;
  Show();
}

void GpuDispatchTop::Tick(const DispatchTopIn& in) {
  const TbSchedulerOut scheduler = scheduler_->Outputs();
  const bool stop = control_.Stopping();
  const bool gone = divider_.Valid() && TestBit(in.tb_ready, sm_);
  DispatchControl::In control;
  control.busy = scheduler.busy;
  control.read_error = reads_.Failed();
  control.beyond = hand_over_.Beyond();
  control.stray = contexts_.Stray();
  control.issue = gone;
  control.steal = scheduler.steal_valid;
  control.wait = divider_.Valid() && !gone;
  const DispatchControl::Events events = control_.EventsOf(control, prepare_);
  const PreparedLaunch launch = prepare_.launch();
  const DispatchReason failure = prepare_.Fails() ? prepare_.reason() : DispatchReason::kNone;
  prepare_.Tick(control_.Queued(), events.prepared, registers_);

  const SmMask room = contexts_.Room(allowed_);
  const bool takes = hand_over_.Takes(stop, divider_.Ready());
  const TbSchedulerIn to_scheduler = SchedulerInputs(
      events.start, launch, hand_over_.Ready(stop, takes, room, scheduler), in.m_axi_arready);
  uint32_t taken_sm = kNoSm;
  if (takes) {
    sm_ = taken_sm = hand_over_.sm();
    context_ = contexts_.FirstFree(sm_, allowed_);
  }
  divider_.Tick(takes, hand_over_.id(), gone);
  hand_over_.Tick(stop, takes, room, tbs_, scheduler);
  contexts_.Tick(taken_sm, context_, control_.tag(), in);
  reads_.Tick(scheduler, in);
  scheduler_->Tick(to_scheduler);
  if (events.start) Begin(launch);
  TickSlave(in, &control);
  control_.Tick(control, events, failure);
  Show();
}

TbSchedulerIn GpuDispatchTop::SchedulerInputs(bool start, const PreparedLaunch& launch,
                                              const SmMask& ready, bool memory_ready) const {
  TbSchedulerIn in;
  in.start = start;
  in.tb_ready = ready;
  in.tb_done = contexts_.done();
  in.abort = control_.Stopping();
  if (!size_.HasQueue()) {
    in.queue_count = static_cast<uint32_t>(launch.tbs);
    in.settings = {static_cast<uint32_t>(launch.share_tbs), launch.extra_sms};
    return in;
  }
  in.queue_base = Joined(registers_[kQueueBaseLo], registers_[kQueueBaseHi]);
  in.queue_count = registers_[kQueueCount];
  in.steal_rule = static_cast<StealRule>(registers_[kStealRule]);
  in.mem_req_ready = memory_ready && reads_.Open();
  in.mem_rsp_valid = reads_.Answers();
  if (in.mem_rsp_valid) in.mem_rsp_data = reads_.answer();
  return in;
}

void GpuDispatchTop::Begin(const PreparedLaunch& launch) {
  divider_.Start(registers_[kGridX], registers_[kGridY], launch);
  tbs_ = launch.tbs;
  allowed_ = launch.contexts;
  entry_ = Joined(registers_[kEntryLo], registers_[kEntryHi]);
  parameters_ = Joined(registers_[kParametersLo], registers_[kParametersHi]);
}

const RegisterRow* GpuDispatchTop::Find(uint32_t offset) const {
  if (offset % 4 != 0 || offset / 4 >= kDispatchRegisters) return nullptr;
  const RegisterRow& row = kRegisterRows[offset / 4];
  const bool there = row.only == RegisterOnly::kAlways ||
                     (row.only == RegisterOnly::kQueue ? size_.HasQueue() : size_.sm.counted);
  return there ? &row : nullptr;
}

uint32_t GpuDispatchTop::Value(uint32_t which) const {
  switch (which) {
    case kIdentity:
      return kMagic << 16 | static_cast<uint32_t>(size_.scheduler) << 8 | (size_.num_sms - 1);
    case kStatus:
      return control_.Status();
    case kTbsIssued:
      return control_.tbs_issued();
    case kSteals:
      return control_.steals();
    case kWaits:
      return control_.waits();
    default:
      return registers_[which];
  }
}

void GpuDispatchTop::TickSlave(const DispatchTopIn& in, DispatchControl::In* control) {
  const bool writes = write_ready_ && in.s_axil_awvalid && in.s_axil_wvalid;
  const bool reads = read_ready_ && in.s_axil_arvalid;
  write_ready_ = in.s_axil_awvalid && in.s_axil_wvalid && !write_ready_ && !write_answer_;
  read_ready_ = in.s_axil_arvalid && !read_ready_ && !read_answer_;
  if (in.s_axil_bready) write_answer_ = false;
  if (in.s_axil_rready) read_answer_ = false;
  if (reads) Read(in.s_axil_araddr, control);
  if (writes) Write(in, control);
}

void GpuDispatchTop::Read(uint32_t offset, DispatchControl::In* control) {
  const RegisterRow* row = Find(offset);
  read_answer_ = true;
  read_error_ = row == nullptr || offset / 4 == kControl;
  read_data_ = read_error_ ? 0 : Value(offset / 4);
  control->refused |= read_error_;
  if (read_error_) control->refused_reason = DispatchReason::kNoSuchRegister;
}

void GpuDispatchTop::Write(const DispatchTopIn& in, DispatchControl::In* control) {
  const uint32_t which = in.s_axil_awaddr / 4;
  const RegisterRow* row = Find(in.s_axil_awaddr);
  const uint32_t data = in.s_axil_wdata;
  DispatchReason reason = DispatchReason::kNone;
  if (in.s_axil_wstrb != kAllBytes) {
    reason = DispatchReason::kValueDoesNotFit;
  } else if (row == nullptr || row->access == RegisterAccess::kSays) {
    reason = DispatchReason::kNoSuchRegister;
  } else if (control_.Queued() && (row->launch || (which == kControl && (data & 1) != 0))) {
    reason = DispatchReason::kLaunchWaits;
  } else if (uint64_t{data} >> Bits(*row) != 0) {
    reason = DispatchReason::kValueDoesNotFit;
  } else if (row->access == RegisterAccess::kKeeps) {
    registers_[which] = data;
  }
  write_answer_ = true;
  write_error_ = reason != DispatchReason::kNone;
  if (write_error_) {
    control->refused = true;
    control->refused_reason = reason;
    return;
  }
  control->control_write = which == kControl;
  control->status_write = which == kStatus;
  control->write_data = data;
}

void GpuDispatchTop::Show() {
  out_.s_axil_awready = out_.s_axil_wready = write_ready_;
  out_.s_axil_bvalid = write_answer_;
  out_.s_axil_bresp = write_error_ ? kSlaveError : 0;
  out_.s_axil_arready = read_ready_;
  out_.s_axil_rvalid = read_answer_;
  out_.s_axil_rdata = read_data_;
  out_.s_axil_rresp = read_error_ ? kSlaveError : 0;
  out_.irq = control_.Interrupts(registers_[kInterrupts]);
  reads_.Show(scheduler_->Outputs(), &out_);
  out_.launch_entry = entry_;
  out_.launch_parameters = parameters_;
  out_.tb_valid = {};
  if (divider_.Valid()) SetBit(&out_.tb_valid, sm_);
  out_.tb_id = divider_.index().id;
  out_.tb_x = divider_.index().x;
  out_.tb_y = divider_.index().y;
  out_.tb_z = divider_.index().z;
  out_.tb_context = context_;
  out_.tb_tag = control_.tag();
  const bool slave_idle = !write_ready_ && !write_answer_ && !read_ready_ && !read_answer_;
  out_.quiescent = control_.Idle() && slave_idle && contexts_.None() && reads_.Idle() &&
                   !reads_.Failed() && !contexts_.Stray() && !Any(contexts_.done());
}

}  // namespace flagstone
