// The TB schedulers there are. A new one is a line here.
#include "gpu_model/blocks/tb_scheduler/bcs/bcs_tb_scheduler.h"
#include "gpu_model/blocks/tb_scheduler/cache_fit/cache_fit_tb_scheduler.h"
#include "gpu_model/blocks/tb_scheduler/chunk/chunk_tb_scheduler.h"
#include "gpu_model/blocks/tb_scheduler/cta_map/cta_map_tb_scheduler.h"
#include "gpu_model/blocks/tb_scheduler/descriptor.h"
#include "gpu_model/blocks/tb_scheduler/lrr/lrr_tb_scheduler.h"
#include "gpu_model/blocks/tb_scheduler/numa/numa_tb_scheduler.h"
#include "gpu_model/blocks/tb_scheduler/paver/paver_tb_scheduler.h"
#include "gpu_model/blocks/tb_scheduler/paver_wide/paver_wide_tb_scheduler.h"
#include "gpu_model/blocks/tb_scheduler/swizzle/swizzle_tb_scheduler.h"

namespace flagstone {

const std::vector<const TbSchedulerDescriptor*>& AllTbSchedulers() {
  static const std::vector<const TbSchedulerDescriptor*> kAll = {
      &PaverTbSchedulerDescriptor(),    &LrrTbSchedulerDescriptor(),
      &BcsTbSchedulerDescriptor(),      &CacheFitTbSchedulerDescriptor(),
      &SwizzleTbSchedulerDescriptor(),  &ChunkTbSchedulerDescriptor(),
      &CtaMapTbSchedulerDescriptor(),   &NumaTbSchedulerDescriptor(),
      &PaverWideTbSchedulerDescriptor()};
  return kAll;
}

}  // namespace flagstone
