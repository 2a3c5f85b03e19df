// What crosses the ports of a TB scheduler, PAVER's and the others' alike. Each has
// those of its field table (fields.h); the rest means nothing to it.
#ifndef FLAGSTONE_GPU_MODEL_BLOCKS_TB_SCHEDULER_PORTS_H_
#define FLAGSTONE_GPU_MODEL_BLOCKS_TB_SCHEDULER_PORTS_H_

#include <array>
#include <cstdint>

#include "gpu_model/blocks/block.h"
#include "gpu_model/blocks/event_rule.h"
#include "gpu_model/blocks/sm_mask.h"
#include "gpu_model/blocks/tb_scheduler_size.h"

namespace flagstone {

// What a TB scheduler without a queue in memory samples at start: its field table names the words.
using TbSettings = std::array<uint32_t, 10>;

// Which SMs steal, once all groups are handed out: those with a free context and no TB to come; of
// these, those on which a TB of the kernel has completed; or those on which none runs.
enum class StealRule : uint8_t { kOff, kWhenFree, kNeverFirst, kWhenIdle };

struct TbSchedulerIn {
  bool start = false;        // one cycle, only while !busy: begin a kernel with the values below
  uint64_t queue_base = 0;   // byte address of the first group descriptor (PAVER)
  uint32_t queue_count = 0;  // descriptors (PAVER) or TBs (all others: tb_count)
  StealRule steal_rule = StealRule::kOff;  // task stealing (PAVER)
  TbSettings settings = {};                // of the others (tb_settings.h)
  bool abort = false;                      // while busy: the kernel is given up
  SmMask tb_ready = {};                    // per SM: a TB context is free
  SmMask tb_done = {};                     // per SM: one TB has completed in this cycle
  bool mem_req_ready = false;
  bool mem_rsp_valid = false;                 // answers come in the order of the requests
  std::array<uint64_t, 4> mem_rsp_data = {};  // 16 or 32 bytes, the addressed byte lowest
};

struct TbSchedulerOut {
  SmMask tb_valid = {};                      // per SM: tb_id is offered
  std::array<uint32_t, kMaxSms> tb_id = {};  // per SM, under tb_valid
  bool busy = false;                         // from the cycle after start until done
  bool quiescent = true;                     // no state can change without an input event
  SmMask wants_context = {};  // per SM: a free context is an input event although none is offered
  bool mem_req_valid = false;
  uint64_t mem_req_addr = 0;  // bytes; aligned to mem_req_size
  uint32_t mem_req_size = 0;  // bytes: 2 or 4 (a TB id), 16 (a descriptor), 32 (a sector of ids)
  // For statistics: a steal was committed in the cycle before.
  bool steal_valid = false;
  uint32_t steal_count = 0;  // TBs moved
  uint32_t steal_donor = 0;
  uint32_t steal_thief = 0;
};

// Whether these inputs bring a TB scheduler an event, given what it shows in the same cycle. An
// idle tick is `out.quiescent && !HasEvent(out, in)`: it changes nothing and may be skipped. A free
// context (tb_ready) counts where a TB is offered, and elsewhere only under `wants_context`: an SM
// that waits for memory, or may have no TB now, may stay ready at no cost.
inline bool HasEvent(const TbSchedulerOut& out, const TbSchedulerIn& in) {
  if (in.start || in.abort || in.mem_rsp_valid || (out.mem_req_valid && in.mem_req_ready))
    return true;
  for (uint32_t word = 0; word < in.tb_ready.size(); ++word) {
    const uint64_t heard = out.wants_context[word] | out.tb_valid[word];
    if (in.tb_done[word] != 0 || (in.tb_ready[word] & heard) != 0) return true;
  }
  return false;
}

inline constexpr EventRule<TbSchedulerIn, TbSchedulerOut> kTbSchedulerEvents = {
    [](const TbSchedulerOut& out, const TbSchedulerIn& in, const TbSchedulerIn&) {
      return out.quiescent && !HasEvent(out, in);
    },
    /*compares_last=*/false};

using TbScheduler = Block<TbSchedulerIn, TbSchedulerOut>;

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_BLOCKS_TB_SCHEDULER_PORTS_H_
