#include "tests/blocks/contract/caps_bench.h"

#include <gtest/gtest.h>

#include <utility>

namespace flagstone {

void CapsBench::SetWarps(uint32_t slot, uint32_t first, uint32_t count) {
  in_.live_warps[slot] =
      count == 0 ? 0 : (count == 64 ? ~uint64_t{0} : ((uint64_t{1} << count) - 1) << first);
}

// A shown prefetch stays as it is, unless its CTA or the kernel ended (its stride's replacement is
// tested apart); CAPS's goes to a live warp of its CTA.
void CapsBench::Check(const CapsOut& out) {
  if (held_ && in_.cta_end == 0 && !in_.kernel_end && out.prefetch_valid) {
    EXPECT_EQ(out.prefetch_addr, before_.prefetch_addr) << "cycle " << cycle_;
    EXPECT_EQ(out.prefetch_warp, before_.prefetch_warp) << "cycle " << cycle_;
    EXPECT_EQ(out.prefetch_slot, before_.prefetch_slot) << "cycle " << cycle_;
    EXPECT_EQ(out.prefetch_pc, before_.prefetch_pc) << "cycle " << cycle_;
  }
  if (out.prefetch_valid && for_live_warps_) {
    EXPECT_LT(out.prefetch_slot, config_.cta_slots);
    EXPECT_NE((in_.live_warps[out.prefetch_slot] >> out.prefetch_warp) & 1, 0u)
        << "warp " << out.prefetch_warp << " of slot " << out.prefetch_slot << ", cycle " << cycle_;
  }
}

// A load's requests reach the L1 one a cycle, the first with the load; those of lines that it does
// not have are misses.
void CapsBench::ShowMiss(const std::optional<CapsLoad>& load) {
  if (load) {
    requesting_ = *load;
    requested_ = 0;
  }
  in_.miss_valid = false;
  if (requested_ == requesting_.addrs.size()) return;
  const uint64_t address = requesting_.addrs[requested_++];
  if (present_(address)) return;
  in_.miss_valid = true;
  in_.miss_addr = address / 128 * 128;
  in_.miss_pc = requesting_.pc;
  in_.miss_slot = requesting_.slot;
  in_.miss_warp = requesting_.warp;
}

void CapsBench::Step(const std::optional<CapsLoad>& load) {
  const CapsOut out = block_->Outputs();
  Check(out);
  in_.load_valid = load.has_value();
  if (load) {
    in_.load_pc = load->pc;
    in_.load_slot = load->slot;
    in_.load_warp = load->warp;
    in_.load_indirect = load->indirect;
    in_.load_count = static_cast<uint32_t>(load->addrs.size());
    for (size_t k = 0; k < kCapsBases; ++k) {
      // What stands beyond the load's addresses is anything.
      in_.load_addr[k] = k < load->addrs.size() ? load->addrs[k] : random_.Next();
    }
  }
  ShowMiss(load);
  in_.probe_done = random_.Below(100) >= probe_stall_;
  in_.probe_present = out.probe_valid && present_(out.probe_addr);
  in_.prefetch_ready = random_.Below(100) >= prefetch_stall_;
  if (out.prefetch_valid && in_.prefetch_ready) {
    prefetches_.push_back(
        {out.prefetch_addr, out.prefetch_warp, out.prefetch_slot, out.prefetch_pc});
    cycles_.push_back(cycle_);
  }
  held_ = out.prefetch_valid && !in_.prefetch_ready && in_.cta_end == 0 && !in_.kernel_end;
  before_ = out;
  if (gated_ && block_->Idle(in_)) {
    ++skipped_;
  } else {
    block_->Tick(in_);
  }
  ++cycle_;
}

void CapsBench::Drain() {
  for (uint32_t i = 0; i < 1000000; ++i) {
    if (out().quiescent) return;
    Step();
  }
  FAIL() << "never quiescent";
}

void CapsBench::EndCta(uint32_t slot, const std::optional<CapsLoad>& load) {
  in_.cta_end = 1U << slot;
  Step(load);
  in_.cta_end = 0;
  in_.live_warps[slot] = 0;
}

void CapsBench::EndKernel() {
  in_.kernel_end = true;
  Step();
  in_.kernel_end = false;
}

std::vector<CapsPrefetch> CapsBench::Take() { return std::exchange(prefetches_, {}); }

}  // namespace flagstone
