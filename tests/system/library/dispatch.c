/* TBs to SMs by PAVER's TB scheduler: what a simulator's dispatch function has of the library. */
#include "simulator.h"

enum { START, BASE, COUNT, RULE, READY, DONE, TAKES, ANSWERED, ANSWER, INPUTS };
enum { VALID, ID, BUSY, REQUEST, ADDRESS, SIZE, OUTPUTS };
static const char* const kInputs[] = {"start_i",         "queue_base_i",    "queue_count_i",
                                      "steal_rule_i",    "tb_ready_i",      "tb_done_i",
                                      "mem_req_ready_i", "mem_rsp_valid_i", "mem_rsp_data_i"};
static const char* const kOutputs[] = {"tb_valid_o",      "tb_id_o",        "busy_o",
                                       "mem_req_valid_o", "mem_req_addr_o", "mem_req_size_o"};
static flagstone_block* block;
static int in[INPUTS], out[OUTPUTS]; /* ports, looked up once */

static void check(flagstone_status status) {
  if (status == FLAGSTONE_OK) return;
  fprintf(stderr, "%s\n", flagstone_error());
  exit(1);
}
static void set(int port, uint64_t value) { check(flagstone_set_lane(block, in[port], 0, value)); }
static uint64_t get(int port, uint32_t lane) { return flagstone_lane(block, out[port], lane); }

/* Once: the hardware, of "NumSm=15 IdWidth=16". */
void dispatch_build(const char* parameters, flagstone_body body) {
  check(flagstone_create("paver_wide_tb_scheduler", parameters, body, &block));
  for (int i = 0; i < INPUTS; ++i) in[i] = flagstone_input(block, kInputs[i]);
  for (int i = 0; i < OUTPUTS; ++i) out[i] = flagstone_output(block, kOutputs[i]);
}

/* At a launch: its TBs in groups that share data, as a queue in the GPU's memory. */
void dispatch_kernel(struct gpu* gpu, const flagstone_launch* launch) {
  flagstone_groups* groups = NULL;
  check(flagstone_group(launch, "rb", SMS, TBS_PER_SM, &groups));
  const uint64_t size = flagstone_image_bytes(groups, 16, FLAGSTONE_SECTORS);
  const uint64_t address = gpu_allocate(gpu, size);
  void* image = malloc(size);
  check(flagstone_image(groups, address, 16, FLAGSTONE_SECTORS, image, size));
  gpu_write(gpu, address, image, size);
  free(image);
  set(START, 1), set(BASE, address), set(COUNT, flagstone_groups_count(groups));
  set(RULE, flagstone_groups_steal_rule(groups)), set(TAKES, 1); /* memory takes each request */
  flagstone_groups_destroy(groups);
}

/* Each core cycle, for up to 64 SMs: a word has a bit for each. 0: the kernel is over. */
int dispatch_cycle(struct gpu* gpu) {
  uint64_t offered = 0, ready = 0, done = 0, sector[4] = {0, 0, 0, 0};
  check(flagstone_get(block, out[VALID], &offered));
  for (uint32_t sm = 0; sm < SMS; ++sm) {
    done |= (uint64_t)gpu_completed(gpu, sm) << sm;
    const int room = gpu_has_room(gpu, sm);
    ready |= (uint64_t)room << sm;
    if (room && (offered >> sm & 1)) gpu_start_tb(gpu, sm, (uint32_t)get(ID, sm));
  }
  if (get(REQUEST, 0)) gpu_request(gpu, get(ADDRESS, 0), (uint32_t)get(SIZE, 0));
  set(ANSWERED, (uint64_t)gpu_reply(gpu, sector));
  flagstone_set(block, in[ANSWER], sector), flagstone_set(block, in[READY], &ready);
  flagstone_set(block, in[DONE], &done), check(flagstone_tick(block));
  set(START, 0);
  return (int)get(BUSY, 0);
}
