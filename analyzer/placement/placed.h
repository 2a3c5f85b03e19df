// What a plan for several nodes comes to: how many TBs and pages of each array each node gets.
#ifndef FLAGSTONE_ANALYZER_PLACEMENT_PLACED_H_
#define FLAGSTONE_ANALYZER_PLACEMENT_PLACED_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/placement/placement.h"

namespace flagstone {

struct PlacedArray {
  std::string name;
  std::optional<DealUnits> units;  // bytes; none: where pages are touched first
  bool by_owner = false;           // some of its pages go elsewhere
  std::vector<uint64_t> pages;     // of each node; empty without units
};

struct Placed {
  TbMap tbs;
  bool by_queue = false;  // TBs go one by one elsewhere
  std::vector<uint64_t> tbs_of_node;
  bool once = false;
  std::vector<PlacedArray> arrays;  // by address
};

Placed WhatIsPlaced(const PlacementInput& input, const NodePlan& plan);

}  // namespace flagstone

#endif  // FLAGSTONE_ANALYZER_PLACEMENT_PLACED_H_
