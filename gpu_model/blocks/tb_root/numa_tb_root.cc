#include "gpu_model/blocks/tb_root/numa_tb_root.h"

namespace flagstone {

NumaTbRoot::NumaTbRoot(const TbRootSize& size)
    : gpus_(size.nodes.gpus),
      chiplets_(size.nodes.chiplets),
      id_mask_(size.id_bits < 32 ? (1U << size.id_bits) - 1 : ~0U),
      count_mask_(size.id_bits < 32 ? (2U << size.id_bits) - 1 : ~0U) {}

void NumaTbRoot::Reset() {
  walks_ = false;
  sent_ = 0;
  last_ = {};
  out_ = {};
}

void NumaTbRoot::Tick(const TbRootIn& in) {
  const bool start = in.start && !out_.busy;
  sent_ = (sent_ | out_.node_start[0]) & ~in.node_busy[0];
  out_.busy = start || walks_ || sent_ != 0 || in.node_busy[0] != 0;
  out_.node_start[0] = 0;
  if (walks_) {
    Show();
    Step();
  }
  if (start) {
    words_ = in.settings;
    walks_ = true;
    gpu_ = chiplet_ = first_ = gpu_first_ = rank_ = gpu_rank_ = 0;
    for (size_t word = kRunTbs; word <= kRunJump; ++word) {
      const bool count = word == kRunTbs || word == kLineTbs;
      out_.node[word - kRunTbs + 1] = words_[word] & (count ? count_mask_ : id_mask_);
    }
  }
  out_.quiescent = !walks_ && out_.node_start[0] == 0;
  last_ = in;
}

void NumaTbRoot::Show() {
  const bool last = gpu_ == words_[kLastGpu];
  const auto of_gpu = [&](TbRootWord full, TbRootWord of_last) {
    return words_[last ? of_last : full];
  };
  uint32_t count = of_gpu(kFullTbs, kLastTbs);
  if (rank_ < of_gpu(kFullExtra, kLastExtra)) count += words_[kRunTbs];
  if (rank_ == of_gpu(kFullShort, kLastShort)) count -= of_gpu(kFullLack, kLastLack);
  out_.node_start[0] = uint64_t{1} << (gpu_ * chiplets_ + chiplet_);
  out_.node_tb_count = gpu_ > words_[kLastGpu] ? 0 : count & count_mask_;
  out_.node[0] = first_;
}

void NumaTbRoot::Step() {
  constexpr uint32_t kRankMask = 31;
  if (++chiplet_ < chiplets_) {
    first_ = (first_ + words_[kChipletStep]) & id_mask_;
    rank_ = (rank_ + words_[kChipletRank]) & kRankMask;
    return;
  }
  chiplet_ = 0;
  first_ = gpu_first_ = (gpu_first_ + words_[kGpuStep]) & id_mask_;
  rank_ = gpu_rank_ = (gpu_rank_ + words_[kGpuRank]) & kRankMask;
  walks_ = ++gpu_ < gpus_;
}

}  // namespace flagstone
