// One time step of a fluid on a lattice (D3Q19: 19 velocities in three dimensions): a thread takes
// its cell's 19 distributions, lets them relax towards equilibrium (BGK), or turns them round in an
// obstacle, and sends each to the neighbour that it flies to. A block is a row of cells along x,
// its place in the grid is y and z. Each velocity has an array of its own, with a border of cells
// around the fluid for what flies out: rows are `pitch` cells apart, layers `layer`, and arrays
// `array`.
namespace {

constexpr int kVelocities = 19;
constexpr unsigned kObstacle = 0;
constexpr unsigned kDriven = 1;  // a cell with an imposed velocity

struct Velocity {
  int x, y, z;
  float weight;
};

// Rest, the six faces, the twelve edges; of each pair of opposites one after the other.
__device__ constexpr Velocity VelocityOf(int i) {
  constexpr float kFace = 1.0F / 18;
  constexpr float kEdge = 1.0F / 36;
  constexpr Velocity kAll[kVelocities] = {
      {0, 0, 0, 1.0F / 3},                      //
      {1, 0, 0, kFace},    {-1, 0, 0, kFace},   //
      {0, 1, 0, kFace},    {0, -1, 0, kFace},   //
      {0, 0, 1, kFace},    {0, 0, -1, kFace},   //
      {1, 1, 0, kEdge},    {-1, -1, 0, kEdge},  //
      {1, -1, 0, kEdge},   {-1, 1, 0, kEdge},   //
      {1, 0, 1, kEdge},    {-1, 0, -1, kEdge},  //
      {1, 0, -1, kEdge},   {-1, 0, 1, kEdge},   //
      {0, 1, 1, kEdge},    {0, -1, -1, kEdge},  //
      {0, 1, -1, kEdge},   {0, -1, 1, kEdge},
  };
  return kAll[i];
}

__device__ constexpr int Opposite(int i) { return i == 0 ? 0 : (i % 2 == 1 ? i + 1 : i - 1); }

}  // namespace

extern "C" __global__ void lbm(const float* from, float* to, const unsigned* kind, int pitch,
                               int layer, int array, float relaxation, float driven_x,
                               float driven_y) {
  const int cell = (blockIdx.y + 1) * layer + (blockIdx.x + 1) * pitch + threadIdx.x;
  float f[kVelocities];
  float density = 0;
  float momentum_x = 0;
  float momentum_y = 0;
  float momentum_z = 0;
#pragma unroll
  for (int i = 0; i < kVelocities; ++i) {
    const Velocity c = VelocityOf(i);
    f[i] = from[i * array + cell];
    density += f[i];
    momentum_x += c.x * f[i];
    momentum_y += c.y * f[i];
    momentum_z += c.z * f[i];
  }

  float leaving[kVelocities];
  const unsigned here = kind[cell];
  if (here == kObstacle) {
#pragma unroll
    for (int i = 0; i < kVelocities; ++i) leaving[i] = f[Opposite(i)];
  } else {
    const bool driven = here == kDriven;
    const float x = driven ? driven_x : momentum_x / density;
    const float y = driven ? driven_y : momentum_y / density;
    const float z = driven ? 0 : momentum_z / density;
    const float energy = 1.5F * (x * x + y * y + z * z);
#pragma unroll
    for (int i = 0; i < kVelocities; ++i) {
      const Velocity c = VelocityOf(i);
      const float along = c.x * x + c.y * y + c.z * z;
      const float rest = c.weight * density * (1 + along * (3 + 4.5F * along) - energy);
      leaving[i] = f[i] + relaxation * (rest - f[i]);
    }
  }
#pragma unroll
  for (int i = 0; i < kVelocities; ++i) {
    const Velocity c = VelocityOf(i);
    to[i * array + cell + c.z * layer + c.y * pitch + c.x] = leaving[i];
  }
}
