// Pages where they are used most: what a page table can do, and no interleaving of equal units can.
#include <algorithm>
#include <string_view>
#include <vector>

#include "analyzer/placement/placement.h"

namespace flagstone {
namespace {

const DeviceMemory::Region* FindRegion(const DeviceMemory& memory, std::string_view name) {
  for (const DeviceMemory::Region& region : memory.regions()) {
    if (region.name == name) return &region;
  }
  return nullptr;
}

// Bytes that the TBs of each node refer to, by page, then node.
class Uses {
 public:
  Uses(const PlacementInput& input, const DeviceMemory::Region& region)
      : nodes_(input.nodes.Nodes()),
        page_bytes_(static_cast<int64_t>(input.page_bytes)),
        base_(static_cast<int64_t>(region.address)),
        end_(static_cast<int64_t>(region.size)),
        bytes_((region.size + input.page_bytes - 1) / input.page_bytes * nodes_, 0) {}

  void Add(uint32_t node, const Range& range) {
    int64_t at = std::max<int64_t>(0, range.begin - base_);
    const int64_t end = std::min(end_, range.end - base_);
    while (at < end) {
      const int64_t page = at / page_bytes_;
      const int64_t stop = std::min(end, (page + 1) * page_bytes_);
      bytes_[static_cast<size_t>(page) * nodes_ + node] += static_cast<uint64_t>(stop - at);
      at = stop;
    }
  }
  // Of each page the node that refers to most of it, the first one of several.
  std::vector<uint8_t> Owners() const {
    std::vector<uint8_t> owners;
    for (auto page = bytes_.begin(); page != bytes_.end(); page += nodes_) {
      const auto most = std::max_element(page, page + nodes_);
      owners.push_back(*most == 0 ? NodePlan::kNoOwner : static_cast<uint8_t>(most - page));
    }
    return owners;
  }

 private:
  uint32_t nodes_;
  int64_t page_bytes_, base_, end_;
  std::vector<uint64_t> bytes_;
};

}  // namespace

void AddOwners(const PlacementInput& input, NodePlan* plan) {
  const std::vector<uint8_t> nodes =
      NodesOfTbs(input.nodes, *plan, input.launch->TbCount(), input.launch->grid.x);
  std::map<std::string, Uses> uses;
  for (const Footprints* footprints : {input.loads, input.stores}) {
    if (footprints == nullptr) continue;
    for (const ArrayFootprints& array : footprints->arrays) {
      const DeviceMemory::Region* region = FindRegion(*input.memory, array.array);
      if (region == nullptr) continue;
      Uses& of_array = uses.try_emplace(array.array, input, *region).first->second;
      for (uint32_t tb = 0; tb < footprints->tb_count; ++tb) {
        for (const Range& range : BytesOf(array, tb)) of_array.Add(nodes[tb], range);
      }
    }
  }
  for (const auto& [name, of_array] : uses) {
    std::vector<uint8_t>& owners = plan->owners[name];
    const std::vector<uint8_t> used = of_array.Owners();
    owners.resize(used.size(), NodePlan::kNoOwner);
    for (size_t page = 0; page < used.size(); ++page) {
      if (used[page] != NodePlan::kNoOwner) owners[page] = used[page];
    }
  }
}

NodePlan PlanOwner(const PlacementInput& input) {
  NodePlan plan = PlanLasp(input);
  AddOwners(input, &plan);
  return plan;
}

}  // namespace flagstone
