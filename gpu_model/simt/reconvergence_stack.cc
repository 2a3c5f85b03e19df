#include <algorithm>
#include <cassert>

#include "gpu_model/simt/thread_block_state.h"

namespace flagstone::simt {

void ReconvergenceStack::Push(uint32_t pc, uint32_t reconvergence, LaneMask mask) {
  assert(depth_ < entries_.size());
  entries_[depth_++] = {pc, reconvergence, mask};
}

void ReconvergenceStack::Diverge(LaneMask taken, uint32_t target, uint32_t next,
                                 uint32_t reconvergence) {
  const Entry old = top();
  // An entry that ends where the sides meet need not wait for them: the entry below holds its
  // lanes already. A loop with a divergent exit thus keeps the depth, and no entry ever waits at
  // its own end, where Exit would uncover it.
  if (old.reconvergence == reconvergence) {
    --depth_;
  } else {
    entries_[depth_ - 1].pc = reconvergence;
  }
  if (target != reconvergence) Push(target, reconvergence, taken);
  if (next != reconvergence) Push(next, reconvergence, old.mask & ~taken);
}

void ReconvergenceStack::Exit(LaneMask lanes) {
  for (uint32_t i = depth_; i-- > 0;) {
    entries_[i].mask &= ~lanes;
    if (entries_[i].mask == 0) Remove(i);
  }
}

void ReconvergenceStack::Remove(uint32_t i) {
  std::copy(entries_.begin() + i + 1, entries_.begin() + depth_, entries_.begin() + i);
  --depth_;
}

void ReconvergenceStack::Separate(uint32_t i, LaneMask own) {
  if (own == entries_[i].mask) return Raise(i);
  entries_[i].mask &= ~own;
  Push(entries_[i].pc, entries_[i].reconvergence, own);
}

bool ReconvergenceStack::Advance(uint32_t i) {
  if (++entries_[i].pc != entries_[i].reconvergence) return false;
  Remove(i);
  return true;
}

void ReconvergenceStack::Raise(uint32_t i) {
  std::rotate(entries_.begin() + i, entries_.begin() + i + 1, entries_.begin() + depth_);
}

void ReconvergenceStack::Join(uint32_t i) {
  assert(below(i).pc == top().pc && below(i).reconvergence == top().reconvergence);
  Raise(i);
  const LaneMask joined = top().mask;
  --depth_;
  entries_[depth_ - 1].mask |= joined;
}

}  // namespace flagstone::simt
