// Local alignment (Smith and Waterman) of one query with many texts, by tiles of 32 x 32: a launch
// does one diagonal of tiles of all texts, a TB of one warp a tile, whose own diagonals it goes
// along. A cell needs the ones above, to the left and between. TBs of different texts share the
// query.
constexpr int kTile = 32;

extern "C" __global__ void __launch_bounds__(kTile)
    wavefront_align(const int* query, const int* text, int* score, int size, int diagonal,
                    int first_row) {
  __shared__ int cell[kTile + 1][kTile + 1];
  __shared__ int letter[kTile];
  const int lane = threadIdx.x;
  const int tile_row = first_row + blockIdx.x;
  const int y0 = tile_row * kTile;
  const int x0 = (diagonal - tile_row) * kTile;
  // Scores have a row and a column of zeros before the first.
  const int pitch = size + 1;
  int* corner = score + blockIdx.y * pitch * pitch + y0 * pitch + x0;
  cell[0][lane + 1] = corner[lane + 1];
  cell[lane + 1][0] = corner[(lane + 1) * pitch];
  if (lane == 0) cell[0][0] = corner[0];
  letter[lane] = text[blockIdx.y * size + x0 + lane];
  const int own = query[y0 + lane];
  __syncthreads();
  for (int step = 0; step < 2 * kTile - 1; ++step) {
    const int x = step - lane;
    if (x >= 0 && x < kTile) {
      const int along = cell[lane][x] + (letter[x] == own ? 2 : -1);
      const int gap = max(cell[lane][x + 1], cell[lane + 1][x]) - 1;
      cell[lane + 1][x + 1] = max(max(along, gap), 0);
    }
    __syncthreads();
  }
  for (int row = 1; row <= kTile; ++row) corner[row * pitch + lane + 1] = cell[row][lane + 1];
}
