/* Flagstone's hardware blocks and its analysis of thread blocks (TBs), for other simulators: C99.
 *
 * A block is made by its RTL's name and driven through its RTL's ports. What stands behind them is
 * its golden C++ model, its RTL (Verilated on first use, by Verilator and a C++ compiler of the
 * machine), or both in lockstep. The analysis groups the TBs of a launch by the data that they
 * share, and writes the queue that PAVER's TB schedulers read from memory. docs/library.md puts
 * both into a simulator's dispatch function.
 *
 * Errors. A function that can fail returns a status; flagstone_error() is then its text. Nothing is
 * thrown. A failed call leaves its outputs as they were. No pointer is null but where it says so.
 *
 * Threads. A block, or groups, may be used by one thread at a time; different ones by different
 * threads at once. Analyses wait for each other.
 */
#ifndef FLAGSTONE_BLOCKS_H_
#define FLAGSTONE_BLOCKS_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Raised when a program that was built before can no longer run with the library; the shared
 * library's name ends with it. */
#define FLAGSTONE_BLOCKS_ABI 1

/* That of the library which is loaded, and its version: "0.1.0". */
uint32_t flagstone_abi(void);
const char* flagstone_version(void);

typedef enum flagstone_status {
  FLAGSTONE_OK = 0,
  FLAGSTONE_RUN_FAILED = 1, /* model and RTL differ, or an assertion of the RTL failed */
  FLAGSTONE_BAD_INPUT = 2,  /* a name, a value, or a text that the caller gave */
  FLAGSTONE_INTERNAL = 3    /* a tool, a file or memory is missing, or a fault of ours */
} flagstone_status;

/* Of the last call in this thread that failed: one line that says what was found and what was
 * expected. It lasts until the next one that fails. "" before. */
const char* flagstone_error(void);

/* ---- The blocks that there are ---- */

typedef struct flagstone_parameter {
  const char* name; /* the RTL's: "NumSm" */
  uint32_t standard;
  uint32_t low, high;   /* inclusive */
  const uint32_t* only; /* not null: of these, the values that there are */
  size_t only_count;
} flagstone_parameter;

typedef struct flagstone_kind {
  const char* name;    /* the RTL module's: "paver_wide_tb_scheduler" */
  const char* summary; /* one line */
  const flagstone_parameter* parameters;
  size_t parameter_count;
} flagstone_kind;

/* All that flagstone_create knows, `*count` of them. They last as long as the program. */
const flagstone_kind* flagstone_kinds(size_t* count);

/* ---- A block ---- */

typedef struct flagstone_block flagstone_block;

typedef enum flagstone_body {
  FLAGSTONE_MODEL = 0,
  FLAGSTONE_RTL = 1,
  FLAGSTONE_LOCKSTEP = 2 /* outputs are the RTL's, and compared with the model's at each edge */
} flagstone_body;

/* Makes a block that comes out of reset, all inputs zero. `parameters`: "NumSm=4 IdWidth=16", those
 * that are not named at their standard values; null or "": all of them. The first body of an RTL
 * with these parameters takes seconds; it is kept in ~/.cache/flagstone. Errors: BAD_INPUT for an
 * unknown name, parameter or value; INTERNAL where Verilator or a compiler is missing. */
flagstone_status flagstone_create(const char* name, const char* parameters, flagstone_body body,
                                  flagstone_block** block);
void flagstone_destroy(flagstone_block* block); /* null: nothing happens */

/* A port without clk_i and rst_ni. A port of several lanes, one for each SM say, is flat in the
 * RTL: lane i is bits [i * width, (i + 1) * width). */
typedef struct flagstone_port {
  const char* name; /* the RTL's: "tb_ready_i" */
  uint32_t width;   /* bits of one lane, 1 to 128 */
  uint32_t lanes;
} flagstone_port;

/* `*count` ports in the RTL's order; their positions are the indices below. They last as long as
 * the block. */
const flagstone_port* flagstone_inputs(const flagstone_block* block, size_t* count);
const flagstone_port* flagstone_outputs(const flagstone_block* block, size_t* count);

/* The index of an input or output, by the RTL's name; -1, with a text, where there is none. Look
 * ports up once. */
int flagstone_input(const flagstone_block* block, const char* name);
int flagstone_output(const flagstone_block* block, const char* name);

