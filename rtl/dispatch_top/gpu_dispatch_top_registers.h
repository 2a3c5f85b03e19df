/* Registers of gpu_dispatch_top, as byte offsets from its base.
 * Written by rtl/make_registers from rtl/dispatch_top/registers.toml. */
#ifndef GPU_DISPATCH_TOP_REGISTERS_H
#define GPU_DISPATCH_TOP_REGISTERS_H

/* What the block is: bits 31 to 16 are 0x4654, 15 to 8 Scheduler, 7 to 0 NumSm - 1. */
#define GPU_DISPATCH_IDENTITY 0x000u

/* Bit 0 launches what is described; bit 1 stops the launch that runs. */
#define GPU_DISPATCH_CONTROL 0x004u

/* Bit 0 a launch runs, 1 one waits; 8 a launch has completed, 9 one has failed, 10 */
/* something was refused (writing 1 clears these three); 19 to 16 the reason of the last */
/* failure or refusal; 23 to 20 the tag of the launch that runs, 27 to 24 of the last one */
/* that ended, 31 to 28 of the next one. */
#define GPU_DISPATCH_STATUS 0x008u

/* Which of the status bits 8, 9 and 10 raise irq_o. */
#define GPU_DISPATCH_INTERRUPTS 0x00cu

/* TBs of the grid along x, at least 1. */
#define GPU_DISPATCH_GRID_X 0x010u

/* Along y. */
#define GPU_DISPATCH_GRID_Y 0x014u

/* Along z. */
#define GPU_DISPATCH_GRID_Z 0x018u

/* TBs that an SM may hold at once; 0: as many as fit. */
#define GPU_DISPATCH_TB_LIMIT 0x01cu

/* Address of the kernel's first instruction, lower half: the block passes it on. */
#define GPU_DISPATCH_ENTRY_LO 0x020u

/* Upper half. */
#define GPU_DISPATCH_ENTRY_HI 0x024u

/* Address of the kernel's parameters, lower half: passed on. */
#define GPU_DISPATCH_PARAMETERS_LO 0x028u

/* Upper half. */
#define GPU_DISPATCH_PARAMETERS_HI 0x02cu

/* Byte address of the first group descriptor, a multiple of 16, lower half. */
#define GPU_DISPATCH_QUEUE_BASE_LO 0x030u

/* Upper half. */
#define GPU_DISPATCH_QUEUE_BASE_HI 0x034u

/* Group descriptors, at least 1. */
#define GPU_DISPATCH_QUEUE_COUNT 0x038u

/* Who steals TBs: 0 nobody; 1 SMs with a free context, 2 of these those on which a TB has */
/* completed, 3 those on which none runs. */
#define GPU_DISPATCH_STEAL_RULE 0x03cu

/* Warps of a TB. */
#define GPU_DISPATCH_TB_WARPS 0x040u

/* Registers of a TB, in the unit of SmRegisters. */
#define GPU_DISPATCH_TB_REGISTERS 0x044u

/* Shared memory of a TB, in the unit of SmShared. */
#define GPU_DISPATCH_TB_SHARED 0x048u

/* TBs given to SMs, of the launch that began last. */
#define GPU_DISPATCH_TBS_ISSUED 0x04cu

/* Steals of that launch. */
#define GPU_DISPATCH_STEALS 0x050u

/* Cycles in which a TB stood at an SM's port and was not taken, of that launch. */
#define GPU_DISPATCH_WAITS 0x054u

#endif
