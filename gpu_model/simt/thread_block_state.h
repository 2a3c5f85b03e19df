// What a TB slot holds: registers and reconvergence stacks of the warps, memories, barriers.
#ifndef FLAGSTONE_GPU_MODEL_SIMT_THREAD_BLOCK_STATE_H_
#define FLAGSTONE_GPU_MODEL_SIMT_THREAD_BLOCK_STATE_H_

#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "gpu_model/simt/code.h"
#include "gpu_model/simt/executor.h"
#include "gpu_model/simt/products.h"
#include "gpu_model/simt/race_check.h"
#include "gpu_model/simt/tensor_memory.h"

namespace flagstone::simt {

// One warp's reconvergence stack (Fung et al., MICRO 2007). The top entry runs. An entry below is
// either the other side of a branch or waits at the point where both sides meet again. Where the
// top's lanes wait for others of the warp, these run first (Yield): lanes that wait for the top
// then go on without it, in an entry of their own that ends where the one they waited in does.
class ReconvergenceStack {
 public:
  struct Entry {
    uint32_t pc = 0;
    uint32_t reconvergence = 0;  // where the entry ends; the kernel's size: never before its end
    LaneMask mask = 0;
  };

  void Reset(LaneMask mask, uint32_t size) {
    entries_[0] = {0, size, mask};
    depth_ = 1;
  }
  bool empty() const { return depth_ == 0; }
  uint32_t depth() const { return depth_; }
  const Entry& top() const { return entries_[depth_ - 1]; }

  // The top goes on at `pc`; entries that have arrived at their reconvergence point end.
  void GoTo(uint32_t pc) {
    entries_[depth_ - 1].pc = pc;
    while (depth_ > 0 && entries_[depth_ - 1].pc == entries_[depth_ - 1].reconvergence) --depth_;
  }
  // Of the top's lanes, `taken` (some, not all) go to `target`, the others to `next`, which run
  // first. All meet at `reconvergence`.
  void Diverge(LaneMask taken, uint32_t target, uint32_t next, uint32_t reconvergence);
  // The lanes, which all belong to the top, have exited.
  void Exit(LaneMask lanes);
  // Lanes below the top run next, those that have waited longest first: of an entry the lanes that
  // no entry above it holds, if `can_run(pc, lanes)`. False: there are none.
  template <class CanRun>
  bool Yield(const CanRun& can_run) {
    for (uint32_t i = 0; i + 1 < depth_; ++i) {
      const LaneMask own = entries_[i].mask & ~LanesAbove(i);
      if (own == 0 || !can_run(entries_[i].pc, own)) continue;
      Separate(i, own);
      return true;
    }
    return false;
  }

  // Of the entries below the top, `i` of 0 (the lowest) to depth() - 2.
  const Entry& below(uint32_t i) const { return entries_[i]; }
  LaneMask LanesAbove(uint32_t i) const {
    LaneMask lanes = 0;
    while (++i < depth_) lanes |= entries_[i].mask;
    return lanes;
  }
  // The entry goes on at the next instruction, or ends there; whether it ended.
  bool Advance(uint32_t i);
  // That entry, which shares no lane with those above it, runs next.
  void Raise(uint32_t i);
  // That entry, which shares no lane with those above it, is where the top is and ends where the
  // top ends: the two go on as one.
  void Join(uint32_t i);

 private:
  void Push(uint32_t pc, uint32_t reconvergence, LaneMask mask);
  void Separate(uint32_t i, LaneMask own);
  void Remove(uint32_t i);

