// malloc and free of device code: atomics on the heap's account, lane after lane at each commit, so
// that the order of all SMs is the same in each run.
#include "kernels/launch/heap.h"

#include "base/error.h"
#include "gpu_model/simt/handlers/access.h"
#include "gpu_model/simt/handlers/handlers.h"
#include "gpu_model/simt/handlers/lanes.h"

namespace flagstone::simt {
namespace {

using namespace baseline;  // NOLINT: this file belongs to the baseline set

template <class T>
void Commit(const PendingAccess& pending) {
  const bool allocates = pending.destination != nullptr;
  for (LaneMask rest = pending.mask; rest != 0; rest &= rest - 1) {
    const auto i = static_cast<size_t>(__builtin_ctz(rest));
    std::byte* const heap = pending.pointers[i];
    const uint64_t value = pending.values[0][i];
    if (allocates) {
      reinterpret_cast<T*>(pending.destination)[i] = static_cast<T>(AllocateFrom(heap, value));
    } else if (value != 0 && !FreeInto(heap, value)) {
      ThrowRunFailed("free of {:#x}, an address that malloc has not given out or that is free",
                     value);
    }
  }
}

template <class T>
void Heap(Context& c, const Inst& inst, LaneMask mask) {
  PrepareAccess(c, inst, mask);
  PendingAccess& pending = c.deferred ? TakePending(c) : c.scratch;
  pending.inst = &inst;
  pending.mask = mask;
  pending.destination = inst.destination == kNoSlot ? nullptr : c.registers + inst.destination;
  pending.pointers = c.pointers;
  const T* values = Source<T>(c, inst.source[1]);
  for (uint32_t i = 0; i < kWarpSize; ++i) pending.values[0][i] = values[i];
  if (!c.deferred) Commit<T>(pending);
}

}  // namespace

MemoryHandler SelectHeap(const ptx::Instruction& instruction) {
  if (ptx::SizeInBytes(instruction.type) == 8) return {Heap<uint64_t>, Commit<uint64_t>};
  return {Heap<uint32_t>, Commit<uint32_t>};
}

}  // namespace flagstone::simt
