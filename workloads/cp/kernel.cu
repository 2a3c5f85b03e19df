// Coulombic potential on one plane of a grid: every point adds charge / distance over all atoms,
// which lie in constant memory. A thread computes two points that lie 16 columns apart, so that a
// half warp touches neighbouring points and an atom's distance in y serves both.
constexpr int kWidth = 16;
constexpr int kPoints = 2;
constexpr int kMostAtoms = 4000;

// x, y, the square of the distance from the plane, and the charge: 64,000 of the 65,536 bytes.
__constant__ float4 atoms[kMostAtoms];

extern "C" __global__ void cp(int count, float spacing, float* energy, int width) {
  const int column = blockIdx.x * (kWidth * kPoints) + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int at = row * width + column;
  const float x = spacing * column;
  const float y = spacing * row;
  const float step = spacing * kWidth;
  float first = 0;
  float second = 0;
  for (int i = 0; i < count; ++i) {
    const float dy = y - atoms[i].y;
    const float dyz2 = dy * dy + atoms[i].z;
    const float dx1 = x - atoms[i].x;
    const float dx2 = dx1 + step;
    first += atoms[i].w * rsqrtf(dx1 * dx1 + dyz2);
    second += atoms[i].w * rsqrtf(dx2 * dx2 + dyz2);
  }
  energy[at] += first;
  energy[at + kWidth] += second;
}
