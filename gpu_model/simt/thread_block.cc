#include <bit>
#include <cstring>

#include "gpu_model/simt/clusters.h"
#include "gpu_model/simt/thread_block_state.h"
#include "kernels/launch/findings.h"

namespace flagstone {
namespace simt {

bool Barriers::Complete(uint32_t barrier) {
  completed_[barrier] = states_[barrier].votes;
  states_[barrier] = {};
  return true;
}

bool Barriers::Arrive(uint32_t barrier, uint32_t expected, uint32_t live_warps,
                      BarrierVotes votes) {
  Barrier& state = states_[barrier];
  state.expected = expected;
  state.votes.threads += votes.threads;
  state.votes.holds += votes.holds;
  ++state.arrived;
  return state.arrived >= (expected != 0 ? expected : live_warps) && Complete(barrier);
}

uint32_t Barriers::CompletedByExit(uint32_t live_warps) {
  for (uint32_t i = 0; i < kCount; ++i) {
    Barrier& state = states_[i];
    if (state.arrived == 0 || state.expected != 0 || state.arrived < live_warps) continue;
    Complete(i);
    return i;
  }
  return kCount;
}

}  // namespace simt

namespace simt {
namespace {

void WriteBarrierResult(const Inst& inst, LaneMask mask, BarrierVotes votes, std::byte* registers) {
  if (inst.destination == kNoSlot) return;
  if (inst.modifiers.atomic_op == ptx::AtomicOp::kPopc) {
    auto* lanes = reinterpret_cast<uint32_t*>(registers + inst.destination);
    for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
      lanes[std::countr_zero(rest)] = votes.holds;
    }
    return;
  }
  const bool all = inst.modifiers.atomic_op == ptx::AtomicOp::kAnd;
  const bool result = all ? votes.holds == votes.threads : votes.holds != 0;
  auto* predicate = reinterpret_cast<LaneMask*>(registers + inst.destination);
  *predicate = (*predicate & ~mask) | (result ? mask : 0);
}

}  // namespace
}  // namespace simt

namespace {

// Where it stands in its cluster, and where the others find its shared memory.
void StartInCluster(ThreadBlock::State& s, simt::Clusters& clusters) {
  clusters.shared[s.tb].store(s.shared.data(), std::memory_order_release);
  const simt::ClusterPlace place = simt::PlaceInCluster(s.tb, clusters.grid, clusters.shape);
  const uint32_t values[] = {place.cluster.x, place.cluster.y, place.cluster.z, place.within.x,
                             place.within.y,  place.within.z,  place.rank};
  auto* row = reinterpret_cast<uint32_t*>(simt::Data(s.tb_lanes)) + 3 * kWarpSize;
  for (const uint32_t value : values) {
    for (uint32_t lane = 0; lane < kWarpSize; ++lane) *row++ = value;
  }
}

}  // namespace

ThreadBlock::ThreadBlock(const Program& program) : state_(std::make_unique<State>()) {
  const Program::Code& code = program.code();
  State& s = *state_;
  s.program = &program;
  s.warp_register_bytes = code.register_bytes;
  s.registers.Allocate(size_t{code.register_bytes} * code.warps);
  s.shared.Allocate(code.shared_bytes);
  s.local.Allocate(size_t{code.local_bytes} * code.warps * kWarpSize);
  s.tb_lanes.resize(simt::LinesFor(Program::Code::kTbLaneBytes));
  s.warps.resize(code.warps);
  Findings* const findings = program.launch().findings;
  if (findings != nullptr && findings->wants_races && code.shared_bytes != 0) {
    s.races = std::make_unique<simt::RaceCheck>(program.launch(), code.shared_bytes);
  }
  if (code.warpgroup != nullptr) s.products = std::make_unique<simt::TbProducts>();
  if (code.tensor_memory != nullptr) s.tensor_memory = std::make_unique<simt::TensorMemory>();
}

ThreadBlock::~ThreadBlock() = default;
ThreadBlock::ThreadBlock(ThreadBlock&&) noexcept = default;
ThreadBlock& ThreadBlock::operator=(ThreadBlock&&) noexcept = default;

