// What CAPS's rivals share: the queue of addresses behind the ports, in which they wait to be asked
// for in the L1 and sent. A policy is a plain struct.
#ifndef FLAGSTONE_GPU_MODEL_BLOCKS_PREFETCHER_PREFETCHER_MODEL_H_
#define FLAGSTONE_GPU_MODEL_BLOCKS_PREFETCHER_PREFETCHER_MODEL_H_

#include <cstddef>
#include <utility>

#include "base/ring.h"
#include "gpu_model/blocks/common/masks.h"
#include "gpu_model/blocks/prefetcher/config.h"
#include "gpu_model/blocks/prefetcher/ports.h"

namespace flagstone {

inline constexpr uint64_t kPrefetchLineBytes = 128;

// An address to prefetch, the warp that it is for, and the load that led to it.
struct PrefetchRequest {
  uint64_t addr = 0;
  uint32_t warp = 0;
  uint32_t slot = 0;
  uint64_t pc = 0;
};

// Keeps one request a line. Assumption: 32 places; when all are taken, what comes is lost.
class PrefetchQueue {
 public:
  static constexpr size_t kPlaces = 32;

  explicit PrefetchQueue(uint64_t address_mask) : address_mask_(address_mask) {}

  void Push(PrefetchRequest request) {
    request.addr &= address_mask_;
    if (requests_.full()) return;
    for (size_t i = 0; i < requests_.size(); ++i) {
      if (requests_[i].addr / kPrefetchLineBytes == request.addr / kPrefetchLineBytes) return;
    }
    requests_.Push(request);
  }
  PrefetchRequest Pop() {
    const PrefetchRequest first = requests_.front();
    requests_.Pop();
    return first;
  }
  bool empty() const { return requests_.empty(); }
  void Clear() { requests_ = Ring<PrefetchRequest>(kPlaces); }

 private:
  uint64_t address_mask_;
  Ring<PrefetchRequest> requests_{kPlaces};
};

// `Policy` is made from a PrefetcherConfig and has
//   void Load(const PrefetcherIn& in, PrefetchQueue* queue), called where in.load_valid;
//   void Miss(const PrefetcherIn& in, PrefetchQueue* queue), called where in.miss_valid; and
//   void EndCtas(uint32_t slots), to forget what belongs to their warps.
// One request a cycle is looked up in the L1; what is there or on its way is dropped.
template <class Policy>
class PrefetcherModel final : public Prefetcher {
 public:
  explicit PrefetcherModel(const PrefetcherConfig& config)
      : start_(config), policy_(config), queue_(MaskOf(config.addr_bits)) {}

  void Reset() override {
    policy_ = start_;
    queue_.Clear();
    out_ = {};
  }
  const PrefetcherOut& Outputs() const override { return out_; }
  void Tick(const PrefetcherIn& in) override {
    if (in.kernel_end) {
      Reset();
      return;
    }
    if (in.prefetch_ready) out_.prefetch_valid = false;
    if (out_.probe_valid && in.probe_done && (in.probe_present || !out_.prefetch_valid)) {
      if (!in.probe_present) Show();
      out_.probe_valid = false;
    }
    if (!out_.probe_valid && !queue_.empty()) {
      asked_ = queue_.Pop();
      out_.probe_valid = true;
      out_.probe_addr = asked_.addr;
    }
    if (in.cta_end != 0) policy_.EndCtas(in.cta_end);
    if (in.load_valid) policy_.Load(in, &queue_);
    if (in.miss_valid) policy_.Miss(in, &queue_);
    out_.quiescent = !out_.prefetch_valid && !out_.probe_valid && queue_.empty();
  }
  bool Idle(const PrefetcherIn& in) const override {
    return out_.quiescent && !in.kernel_end && in.cta_end == 0 && !in.load_valid && !in.miss_valid;
  }

 private:
  void Show() {
    out_.prefetch_valid = true;
    out_.prefetch_addr = asked_.addr;
    out_.prefetch_warp = asked_.warp;
    out_.prefetch_slot = asked_.slot;
    out_.prefetch_pc = asked_.pc;
  }

  const Policy start_;
  Policy policy_;
  PrefetchQueue queue_;
  PrefetchRequest asked_;  // what the probe asks for
  PrefetcherOut out_;
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_BLOCKS_PREFETCHER_PREFETCHER_MODEL_H_
