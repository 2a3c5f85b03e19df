// A hardware block as the C++ side knows it: RTL module, parameters, ports, golden model.
#ifndef FLAGSTONE_GPU_MODEL_BLOCKS_BLOCK_TYPE_H_
#define FLAGSTONE_GPU_MODEL_BLOCKS_BLOCK_TYPE_H_

#include <fmt/core.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "gpu_model/blocks/block.h"
#include "gpu_model/blocks/event_rule.h"
#include "gpu_model/blocks/field.h"

namespace flagstone {

struct RtlParameter {
  std::string name;  // the RTL's
  uint32_t value = 0;
};
using RtlParameters = std::vector<RtlParameter>;

// "NumSm=15 IdWidth=16".
inline std::string ToString(const RtlParameters& parameters) {
  std::string text;
  for (const RtlParameter& p : parameters) {
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", p.name, p.value);
  }
  return text;
}

inline uint32_t ParameterValue(const RtlParameters& parameters, std::string_view name) {
  for (const RtlParameter& parameter : parameters) {
    if (parameter.name == name) return parameter.value;
  }
  ThrowInternal("no parameter {}", name);
}

template <class In, class Out>
struct BlockType {
  std::string name;          // of the RTL's module
  RtlParameters parameters;  // all that differ from the RTL's defaults, in the RTL's order
  FieldTable<In> inputs;     // all ports but clk_i and rst_ni
  FieldTable<Out> outputs;
  EventRule<In, Out> events;  // which ticks of the RTL may be skipped
  std::function<std::unique_ptr<Block<In, Out>>()> model;
  // Parts of a block only: outputs may follow inputs within a cycle (see Block::Settle).
  bool settles = false;

  uint32_t Parameter(std::string_view parameter) const {
    return ParameterValue(parameters, parameter);
  }
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_BLOCKS_BLOCK_TYPE_H_
