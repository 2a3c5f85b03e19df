#include "app/order/candidates.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>
#include <string>

#include "base/all_cores.h"
#include "base/hash.h"

namespace flagstone {
namespace {

// Places of a grid that tell two orders apart: all of a small one, some of a large one.
constexpr uint64_t kCompared = 4096;

// What grids and machines give an order to choose.
struct Choices {
  bool planes = false, volumes = false, bands = false, chiplets = false, sms = false, waves = false;
};

std::vector<std::string> Names(const Choices& has) {
  std::vector<std::string> bases = {"identity", "reverse"};
  if (has.bands) bases.emplace_back("band:1");
  if (has.planes) {
    bases.emplace_back("column");
    bases.emplace_back("snake");
    for (const int rows : {2, 3, 4, 6, 8, 12, 16, 24, 32}) {
      bases.push_back(fmt::format("band:{}", rows));
    }
    for (const int columns : {2, 4, 8, 16, 32}) bases.push_back(fmt::format("band-x:{}", columns));
    for (const char* tile : {"2x2", "4x4", "8x8", "16x16", "4x8", "8x4", "8x16", "16x8"}) {
      bases.push_back(fmt::format("tile:{}", tile));
    }
    bases.emplace_back("hilbert");
    bases.emplace_back("morton");
  }
  if (has.volumes) {
    for (const char* axes : {"yxz", "xzy", "zxy", "yzx", "zyx"}) {
      bases.push_back(fmt::format("axes:{}", axes));
    }
    for (const char* tile : {"2x2x2", "4x4x4", "8x4x4", "4x2x8"}) {
      bases.push_back(fmt::format("tile:{}", tile));
    }
  }
  std::vector<std::string> names = bases;
  if (has.sms) names.emplace_back("identity+sm");
  for (const std::string& base : bases) {
    if (has.waves) names.push_back(base + "+wave");
    if (has.chiplets) names.push_back(base + "+xcd");
  }
  return names;
}

// Of the order on all grids.
uint64_t Fingerprint(const TbOrder& order, const std::vector<Dim3>& grids,
                     const std::vector<OrderMachine>& machines) {
  Fnv1a hash;
  for (size_t g = 0; g < grids.size(); ++g) {
    const uint64_t count = grids[g].Count();
    if (!order.HasClosedForm()) {
      hash.Add(std::string_view{order.name});
      continue;
    }
    const uint64_t stride = std::max<uint64_t>(1, count / kCompared);
    for (uint64_t i = 0; i < count; i += stride) {
      hash.Add(OrderAt(order, grids[g], machines[g], i));
    }
  }
  return hash.Value();
}

}  // namespace

std::vector<TbOrder> CandidateOrders(const std::vector<Dim3>& grids,
                                     const std::vector<OrderMachine>& machines) {
  Choices has;
  for (size_t g = 0; g < grids.size(); ++g) {
    const Dim3& grid = machines[g].Over(grids[g]);
    has.planes = has.planes || (grid.x > 1 && grid.y > 1);
    has.volumes = has.volumes || (grid.z > 1 && (grid.x > 1 || grid.y > 1));
    has.bands = has.bands || machines[g].tile_band > 1;
    has.chiplets = has.chiplets || machines[g].chiplets > 1;
    has.sms = has.sms || machines[g].in_turn;
    has.waves = has.waves || (machines[g].in_turn && machines[g].tbs_per_sm > 1);
  }
  std::vector<TbOrder> all;
  for (const std::string& name : Names(has)) {
    all.push_back(ParseTbOrder(name));
  }
  std::vector<uint64_t> fingerprints(all.size());
  ForEachOnAllCores(all.size(),
                    [&](size_t i) { fingerprints[i] = Fingerprint(all[i], grids, machines); });
  std::vector<TbOrder> orders;
  std::set<uint64_t> known;
  for (size_t i = 0; i < all.size(); ++i) {
    if (known.insert(fingerprints[i]).second) orders.push_back(std::move(all[i]));
  }
  return orders;
}

bool IsIdentity(const TbOrder& order, const std::vector<Dim3>& grids,
                const std::vector<OrderMachine>& machines) {
  return order.HasClosedForm() &&
         Fingerprint(order, grids, machines) == Fingerprint(TbOrder{}, grids, machines);
}

}  // namespace flagstone
