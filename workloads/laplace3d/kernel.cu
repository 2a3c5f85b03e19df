// One step of a Laplace solver in three dimensions: an inner cell becomes the mean of its six
// neighbours, the surface stays. A thread block of 32 x 4 threads owns a column of the volume and
// marches along z with three planes of its tile in shared memory; some of its threads also load the
// tile's rim, so that neighbouring blocks share cells.
constexpr int kWidth = 32;
constexpr int kHeight = 4;
constexpr int kRim = 2 * (kWidth + kHeight);

extern "C" __global__ void laplace3d(int nx, int ny, int nz, int pitch, const float* u1,
                                     float* u2) {
  __shared__ float tile[3][kHeight + 2][kWidth + 2];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int x = blockIdx.x * kWidth + tx;
  const int y = blockIdx.y * kHeight + ty;
  const bool active = x < nx && y < ny;
  int here = y * pitch + x;
  const int plane = ny * pitch;

  // The first two warps load the rows above and below the tile, the third one its sides.
  const int thread = ty * kWidth + tx;
  const int rim_tx = thread < 2 * kWidth ? tx : thread % 2 * (kWidth + 1) - 1;
  const int rim_ty = thread < 2 * kWidth ? ty * (kHeight + 1) - 1 : thread / 2 - kWidth;
  const int rim_x = blockIdx.x * kWidth + rim_tx;
  const int rim_y = blockIdx.y * kHeight + rim_ty;
  const bool on_rim = thread < kRim && rim_x >= 0 && rim_x < nx && rim_y >= 0 && rim_y < ny;
  int rim_here = rim_y * pitch + rim_x;

  float* const cell = &tile[1][ty + 1][tx + 1];
  float* const rim_cell = &tile[1][rim_ty + 1][rim_tx + 1];
  constexpr int kRow = kWidth + 2;
  constexpr int kPlane = (kHeight + 2) * kRow;
  if (active) cell[kPlane] = u1[here];
  if (on_rim) rim_cell[kPlane] = u1[rim_here];

  for (int z = 0; z < nz; ++z) {
    if (active) {
      cell[-kPlane] = cell[0];
      cell[0] = cell[kPlane];
      if (z < nz - 1) cell[kPlane] = u1[here + plane];
    }
    if (on_rim) {
      rim_cell[-kPlane] = rim_cell[0];
      rim_cell[0] = rim_cell[kPlane];
      if (z < nz - 1) rim_cell[kPlane] = u1[rim_here + plane];
    }
    __syncthreads();
    if (active) {
      float value = cell[0];
      if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1 && z > 0 && z < nz - 1) {
        value = (cell[-1] + cell[1] + cell[-kRow] + cell[kRow] + cell[-kPlane] + cell[kPlane]) *
                (1.0F / 6.0F);
      }
      u2[here] = value;
    }
    here += plane;
    rim_here += plane;
    __syncthreads();
  }
}
