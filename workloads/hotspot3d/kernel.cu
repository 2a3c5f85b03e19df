// Temperature of a stack of chip layers: one explicit time step of a 7-point stencil. A thread goes
// through the layers with the temperatures below, here and above in registers; the four neighbours
// in its layer come from global memory, the cell itself where there is none.
extern "C" __global__ void hotspot3d(const float* power, const float* temperature, float* result,
                                     float step_over_capacity, int nx, int ny, int nz,
                                     float x_weight, float y_weight, float z_weight,
                                     float own_weight, float ambient_weight, float ambient) {
  const int x = blockDim.x * blockIdx.x + threadIdx.x;
  const int y = blockDim.y * blockIdx.y + threadIdx.y;
  if (x >= nx || y >= ny) return;
  const int layer = nx * ny;
  int here = y * nx + x;
  const int west = x == 0 ? 0 : -1;
  const int east = x == nx - 1 ? 0 : 1;
  const int north = y == 0 ? 0 : -nx;
  const int south = y == ny - 1 ? 0 : nx;

  float below = temperature[here];
  float own = below;
  for (int z = 0; z < nz; ++z) {
    const float above = z == nz - 1 ? own : temperature[here + layer];
    result[here] =
        own_weight * own + x_weight * (temperature[here + west] + temperature[here + east]) +
        y_weight * (temperature[here + south] + temperature[here + north]) +
        z_weight * (below + above) + step_over_capacity * power[here] + ambient_weight * ambient;
    below = own;
    own = above;
    here += layer;
  }
}
