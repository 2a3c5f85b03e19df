// What opening a centre at point `candidate` would change for every point of a stream: the points
// that the new centre is nearer to would move there, the others' gain counts for their own centre.
// Coordinates lie dimension by dimension. Every thread has a row of `work` for itself: a sum for
// each centre, and one for the candidate.
struct Point {
  float weight;
  float unused;
  float assignment[2];  // its first word: which of the centres, as a fraction of their number
  float cost;           // of being assigned to it
  float unused_too;
};

extern "C" __global__ void streamcluster(const float* coordinates, const Point* points,
                                         const int* centre_table, float* work, bool* moves,
                                         int count, int dimensions, int candidate, int centres,
                                         int spacing) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  float distance = 0;
  for (int d = 0; d < dimensions; ++d) {
    const float apart = coordinates[d * count + i] - coordinates[d * count + candidate];
    distance += apart * apart;
  }
  const float cost = distance * points[i].weight;
  const float current = points[i].cost;
  float* own = work + i * (centres + 1);
  if (cost < current) {
    moves[i] = true;
    own[centres] += cost - current;
  } else {
    // The centres are points; the table says which centre a point is.
    const int centre = static_cast<int>(points[i].assignment[0] * centres) * spacing;
    own[centre_table[centre]] += current - cost;
  }
}
