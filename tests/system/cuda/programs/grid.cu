// A cooperative launch: sums of all TBs, level by level, with barriers of the whole grid between.
#include <cooperative_groups.h>

#include "check.h"

namespace cg = cooperative_groups;

constexpr int kTbs = 6, kThreads = 64, kRounds = 5;

// In each round, every thread reads what a thread of the next TB wrote in the round before.
__global__ void grid(int* values, int* right) {
  const cg::grid_group all = cg::this_grid();
  const int me = static_cast<int>(all.thread_rank());
  const int count = static_cast<int>(all.size());
  values[me] = me;
  for (int round = 0; round < kRounds; ++round) {
    all.sync();
    const int next = values[(me + kThreads) % count];
    all.sync();
    values[me] = next + 1;
  }
  all.sync();
  const int from = (me + kRounds * kThreads) % count;
  if (values[me] == from + kRounds && all.is_valid()) atomicAdd(right, 1);
}

int main() {
  int cooperative = 0;
  OK(cudaDeviceGetAttribute(&cooperative, cudaDevAttrCooperativeLaunch, 0));
  CHECK(cooperative == 1);
  int *values, *right;
  OK(cudaMallocManaged(&values, kTbs * kThreads * sizeof(int)));
  OK(cudaMallocManaged(&right, sizeof(int)));
  *right = 0;
  void* arguments[] = {&values, &right};
  for (int launch = 1; launch <= 2; ++launch) {
    OK(cudaLaunchCooperativeKernel(grid, dim3(kTbs), dim3(kThreads), arguments));
    OK(cudaDeviceSynchronize());
    CHECK(*right == launch * kTbs * kThreads);
  }
  // More TBs than the machine holds at once.
  CHECK(cudaLaunchCooperativeKernel(grid, dim3(100000), dim3(kThreads), arguments) ==
        cudaErrorCooperativeLaunchTooLarge);
  CHECK(cudaGetLastError() == cudaErrorCooperativeLaunchTooLarge);
  OK(cudaGetLastError());
  puts("grid: good");
}
