// Launches of which only shape and arrays matter, for tests of placement.
#ifndef FLAGSTONE_TESTS_UNIT_ANALYZER_PLACEMENT_CASES_H_
#define FLAGSTONE_TESTS_UNIT_ANALYZER_PLACEMENT_CASES_H_

#include <string>
#include <vector>

#include "analyzer/placement/placement.h"

namespace flagstone {

// An array without locality, of elements of 4 bytes; `stride`: of a loop over the grid, 0: none.
inline LadmArgument Streamed(uint64_t bytes, int64_t stride = 0) {
  LadmArgument array;
  array.bytes = bytes;
  array.type = LocalityType::kNoLocality;
  array.placement = PlacementOf(array.type);
  array.element_bytes = 4;
  if (stride != 0) array.stride_bytes = stride;
  return array;
}

// An array that rows or columns of TBs share.
inline LadmArgument Shared(LocalityType type, uint64_t bytes) {
  LadmArgument array = Streamed(bytes);
  array.type = type;
  array.placement = PlacementOf(type);
  return array;
}

class PlacementCase {
 public:
  PlacementCase(const NodeShape& nodes, const Dim3& grid, const LadmArgument& array) {
    input_.nodes = nodes;
    launch_.grid = grid;
    Add("array", array);
    ladm_.decided_by = "array";
  }
  void SetBlock(uint32_t x, uint32_t y = 1) { launch_.block = {x, y, 1}; }
  void Add(const std::string& name, LadmArgument array) {
    array.name = name;
    array.address = memory_.Allocate(name, array.bytes);
    ladm_.arguments.push_back(array);
    LadmAccess access;
    access.array = name;
    access.bytes = array.element_bytes;
    ladm_.table.push_back(access);
  }

  const PlacementInput& input() const {
    input_.launch = &launch_;
    input_.memory = &memory_;
    input_.ladm = &ladm_;
    return input_;
  }
  LaspDeal Deal() const { return DealOfArray(input(), ladm_.arguments[0]); }
  NodePlan Lasp() const { return PlanLasp(input()); }

  std::vector<uint32_t> TbNodes(const NodePlan& plan) const {
    std::vector<uint32_t> nodes;
    for (uint64_t tb = 0; tb < launch_.TbCount(); ++tb) {
      nodes.push_back(NodeOfTb(input_.nodes, plan.tbs, tb, launch_.grid.x));
    }
    return nodes;
  }
  std::vector<uint32_t> PageNodes(const NodePlan& plan) const {
    std::vector<uint32_t> nodes;
    for (uint64_t at = 0; at < ladm_.arguments[0].bytes; at += input_.page_bytes) {
      nodes.push_back(flagstone::Deal(input_.nodes, plan.pages.at("array"), at));
    }
    return nodes;
  }

 private:
  mutable PlacementInput input_;
  KernelLaunch launch_;
  DeviceMemory memory_;
  LadmAnalysis ladm_;
};

}  // namespace flagstone

#endif  // FLAGSTONE_TESTS_UNIT_ANALYZER_PLACEMENT_CASES_H_