// Registers and memories begin as zeros, so that a kernel that reads what it never wrote gives the
// same result whatever ran in the slot before.
void ThreadBlock::Start(uint64_t tb) {
  State& s = *state_;
  const Program::Code& code = s.program->code();
  tb = s.program->WorkOf(tb);
  s.tb = tb;
  s.live_warps = code.warps;
  s.barriers.Reset();
  if (s.races) s.races->Start(tb);
  if (s.products) s.products->Start(*code.warpgroup, code.warps);
  if (s.tensor_memory) s.tensor_memory->Start();
  s.registers.Clear();
  s.shared.Clear();
  s.local.Clear();
  const Dim3 id = TbCoordinates(tb, s.program->launch().grid);
  auto* lanes = reinterpret_cast<uint32_t*>(simt::Data(s.tb_lanes));
  for (uint32_t lane = 0; lane < kWarpSize; ++lane) {
    lanes[lane] = id.x;
    lanes[kWarpSize + lane] = id.y;
    lanes[2 * kWarpSize + lane] = id.z;
  }
  if (code.clusters != nullptr) StartInCluster(s, *code.clusters);
  for (uint32_t warp = 0; warp < code.warps; ++warp) {
    const uint32_t threads = code.threads - warp * kWarpSize;
    simt::WarpState& w = s.warps[warp];
    w.live = threads >= kWarpSize ? simt::kAllLanes : (LaneMask{1} << threads) - 1;
    w.at_barrier = false;
    w.reduction = nullptr;
    w.bulk_done = 0;
    w.uncommitted = 0;
    w.waiting = 0;
    w.spin_turns = 0;
    w.stack.Reset(w.live, s.program->size());
    // A kernel without instructions is over before it begins.
    if (s.program->size() == 0) {
      w.stack.Exit(w.live);
      w.live = 0;
      --s.live_warps;
    }
  }
}

uint64_t ThreadBlock::tb() const { return state_->tb; }
uint32_t ThreadBlock::warp_count() const { return static_cast<uint32_t>(state_->warps.size()); }
bool ThreadBlock::Finished() const { return state_->live_warps == 0; }

uint32_t ThreadBlock::pc(uint32_t warp) const {
  const simt::WarpState& w = state_->warps[warp];
  return w.stack.empty() ? state_->program->size() : w.stack.top().pc;
}

LaneMask ThreadBlock::active(uint32_t warp) const {
  const simt::WarpState& w = state_->warps[warp];
  return w.stack.empty() ? 0 : w.stack.top().mask;
}

bool ThreadBlock::exited(uint32_t warp) const { return state_->warps[warp].stack.empty(); }
bool ThreadBlock::at_barrier(uint32_t warp) const { return state_->warps[warp].at_barrier; }

ThreadBlock::WarpPlace ThreadBlock::Place(uint32_t warp) const {
  const State& s = *state_;
  return {&s.warps[warp], s.registers.data() + size_t{warp} * s.warp_register_bytes};
}

void ThreadBlock::Preload(const Program& program, const WarpPlace& place, uint32_t pc) {
  __builtin_prefetch(place.state);
  const simt::TouchedLines& touched = program.code().touched[pc];
  for (uint32_t i = 0; i < touched.count; ++i) {
    __builtin_prefetch(place.registers + touched.lines[i] * sizeof(simt::Line));
  }
}

void ThreadBlock::State::Release(uint32_t barrier) {
  for (simt::WarpState& w : warps) {
    if (!w.at_barrier || w.barrier != barrier) continue;
    w.at_barrier = false;
    const size_t warp = static_cast<size_t>(&w - warps.data());
    if (races) races->Leave(static_cast<uint32_t>(warp), barrier);
    if (w.reduction == nullptr) continue;
    simt::WriteBarrierResult(*w.reduction, w.reducing, barriers.votes(barrier),
                             registers.data() + warp * warp_register_bytes);
    w.reduction = nullptr;
  }
  if (races) races->EndRound(barrier);
}

}  // namespace flagstone
