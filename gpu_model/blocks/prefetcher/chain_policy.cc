#include "gpu_model/blocks/prefetcher/chain_policy.h"

#include <algorithm>

#include "gpu_model/blocks/prefetcher/load_strides.h"

namespace flagstone {

void ChainedStrides::Load(const PrefetcherIn& in, PrefetchQueue* queue) {
  if (!Follows(in)) return;
  const uint32_t warp = in.load_warp;
  const uint64_t addr = in.load_addr[0];
  LastLoad& last = last_[warp];
  if (last.valid) Learn(warp, last, in.load_pc, addr);
  last = {.valid = true, .pc = in.load_pc, .addr = addr, .slot = in.load_slot};

  int64_t bytes = 0;
  uint64_t pc = in.load_pc;
  for (uint32_t depth = 0; depth < kDepth; ++depth) {
    const Link* link = Next(pc, warp);
    if (link == nullptr) break;
    bytes += link->bytes;
    pc = link->next;
    if (bytes != 0) PushAll(in, bytes, warp, in.load_slot, pc, queue);
  }
  inter_.Predict(in, queue, true);  // after the chain, which is the more accurate one
}

void ChainedStrides::Learn(uint32_t warp, const LastLoad& from, uint64_t pc, uint64_t addr) {
  const uint64_t bit = uint64_t{1} << warp;
  const int64_t bytes = Difference(from.addr, addr, address_bits_);
  Link* taken = nullptr;
  for (Link& link : links_) {
    if (!link.valid || link.pc != from.pc) continue;
    if (link.next == pc && link.bytes == bytes) {
      taken = &link;
    } else if (link.Serves(warp)) {
      link.warps &= ~bit;
      link.strays |= bit;
      if (std::popcount(link.strays) >= kWarpsToDoubt) link.warps = link.strays = 0;
    }
  }
  if (taken == nullptr) {
    taken = Victim();
    *taken = {.valid = true, .pc = from.pc, .next = pc, .bytes = bytes};
  }
  taken->warps |= bit;
  taken->strays &= ~bit;
  taken->used = ++uses_;
}

ChainedStrides::Link* ChainedStrides::Victim() {
  std::array<Link*, kLinks> order;
  for (uint32_t i = 0; i < kLinks; ++i) {
    if (!links_[i].valid) return &links_[i];
    order[i] = &links_[i];
  }
  std::partial_sort(order.begin(), order.begin() + kOldest, order.end(),
                    [](const Link* a, const Link* b) { return a->used < b->used; });
  return *std::min_element(order.begin(), order.begin() + kOldest,
                           [](const Link* a, const Link* b) {
                             return std::popcount(a->warps) < std::popcount(b->warps);
                           });
}

// Of several links that lead on from a load, the one that was taken last.
const ChainedStrides::Link* ChainedStrides::Next(uint64_t pc, uint32_t warp) const {
  const Link* next = nullptr;
  for (const Link& link : links_) {
    if (!link.valid || link.pc != pc || !link.Serves(warp)) continue;
    if (next == nullptr || link.used > next->used) next = &link;
  }
  return next;
}

void ChainedStrides::EndCtas(uint32_t slots) {
  for (uint32_t warp = 0; warp < last_.size(); ++warp) {
    if (!last_[warp].valid || (slots >> last_[warp].slot & 1) == 0) continue;
    last_[warp].valid = false;
    for (Link& link : links_) link.strays &= ~(uint64_t{1} << warp);  // the next one may stay
  }
}

}  // namespace flagstone
