// Temperature of a chip: explicit time steps of a five-point stencil. A thread block loads a tile
// with a halo of `steps` cells, does `steps` time steps in shared memory (the region that is still
// exact shrinks by one cell a step) and writes the inner cells: blocks overlap, so neighbours share
// data.
constexpr int kTile = 16;

extern "C" __global__ void hotspot(const float* temperature, const float* power, float* result,
                                   int width, int height, int steps, float step_over_capacity,
                                   float x_conductance, float y_conductance, float z_conductance,
                                   float ambient) {
  __shared__ float tile[kTile][kTile];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int inner = kTile - 2 * steps;
  const int x = blockIdx.x * inner - steps + tx;
  const int y = blockIdx.y * inner - steps + ty;
  const bool on_chip = x >= 0 && x < width && y >= 0 && y < height;

  float here = 0;
  float heat = 0;
  if (on_chip) {
    here = temperature[y * width + x];
    heat = power[y * width + x];
  }
  tile[ty][tx] = here;
  __syncthreads();

  for (int step = 1; step <= steps; ++step) {
    const bool exact =
        on_chip && tx >= step && tx < kTile - step && ty >= step && ty < kTile - step;
    if (exact) {
      // No heat crosses the chip's edge: a missing neighbour is as warm as the cell itself.
      const float west = x > 0 ? tile[ty][tx - 1] : here;
      const float east = x < width - 1 ? tile[ty][tx + 1] : here;
      const float north = y > 0 ? tile[ty - 1][tx] : here;
      const float south = y < height - 1 ? tile[ty + 1][tx] : here;
      here += step_over_capacity *
              (heat + (west + east - 2 * here) * x_conductance +
               (north + south - 2 * here) * y_conductance + (ambient - here) * z_conductance);
    }
    __syncthreads();
    if (exact) tile[ty][tx] = here;
    __syncthreads();
  }

  if (on_chip && tx >= steps && tx < kTile - steps && ty >= steps && ty < kTile - steps) {
    result[y * width + x] = here;
  }
}
