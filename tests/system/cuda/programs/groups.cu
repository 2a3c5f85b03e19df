// Cooperative groups: tiles, coalesced threads, partitions, reductions, scans, copies.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include "check.h"

namespace cg = cooperative_groups;

// As programs have it that are written for any group.
__device__ int sum(cg::thread_group group, int* room, int value) {
  const int rank = group.thread_rank();
  for (int i = group.size() / 2; i > 0; i /= 2) {
    room[rank] = value;
    group.sync();
    if (rank < i) value += room[rank + i];
    group.sync();
  }
  return value;
}

struct Pair {
  double value;
  int at;
};

__global__ void groups(const int* in, int* tiles, int* scans, int* parts, int* others) {
  __shared__ int shared[256];
  const cg::thread_block block = cg::this_thread_block();
  cg::memcpy_async(block, shared, in, sizeof shared);
  cg::wait(block);
  const int i = block.thread_rank();
  const auto tile = cg::tiled_partition<16>(block);
  const cg::thread_block_tile<4> quarter = cg::tiled_partition<4>(tile);
  tiles[i] = cg::reduce(tile, shared[i], cg::plus<int>()) + 1000 * tile.meta_group_rank();
  scans[i] = cg::inclusive_scan(quarter, in[i]) - cg::exclusive_scan(quarter, in[i]) +
             quarter.shfl_xor(quarter.thread_rank(), 3);
  parts[i] = cg::labeled_partition(tile, i % 3).size() + 100 * tile.ballot(i % 2);
  if (i % 3 == 0) {
    const auto active = cg::coalesced_threads();
    const int last = active.shfl(i, active.size() - 1);
    others[i] = active.size() * 1000 + last;
  } else {
    const Pair pair = {0.5 * i, i};
    const auto active = cg::coalesced_threads();
    others[i] = static_cast<int>(active.shfl(pair, 0).value * 2);
  }
  cg::sync(block);
  const int all = sum(block, shared, in[i]);
  if (i == 0) others[256] = all;
  const cg::thread_group eight = cg::tiled_partition(block, 8);
  if (eight.thread_rank() == 7) atomicAdd(&others[257], static_cast<int>(eight.size()));
}

int main() {
  int *in, *tiles, *scans, *parts, *others;
  int** const arrays[] = {&in, &tiles, &scans, &parts, &others};
  for (int** array : arrays) OK(cudaMallocManaged(array, 258 * sizeof(int)));
  for (int i = 0; i < 256; ++i) in[i] = i;
  others[257] = 0;
  groups<<<1, 256>>>(in, tiles, scans, parts, others);
  OK(cudaDeviceSynchronize());
  for (int i = 0; i < 256; ++i) {
    CHECK(tiles[i] == i / 16 * 16 * 16 + 120 + 1000 * (i / 16));
    CHECK(scans[i] == i + (i % 4 ^ 3));
    int alike = 0;
    for (int j = i / 16 * 16; j < i / 16 * 16 + 16; ++j) alike += j % 3 == i % 3;
    CHECK(parts[i] == alike + 100 * 0xaaaa);
    const int warp = i / 32 * 32;
    int count = 0, last = 0, first = -1;
    for (int j = warp; j < warp + 32; ++j) {
      if (j % 3 == 0) ++count, last = j;
      if (j % 3 != 0 && first < 0) first = j;
    }
    CHECK(others[i] == (i % 3 == 0 ? count * 1000 + last : first));
  }
  CHECK(others[256] == 255 * 128);
  CHECK(others[257] == 256);
  puts("groups: good");
}
