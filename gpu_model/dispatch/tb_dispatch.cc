#include "gpu_model/dispatch/tb_dispatch.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/error.h"
#include "gpu_model/blocks/sm_mask.h"
#include "gpu_model/sm/address_spaces.h"

namespace flagstone {

void TbLedger::Issue(uint32_t tb, uint32_t sm, uint64_t now) {
  if (tb >= issued_.size()) {
    ThrowRunFailed("cycle {}: tb_scheduler issued TB {} to sm{}, but the launch has {} TBs", now,
                   tb, sm, issued_.size());
  }
  if (issued_[tb]) {
    ThrowRunFailed("cycle {}: tb_scheduler issued TB {} twice, now to sm{}", now, tb, sm);
  }
  issued_[tb] = true;
}

TbDispatch::TbDispatch(const TbDispatchSetup& setup)
    : setup_(setup),
      start_cycle_(setup.launch_latency),
      queue_count_(setup.queue_count),
      settings_(setup.settings),
      // All that the scheduler can have under way: a TB id per SM and the descriptors read ahead.
      requests_ring_(setup.sms + TbSchedulerSize::kMostDescriptors) {
  statistics_.count = setup.tb_count;
  setup_.link->scheduler = this;
}

void TbDispatch::StartAt(uint64_t now, uint32_t tb_count, const TbSettings& settings) {
  start_cycle_ = now;
  Wake();
  if (setup_.node) return;
  queue_count_ = tb_count;
  settings_ = settings;
  statistics_.count = tb_count;
}

// Fetches are numbered; a reply's tag tells which one has arrived.
void TbDispatch::Accept(const Packet& packet) {
  requests_ring_[static_cast<uint16_t>(packet.tag - first_tag_)].arrived = true;
  Wake();
}

TbSchedulerIn TbDispatch::Inputs() const {
  TbSchedulerIn in;
  if (!started_) {
    in.start = true;
    in.queue_base = setup_.queue_base;
    in.queue_count = queue_count_;
    in.steal_rule = setup_.steal_rule;
    in.settings = settings_;
  }
  in.tb_ready = setup_.link->ready;
  in.tb_done = setup_.link->done;
  in.mem_req_ready = !requests_ring_.full();
  if (!requests_ring_.empty() && requests_ring_.front().arrived) {
    const Fetch& fetch = requests_ring_.front();
    in.mem_rsp_valid = true;
    std::memcpy(in.mem_rsp_data.data(), setup_.memory->At(fetch.address), fetch.size);
  }
  return in;
}

void TbDispatch::Sample(uint64_t now) {
  if (now < start_cycle_) return;
  CountWaiting(now);
  if (setup_.queue_latency != 0) ReadOwnMemory(now);
  in_ = Inputs();
  setup_.link->done = {};
  if (Any(in_.tb_done) || in_.mem_rsp_valid) last_progress_ = now;
  if (in_.mem_rsp_valid) {
    requests_ring_.Pop();
    ++first_tag_;
  }
  CheckIssues(in_, now);
}

void TbDispatch::CheckIssues(const TbSchedulerIn& in, uint64_t now) {
  const TbSchedulerOut& out = setup_.block->Outputs();
  ForEachSm(And(out.tb_valid, in.tb_ready), [&](uint32_t sm) {
    if (sm >= setup_.sms) ThrowRunFailed("cycle {}: tb_scheduler offers a TB to SM {}", now, sm);
    setup_.ledger->Issue(out.tb_id[sm], setup_.first_sm + sm, now);
    ++statistics_.issued;
    last_progress_ = now;
  });
}

// Wires change only when this core is awake in the cycle after, so intervals can be added up.
void TbDispatch::CountWaiting(uint64_t now) {
  statistics_.wait_cycles += waiting_sms_ * (now - waiting_since_);
  waiting_since_ = now;
  const bool left = statistics_.issued < statistics_.count;
  waiting_sms_ = left ? CountSms(AndNot(setup_.link->ready, setup_.link->valid)) : 0;
}

void TbDispatch::Commit(uint64_t now) {
  if (now < start_cycle_) return;
  const TbSchedulerOut& before = setup_.block->Outputs();
  if (before.mem_req_valid && in_.mem_req_ready) {
    if (before.mem_req_size > sizeof(in_.mem_rsp_data) ||
        !setup_.memory->Holds(before.mem_req_addr, before.mem_req_size)) {
      ThrowRunFailed("cycle {}: tb_scheduler reads {} bytes at {:#x}, outside the TB queue image",
                     now, before.mem_req_size, before.mem_req_addr);
    }
    const bool own = setup_.queue_latency != 0;
    requests_ring_.Push({before.mem_req_addr, before.mem_req_size,
                         own ? now + setup_.queue_latency : kNever, own, false});
  }
  ticked_ = setup_.force_every_tick || !setup_.block->Idle(in_);
  if (ticked_) {
    const bool was_busy = before.busy;
    setup_.block->Tick(in_);
    started_ = true;
    if (root_ != nullptr && block_busy() != was_busy) root_->Wake();
    const TbSchedulerOut& out = setup_.block->Outputs();
    if (out.steal_valid) {
      statistics_.stolen += out.steal_count;
      if (setup_.steals != nullptr) {
        setup_.steals->push_back({now, out.steal_count, setup_.first_sm + out.steal_donor,
                                  setup_.first_sm + out.steal_thief});
      }
    }
    setup_.link->valid = out.tb_valid;
    ForEachSm(out.tb_valid, [&](uint32_t sm) { setup_.link->id[sm] = out.tb_id[sm]; });
  }
  // The SMs have committed already: what they show is what both sides will sample next.
  ForEachSm(And(setup_.link->valid, setup_.link->ready), [&](uint32_t sm) { sms_[sm]->Wake(); });
  SendNext();
}

// Answers come in the order of the requests: only the first matters.
void TbDispatch::ReadOwnMemory(uint64_t now) {
  if (!requests_ring_.empty() && requests_ring_.front().arrives <= now) {
    requests_ring_.front().arrived = true;
  }
}

void TbDispatch::SendNext() {
  for (size_t i = 0; i < requests_ring_.size(); ++i) {
    Fetch& fetch = requests_ring_[i];
    if (fetch.sent) continue;
    if (!requests_->CanSend()) return;
    Packet packet;
    packet.line = LineOf(setup_.node ? kNodeQueueBase | fetch.address : fetch.address);
    packet.origin = static_cast<uint8_t>(setup_.node.value_or(0));
    packet.tag = static_cast<uint16_t>(first_tag_ + i);
    packet.sectors = static_cast<SectorMask>(1U << (fetch.address % kLineBytes / kSectorBytes));
    requests_->Send(packet, RequestBytes(packet));
    fetch.sent = true;
    return;
  }
}

uint64_t TbDispatch::NextWork(uint64_t now) const {
  if (now < start_cycle_) return start_cycle_;
  // A tick may have changed the wires: the next cycle counts the waiting SMs anew.
  if (ticked_ || !started_ || !setup_.block->Idle(Inputs())) return now + 1;
  for (size_t i = 0; i < requests_ring_.size(); ++i) {
    if (!requests_ring_[i].sent) return now + 1;
  }
  const uint64_t arrives = requests_ring_.empty() ? kNever : requests_ring_.front().arrives;
  return std::min(arrives, setup_.first_seen_cycle > now ? setup_.first_seen_cycle : kNever);
}

std::string TbDispatch::Leftover() const {
  return fmt::format("{} fetches of TB ids", requests_ring_.size());
}

}  // namespace flagstone
