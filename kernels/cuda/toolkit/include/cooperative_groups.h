// Cooperative groups: the grid of a cooperative launch, a TB, its tiles of up to a warp, and the
// threads of a warp that have come the same way.
#ifndef FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_COOPERATIVE_GROUPS_H_
#define FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_COOPERATIVE_GROUPS_H_

#include "cuda_runtime.h"

#define FLAGSTONE_GROUP __inline__ __device__

namespace cooperative_groups {

// Lanes of a warp, counted among those of a mask.
namespace lanes {
FLAGSTONE_GROUP unsigned Lane() {
  unsigned lane;
  __asm__("mov.u32 %0, %%laneid;" : "=r"(lane));
  return lane;
}
FLAGSTONE_GROUP unsigned Rank(unsigned mask) { return __popc(mask & ((1U << Lane()) - 1)); }
// The lane that has this rank.
FLAGSTONE_GROUP unsigned Of(unsigned mask, unsigned rank) {
  for (; rank > 0; --rank) mask &= mask - 1;
  return __ffs(static_cast<int>(mask)) - 1;
}
FLAGSTONE_GROUP unsigned TbThread() {
  return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
FLAGSTONE_GROUP unsigned TbThreads() { return blockDim.x * blockDim.y * blockDim.z; }
// Aligned tiles of `size` lanes.
FLAGSTONE_GROUP unsigned Tile(unsigned size) {
  return size >= 32 ? ~0U : ((1U << size) - 1) << (TbThread() % 32 / size * size);
}
// Values of any size go from lane to lane word by word.
template <class T, class Move>
FLAGSTONE_GROUP T ByWords(const T& value, Move move) {
  constexpr int kWords = (sizeof(T) + 3) / 4;
  unsigned words[kWords] = {};
  memcpy(words, &value, sizeof(T));
  for (int i = 0; i < kWords; ++i) words[i] = move(words[i]);
  T moved;
  memcpy(&moved, words, sizeof(T));
  return moved;
}
}  // namespace lanes

// Any of the groups below, whose kind is known when the kernel runs.
class thread_group {
 public:
  __device__ unsigned long long size() const { return mask_ == 0 ? lanes::TbThreads() : Count(); }
  __device__ unsigned long long num_threads() const { return size(); }
  __device__ unsigned long long thread_rank() const {
    return mask_ == 0 ? lanes::TbThread() : lanes::Rank(mask_);
  }
  __device__ void sync() const {
    if (mask_ == 0) {
      __syncthreads();
    } else {
      __syncwarp(mask_);
    }
  }
  __device__ bool is_valid() const { return true; }

 protected:
  // 0: the TB.
  __device__ explicit thread_group(unsigned mask) : mask_(mask) {}
  __device__ unsigned Count() const { return __popc(mask_); }
  unsigned mask_;
  friend __inline__ __device__ thread_group tiled_partition(const thread_group& parent,
                                                            unsigned size);
};

class thread_block : public thread_group {
 public:
  static __device__ void sync() { __syncthreads(); }
  static __device__ void barrier_sync() { __syncthreads(); }
  static __device__ unsigned thread_rank() { return lanes::TbThread(); }
  static __device__ unsigned size() { return lanes::TbThreads(); }
  static __device__ unsigned num_threads() { return lanes::TbThreads(); }
  static __device__ dim3 group_index() { return blockIdx; }
  static __device__ dim3 thread_index() { return threadIdx; }
  static __device__ dim3 group_dim() { return blockDim; }
  static __device__ dim3 dim_threads() { return blockDim; }

 private:
  __device__ thread_block() : thread_group(0) {}
  friend __inline__ __device__ thread_block this_thread_block();
};
FLAGSTONE_GROUP thread_block this_thread_block() { return thread_block(); }

// Lanes that are known by a mask: what tiles and coalesced groups share.
class lane_group : public thread_group {
 public:
  __device__ unsigned size() const { return Count(); }
  __device__ unsigned num_threads() const { return Count(); }
  __device__ unsigned thread_rank() const { return lanes::Rank(mask_); }
  __device__ void sync() const { __syncwarp(mask_); }
  __device__ int any(int predicate) const { return __any_sync(mask_, predicate); }
  __device__ int all(int predicate) const { return __all_sync(mask_, predicate); }
  // The mask has one bit for each rank.
  __device__ unsigned ballot(int predicate) const {
    const unsigned votes = __ballot_sync(mask_, predicate);
    unsigned packed = 0, rank = 0;
    for (unsigned left = mask_; left != 0; left &= left - 1, ++rank) {
      if (votes & left & -left) packed |= 1U << rank;
    }
    return packed;
  }
  template <class T>
  __device__ T shfl(T value, unsigned rank) const {
    return From(value, rank % size());
  }
  template <class T>
  __device__ T shfl_up(T value, unsigned delta) const {
    const unsigned rank = thread_rank();
    return From(value, rank >= delta ? rank - delta : rank);
  }
  template <class T>
  __device__ T shfl_down(T value, unsigned delta) const {
    const unsigned rank = thread_rank();
    return From(value, rank + delta < size() ? rank + delta : rank);
  }
  template <class T>
  __device__ T shfl_xor(T value, unsigned bits) const {
    const unsigned other = thread_rank() ^ bits;
    return From(value, other < size() ? other : thread_rank());
  }
  // Those of the group that have the same value, one bit a rank.
  template <class T>
  __device__ unsigned match_any(T value) const {
    unsigned same = 0;
    for (unsigned rank = 0; rank < size(); ++rank) {
      if (From(value, rank) == value) same |= 1U << rank;
    }
    return same;
  }
  __device__ unsigned lane_mask() const { return mask_; }

