// Products of a warp's rows by a matrix, for wgmma.
#include "gpu_model/simt/handlers/lanes.h"
#include "gpu_model/simt/warpgroup.h"

namespace flagstone::simt::FLAGSTONE_SIMT_VARIANT {
namespace {

template <class T, class Add>
FLAGSTONE_INLINE void Multiply(ProductTile<T>& tile, Add add) {
  for (uint32_t row = 0; row < ProductTile<T>::kRows; ++row) {
    T* const sums = tile.sums[row].data();
    for (uint32_t k = 0; k < tile.depth; ++k) {
      const T a = tile.a[row][k];
      const T* const b = tile.b[k].data();
#pragma GCC ivdep
      for (uint32_t column = 0; column < tile.columns; ++column) {
        sums[column] = add(a, b[column], sums[column]);
      }
    }
  }
}

}  // namespace

// Products of floats of up to 19 bits are exact in f64, but not all in f32: the sum is rounded
// once.
void MultiplyFloats(ProductTile<float>& tile) {
  Multiply(tile, [](float a, float b, float sum) { return __builtin_fmaf(a, b, sum); });
}

void MultiplyIntegers(ProductTile<int32_t>& tile) {
  Multiply(tile, [](int32_t a, int32_t b, int32_t sum) { return sum + a * b; });
}

}  // namespace flagstone::simt::FLAGSTONE_SIMT_VARIANT
