// The B+ tree of the fill btree.
#ifndef FLAGSTONE_KERNELS_INPUTS_BTREE_H_
#define FLAGSTONE_KERNELS_INPUTS_BTREE_H_

#include <cstdint>
#include <vector>

namespace flagstone {

// A B+ tree over the keys 0 to keys - 1, each with the index of its record, which is the key. Nodes
// have room for `order` keys and hold `per_node` (the last one of a level what is left), as nodes
// that were split and then filled do. They stand level by level, the root first.
// A node is 2 * order + 5 words of 32 bits, as in Rodinia's b+tree (struct knode):
//   location      its own number
//   indices       order + 1 words: the children's numbers, in a leaf the records'; -1: none
//   keys          order + 1 words: the least key of each child, in a leaf the records' keys; then
//                 2^31 - 1. The first key of a level's first inner node is -2^31, so that child i
//                 is the one for keys[i] <= key < keys[i + 1].
//   is_leaf       1 or 0
//   num_keys      keys in use
struct BtreeShape {
  uint64_t keys = 0;      // 1 to 2^30
  uint64_t order = 0;     // at least per_node
  uint64_t per_node = 0;  // at least 2
};

uint64_t BtreeNodeCount(const BtreeShape& shape);
inline uint64_t BtreeNodeWords(const BtreeShape& shape) { return 2 * shape.order + 5; }
// BtreeNodeCount() * BtreeNodeWords() words.
std::vector<int32_t> BtreeNodes(const BtreeShape& shape);

}  // namespace flagstone

#endif  // FLAGSTONE_KERNELS_INPUTS_BTREE_H_
