// Looks keys up in the sorted table of all keys in the tree's leaves.
#include "workloads/reference.h"

#include <map>

#include "base/error.h"

namespace flagstone {
namespace {

constexpr size_t kOrder = 256;
constexpr size_t kNodeWords = 2 * kOrder + 5;

// Index of the record of each key.
std::map<int32_t, int32_t> Leaves(std::span<const int32_t> nodes) {
  std::map<int32_t, int32_t> records;
  for (size_t begin = 0; begin + kNodeWords <= nodes.size(); begin += kNodeWords) {
    const auto indices = nodes.subspan(begin + 1, kOrder + 1);
    const auto keys = nodes.subspan(begin + 1 + kOrder + 1, kOrder + 1);
    const bool is_leaf = nodes[begin + kNodeWords - 2] != 0;
    const int32_t used = nodes[begin + kNodeWords - 1];
    for (size_t i = 0; is_leaf && i < kOrder && static_cast<int32_t>(i) < used; ++i) {
      records[keys[i]] = indices[i];
    }
  }
  return records;
}

}  // namespace

void ComputeBtreeFindk(ReferenceData& data) {
  for (size_t launch = 0; launch < data.LaunchCount(); ++launch) {
    const std::map<int32_t, int32_t> leaves = Leaves(data.Buffer<int32_t>(launch, 1));
    const auto records = data.Buffer<int32_t>(launch, 3);
    const auto wanted = data.Buffer<int32_t>(launch, 6);
    const auto answer = data.Buffer<int32_t>(launch, 7, wanted.size());
    for (size_t query = 0; query < wanted.size(); ++query) {
      const auto found = leaves.find(wanted[query]);
      if (found == leaves.end()) continue;  // the answer stays as it was
      const auto record = static_cast<size_t>(found->second);
      if (found->second < 0 || record >= records.size()) {
        ThrowBadInput("reference 'btree_findk': record {} of key {}: expected 0 or more, below {}",
                      found->second, found->first, records.size());
      }
      answer[query] = records[record];
    }
  }
}

}  // namespace flagstone
