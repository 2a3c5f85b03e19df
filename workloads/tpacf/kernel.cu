// Two-point angular correlation: histograms of the angles between all pairs of points on the
// sphere, within the data, within each of `sets` random catalogues, and between the data and each
// of these. Block 0 does data with data, blocks 1 to `sets` data with a random set, the others a
// random set with itself: so all blocks that read the data share it, and each random set is shared
// by two.
constexpr int kThreads = 256;
constexpr int kWarps = kThreads / 32;
constexpr int kBins = 18;

// Cosines of the edges between the bins: 0.1 degrees and on, five to a factor of 10.
__constant__ float kEdges[kBins - 1] = {
    0.999998477F, 0.999996174F, 0.99999039F,  0.999975861F,  0.999939365F,  0.999847695F,
    0.999617442F, 0.999039151F, 0.997587041F, 0.993942606F,  0.984807753F,  0.961985109F,
    0.905429085F, 0.768163779F, 0.452501101F, -0.173648178F, -0.930349231F,
};

// The first edge whose cosine is not above this one, by binary search; bin 0 holds the smallest
// angles.
__device__ static int Bin(float cosine) {
  int low = 0;
  int high = kBins - 1;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (cosine < kEdges[middle]) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

// Set 0 is the data, sets 1 and on are random; x, y, z hold `points` values of each set.
extern "C" __global__ void tpacf(const float* x, const float* y, const float* z,
                                 unsigned* histograms, int sets, int points) {
  __shared__ float other_x[kThreads];
  __shared__ float other_y[kThreads];
  __shared__ float other_z[kThreads];
  __shared__ unsigned counts[kBins][kWarps];  // a histogram for each warp
  const int tx = threadIdx.x;
  const int block = blockIdx.x;
  const int first = block <= sets ? 0 : block - sets;
  const int second = block <= sets ? block : block - sets;
  const bool same = first == second;

  for (int i = tx; i < kBins * kWarps; i += kThreads) counts[i / kWarps][i % kWarps] = 0;

  for (int begin = 0; begin < points; begin += kThreads) {
    // One tile of the second set in shared memory meets every point of the first set.
    __syncthreads();
    if (begin + tx < points) {
      other_x[tx] = x[second * points + begin + tx];
      other_y[tx] = y[second * points + begin + tx];
      other_z[tx] = z[second * points + begin + tx];
    }
    __syncthreads();
    const int tile = min(kThreads, points - begin);
    for (int i = tx; i < points; i += kThreads) {
      const float px = x[first * points + i];
      const float py = y[first * points + i];
      const float pz = z[first * points + i];
      // Within a set each pair counts once.
      const int end = same ? min(tile, i - begin) : tile;
      for (int j = 0; j < end; ++j) {
        const float cosine = px * other_x[j] + py * other_y[j] + pz * other_z[j];
        atomicAdd(&counts[Bin(cosine)][tx / 32], 1U);
      }
    }
  }

  // The warps' histograms are added up by halves.
  for (int half = kWarps / 2; half > 0; half /= 2) {
    __syncthreads();
    if (tx < kBins * half) {
      const int bin = tx / half;
      const int warp = tx % half;
      counts[bin][warp] += counts[bin][warp + half];
    }
  }
  __syncthreads();
  if (tx < kBins) histograms[block * kBins + tx] = counts[tx][0];
}
