// The matrix product of a mixture of experts: slots are sorted by expert, a slot names its token,
// and a TB multiplies 32 slots of one expert by 32 columns of the expert's weights. TBs in x share
// the gathered rows of tokens; TBs in y share weights as long as the expert stays the same.
constexpr int kTile = 32;
constexpr int kDepth = 16;
constexpr int kSide = 16;

extern "C" __global__ void __launch_bounds__(kSide* kSide)
    moe_gather_gemm(const float* token, const float* weight, const int* token_of_slot,
                    const int* expert_of_block, float* out, int columns, int depth) {
  __shared__ float a[kTile][kDepth + 1];
  __shared__ float b[kDepth][kTile];
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const int slot = blockIdx.y * kTile;
  const int column = blockIdx.x * kTile;
  const float* own_weight = weight + expert_of_block[blockIdx.y] * depth * columns;
  const float* upper = token + token_of_slot[slot + y] * depth;
  const float* lower = token + token_of_slot[slot + y + kSide] * depth;
  float sum[2][2] = {};
  for (int first = 0; first < depth; first += kDepth) {
    a[y][x] = upper[first + x];
    a[y + kSide][x] = lower[first + x];
    b[y][x] = own_weight[(first + y) * columns + column + x];
    b[y][x + kSide] = own_weight[(first + y) * columns + column + x + kSide];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kDepth; ++i) {
      sum[0][0] += a[y][i] * b[i][x];
      sum[0][1] += a[y][i] * b[i][x + kSide];
      sum[1][0] += a[y + kSide][i] * b[i][x];
      sum[1][1] += a[y + kSide][i] * b[i][x + kSide];
    }
    __syncthreads();
  }
  float* own_out = out + (slot + y) * columns + column + x;
  own_out[0] = sum[0][0];
  own_out[kSide] = sum[0][1];
  own_out[kSide * columns] = sum[1][0];
  own_out[kSide * columns + kSide] = sum[1][1];
}
