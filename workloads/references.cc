// Every CPU reference that a workload.toml can name.
#include <array>

#include "workloads/reference.h"

namespace flagstone {

ReferenceTable References() {
  static constexpr std::array<Reference, 5> kReferences = {{
      {"hotspot", ComputeHotspot},
      {"matmul", ComputeMatmul},
      {"spmv", ComputeSpmv},
      {"syrk", ComputeSyrk},
      {"vecadd", ComputeVecadd},
  }};
  return kReferences;
}

}  // namespace flagstone
