#include "systemc/bodies/tb_scheduler_factory.h"

#include "base/error.h"
#include "gpu_model/blocks/tb_scheduler/fields.h"
#include "gpu_model/blocks/tb_scheduler/limited_tb_schedulers.h"
#include "gpu_model/blocks/tb_scheduler/lrr_tb_scheduler.h"
#include "gpu_model/blocks/tb_scheduler/mapped_tb_schedulers.h"
#include "gpu_model/blocks/tb_scheduler/paver_tb_scheduler.h"
#include "gpu_model/blocks/tb_scheduler/swizzle_tb_scheduler.h"
#include "systemc/bodies/tb_scheduler_ports.h"

namespace flagstone {
namespace {

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
  return model;
}

}  // namespace

BlockType<TbSchedulerIn, TbSchedulerOut> TbSchedulerType(Dispatcher dispatcher, uint32_t num_sms,
                                                         uint32_t id_bytes) {
  if (num_sms == 0 || num_sms > kMaxSms) {
    ThrowBadInput("a TB scheduler for {} SMs: expected 1 to {}", num_sms, kMaxSms);
  }
  if (id_bytes != 2 && id_bytes != 4) {
    ThrowBadInput("TB ids of {} bytes: expected 2 or 4", id_bytes);
  }
  return {.name = fmt::format("{}_tb_scheduler", ToString(dispatcher)),
          .parameters = {{"NumSm", num_sms}, {"IdWidth", 8 * id_bytes}},
          .inputs = TbSchedulerInputs(num_sms, 8 * id_bytes),
          .outputs = TbSchedulerOutputs(num_sms, 8 * id_bytes),
          .model = [=] { return MakeModel(dispatcher, num_sms, id_bytes); }};
}

bool IsPrebuilt(Dispatcher dispatcher, uint32_t num_sms, uint32_t id_bytes) {
  const auto type = TbSchedulerType(dispatcher, num_sms, id_bytes);
  return FindPrebuilt(type.name, type.parameters) != nullptr;
}

std::unique_ptr<TbScheduler> MakeTbScheduler(Dispatcher dispatcher, Engine engine, uint32_t num_sms,
                                             uint32_t id_bytes, const BodyOptions& options) {
  return MakeBody<TbSchedulerIn, TbSchedulerOut, TbSchedulerPorts>(
      TbSchedulerType(dispatcher, num_sms, id_bytes), engine, options);
}

}  // namespace flagstone
