// The size tables of workload.toml: [size.test] and [size.paper] override any key of the file.
#ifndef FLAGSTONE_KERNELS_LAUNCH_OVERLAY_H_
#define FLAGSTONE_KERNELS_LAUNCH_OVERLAY_H_

#include <toml++/toml.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "kernels/launch/workload.h"

namespace flagstone {

// Merges [size.<size>] into `file_table` and removes the key "size". Tables merge key by key,
// [[size.<size>.launch]] merges element by element (more elements are further launches), anything
// else replaces. A new `fill` or `kind` drops the old one's keys, a new `file` or `reference` of a
// check the old one. Nodes keep their positions in the file. Gives Workload::size. Throws kBadInput
// for an unknown size or size table.
std::string ApplySize(toml::table& file_table, std::string_view size, const std::string& file);

// Puts each file in the place of the [input] or the buffer's fill of its name; a `symmetric` of the
// input stays. Throws kBadInput for a name that is neither.
void ApplyInputFiles(toml::table& file_table, const InputFiles& files);

// A hash of the table's keys and values: not of comments, spaces and order.
uint64_t HashToml(const toml::table& table);

}  // namespace flagstone

#endif  // FLAGSTONE_KERNELS_LAUNCH_OVERLAY_H_
