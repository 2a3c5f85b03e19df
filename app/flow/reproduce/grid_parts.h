// What the grids of experiments and of sweeps are made of.
#ifndef FLAGSTONE_APP_FLOW_REPRODUCE_GRID_PARTS_H_
#define FLAGSTONE_APP_FLOW_REPRODUCE_GRID_PARTS_H_

#include <toml++/toml.h>

#include <string>
#include <vector>

#include "base/toml_reader.h"

namespace flagstone {

// A [[variant]]: what is compared.
struct GridVariant {
  std::string name, policy, warp_scheduler, prefetcher;
  std::vector<std::string> settings;  // KEY=VALUE

  // Throws kBadInput, as all below.
  static GridVariant Parse(const TomlReader& reader);
};

// An element of `workloads`: a name, or a table {workload, label, size}.
struct GridWorkload {
  std::string label, workload, size;

  static GridWorkload Parse(const TomlReader& set, const toml::node& node, const std::string& size);
};

// The key `data`: whether addresses that depend on data are known.
bool ReadKnownData(const TomlReader& root);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_FLOW_REPRODUCE_GRID_PARTS_H_
