#include "systemc/block_paths.h"

#include <fmt/core.h>

namespace flagstone {

std::string BlockPaths::OfNode(uint32_t node, std::string_view part) const {
  return several() ? fmt::format("gpu.node{}.{}", node, part) : fmt::format("gpu.{}", part);
}

std::string BlockPaths::OfEachNode(std::string_view part) const {
  return several() ? fmt::format("gpu.node*.{}", part) : fmt::format("gpu.{}", part);
}

std::string BlockPaths::OfSm(uint32_t sm, std::string_view part) const {
  return OfNode(sm / sms_of_node_, fmt::format("sm{}.{}", sm % sms_of_node_, part));
}

}  // namespace flagstone
