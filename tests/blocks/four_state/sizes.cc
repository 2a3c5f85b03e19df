#include "tests/blocks/four_state/sizes.h"

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gpu_model/blocks/all/all_blocks.h"

namespace flagstone {
namespace {

// A parameter of few values says which kind of a block it is.
std::vector<uint32_t> Kinds(const BlockParameter& parameter) {
  std::vector<uint32_t> kinds = parameter.only;
  if (!kinds.empty() || parameter.high - parameter.low > 3) return kinds;
  for (uint32_t value = parameter.low; value <= parameter.high; ++value) kinds.push_back(value);
  return kinds;
}

// Sizes of what has no SMs, beside a few SMs; beside many it has its usual size.
uint32_t SmallValue(const BlockParameter& parameter) {
  constexpr std::pair<std::string_view, uint32_t> kSmall[] = {
      {"CtaSlots", 3}, {"NumWarps", 12}, {"Threshold", 5}, {"TbSlots", 3},
      {"Gpus", 2},     {"Chiplets", 3},  {"NodeWidth", 2}, {"ReadyWarps", 3}};
  for (const auto& [name, value] : kSmall) {
    if (name == parameter.name) return value;
  }
  return parameter.standard;
}

void PrintSizesOf(const BlockDescriptor& block, uint32_t sms) {
  const auto size = [&](std::string_view changed, uint32_t value) {
    std::string text(block.name);
    for (const BlockParameter& p : block.parameters) {
      uint32_t v = p.name == changed ? value : sms <= 8 ? SmallValue(p) : p.standard;
      if (p.name == "NumSm" || p.name == "NumLanes") v = std::clamp(sms, p.low, p.high);
      if (p.name == "IssuePorts") v = std::min(p.high, sms > 8 ? 3u : 2u);
      text += fmt::format(" {}={}", p.name, v);
    }
    fmt::print("{}\n", text);
  };
  size("", 0);
  for (const BlockParameter& p : block.parameters) {
    for (const uint32_t kind : Kinds(p)) {
      if (kind != p.standard) size(p.name, kind);
    }
  }
}

}  // namespace

void PrintSizes(uint32_t sms) {
  for (const BlockDescriptor* block : BlockDescriptors()) {
    if (block->whole) PrintSizesOf(*block, sms);
  }
}

}  // namespace flagstone
