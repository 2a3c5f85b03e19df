// A 7-point stencil in three dimensions without shared memory: a thread block computes one row of
// the volume, with a thread for each inner cell, and reads its own row and four neighbouring ones.
extern "C" __global__ void stencil(float centre, float neighbours, const float* now, float* next,
                                   int nx, int ny, int nz) {
  const int x = threadIdx.x + 1;
  const int y = blockIdx.x + 1;
  const int z = blockIdx.y + 1;
  if (x >= nx - 1) return;
  const int row = nx;
  const int plane = nx * ny;
  const int at = z * plane + y * row + x;
  next[at] = (now[at + plane] + now[at - plane] + now[at + row] + now[at - row] + now[at + 1] +
              now[at - 1]) *
                 neighbours -
             now[at] * centre;
}
