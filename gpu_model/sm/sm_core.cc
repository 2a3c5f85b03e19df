#include "gpu_model/sm/sm_core.h"

#include <fmt/core.h>

#include <bit>

#include "kernels/ptx/kernel.h"

namespace flagstone {

SmCore::SmCore(const SmSetup& setup, uint32_t in_chip)
    : id_(setup.first_sm + in_chip),
      program_(*setup.program),
      tbs_(program_, setup.tbs_per_sm, in_chip, setup.link),
      warps_(program_, setup.machine->sm),
      writeback_(setup.machine->sm, &warps_, &tbs_),
      memory_(setup, id_, &writeback_),
      execute_(setup, id_, &warps_, &tbs_, &memory_, &writeback_),
      issue_(setup, id_, &warps_, &memory_, &execute_) {
  tbs_.Connect(&memory_);
}

void SmCore::Accept(const Packet& packet) {
  memory_.Accept(packet);
  Wake();
}

// What has come in first, then what issues, then what both have changed for the blocks.
void SmCore::Sample(uint64_t now) {
  tbs_.SetCycle(now);
  issue_.Begin(now);
  warps_.Begin();
  if (execute_.NextRelease() <= now) [[unlikely]] {
    execute_.Release(now);
    last_progress_ = now;
  }
  memory_.Begin(now);
  if (memory_.TakeReply(now)) last_progress_ = now;
  writeback_.Tick();
  const bool offered = tbs_.Offered();
  memory_.Tick(now);
  if (issue_.Issue(now)) last_progress_ = now;
  if (offered) {
    execute_.StartTb(tbs_.OfferedTb());
    issue_.TbStarted(tbs_.OfferedTb());
  }
  const WarpSignals signals = memory_.EndCycle(warps_, now);
  warps_.EndLead(signals.based);
  issue_.TickSchedulers(now, signals);
}

void SmCore::Commit(uint64_t now) {
  tbs_.SetCycle(now);
  execute_.Commit();
  memory_.Send(now);
  tbs_.Show();
}

bool SmCore::NothingToCommit() const {
  return !execute_.HasCommit() && tbs_.NothingToShow() && memory_.NothingToSend();
}

void SmCore::PreloadSample(uint64_t now) const {
  warps_.PreloadCommit();
  writeback_.PreloadTick(now);
  memory_.PreloadSample();
  issue_.PreloadSample();
}

void SmCore::PreloadCommit() const {
  execute_.PreloadCommit();
  tbs_.PreloadCommit();
  warps_.PreloadCommit();
  writeback_.PreloadCommit();
  memory_.PreloadCommit();
}

uint64_t SmCore::NextWork(uint64_t now) const {
  if (tbs_.HasUntold() || tbs_.Offered()) return now + 1;
  const uint64_t memory = memory_.NextWork(now);
  if (memory == now + 1) return memory;
  return std::min(
      {memory, writeback_.NextCycle(now), issue_.NextWork(now), execute_.NextRelease()});
}

std::vector<ThreadBlock*> SmCore::WaitingTbs() {
  std::vector<ThreadBlock*> blocks;
  uint64_t slots = 0;
  for (WarpMask left = execute_.Waiting(); left != 0; left &= left - 1) {
    const auto warp = static_cast<uint32_t>(std::countr_zero(left));
    const uint32_t slot = warps_[warp].tb_slot;
    if ((slots >> slot & 1) == 0) blocks.push_back(&tbs_.block(slot));
    slots |= uint64_t{1} << slot;
  }
  return blocks;
}

bool SmCore::Drained() const {
  return warps_.live() == 0 && tbs_.Drained() && writeback_.empty() && memory_.Drained();
}

std::string SmCore::Leftover() const {
  const LoadStoreUnit& data = memory_.data();
  return fmt::format("{} warps, {} TBs, {} loads, {} MSHRs, {} queued requests",
                     warps_.live_count(), tbs_.used(), data.loads_in_flight(),
                     data.l1().mshrs_used(), data.misses().size());
}

SmStatistics SmCore::Statistics(uint64_t cycles) const {
  SmStatistics statistics = issue_.Statistics(cycles);
  execute_.AddTo(&statistics);
  memory_.AddTo(&statistics);
  return statistics;
}

void SmCore::DescribeWaiting(size_t room, std::vector<std::string>* lines) const {
  for (WarpMask left = warps_.live(); left != 0 && lines->size() < room; left &= left - 1) {
    const auto warp = static_cast<uint32_t>(std::countr_zero(left));
    const WarpTable::Warp& slot = warps_[warp];
    std::string reason = warps_.Reason(warp);
    if (reason.empty()) {
      const bool full = slot.unit == Unit::kLoadStore && !memory_.data().CanIssue(warp);
      reason = full ? "load/store unit" : "issue";
    }
    const std::string place = program_.Describe(slot.pc);
    lines->push_back(fmt::format("sm{} warp {} (TB {}, {}): {}", id_, warp,
                                 tbs_.block(slot.tb_slot).tb(), place.substr(0, place.find(": ")),
                                 reason));
  }
}

}  // namespace flagstone
