// What caches hold from one launch of a run to the next, where the machine keeps them.
#ifndef FLAGSTONE_GPU_MODEL_MEMORY_KEPT_CACHES_H_
#define FLAGSTONE_GPU_MODEL_MEMORY_KEPT_CACHES_H_

#include <vector>

#include "gpu_model/memory/tag_array.h"

namespace flagstone {

// Empty: the next launch begins with empty caches.
struct KeptCaches {
  std::vector<TagArray> l2;                      // BetweenLaunches::kKeep: slices, node after node
  std::vector<std::vector<TagArray>> read_only;  // ReadOnlyCaches::kKeep: of each SM
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_MEMORY_KEPT_CACHES_H_
