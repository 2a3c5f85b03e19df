// Gravity between bodies, by tiles: a TB adds up what one part of the bodies does to 64 others. TBs
// in x read the same part, TBs in y the same 64 bodies; the sums of the parts stay apart.
constexpr int kTile = 64;

extern "C" __global__ void __launch_bounds__(kTile)
    n_body_tiles(const float4* body, float4* pull, int bodies, int part) {
  __shared__ float4 tile[kTile];
  const int own_at = blockIdx.x * kTile + threadIdx.x;
  const float4 own = body[own_at];
  float4 sum = {0, 0, 0, 0};
  for (int first = blockIdx.y * part; first < (blockIdx.y + 1) * part; first += kTile) {
    tile[threadIdx.x] = body[first + threadIdx.x];
    __syncthreads();
#pragma unroll 4
    for (int i = 0; i < kTile; ++i) {
      const float x = tile[i].x - own.x;
      const float y = tile[i].y - own.y;
      const float z = tile[i].z - own.z;
      const float inverse = rsqrtf(x * x + y * y + z * z + 0.01F);
      const float factor = tile[i].w * inverse * inverse * inverse;
      sum.x += x * factor;
      sum.y += y * factor;
      sum.z += z * factor;
    }
    __syncthreads();
  }
  pull[blockIdx.y * bodies + own_at] = sum;
}
