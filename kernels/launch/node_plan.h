// Where TBs run and pages lie on a machine of several nodes: what a policy decides before a launch.
#ifndef FLAGSTONE_KERNELS_LAUNCH_NODE_PLAN_H_
#define FLAGSTONE_KERNELS_LAUNCH_NODE_PLAN_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "kernels/launch/tb_groups.h"

namespace flagstone {

// GPUs of chiplets. Each chiplet is a node; node g * chiplets + c is chiplet c of GPU g.
struct NodeShape {
  uint32_t gpus = 1;
  uint32_t chiplets = 1;  // of a GPU

  uint32_t Nodes() const { return gpus * chiplets; }
};

// What is dealt out at a time, in bytes of a buffer, or in TBs, rows or columns of TBs.
struct DealUnits {
  uint64_t gpu = 1;      // to a GPU, before the next one gets as much
  uint64_t chiplet = 1;  // of what a GPU gets, to a chiplet, before its next one

  bool operator==(const DealUnits&) const = default;
};
// The node of place `index`, round-robin over the GPUs and, of what each gets, over its chiplets
// (LADM, equation 1, once for each level).
uint32_t Deal(const NodeShape& shape, const DealUnits& units, uint64_t index);

// Units of `unit` in turn: node after node, all chiplets of a GPU before the next GPU, or to one
// chiplet of each GPU before the next chiplets.
DealUnits ChipletFirst(const NodeShape& shape, uint64_t unit);
DealUnits GpuFirst(uint64_t unit);
// One contiguous part of `count` for each node, in multiples of `unit`.
DealUnits Parts(const NodeShape& shape, uint64_t count, uint64_t unit = 1);

// TB -> node.
struct TbMap {
  enum class Element : uint8_t { kTb, kRow, kColumn };  // of the grid; what is dealt out
  Element element = Element::kTb;
  DealUnits units;

  // `columns`: gridDim.x. Rows are those of all planes.
  uint64_t ElementOf(uint64_t tb, uint32_t columns) const;
};
uint32_t NodeOfTb(const NodeShape& shape, const TbMap& map, uint64_t tb, uint32_t columns);

struct NodePlan {
  TbMap tbs;
  // In place of `tbs`, where no units say it: by node, its TBs as groups for a queue in its memory.
  // Empty: `tbs` says it.
  std::vector<TbGroups> queues;
  // By buffer, in bytes: multiples of a page. A page of another buffer goes where Parts says, or
  // to the node that touches it first.
  std::map<std::string, DealUnits> pages;
  // Of pages that go elsewhere than `pages` says: by buffer and page, the node.
  static constexpr uint8_t kNoOwner = 0xff;  // as `pages` says
  std::map<std::string, std::vector<uint8_t>> owners;
  bool first_touch = false;
  // Lines that another node asks for stay in that node's L2 alone (RONCE), not at their home too.
  bool once = false;
};

// By TB of `tbs` in all: its node. Throws kInternal unless each TB is in one queue, where there are
// queues.
std::vector<uint8_t> NodesOfTbs(const NodeShape& shape, const NodePlan& plan, uint64_t tbs,
                                uint32_t columns);

}  // namespace flagstone

#endif  // FLAGSTONE_KERNELS_LAUNCH_NODE_PLAN_H_
