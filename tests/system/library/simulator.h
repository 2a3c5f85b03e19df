/* A stand-in for another simulator: SMs that run TBs for some cycles each, and a memory with a
 * latency. dispatch.c puts the library into it. */
#ifndef SIMULATOR_H_
#define SIMULATOR_H_

#include <flagstone/blocks.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { SMS = 15, TBS_PER_SM = 6, TBS = 256, MEMORY_BYTES = 65536, READS = 256 };

struct tb {
  int runs;
  uint64_t ends; /* cycle */
};

struct gpu {
  uint64_t cycle;
  struct tb contexts[SMS][TBS_PER_SM];
  int issued[TBS]; /* by TB: how often */
  unsigned char memory[MEMORY_BYTES];
  uint64_t memory_end; /* first byte that is free */
  struct {
    uint64_t address, ready;
    uint32_t bytes;
  } reads[READS]; /* in flight, in their order */
  uint32_t first_read, read_count;
};

/* SMs. */
int gpu_has_room(const struct gpu* gpu, uint32_t sm);
int gpu_completed(struct gpu* gpu,
                  uint32_t sm); /* a TB of it has ended; the next one, in the next call */
void gpu_start_tb(struct gpu* gpu, uint32_t sm, uint32_t tb);
/* Memory, by device addresses. */
uint64_t gpu_allocate(struct gpu* gpu, uint64_t bytes);
void gpu_write(struct gpu* gpu, uint64_t address, const void* bytes, uint64_t count);
void gpu_request(struct gpu* gpu, uint64_t address, uint32_t bytes);
int gpu_reply(struct gpu* gpu,
              void* bytes); /* whether the oldest request is answered: with these */

/* The simulator's dispatch function, and what is called before it (dispatch.c). */
void dispatch_build(const char* parameters, flagstone_body body);
void dispatch_kernel(struct gpu* gpu, const flagstone_launch* launch);
int dispatch_cycle(struct gpu* gpu); /* 0: the kernel is over */

#ifdef __cplusplus
}
#endif

#endif /* SIMULATOR_H_ */
