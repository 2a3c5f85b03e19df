// C[a][b][c][d] = the sum over e and f of A[a][e][b][f] * B[e][c][f][d], all but e and f with 16
// values: a TB has a pair of a and c, a thread a pair of b and d. TBs in x share a slice of A, TBs
// in y a slice of B that lies in pieces, one for each e.
constexpr int kSide = 16;
constexpr int kInner = 8;

extern "C" __global__ void __launch_bounds__(kSide* kSide)
    tensor_contraction(const float* left, const float* right, float* out) {
  const int a = blockIdx.y;
  const int b = threadIdx.y;
  const int c = blockIdx.x;
  const int d = threadIdx.x;
  float sum = 0;
  for (int e = 0; e < kInner; ++e) {
#pragma unroll
    for (int f = 0; f < kInner; ++f) {
      sum += left[((a * kInner + e) * kSide + b) * kInner + f] *
             right[((e * gridDim.x + c) * kInner + f) * kSide + d];
    }
  }
  out[((a * kSide + b) * gridDim.x + c) * kSide + d] = sum;
}
