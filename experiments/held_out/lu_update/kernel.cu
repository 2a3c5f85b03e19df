// One step of an LU factorisation by blocks of 32. The block on the diagonal and the blocks below
// it are factored already: lu_rows solves for the blocks to the right of the diagonal, and
// lu_update subtracts the product of both panels from the rest. TBs of lu_rows share the block on
// the diagonal; TBs of lu_update share the panel below by row, and the panel to the right by
// column.
constexpr int kBlock = 32;
constexpr int kSide = 16;

extern "C" __global__ void __launch_bounds__(kBlock) lu_rows(float* a, int size, int step) {
  const int diagonal = step * kBlock;
  const int column = diagonal + kBlock + blockIdx.x * kBlock + threadIdx.x;
  float solved[kBlock];
#pragma unroll
  for (int i = 0; i < kBlock; ++i) {
    float value = a[(diagonal + i) * size + column];
#pragma unroll
    for (int j = 0; j < i; ++j) value -= a[(diagonal + i) * size + diagonal + j] * solved[j];
    solved[i] = value;
  }
#pragma unroll
  for (int i = 0; i < kBlock; ++i) a[(diagonal + i) * size + column] = solved[i];
}

extern "C" __global__ void __launch_bounds__(kSide* kSide) lu_update(float* a, int size, int step) {
  const int diagonal = step * kBlock;
  const int row = diagonal + kBlock + blockIdx.y * kBlock + threadIdx.y;
  const int column = diagonal + kBlock + blockIdx.x * kBlock + threadIdx.x;
  float sum[2][2] = {};
#pragma unroll 8
  for (int i = diagonal; i < diagonal + kBlock; ++i) {
    const float upper = a[row * size + i];
    const float lower = a[(row + kSide) * size + i];
    const float left = a[i * size + column];
    const float right = a[i * size + column + kSide];
    sum[0][0] += upper * left;
    sum[0][1] += upper * right;
    sum[1][0] += lower * left;
    sum[1][1] += lower * right;
  }
  a[row * size + column] -= sum[0][0];
  a[row * size + column + kSide] -= sum[0][1];
  a[(row + kSide) * size + column] -= sum[1][0];
  a[(row + kSide) * size + column + kSide] -= sum[1][1];
}
