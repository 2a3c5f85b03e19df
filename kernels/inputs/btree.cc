#include "kernels/inputs/btree.h"

#include <algorithm>
#include <limits>

namespace flagstone {
namespace {

// Nodes of each level, the root's first.
std::vector<uint64_t> LevelSizes(const BtreeShape& shape) {
  std::vector<uint64_t> sizes;
  for (uint64_t below = shape.keys; sizes.empty() || sizes.back() > 1; below = sizes.back()) {
    sizes.push_back((below + shape.per_node - 1) / shape.per_node);
  }
  std::reverse(sizes.begin(), sizes.end());
  return sizes;
}

}  // namespace

uint64_t BtreeNodeCount(const BtreeShape& shape) {
  uint64_t count = 0;
  for (const uint64_t size : LevelSizes(shape)) count += size;
  return count;
}

std::vector<int32_t> BtreeNodes(const BtreeShape& shape) {
  const std::vector<uint64_t> sizes = LevelSizes(shape);
  std::vector<int32_t> words(BtreeNodeCount(shape) * BtreeNodeWords(shape));
  uint64_t keys_per_entry = 1;  // keys below one entry of a node of this level
  for (size_t level = 1; level < sizes.size(); ++level) keys_per_entry *= shape.per_node;
  uint64_t first = 0;  // number of the level's first node
  for (size_t level = 0; level < sizes.size(); ++level) {
    const bool is_leaf = level + 1 == sizes.size();
    const uint64_t first_below = is_leaf ? 0 : first + sizes[level];
    const uint64_t entries = is_leaf ? shape.keys : sizes[level + 1];
    for (uint64_t i = 0; i < sizes[level]; ++i) {
      int32_t* node = &words[(first + i) * BtreeNodeWords(shape)];
      int32_t* indices = node + 1;
      int32_t* keys = indices + shape.order + 1;
      std::fill_n(indices, shape.order + 1, -1);
      std::fill_n(keys, shape.order + 1, std::numeric_limits<int32_t>::max());
      const uint64_t begin = i * shape.per_node;
      const uint64_t end = std::min(begin + shape.per_node, entries);
      for (uint64_t entry = begin; entry < end; ++entry) {
        indices[entry - begin] = static_cast<int32_t>(first_below + entry);
        keys[entry - begin] = static_cast<int32_t>(entry * keys_per_entry);
      }
      if (!is_leaf && i == 0) keys[0] = std::numeric_limits<int32_t>::min();
      node[0] = static_cast<int32_t>(first + i);
      keys[shape.order + 1] = is_leaf ? 1 : 0;
      keys[shape.order + 2] = static_cast<int32_t>(end - begin);
    }
    first += sizes[level];
    keys_per_entry /= shape.per_node;
  }
  return words;
}

}  // namespace flagstone
