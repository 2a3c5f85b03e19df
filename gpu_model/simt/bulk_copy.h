// What copies of many bytes share: their addresses on the host, and what they do to other TBs of
// the cluster, which waits for the commit.
#ifndef FLAGSTONE_GPU_MODEL_SIMT_BULK_COPY_H_
#define FLAGSTONE_GPU_MODEL_SIMT_BULK_COPY_H_

#include <cstddef>
#include <cstdint>

#include "gpu_model/simt/clusters.h"
#include "gpu_model/simt/code.h"
#include "gpu_model/simt/thread_block_state.h"

namespace flagstone::simt {

inline constexpr uint32_t kBulkSector = 32;
inline constexpr uint64_t kWithinOwn = (uint64_t{1} << kRankShift) - 1;  // of a shared address

// The value of a lane's address operand.
uint64_t BulkAddress(const Context& c, SlotId slot, bool wide, uint64_t offset, uint32_t lane);
uint64_t BulkAddress(const Context& c, const BulkSlots::Address& address, uint32_t lane);

std::byte* BulkGlobal(Context& c, const Inst& inst, uint32_t lane, uint64_t address, uint64_t bytes,
                      bool writes);

// Bytes in the shared memory of the TB, or of the one whose rank the address names.
struct BulkShared {
  std::byte* pointer = nullptr;
  bool own = true;
};
BulkShared BulkSharedAt(Context& c, const Inst& inst, uint32_t lane, uint64_t address,
                        uint64_t bytes);

// The TBs that a lane's copy goes to, as the addresses that stand for `address` in each: one but
// for a multicast. Calls visit(address).
template <class Visit>
void ForEachDestination(Context& c, const Inst& inst, uint32_t lane, uint64_t address, Visit visit);

// The barrier of a lane's copy hears of so many bytes, in each TB that the copy goes to.
void TellBarrier(Context& c, const Inst& inst, uint32_t lane, uint64_t bytes);
// True where the record is a barrier's, which then has heard.
bool CommitTold(const PendingAccess& pending);

// Parts of a copy that wait for a commit: part i stands in `values` from byte 32 i on, and goes
// where `pointers[i]` says. A record has room for `most` of them; the next ones get another.
class BulkWaiting {
 public:
  BulkWaiting(Context* context, const Inst* inst, uint32_t most)
      : context_(*context), inst_(*inst), most_(most) {}

  struct Place {
    PendingAccess& pending;
    uint32_t part;
  };
  // At most 32 bytes. The place is good until the next call.
  Place Add(std::byte* to, const std::byte* from, uint64_t bytes);

 private:
  static constexpr size_t kNone = ~size_t{0};

  Context& context_;
  const Inst& inst_;
  const uint32_t most_;
  size_t record_ = kNone;
  uint32_t count_ = 0;
};

// After an issue of a warp's copies. `unfinished`: sectors that it took, where more are left; 0:
// all is copied, and the barrier of each lane's copy hears of bytes_of(lane). Whether all is
// copied.
template <class BytesOf>
bool EndBulkIssue(Context& c, const Inst& inst, WarpState& w, LaneMask executed,
                  uint32_t unfinished, BytesOf bytes_of) {
  if (unfinished != 0) {
    w.bulk_done += unfinished;
    return false;
  }
  w.bulk_done = 0;
  if (!inst.modifiers.transaction) return true;
  for (LaneMask rest = executed; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<uint32_t>(__builtin_ctz(rest));
    TellBarrier(c, inst, lane, bytes_of(lane));
  }
  return true;
}

uint32_t MulticastTbs(Context& c, const Inst& inst, uint32_t lane);
uint64_t AddressInTb(const Context& c, uint64_t address, uint32_t rank);

template <class Visit>
void ForEachDestination(Context& c, const Inst& inst, uint32_t lane, uint64_t address,
                        Visit visit) {
  if (!inst.modifiers.multicast) return visit(address);
  for (uint32_t tbs = MulticastTbs(c, inst, lane); tbs != 0; tbs &= tbs - 1) {
    visit(AddressInTb(c, address, static_cast<uint32_t>(__builtin_ctz(tbs))));
  }
}

// Puts the parts of tensors in their places.
void CommitTensor(const PendingAccess& pending);

}  // namespace flagstone::simt

#endif  // FLAGSTONE_GPU_MODEL_SIMT_BULK_COPY_H_
