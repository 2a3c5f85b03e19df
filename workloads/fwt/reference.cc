// The transform by its recursion, step by step from the smallest distance up (the kernels go down),
// in f64: the matrix of a step commutes with the others', so that the order does not matter.
#include "workloads/reference.h"

#include <vector>

namespace flagstone {

void ComputeFwt(ReferenceData& data) {
  const auto elements = data.Buffer<float>(0, 0);
  std::vector<double> v(elements.begin(), elements.end());
  for (size_t distance = 1; 2 * distance <= v.size(); distance *= 2) {
    for (size_t first = 0; first + 2 * distance <= v.size(); first += 2 * distance) {
      for (size_t i = first; i < first + distance; ++i) {
        const double left = v[i];
        const double right = v[i + distance];
        v[i] = left + right;
        v[i + distance] = left - right;
      }
    }
  }
  for (size_t i = 0; i < v.size(); ++i) elements[i] = static_cast<float>(v[i]);
}

}  // namespace flagstone
