// Cheapest way through a grid of costs, row by row: from each cell the way goes on to one of the
// three cells below it. A thread block loads 256 columns, does `steps` rows in shared memory (the
// columns that are still exact shrink by one on each side a row) and writes the inner ones: blocks
// overlap by 2 * steps columns, so each shares data with the next.
constexpr int kBlock = 256;

// `above` holds the costs of the ways to the cells of row first_row - 1, `wall` the cells' costs.
extern "C" __global__ void pathfinder(const int* wall, const int* above, int* below, int columns,
                                      int first_row, int steps) {
  __shared__ int previous[kBlock];
  __shared__ int next[kBlock];
  const int tx = threadIdx.x;
  const int inner = kBlock - 2 * steps;
  const int x = blockIdx.x * inner - steps + tx;
  const bool on_grid = x >= 0 && x < columns;
  // Off the grid's sides there is no way: a neighbour there counts as the cell itself.
  const int west = x > 0 ? max(tx - 1, 0) : tx;
  const int east = x < columns - 1 ? min(tx + 1, kBlock - 1) : tx;

  if (on_grid) previous[tx] = above[x];
  __syncthreads();

  bool exact = false;
  for (int step = 0; step < steps; ++step) {
    exact = on_grid && tx > step && tx < kBlock - 1 - step;
    if (exact) {
      const int cheapest = min(min(previous[west], previous[east]), previous[tx]);
      next[tx] = cheapest + wall[(first_row + step) * columns + x];
    }
    __syncthreads();
    if (exact) previous[tx] = next[tx];
    __syncthreads();
  }

  if (exact) below[x] = next[tx];
}
