#include "gpu_model/blocks/prefetcher/stride_policies.h"

#include "gpu_model/blocks/prefetcher/load_strides.h"

namespace flagstone {
bool IntraWarpStride::Predict(const PrefetcherIn& in, PrefetchQueue* queue) {
  if (!Follows(in)) return false;
  auto& entries = warps_[in.load_warp];
  const uint64_t addr = in.load_addr[0];
  const uint32_t found = FindEntry(entries, in.load_pc);
  if (found == kNoEntry) {
    entries[EntryToFill(entries)] = {
        .valid = true, .pc = in.load_pc, .written = ++writes_, .slot = in.load_slot, .addr = addr};
    return false;
  }
  Entry& entry = entries[found];
  const int64_t stride = Difference(entry.addr, addr, address_bits_);
  const bool again = entry.has_stride && stride == entry.stride;
  entry.written = ++writes_;
  entry.addr = addr;
  entry.stride = stride;
  entry.has_stride = true;
  if (again && stride != 0) PushAll(in, stride, in.load_warp, in.load_slot, in.load_pc, queue);
  return again;
}

void IntraWarpStride::EndCtas(uint32_t slots) {
  for (auto& entries : warps_) {
    for (Entry& entry : entries) {
      if ((slots >> entry.slot & 1) != 0) entry.valid = false;
    }
  }
}

void InterWarpStride::Predict(const PrefetcherIn& in, PrefetchQueue* queue, bool prefetch) {
  if (!Follows(in)) return;
  const uint64_t addr = in.load_addr[0];
  const uint32_t found = FindEntry(loads_, in.load_pc);
  if (found == kNoEntry) {
    loads_[EntryToFill(loads_)] = {
        .valid = true, .pc = in.load_pc, .written = ++writes_, .warp = in.load_warp, .addr = addr};
    return;
  }
  Entry& entry = loads_[found];
  const int64_t warps = int64_t{in.load_warp} - int64_t{entry.warp};
  const int64_t bytes = Difference(entry.addr, addr, address_bits_);
  entry.written = ++writes_;
  entry.warp = in.load_warp;
  entry.addr = addr;
  if (warps == 0) return;  // a new place to count from; the stride stays
  const bool regular = bytes % warps == 0;
  const bool again = regular && entry.has_stride && bytes / warps == entry.stride;
  entry.has_stride = regular;
  if (regular) entry.stride = bytes / warps;
  if (!prefetch || !again || entry.stride == 0) return;
  for (uint32_t warp = in.load_warp + 1; warp <= in.load_warp + kWarps && warp < 64; ++warp) {
    for (uint32_t slot = 0; slot < cta_slots_; ++slot) {
      if ((in.live_warps[slot] >> warp & 1) == 0) continue;
      PushAll(in, (int64_t{warp} - in.load_warp) * entry.stride, warp, slot, in.load_pc, queue);
    }
  }
}

}  // namespace flagstone
