// Branches, exits and barriers.
#include <fmt/core.h>

#include <bit>

#include "gpu_model/simt/clusters.h"
#include "gpu_model/simt/executor_state.h"
#include "gpu_model/simt/faults.h"
#include "gpu_model/simt/handlers/lanes.h"

namespace flagstone {

void Executor::State::Branch(const simt::Inst& inst, simt::WarpState& w, LaneMask taken) {
  const LaneMask active = w.stack.top().mask;
  if (taken == active) {
    w.stack.GoTo(inst.target);
  } else if (taken == 0) {
    w.stack.GoTo(inst.pc + 1);
  } else {
    w.stack.Diverge(taken, inst.target, inst.pc + 1, inst.reconvergence);
  }
  if (inst.stays != ptx::Stays::kNowhere) GoRound(inst, w, active, taken);
}

void Executor::State::TellCluster(const simt::Inst& inst, LaneMask lanes, bool exit) {
  simt::PendingAccess& pending =
      context.deferred ? simt::baseline::TakePending(context) : context.scratch;
  simt::Clusters& clusters = *context.clusters;
  pending.inst = &inst;
  pending.destination = reinterpret_cast<std::byte*>(&clusters);
  pending.values[0][0] = simt::PlaceInCluster(context.tb, clusters.grid, clusters.shape).index;
  pending.values[1][0] = static_cast<uint32_t>(std::popcount(lanes));
  pending.values[2][0] = exit ? 1 : 0;
  if (!context.deferred) simt::CommitClusterArrival(pending);
}

void Executor::State::ClusterBarrier(const simt::Inst& inst, ThreadBlock::State& tb,
                                     simt::WarpState& w, LaneMask executed) {
  const simt::Clusters& clusters = *context.clusters;
  const uint64_t cluster = simt::PlaceInCluster(tb.tb, clusters.grid, clusters.shape).index;
  const uint32_t phase = clusters.barriers[cluster].phase;
  const bool arrives = inst.barrier == ptx::BarrierOp::kClusterArrive;
  if (executed != 0 && !arrives && phase == w.cluster_phase) {
    return PutOff(executed);
  }
  if (executed != 0 && arrives) {
    w.cluster_phase = phase;
    TellCluster(inst, executed, /*exit=*/false);
  }
  w.stack.GoTo(inst.pc + 1);
}

void Executor::State::Exit(const simt::Inst& inst, simt::WarpState& w, LaneMask lanes) {
  if ((w.uncommitted & lanes) != 0) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(w.uncommitted & lanes));
    simt::ThrowOfThread(context, insts[w.uncommitted_pc], lane,
                        "bulk copy in no group: expected 'cp.async.bulk.commit_group' before the "
                        "thread exits,");
  }
  if (context.clusters != nullptr && lanes != 0) TellCluster(inst, lanes, /*exit=*/true);
  const bool all = lanes == w.stack.top().mask;
  if (lanes != 0) {
    w.live &= ~lanes;
    w.waiting = 0;  // some may wait for these
    w.stack.Exit(lanes);
  }
  if (!all) w.stack.GoTo(w.stack.top().pc + 1);
}

// Exited warps count as arrived: the exit may complete a barrier.
void Executor::State::WarpExited(ThreadBlock::State& tb) {
  result.exited = true;
  tb.warps[bound_warp_].live = 0;
  if (tb.races) tb.races->Exit(bound_warp_);
  if (tb.products) CheckLeftOut(tb);
  --tb.live_warps;
  if (tb.tensor_memory && tb.live_warps == 0) CheckFreed(tb);
  for (;;) {
    const uint32_t barrier = tb.barriers.CompletedByExit(tb.live_warps);
    if (barrier == simt::Barriers::kCount) return;
    tb.Release(barrier);
    result.barrier_released = true;
  }
}

uint32_t Executor::State::FirstLaneOf(simt::SlotId slot, LaneMask mask) const {
  const auto* lanes = reinterpret_cast<const uint32_t*>(context.base[slot >> simt::kBaseShift] +
                                                        (slot & simt::kOffsetMask));
  return lanes[std::countr_zero(mask)];
}

LaneMask Executor::State::PredicateOf(const simt::Inst& inst, size_t k) const {
  const simt::SlotId slot = inst.source[k];
  return inst.source_flip[k] ^
         *reinterpret_cast<const LaneMask*>(context.base[slot >> simt::kBaseShift] +
                                            (slot & simt::kOffsetMask));
}

void Executor::State::ArriveAtBarrier(const simt::Inst& inst, ThreadBlock::State& tb,
                                      simt::WarpState& w, LaneMask executed) {
  if (executed == 0) {
    w.stack.GoTo(inst.pc + 1);
    return;
  }
  if (executed != w.live && !(inst.modifiers.unaligned ? ComeOneByOne(inst, w, &executed)
                                                       : OthersHaveLeft(inst, w, executed))) {
    return PutOff(executed);
  }
  const uint32_t barrier =
      inst.source[0] == simt::kNoSlot ? 0 : FirstLaneOf(inst.source[0], executed);
  if (barrier >= simt::Barriers::kCount) {
    simt::ThrowOfWarp(context, inst, fmt::format("barrier {}, expected 0 to 15,", barrier));
  }
  uint32_t expected = 0;
  if (inst.source[1] != simt::kNoSlot) {
    const uint32_t threads = FirstLaneOf(inst.source[1], executed);
    if (threads == 0 || threads % kWarpSize != 0) {
      simt::ThrowOfWarp(
          context, inst,
          fmt::format("barrier for {} threads, expected a multiple of {},", threads, kWarpSize));
    }
    expected = threads / kWarpSize;
  }
  w.stack.GoTo(inst.pc + 1);
  simt::BarrierVotes votes;
  if (inst.barrier == ptx::BarrierOp::kRed) {
    votes.threads = static_cast<uint32_t>(std::popcount(executed));
    votes.holds = static_cast<uint32_t>(std::popcount(executed & PredicateOf(inst, 2)));
    w.reduction = &inst;
    w.reducing = executed;
  }
  if (tb.races) tb.races->Arrive(bound_warp_, barrier);
  if (inst.barrier != ptx::BarrierOp::kArrive) {
    result.barrier = true;
    w.at_barrier = true;
    w.barrier = static_cast<uint8_t>(barrier);
  }
  if (tb.barriers.Arrive(barrier, expected, tb.live_warps, votes)) {
    tb.Release(barrier);
    result.barrier_released = true;
  }
}

}  // namespace flagstone