 protected:
  __device__ explicit lane_group(unsigned mask) : thread_group(mask) {}

 private:
  template <class T>
  __device__ T From(const T& value, unsigned rank) const {
    const unsigned mask = mask_, lane = lanes::Of(mask, rank);
    return lanes::ByWords(
        value, [=](unsigned word) { return __shfl_sync(mask, word, static_cast<int>(lane)); });
  }
};

class coalesced_group : public lane_group {
 public:
  __device__ explicit coalesced_group(unsigned mask) : lane_group(mask) {}
  __device__ unsigned meta_group_rank() const { return 0; }
  __device__ unsigned meta_group_size() const { return 1; }
};
FLAGSTONE_GROUP coalesced_group coalesced_threads() { return coalesced_group(__activemask()); }

template <unsigned Size, class Parent = void>
class thread_block_tile : public lane_group {
  static_assert(Size <= 32 && (Size & (Size - 1)) == 0,
                "Flagstone: tiles hold 1, 2, 4, 8, 16 or 32 threads");

 public:
  __device__ explicit thread_block_tile() : lane_group(lanes::Tile(Size)) {}
  template <class Other>
  __device__ thread_block_tile(const thread_block_tile<Size, Other>& other)
      : lane_group(other.lane_mask()) {}
  static __device__ constexpr unsigned size() { return Size; }
  static __device__ constexpr unsigned num_threads() { return Size; }
  static __device__ unsigned thread_rank() { return lanes::TbThread() % Size; }
  static __device__ unsigned meta_group_rank() { return lanes::TbThread() / Size; }
  static __device__ unsigned meta_group_size() { return (lanes::TbThreads() + Size - 1) / Size; }
};

template <unsigned Size, class Parent>
FLAGSTONE_GROUP thread_block_tile<Size, Parent> tiled_partition(const Parent&) {
  return thread_block_tile<Size, Parent>();
}
FLAGSTONE_GROUP thread_group tiled_partition(const thread_group&, unsigned size) {
  return thread_group(lanes::Tile(size));
}
FLAGSTONE_GROUP coalesced_group binary_partition(const lane_group& group, bool value) {
  const unsigned yes = __ballot_sync(group.lane_mask(), value);
  return coalesced_group(value ? yes : group.lane_mask() & ~yes);
}
template <class Label>
FLAGSTONE_GROUP coalesced_group labeled_partition(const lane_group& group, Label label) {
  const unsigned ranks = group.match_any(label);
  unsigned mask = 0, rank = 0;
  for (unsigned left = group.lane_mask(); left != 0; left &= left - 1, ++rank) {
    if (ranks >> rank & 1) mask |= left & -left;
  }
  return coalesced_group(mask);
}

class grid_group {
 public:
  static __device__ bool is_valid() { return Meeting() != 0; }
  // The last TB to come opens the next round for all.
  static __device__ void sync() {
    __syncthreads();
    if (lanes::TbThread() == 0) {
      volatile unsigned* const round = Meeting() + 1;
      const unsigned mine = *round;
      __threadfence();
      if (atomicAdd(Meeting(), 1) + 1 == num_blocks()) {
        *Meeting() = 0;
        __threadfence();
        *round = mine + 1;
      } else {
        while (*round == mine) {
        }
      }
      __threadfence();
    }
    __syncthreads();
  }
  static __device__ unsigned long long size() { return num_blocks() * lanes::TbThreads(); }
  static __device__ unsigned long long num_threads() { return size(); }
  static __device__ unsigned long long num_blocks() {
    return static_cast<unsigned long long>(gridDim.x) * gridDim.y * gridDim.z;
  }
  static __device__ unsigned long long block_rank() {
    return (static_cast<unsigned long long>(blockIdx.z) * gridDim.y + blockIdx.y) * gridDim.x +
           blockIdx.x;
  }
  static __device__ unsigned long long thread_rank() {
    return block_rank() * lanes::TbThreads() + lanes::TbThread();
  }
  static __device__ dim3 group_dim() { return gridDim; }
  static __device__ dim3 dim_blocks() { return gridDim; }
  static __device__ dim3 block_index() { return blockIdx; }

 private:
  // Two words: the TBs that have come, and the round. Their address stands in special registers.
  static __device__ unsigned* Meeting() {
    unsigned upper, lower;
    __asm__("mov.u32 %0, %%envreg1;" : "=r"(upper));
    __asm__("mov.u32 %0, %%envreg2;" : "=r"(lower));
    return reinterpret_cast<unsigned*>(static_cast<unsigned long long>(upper) << 32 | lower);
  }
};
FLAGSTONE_GROUP grid_group this_grid() { return grid_group(); }

template <class Group>
FLAGSTONE_GROUP void sync(const Group& group) {
  group.sync();
}
template <class Group>
FLAGSTONE_GROUP unsigned thread_rank(const Group& group) {
  return group.thread_rank();
}
template <class Group>
FLAGSTONE_GROUP unsigned group_size(const Group& group) {
  return group.size();
}

}  // namespace cooperative_groups

#undef FLAGSTONE_GROUP

#endif  // FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_COOPERATIVE_GROUPS_H_
