#include "app/flow/studies/tb_bases.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

namespace flagstone {
namespace {

using AddressesByWarp = std::map<uint8_t, uint64_t>;

std::optional<int64_t> StrideOf(const AddressesByWarp& addresses) {
  std::optional<int64_t> stride;
  for (auto warp = addresses.begin(); std::next(warp) != addresses.end(); ++warp) {
    const auto bytes = static_cast<int64_t>(std::next(warp)->second - warp->second);
    if (stride && *stride != bytes) return std::nullopt;
    stride = bytes;
  }
  return stride;
}

}  // namespace

std::vector<TbBase> TbBases(const LoadLog& log) {
  std::vector<std::pair<uint64_t, AddressesByWarp>> tbs;
  for (const LoadEvent& load : log) {
    if (load.pc != log.front().pc) continue;
    auto tb = std::find_if(tbs.begin(), tbs.end(),
                           [&load](const auto& known) { return known.first == load.tb; });
    if (tb == tbs.end()) tb = tbs.insert(tb, {load.tb, {}});
    tb->second.emplace(load.warp, load.address);
  }
  std::vector<TbBase> bases;
  for (const auto& [tb, addresses] : tbs) {
    bases.push_back({tb, addresses.begin()->second, static_cast<uint32_t>(addresses.size()),
                     StrideOf(addresses)});
  }
  return bases;
}

}  // namespace flagstone
