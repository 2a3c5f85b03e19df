// Speckle-reducing anisotropic diffusion of an image: one kernel finds each pixel's gradients and
// its diffusion coefficient, the other one moves each pixel along the gradients, weighted by the
// coefficients. Thread blocks of 16 x 16 pixels fetch their halo (the rows and columns next to
// them) into shared memory; every thread of a column fetches the same cell of a halo row.
constexpr int kTile = 16;

// Rows and columns are whole multiples of the tile's side. A neighbour beyond the image's edge is
// the edge pixel itself.
extern "C" __global__ void srad_coefficients(const float* image, float* d_north, float* d_south,
                                             float* d_west, float* d_east, float* coefficient,
                                             int columns, float q0_squared) {
  __shared__ float tile[kTile][kTile];
  __shared__ float north_halo[kTile][kTile];
  __shared__ float south_halo[kTile][kTile];
  __shared__ float west_halo[kTile][kTile];
  __shared__ float east_halo[kTile][kTile];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int bx = blockIdx.x;
  const int by = blockIdx.y;
  const int index = (by * kTile + ty) * columns + bx * kTile + tx;

  const float here = image[index];
  tile[ty][tx] = here;
  north_halo[ty][tx] = here;
  south_halo[ty][tx] = here;
  west_halo[ty][tx] = here;
  east_halo[ty][tx] = here;
  if (by > 0) north_halo[ty][tx] = image[(by * kTile - 1) * columns + bx * kTile + tx];
  if (by < gridDim.y - 1) {
    south_halo[ty][tx] = image[(by * kTile + kTile) * columns + bx * kTile + tx];
  }
  if (bx > 0) west_halo[ty][tx] = image[(by * kTile + ty) * columns + bx * kTile - 1];
  if (bx < gridDim.x - 1) {
    east_halo[ty][tx] = image[(by * kTile + ty) * columns + bx * kTile + kTile];
  }
  __syncthreads();

  const float n = (ty > 0 ? tile[ty - 1][tx] : north_halo[ty][tx]) - here;
  const float s = (ty < kTile - 1 ? tile[ty + 1][tx] : south_halo[ty][tx]) - here;
  const float w = (tx > 0 ? tile[ty][tx - 1] : west_halo[ty][tx]) - here;
  const float e = (tx < kTile - 1 ? tile[ty][tx + 1] : east_halo[ty][tx]) - here;

  // Instantaneous coefficient of variation q, against the one of speckle alone, q0.
  const float gradient_squared = (n * n + s * s + w * w + e * e) / (here * here);
  const float laplacian = (n + s + w + e) / here;
  const float mean = 1 + 0.25F * laplacian;
  const float q_squared =
      (0.5F * gradient_squared - (1.0F / 16) * laplacian * laplacian) / (mean * mean);
  const float excess = (q_squared - q0_squared) / (q0_squared * (1 + q0_squared));
  float c = 1 / (1 + excess);
  if (c < 0) {
    c = 0;
  } else if (c > 1) {
    c = 1;
  }
  d_north[index] = n;
  d_south[index] = s;
  d_west[index] = w;
  d_east[index] = e;
  coefficient[index] = c;
}

extern "C" __global__ void srad_update(const float* d_north, const float* d_south,
                                       const float* d_west, const float* d_east,
                                       const float* coefficient, float* image, int columns,
                                       float lambda) {
  __shared__ float tile[kTile][kTile];
  __shared__ float south_halo[kTile][kTile];
  __shared__ float east_halo[kTile][kTile];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int bx = blockIdx.x;
  const int by = blockIdx.y;
  const int index = (by * kTile + ty) * columns + bx * kTile + tx;

  const float here = coefficient[index];
  tile[ty][tx] = here;
  south_halo[ty][tx] = here;
  east_halo[ty][tx] = here;
  if (by < gridDim.y - 1) {
    south_halo[ty][tx] = coefficient[(by * kTile + kTile) * columns + bx * kTile + tx];
  }
  if (bx < gridDim.x - 1) {
    east_halo[ty][tx] = coefficient[(by * kTile + ty) * columns + bx * kTile + kTile];
  }
  __syncthreads();

  const float south = ty < kTile - 1 ? tile[ty + 1][tx] : south_halo[ty][tx];
  const float east = tx < kTile - 1 ? tile[ty][tx + 1] : east_halo[ty][tx];
  const float divergence =
      here * d_north[index] + south * d_south[index] + here * d_west[index] + east * d_east[index];
  image[index] += 0.25F * lambda * divergence;
}
