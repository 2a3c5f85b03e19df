// What all SMs of a chip share.
#ifndef FLAGSTONE_GPU_MODEL_SM_SM_SETUP_H_
#define FLAGSTONE_GPU_MODEL_SM_SM_SETUP_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>

#include "gpu_model/blocks/prefetcher/ports.h"
#include "gpu_model/blocks/warp_scheduler/config.h"
#include "gpu_model/blocks/warp_scheduler/ports.h"
#include "gpu_model/machines/machine.h"
#include "gpu_model/memory/page_table.h"
#include "gpu_model/simt/executor.h"
#include "gpu_model/sm/group_sizes.h"
#include "gpu_model/sm/loop_sample.h"
#include "gpu_model/sm/prefetch_unit.h"
#include "gpu_model/sm/tb_link.h"

namespace flagstone {

// What all SMs are made of. A setup must outlive its SMs.
struct SmSetup {
  const MachineConfig* machine = nullptr;
  const Program* program = nullptr;
  DeviceMemory* memory = nullptr;
  TbLink* link = nullptr;
  uint32_t tbs_per_sm = 1;
  // The number that the chip's SM 0 has in the GPU. Numbers of the GPU are what programs and users
  // see, and what the functions below take; the link counts the SMs of the chip.
  uint32_t first_sm = 0;
  // The body of warp scheduler `index` of SM `sm`, after its Reset().
  std::function<std::unique_ptr<WarpScheduler>(uint32_t sm, uint32_t index)> make_warp_scheduler;
  bool victim_tags = false;  // beside the L1, for CCWS
  // When leading warps stop to lead; kPermanent also where the warp schedulers do not care.
  LeadingMark leading_mark = LeadingMark::kPermanent;
  uint64_t epoch = 0;  // cycles between the ends of epochs that schedulers hear of; 0: they do not
  // How many warps go first, as the launch writes it; none: no scheduler listens to it.
  std::optional<GroupSizes> group_sizes;
  // By TB: the number of its group, for warp schedulers that go by groups; empty: none does.
  std::span<const uint32_t> tb_groups;
  bool miss_classes = false;  // counted in the L1
  // The body of the prefetcher of SM `sm`, after its Reset(); none: there are no prefetches.
  std::function<std::unique_ptr<Prefetcher>(uint32_t sm)> make_prefetcher;
  PrefetchSetup prefetch;
  bool force_every_tick = false;  // never skip an idle warp scheduler
  // SMs are whole from the beginning, though no TB may come: their blocks are traced, compared in
  // each cycle, told of epochs, or written to as the launch begins.
  bool cores_at_once = false;
  const LoopSample* loop = nullptr;  // null: all iterations of all loops are simulated
  uint64_t code_offset = 0;          // of the kernel, in bytes from where code begins
  PageTable* pages = nullptr;        // of several nodes; null: there is one
  uint32_t node = 0;                 // of the chip
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_SM_SM_SETUP_H_