/* A cycle: read outputs, set inputs, flagstone_tick. An input keeps its value until it is set
 * again.
 *
 * A whole port is moved by its bits, the lowest first, in words of 64: (width * lanes + 63) / 64 of
 * them. Bits beyond the port are ignored when it is set, and zero when it is read. A lane is moved
 * as a number of up to 64 bits; of one that is wider, these are the lowest, and the others are set
 * to zero. Errors: BAD_INPUT for a port or lane that is not there; flagstone_lane reads it as 0. */
flagstone_status flagstone_set(flagstone_block* block, int input, const uint64_t* words);
flagstone_status flagstone_get(const flagstone_block* block, int output, uint64_t* words);
flagstone_status flagstone_set_lane(flagstone_block* block, int input, uint32_t lane,
                                    uint64_t value);
uint64_t flagstone_lane(const flagstone_block* block, int output, uint32_t lane);

/* The rising edge that ends the cycle. The outputs are then those of the next cycle. Errors:
 * RUN_FAILED; the block is good for flagstone_reset and flagstone_destroy only. */
flagstone_status flagstone_tick(flagstone_block* block);
/* Whether a tick would change nothing now, so that the caller may skip it: 1 or 0. Never in
 * lockstep. */
int flagstone_idle(const flagstone_block* block);
/* Outputs of a whole block are functions of its registers. Those of a part, such as
 * "round_robin_pick", may follow its inputs within a cycle: call this between setting these and
 * reading those. */
flagstone_status flagstone_settle(flagstone_block* block);
/* One edge in reset, with all inputs zero, as which they stay. */
flagstone_status flagstone_reset(flagstone_block* block);

/* ---- Groups of TBs, and their queue in memory ---- */

typedef struct flagstone_launch {
  const char* ptx;              /* the text of a module */
  const char* entry;            /* null: the only one of the module */
  uint32_t grid[3], block[3];   /* x, y, z: TBs; threads of a TB, at most 1024 in all */
  uint32_t shared_bytes;        /* dynamic shared memory of a TB */
  const void* const* arguments; /* one for each parameter: where its value is, as cuLaunchKernel */
  size_t argument_count;        /* takes them; pointers are device addresses */
} flagstone_launch;

typedef struct flagstone_groups flagstone_groups;

/* Groups the TBs of a launch by what they read, without running it. `policy`: a name of `flagstone
 * list policies` whose groups wait in a queue, such as "rb", PAVER's recursive bisection, or
 * "kway", "mst", "tile". `sms`: of the GPU; `tbs_per_sm`: TBs of this launch that an SM runs at
 * once; both at least 1. TB ids are linear, x fastest. Errors: BAD_INPUT, with line and column for
 * PTX that is not read. */
flagstone_status flagstone_group(const flagstone_launch* launch, const char* policy, uint32_t sms,
                                 uint32_t tbs_per_sm, flagstone_groups** groups);
void flagstone_groups_destroy(flagstone_groups* groups); /* null: nothing happens */

size_t flagstone_groups_count(const flagstone_groups* groups);
/* The `*count` TBs of group `index` in their order; null where there is no such group. They last
 * as long as the groups. */
const uint32_t* flagstone_groups_tbs(const flagstone_groups* groups, size_t index, size_t* count);
/* For the port steal_rule_i of paver_tb_scheduler and paver_wide_tb_scheduler. */
uint32_t flagstone_groups_steal_rule(const flagstone_groups* groups);
/* The loads that have no part in the groups, since their addresses depend on data: a line of text
 * for each; "" where there is none. It lasts as long as the groups. */
const char* flagstone_groups_left_out(const flagstone_groups* groups);

typedef enum flagstone_layout {
  FLAGSTONE_PACKED = 0, /* for paver_tb_scheduler */
  FLAGSTONE_SECTORS = 1 /* for paver_wide_tb_scheduler: groups lie in few sectors of 32 bytes */
} flagstone_layout;

/* The queue as bytes of the GPU's memory: first a descriptor of 16 bytes for each group, then ids
 * of `id_bits`, which is the block's IdWidth: 16 or 32. 0 for other ones. */
uint64_t flagstone_image_bytes(const flagstone_groups* groups, uint32_t id_bits,
                               flagstone_layout layout);
/* Writes it for the device address `base`, a multiple of 32, into `bytes`, whose `size` is what
 * flagstone_image_bytes says. Errors: BAD_INPUT. */
flagstone_status flagstone_image(const flagstone_groups* groups, uint64_t base, uint32_t id_bits,
                                 flagstone_layout layout, void* bytes, uint64_t size);

#ifdef __cplusplus
}
#endif

#endif /* FLAGSTONE_BLOCKS_H_ */
