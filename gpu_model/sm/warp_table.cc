#include "gpu_model/sm/warp_table.h"

namespace flagstone {
namespace {

std::vector<InstructionInfo> Infos(const Program& program) {
  std::vector<InstructionInfo> infos(program.size());
  for (uint32_t pc = 0; pc < program.size(); ++pc) infos[pc] = program.info(pc);
  return infos;
}

}  // namespace

WarpTable::WarpTable(const Program& program, const SmConfig& config)
    : infos_(MakeIssueInfos(program, config)),
      scoreboard_(Infos(program), program.scoreboard_registers(), kMaxWarps) {}

void WarpTable::Start(uint32_t warp, uint32_t tb_slot, uint32_t in_tb) {
  ++version_;
  warps_[warp] = {};
  warps_[warp].tb_slot = static_cast<uint8_t>(tb_slot);
  warps_[warp].in_tb = static_cast<uint8_t>(in_tb);
  live_ |= Bit(warp);
  ++live_count_;
  started_ |= Bit(warp);
  if (in_tb == 0) leading_ |= Bit(warp);
}

void WarpTable::Exit(uint32_t warp) {
  const WarpMask bit = Bit(warp);
  ++version_;
  live_ &= ~bit;
  --live_count_;
  ready_ &= ~bit;
  wants_load_ &= ~bit;
  leading_ &= ~bit;
  finished_ |= bit;
  wants_[static_cast<uint32_t>(warps_[warp].unit)] &= ~bit;
}

void WarpTable::SetNext(uint32_t warp, uint32_t pc, bool fetched) {
  const WarpMask bit = Bit(warp);
  const IssueInfo& info = infos_[pc];
  ++version_;
  wants_[static_cast<uint32_t>(warps_[warp].unit)] &= ~bit;
  warps_[warp].pc = pc;
  warps_[warp].unit = info.unit;
  wants_[static_cast<uint32_t>(info.unit)] |= bit;
  if (info.wants_load) {
    wants_load_ |= bit;
  } else {
    wants_load_ &= ~bit;
  }
  if (!fetched) fetching_ |= bit;
  Recheck(warp);
}

void WarpTable::Fetched(uint32_t warp) {
  ++version_;
  fetching_ &= ~Bit(warp);
  Recheck(warp);
}

void WarpTable::ControlDone(uint32_t warp) {
  ++version_;
  waiting_ &= ~Bit(warp);
  Recheck(warp);
}

void WarpTable::Release(uint32_t warp, uint32_t pc) {
  scoreboard_.Release(warp, pc);
  Recheck(warp);
}

void WarpTable::Recheck(uint32_t warp) {
  const WarpMask bit = Bit(warp);
  WarpMask ready = ready_ & ~bit;
  WarpMask stalled = stalled_ & ~bit;
  if ((live_ & ~waiting_ & ~fetching_ & bit) != 0) {
    const Scoreboard::Hazard hazard = scoreboard_.Check(warp, warps_[warp].pc);
    if (hazard == Scoreboard::Hazard::kNone) ready |= bit;
    if (hazard == Scoreboard::Hazard::kMemory) stalled |= bit;
  }
  if (ready == ready_ && stalled == stalled_) return;
  ++version_;
  ready_ = ready;
  stalled_ = stalled;
}

const char* WarpTable::Reason(uint32_t warp) const {
  const WarpMask bit = Bit(warp);
  if ((barrier_ & bit) != 0) return "barrier";
  if (scoreboard_.Blocked(warp, warps_[warp].pc)) {
    return warps_[warp].loads > 0 ? "memory" : "scoreboard";
  }
  if ((waiting_ & bit) != 0) return "branch";
  return (fetching_ & bit) != 0 ? "instruction fetch" : "";
}

}  // namespace flagstone
