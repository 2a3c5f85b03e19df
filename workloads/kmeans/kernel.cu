// One round of k-means: a kernel turns the points, stored one after the other, into one array per
// feature, and a second finds each point's nearest centre. The centres lie in constant memory.
constexpr int kMostCenters = 32;
constexpr int kMostFeatures = 34;

__constant__ float centers[kMostCenters * kMostFeatures];

extern "C" __global__ void kmeans_transpose(const float* points, float* features, int count,
                                            int per_point) {
  const int point = blockIdx.x * blockDim.x + threadIdx.x;
  if (point >= count) return;
  for (int f = 0; f < per_point; ++f) features[f * count + point] = points[point * per_point + f];
}

extern "C" __global__ void kmeans(const float* features, int per_point, int count, int clusters,
                                  int* membership) {
  // More blocks than one dimension of a grid held once: the grid has two.
  const int point = (blockIdx.y * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x;
  if (point >= count) return;
  int nearest = -1;
  float least = 3.402823466e38F;
  for (int c = 0; c < clusters; ++c) {
    float distance = 0;
    for (int f = 0; f < per_point; ++f) {
      const float difference = features[f * count + point] - centers[c * per_point + f];
      distance += difference * difference;
    }
    if (distance < least) {
      least = distance;
      nearest = c;
    }
  }
  membership[point] = nearest;
}