  uint32_t depth_ = 0;  // first: on the cache line of the lowest entries
  // At most 32 entries have lanes that no other above them has, and at most 31 have two or more
  // above them that have not: a divergence alone makes no others. One that Yield took its own lanes
  // from may be left with one above it; each of these has lost a lane that the next one had: 31.
  std::array<Entry, 96> entries_;
};

struct alignas(64) WarpState {
  ReconvergenceStack stack;
  LaneMask live = 0;  // lanes that have not exited
  bool at_barrier = false;
  uint8_t barrier = 0;              // the one it waits at
  const Inst* reduction = nullptr;  // the bar.red it waits in, or null
  LaneMask reducing = 0;            // the lanes that take its result
  uint32_t cluster_phase = 0;       // of the cluster's barrier, when the warp arrived there
  uint32_t bulk_done = 0;           // pieces of the bulk copy at hand that are copied
  LaneMask uncommitted = 0;         // lanes with bulk copies that no group has yet
  uint32_t uncommitted_pc = 0;      // the last of these copies
  // Lanes that wait for others of the warp (lane_progress.cc), and the turns that the top has gone
  // round a spin loop, by the branch that leaves it, while no lane left.
  LaneMask waiting = 0;
  uint32_t spin_pc = 0;
  uint32_t spin_turns = 0;
};

// What the threads that arrive at a bar.red bring together.
struct BarrierVotes {
  uint32_t threads = 0;
  uint32_t holds = 0;  // threads whose predicate holds
};

// The TB's numbered barriers (PTX ISA 9.7.13.1).
class Barriers {
 public:
  static constexpr uint32_t kCount = 16;

  void Reset() { states_ = {}; }
  // A warp arrives. `expected` warps complete the barrier; 0: all that are live.
  // Returns whether it is complete, and is then ready for the next round.
  bool Arrive(uint32_t barrier, uint32_t expected, uint32_t live_warps, BarrierVotes votes = {});
  // Of the round that has just been completed.
  BarrierVotes votes(uint32_t barrier) const { return completed_[barrier]; }
  // After a warp's exit: the barrier that this completes, or kCount.
  uint32_t CompletedByExit(uint32_t live_warps);

 private:
  struct Barrier {
    uint32_t arrived = 0;
    uint32_t expected = 0;
    BarrierVotes votes;
  };
  bool Complete(uint32_t barrier);

  std::array<Barrier, kCount> states_ = {};
  std::array<BarrierVotes, kCount> completed_ = {};
};

}  // namespace flagstone::simt

namespace flagstone {

namespace simt {

// Storage that a TB clears when it starts. Until then its pages stay untouched: a launch seldom
// fills all slots of all SMs, and what the first TB of a slot touches, its SM's own thread does.
class TbStorage {
 public:
  void Allocate(size_t bytes) {
    lines_ = LinesFor(bytes);
    data_ = std::make_unique_for_overwrite<Line[]>(lines_);
  }
  void Clear() {
    if (lines_ != 0) std::memset(data_.get(), 0, lines_ * sizeof(Line));
  }
  std::byte* data() { return reinterpret_cast<std::byte*>(data_.get()); }
  const std::byte* data() const { return reinterpret_cast<const std::byte*>(data_.get()); }

 private:
  size_t lines_ = 0;
  std::unique_ptr<Line[]> data_;
};

}  // namespace simt

struct ThreadBlock::State {
  const Program* program = nullptr;
  uint64_t tb = 0;
  uint32_t live_warps = 0;
  uint32_t warp_register_bytes = 0;
  simt::TbStorage registers;  // of all warps
  simt::TbStorage shared;
  simt::TbStorage local;       // thread by thread
  simt::LaneStorage tb_lanes;  // Base::kTb
  std::vector<simt::WarpState> warps;
  simt::Barriers barriers;

  // Watches shared memory for races, where the launch asks for it; else null.
  std::unique_ptr<simt::RaceCheck> races;

  std::unique_ptr<simt::TbProducts> products;  // null: the kernel has no wgmma.mma_async

  std::unique_ptr<simt::TensorMemory> tensor_memory;  // null: the kernel has no tcgen05

  // Lets the warps that wait at it go on, with the result of a bar.red in their registers.
  void Release(uint32_t barrier);
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_SIMT_THREAD_BLOCK_STATE_H_
