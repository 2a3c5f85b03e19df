// Finds ranges in the sorted list of all keys in the tree's leaves: the first record, and how many
// there are up to the last one.
#include "workloads/reference.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace flagstone {
namespace {

constexpr size_t kKeysOfNode = 256;

using KeyAndRecord = std::pair<int32_t, int32_t>;

std::vector<KeyAndRecord> SortedLeaves(std::span<const int32_t> words) {
  struct Node {
    int32_t location;
    int32_t indices[kKeysOfNode + 1];
    int32_t keys[kKeysOfNode + 1];
    int32_t is_leaf;
    int32_t num_keys;
  };
  std::vector<KeyAndRecord> leaves;
  for (size_t i = 0; i < words.size_bytes() / sizeof(Node); ++i) {
    const Node& node = reinterpret_cast<const Node*>(words.data())[i];
    const int32_t used = std::min(node.num_keys, static_cast<int32_t>(kKeysOfNode));
    for (int32_t k = 0; node.is_leaf != 0 && k < used; ++k) {
      leaves.emplace_back(node.keys[k], node.indices[k]);
    }
  }
  std::sort(leaves.begin(), leaves.end());
  return leaves;
}

}  // namespace

void ComputeBtreeFindrangek(ReferenceData& data) {
  for (size_t launch = 0; launch < data.LaunchCount(); ++launch) {
    const std::vector<KeyAndRecord> leaves = SortedLeaves(data.Buffer<int32_t>(launch, 1));
    const auto first = data.Buffer<int32_t>(launch, 7);
    const auto last = data.Buffer<int32_t>(launch, 8, first.size());
    const auto record = data.Buffer<int32_t>(launch, 9, first.size());
    const auto length = data.Buffer<int32_t>(launch, 10, first.size());
    const auto find = [&](int32_t key) {
      const auto found = std::lower_bound(leaves.begin(), leaves.end(), KeyAndRecord{key, 0});
      return found != leaves.end() && found->first == key ? found : leaves.end();
    };
    for (size_t query = 0; query < first.size(); ++query) {
      const auto begin = find(first[query]);
      const auto end = find(last[query]);
      // An end that is not in the tree leaves its result as it was.
      if (begin != leaves.end()) record[query] = begin->second;
      if (end != leaves.end()) length[query] = end->second - record[query] + 1;
    }
  }
}

}  // namespace flagstone
