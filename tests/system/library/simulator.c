#include "simulator.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LATENCY = 40 };
static const uint64_t kMemoryBase = 0x100000000; /* device address of the first byte */

static void require(int condition, const char* what) {
  if (condition) return;
  fprintf(stderr, "simulator: %s\n", what);
  exit(1);
}

static struct tb* free_context(struct gpu* gpu, uint32_t sm) {
  for (int i = 0; i < TBS_PER_SM; ++i) {
    if (!gpu->contexts[sm][i].runs) return &gpu->contexts[sm][i];
  }
  return NULL;
}

int gpu_has_room(const struct gpu* gpu, uint32_t sm) {
  return free_context((struct gpu*)gpu, sm) != NULL;
}

int gpu_completed(struct gpu* gpu, uint32_t sm) {
  for (int i = 0; i < TBS_PER_SM; ++i) {
    struct tb* tb = &gpu->contexts[sm][i];
    if (!tb->runs || tb->ends > gpu->cycle) continue;
    tb->runs = 0;
    return 1;
  }
  return 0;
}

void gpu_start_tb(struct gpu* gpu, uint32_t sm, uint32_t tb) {
  struct tb* context = free_context(gpu, sm);
  require(context != NULL, "a TB for an SM without room");
  require(tb < TBS, "a TB that the launch does not have");
  ++gpu->issued[tb];
  context->runs = 1;
  context->ends = gpu->cycle + 100 + tb % 7 * 20;
}

uint64_t gpu_allocate(struct gpu* gpu, uint64_t bytes) {
  const uint64_t begin = (gpu->memory_end + 255) / 256 * 256;
  require(begin + bytes <= MEMORY_BYTES, "out of memory");
  gpu->memory_end = begin + bytes;
  return kMemoryBase + begin;
}

static unsigned char* at(struct gpu* gpu, uint64_t address, uint64_t count) {
  const uint64_t offset = address - kMemoryBase;
  require(offset <= gpu->memory_end && count <= gpu->memory_end - offset,
          "an access outside memory");
  return gpu->memory + offset;
}

void gpu_write(struct gpu* gpu, uint64_t address, const void* bytes, uint64_t count) {
  memcpy(at(gpu, address, count), bytes, count);
}

void gpu_request(struct gpu* gpu, uint64_t address, uint32_t bytes) {
  require(gpu->read_count < READS, "more reads than a TB scheduler may have in flight");
  const uint32_t last = (gpu->first_read + gpu->read_count++) % READS;
  gpu->reads[last].address = address;
  gpu->reads[last].bytes = bytes;
  gpu->reads[last].ready = gpu->cycle + LATENCY;
}

int gpu_reply(struct gpu* gpu, void* bytes) {
  const uint32_t first = gpu->first_read;
  if (gpu->read_count == 0 || gpu->reads[first].ready > gpu->cycle) return 0;
  memcpy(bytes, at(gpu, gpu->reads[first].address, gpu->reads[first].bytes),
         gpu->reads[first].bytes);
  gpu->first_read = (first + 1) % READS;
  --gpu->read_count;
  return 1;
}
