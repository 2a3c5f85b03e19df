// Integers of workload.toml that follow from an input's size: "graph.nodes", "graph.nodes / 256".
#ifndef FLAGSTONE_KERNELS_LAUNCH_QUANTITY_H_
#define FLAGSTONE_KERNELS_LAUNCH_QUANTITY_H_

#include <cstdint>
#include <string_view>

#include "base/toml_reader.h"
#include "kernels/inputs/input.h"

namespace flagstone {

// The integer `node`, min to max, or the value of a string: NAME.nodes (or rows),
// NAME.columns or NAME.edges (or elements) of an input, then any of `* N`, `+ N`, `- N` and `/ N`
// (rounded up), applied from left to right. Throws kBadInput; `what` names the value.
int64_t IntegerOrQuantity(const TomlReader& table, const toml::node& node, std::string_view what,
                          int64_t min, int64_t max, const Inputs& inputs);

}  // namespace flagstone

#endif  // FLAGSTONE_KERNELS_LAUNCH_QUANTITY_H_
