// Lanes of one warp that wait for each other, as threads may from sm_70 on: locks, tickets, flags,
// synchronizations of parts of a warp on two paths.
#include <cooperative_groups.h>

#include "check.h"

namespace cg = cooperative_groups;

struct Shared {
  int lock, sum, dealt, served, order[64], flag, message, got[32], swapped[32], waited;
};

__global__ void take_lock(Shared* s) {
  while (atomicCAS(&s->lock, 0, 1) != 0) {
  }
  *reinterpret_cast<volatile int*>(&s->sum) += 1;
  __threadfence();
  atomicExch(&s->lock, 0);
}

__global__ void take_ticket(Shared* s) {
  const int mine = atomicAdd(&s->dealt, 1);
  while (*reinterpret_cast<volatile int*>(&s->served) != mine) {
  }
  s->order[mine] = threadIdx.x;
  __threadfence();
  atomicAdd(&s->served, 1);
}

__global__ void produce_and_consume(Shared* s) {
  volatile Shared* v = s;
  if (threadIdx.x == 9) {
    v->message = 77;
    __threadfence();
    v->flag = 1;
  } else {
    while (v->flag == 0) {
    }
    s->got[threadIdx.x] = v->message;
  }
}

// Each half leaves its number for the other one, and waits for it on a path of its own.
__global__ void swap_halves(Shared* s) {
  __shared__ int room[32];
  const int lane = threadIdx.x;
  const cg::thread_block_tile<32> warp = cg::tiled_partition<32>(cg::this_thread_block());
  if (lane < 16) {
    room[lane] = 100 + lane;
    warp.sync();
    s->swapped[lane] = room[lane + 16];
  } else {
    room[lane] = 200 + lane;
    warp.sync();
    s->swapped[lane] = room[lane - 16];
  }
}

// A part waits in a loop for what the other part does after it has synchronized.
__global__ void wait_for_part(Shared* s) {
  volatile Shared* v = s;
  if (threadIdx.x % 3 == 0) {
    const cg::coalesced_group part = cg::coalesced_threads();
    part.sync();
    atomicAdd(&s->waited, 1);
  } else {
    while (v->waited < 11) {
    }
  }
}

int main() {
  Shared* s;
  OK(cudaMallocManaged(&s, sizeof(Shared)));
  *s = Shared{};
  take_lock<<<2, 48>>>(s);
  take_ticket<<<1, 64>>>(s);
  produce_and_consume<<<1, 32>>>(s);
  swap_halves<<<1, 32>>>(s);
  wait_for_part<<<1, 32>>>(s);
  OK(cudaDeviceSynchronize());
  CHECK(s->sum == 96);
  CHECK(s->served == 64);
  int seen = 0;
  for (int i = 0; i < 64; ++i) seen += s->order[i];
  CHECK(seen == 63 * 64 / 2);
  for (int i = 0; i < 32; ++i) CHECK(s->got[i] == (i == 9 ? 0 : 77));
  for (int i = 0; i < 32; ++i) CHECK(s->swapped[i] == (i < 16 ? 216 + i : 84 + i));
  CHECK(s->waited == 11);
  printf("lanes: good\n");
}
