// mbarrier (PTX ISA, section 9.7.13.15): barriers in shared memory that count threads and bytes.
//
// The ISA leaves the 64 bits of one open. Here: the threads that the phase still waits for, those
// of the next phase, the bytes that it waits for as a signed number, and the phase's parity. A
// state that an arrival returns is the barrier as it was before it.
#include "gpu_model/simt/handlers/mbarrier.h"

#include <fmt/core.h>

#include <cstring>

#include "gpu_model/simt/faults.h"
#include "gpu_model/simt/handlers/access.h"
#include "gpu_model/simt/handlers/handlers.h"
#include "gpu_model/simt/handlers/lanes.h"

namespace flagstone::simt {
namespace {

using namespace baseline;  // NOLINT: this file belongs to the baseline set
using ptx::MbarrierOp;

constexpr int kCountBits = 20;
constexpr int kTxBits = 23;
constexpr uint64_t kCountMask = (uint64_t{1} << kCountBits) - 1;

struct Fields {
  int64_t pending = 0;  // threads
  int64_t next = 0;     // of the next phase
  int64_t bytes = 0;
  bool parity = false;
};

Fields Unpack(uint64_t word) {
  Fields f;
  f.pending = static_cast<int64_t>(word & kCountMask);
  f.next = static_cast<int64_t>(word >> kCountBits & kCountMask);
  f.bytes = static_cast<int64_t>(word << 1) >> (64 - kTxBits);
  f.parity = word >> 63 != 0;
  return f;
}

uint64_t Pack(const Fields& f) {
  const auto bytes = static_cast<uint64_t>(f.bytes) & ((uint64_t{1} << kTxBits) - 1);
  return static_cast<uint64_t>(f.pending) | static_cast<uint64_t>(f.next) << kCountBits |
         bytes << (2 * kCountBits) | uint64_t{f.parity} << 63;
}

uint64_t Load(const std::byte* at) {
  uint64_t word = 0;
  std::memcpy(&word, at, sizeof(word));
  return word;
}

void EndPhase(Fields* f) {
  if (f->pending != 0 || f->bytes != 0) return;
  f->pending = f->next;
  f->parity = !f->parity;
}

// The barrier after an operation with this count, of threads or of bytes.
uint64_t After(const ptx::Modifiers& m, uint64_t word, uint32_t count) {
  Fields f = Unpack(word);
  switch (m.mbarrier_op) {
    case MbarrierOp::kInit:
      f = {count & static_cast<int64_t>(kCountMask), count & static_cast<int64_t>(kCountMask), 0,
           false};
      break;
    case MbarrierOp::kInval:
      return 0;
    case MbarrierOp::kExpectTx:
      f.bytes += count;
      break;
    case MbarrierOp::kCompleteTx:
      f.bytes -= count;
      EndPhase(&f);
      break;
    default: {
      if (m.transaction) f.bytes += count;
      const int64_t threads = m.transaction ? 1 : count;
      if (m.drop) f.next = f.next > threads ? f.next - threads : 0;
      // More than the barrier waits for has no meaning: it stays at none.
      f.pending = f.pending > threads ? f.pending - threads : 0;
      EndPhase(&f);
      break;
    }
  }
  return Pack(f);
}

void Change(const Inst& inst, const PendingAccess& pending) {
  for (LaneMask rest = pending.mask; rest != 0; rest &= rest - 1) {
    const auto i = static_cast<size_t>(__builtin_ctz(rest));
    const uint64_t old = Load(pending.pointers[i]);
    const uint64_t word = After(inst.modifiers, old, static_cast<uint32_t>(pending.values[0][i]));
    std::memcpy(pending.pointers[i], &word, sizeof(word));
    if (pending.destination != nullptr) {
      std::memcpy(pending.destination + i * sizeof(old), &old, sizeof(old));
    }
  }
}

// init, inval, arrive, expect_tx, complete_tx: lanes act in ascending order.
void Mbarrier(Context& c, const Inst& inst, LaneMask mask) {
  PrepareAccess(c, inst, mask);
  const bool later = c.deferred && c.remote;
  PendingAccess& pending = later ? TakePending(c) : c.scratch;
  pending.inst = &inst;
  pending.mask = mask;
  pending.pointers = c.pointers;
  pending.destination = inst.destination == kNoSlot ? nullptr : c.registers + inst.destination;
  const uint32_t* counts =
      inst.source[1] == kNoSlot ? nullptr : Source<uint32_t>(c, inst.source[1]);
  for (uint32_t i = 0; i < kWarpSize; ++i) pending.values[0][i] = counts == nullptr ? 1 : counts[i];
  if (!later) Change(inst, pending);
}

// Whether the phase of a state, or of a parity, is over.
void TestWait(Context& c, const Inst& inst, LaneMask mask) {
  PrepareAccess(c, inst, mask);
  LaneMask over = 0;
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
    const auto i = static_cast<uint32_t>(__builtin_ctz(rest));
    const bool now = Unpack(Load(c.pointers[i])).parity;
    const bool then = inst.modifiers.parity ? (Source<uint32_t>(c, inst.source[1])[i] & 1) != 0
                                            : Unpack(Source<uint64_t>(c, inst.source[1])[i]).parity;
    if (now != then) over |= 1U << i;
  }
  if (inst.destination != kNoSlot) WritePredicate(c, inst.destination, mask, over);
}

void PendingCount(Context& c, const Inst& inst, LaneMask mask) {
  const uint64_t* states = Source<uint64_t>(c, inst.source[0]);
  ForLanes(Destination<uint32_t>(c, inst.destination), mask,
           [=](uint32_t i) { return static_cast<uint32_t>(states[i] & kCountMask); });
}

void CommitChange(const PendingAccess& pending) { Change(*pending.inst, pending); }

}  // namespace

void CompleteBytes(std::byte* barrier, uint32_t bytes) {
  ptx::Modifiers m;
  m.mbarrier_op = MbarrierOp::kCompleteTx;
  const uint64_t word = After(m, Load(barrier), bytes);
  std::memcpy(barrier, &word, sizeof(word));
}

void ArriveAt(std::byte* barrier) {
  ptx::Modifiers m;
  m.mbarrier_op = MbarrierOp::kArrive;
  const uint64_t word = After(m, Load(barrier), 1);
  std::memcpy(barrier, &word, sizeof(word));
}

void CommitTensorArrival(const PendingAccess& pending) { ArriveAt(pending.destination); }

MemoryHandler SelectMbarrier(const ptx::Instruction& instruction) {
  switch (instruction.modifiers.mbarrier_op) {
    case MbarrierOp::kTestWait:
    case MbarrierOp::kTryWait:
      return {TestWait, nullptr};
    case MbarrierOp::kPendingCount:
      return {PendingCount, nullptr};
    default:
      return {Mbarrier, CommitChange};
  }
}

}  // namespace flagstone::simt
