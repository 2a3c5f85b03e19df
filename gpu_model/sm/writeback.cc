#include "gpu_model/sm/writeback.h"

#include "gpu_model/sm/issue_units.h"
#include "gpu_model/sm/load_store_unit.h"

namespace flagstone {
namespace {

// One event per instruction in a pipe and one per load whose data has come, in each of the
// load/store units: of data, constants and textures. In each cycle of the writeback a unit can take
// one more load.
uint32_t MostEvents(const SmConfig& config, uint32_t longest) {
  return (longest + 2) * (config.schedulers * config.issue_width + 1) +
         3 * (LoadStoreUnit::kMaxLoads + config.writeback_latency);
}

}  // namespace

Writeback::Writeback(const SmConfig& config, WarpTable* warps, TbSlots* tbs)
    : stages_(config.writeback_latency - 1),
      memory_stages_(config.writeback_latency - config.lsu_latency),
      warps_(warps),
      tbs_(tbs),
      wheel_(LongestLatency(config, warps->infos()) + 1,
             MostEvents(config, LongestLatency(config, warps->infos()))) {}

void Writeback::Arrive(const Event& event) {
  if (event.control) {
    // The TB cannot end here: this warp of it goes on.
    tbs_->End((*warps_)[event.warp].tb_slot, 1);
    warps_->ControlDone(event.warp);
  } else {
    Write(event.warp, event.pc);
  }
}

void Writeback::LoadDone(uint32_t warp, uint32_t pc, uint64_t cycle) {
  warps_->LoadEnds(warp);
  cycle += memory_stages_;
  if (cycle > tbs_->now()) {
    wheel_.Add(cycle, ResultOf(warp, pc));
  } else {
    Write(warp, pc);
  }
}

void Writeback::Write(uint32_t warp, uint32_t pc) {
  warps_->Release(warp, pc);
  tbs_->End((*warps_)[warp].tb_slot, 1);
}

}  // namespace flagstone
