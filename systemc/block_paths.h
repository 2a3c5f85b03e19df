// The names of a GPU's parts in its hierarchy: "gpu.sm3", or "gpu.node1.sm3" where there are
// several nodes. Only this class knows that the single node of a GPU has no name.
#ifndef FLAGSTONE_SYSTEMC_BLOCK_PATHS_H_
#define FLAGSTONE_SYSTEMC_BLOCK_PATHS_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "gpu_model/machines/machine.h"

namespace flagstone {

class BlockPaths {
 public:
  // Of the whole GPU, not of one of its nodes.
  explicit BlockPaths(const MachineConfig& machine)
      : nodes_(machine.numa.Nodes()), sms_of_node_(machine.sm.count / nodes_) {}

  bool several() const { return nodes_ > 1; }
  static std::string TbRoot() { return "gpu.tb_root"; }  // of several nodes
  std::string OfNode(uint32_t node, std::string_view part) const;
  std::string OfEachNode(std::string_view part) const;  // with a star for the node's number
  // `sm`: its number in the GPU.
  std::string OfSm(uint32_t sm, std::string_view part) const;

 private:
  uint32_t nodes_;
  uint32_t sms_of_node_;
};

}  // namespace flagstone

#endif  // FLAGSTONE_SYSTEMC_BLOCK_PATHS_H_
