#include "systemc/bodies/tb_scheduler_factory.h"

#include "base/error.h"
#include "gpu_model/blocks/tb_scheduler/fields.h"
#include "gpu_model/blocks/tb_scheduler/limited_tb_schedulers.h"
#include "gpu_model/blocks/tb_scheduler/lrr_tb_scheduler.h"
#include "gpu_model/blocks/tb_scheduler/mapped_tb_schedulers.h"
#include "gpu_model/blocks/tb_scheduler/paver_tb_scheduler.h"
#include "gpu_model/blocks/tb_scheduler/swizzle_tb_scheduler.h"
#include "systemc/bodies/prebuilt_tb_schedulers.h"
#include "systemc/bodies/verilate_on_demand.h"

namespace flagstone {
namespace {

const TbSchedulerAbi* FindPrebuilt(Dispatcher dispatcher, uint32_t num_sms, uint32_t id_bytes) {
  for (const PrebuiltTbScheduler& entry : PrebuiltTbSchedulers()) {
    if (entry.dispatcher == dispatcher && entry.abi->num_sms == num_sms &&
        entry.abi->id_bits == 8 * id_bytes) {
      return entry.abi;
    }
  }
  return nullptr;
}

std::unique_ptr<TbScheduler> MakeModel(Dispatcher dispatcher, uint32_t num_sms, uint32_t id_bytes) {
  std::unique_ptr<TbScheduler> model;
  switch (dispatcher) {
    case Dispatcher::kLrr:
      model = std::make_unique<LrrTbScheduler>(num_sms, id_bytes);
      break;
    case Dispatcher::kPaver:
      model = std::make_unique<PaverTbScheduler>(num_sms, id_bytes);
      break;
    case Dispatcher::kBcs:
      model = std::make_unique<BcsTbScheduler>(num_sms, id_bytes);
      break;
    case Dispatcher::kCacheFit:
      model = std::make_unique<CacheFitTbScheduler>(num_sms, id_bytes);
      break;
    case Dispatcher::kSwizzle:
      model = std::make_unique<SwizzleTbScheduler>(num_sms, id_bytes);
      break;
    case Dispatcher::kChunk:
      model = std::make_unique<ChunkTbScheduler>(num_sms, id_bytes);
      break;
    case Dispatcher::kCtaMap:
      model = std::make_unique<CtaMapTbScheduler>(num_sms, id_bytes);
      break;
  }
  model->Reset();
  return model;
}

std::unique_ptr<TbScheduler> MakeRtl(Dispatcher dispatcher, uint32_t num_sms, uint32_t id_bytes,
                                     const RtlBodyOptions& options) {
  const TbSchedulerAbi* abi = FindPrebuilt(dispatcher, num_sms, id_bytes);
  if (abi == nullptr) abi = &VerilateTbScheduler(dispatcher, num_sms, 8 * id_bytes);
  return std::make_unique<RtlTbScheduler>(*abi, options);
}

}  // namespace

bool IsPrebuilt(Dispatcher dispatcher, uint32_t num_sms, uint32_t id_bytes) {
  return FindPrebuilt(dispatcher, num_sms, id_bytes) != nullptr;
}

std::unique_ptr<TbScheduler> MakeTbScheduler(Dispatcher dispatcher, Engine engine, uint32_t num_sms,
                                             uint32_t id_bytes, const TbSchedulerOptions& options) {
  if (num_sms == 0 || num_sms > kMaxSms) {
    ThrowBadInput("a TB scheduler for {} SMs: expected 1 to {}", num_sms, kMaxSms);
  }
  if (id_bytes != 2 && id_bytes != 4) {
    ThrowBadInput("TB ids of {} bytes: expected 2 or 4", id_bytes);
  }
  switch (engine) {
    case Engine::kModel:
      if (!options.rtl.wave.file.empty()) {
        ThrowBadInput("a wave of {} needs its RTL: expected --engine rtl or lockstep",
                      options.rtl.path);
      }
      return MakeModel(dispatcher, num_sms, id_bytes);
    case Engine::kRtl:
      return MakeRtl(dispatcher, num_sms, id_bytes, options.rtl);
    case Engine::kLockstep:
      return std::make_unique<LockstepBody<TbSchedulerIn, TbSchedulerOut>>(
          options.rtl.path, MakeModel(dispatcher, num_sms, id_bytes),
          MakeRtl(dispatcher, num_sms, id_bytes, options.rtl),
          TbSchedulerOutputs(num_sms, 8 * id_bytes), options.rtl.cycle, options.lockstep);
  }
  ThrowInternal("unknown engine");
}

}  // namespace flagstone
