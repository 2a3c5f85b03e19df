// A 7-point stencil in three dimensions with less loads than points: a thread computes two columns
// of cells, 32 apart, on its way through the planes; the cells below and above stay in its
// registers, those beside it come from the block's tile of the plane in shared memory, or from
// global memory at the tile's edge. The sizes in x and y are multiples of the tile's.
constexpr int kWidth = 32;
constexpr int kHeight = 4;

extern "C" __global__ void stencil_coarsened(float centre, float neighbours, const float* now,
                                             float* next, int nx, int ny, int nz) {
  __shared__ float tile[kHeight][2 * kWidth];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int x1 = blockIdx.x * (2 * kWidth) + tx;
  const int x2 = x1 + kWidth;
  const int y = blockIdx.y * kHeight + ty;
  const bool row_inside = y > 0 && y < ny - 1;
  const bool inside1 = row_inside && x1 > 0;
  const bool inside2 = row_inside && x2 < nx - 1;
  const int plane = nx * ny;
  float* const cell1 = &tile[ty][tx];
  float* const cell2 = cell1 + kWidth;
  constexpr int kRow = 2 * kWidth;

  int at = y * nx + x1;
  float below1 = now[at];
  float below2 = now[at + kWidth];
  at += plane;
  float here1 = now[at];
  float here2 = now[at + kWidth];
  for (int z = 1; z < nz - 1; ++z) {
    // What lies beside the tile, where the thread is at its edge.
    float west = 0, north1 = 0, south1 = 0;
    if (inside1) {
      if (tx == 0) west = now[at - 1];
      if (ty == 0) north1 = now[at - nx];
      if (ty == kHeight - 1) south1 = now[at + nx];
    }
    float east = 0, north2 = 0, south2 = 0;
    if (inside2) {
      if (tx == kWidth - 1) east = now[at + kWidth + 1];
      if (ty == 0) north2 = now[at + kWidth - nx];
      if (ty == kHeight - 1) south2 = now[at + kWidth + nx];
    }
    const float above1 = now[at + plane];
    const float above2 = now[at + kWidth + plane];
    *cell1 = here1;
    *cell2 = here2;
    __syncthreads();
    if (inside1) {
      if (tx > 0) west = cell1[-1];
      if (ty > 0) north1 = cell1[-kRow];
      if (ty < kHeight - 1) south1 = cell1[kRow];
      next[at] =
          neighbours * (west + cell1[1] + north1 + south1 + below1 + above1) - centre * here1;
    }
    if (inside2) {
      if (tx < kWidth - 1) east = cell2[1];
      if (ty > 0) north2 = cell2[-kRow];
      if (ty < kHeight - 1) south2 = cell2[kRow];
      next[at + kWidth] =
          neighbours * (cell2[-1] + east + north2 + south2 + below2 + above2) - centre * here2;
    }
    __syncthreads();
    below1 = here1;
    below2 = here2;
    here1 = above1;
    here2 = above2;
    at += plane;
  }
}
