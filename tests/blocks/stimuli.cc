#include "tests/blocks/stimuli.h"

#include <algorithm>

#include "gpu_model/blocks/tb_scheduler/fields.h"
#include "systemc/bodies/stimulus.h"
#include "systemc/bodies/tb_scheduler_factory.h"
#include "tests/blocks/part_environment.h"
#include "tests/contract/random_kernels.h"

namespace flagstone {
namespace {

// A model that writes down what it is given.
class RecordingTbScheduler final : public TbScheduler {
 public:
  RecordingTbScheduler(Dispatcher dispatcher, uint32_t num_sms, uint32_t id_bytes)
      : type_(TbSchedulerType(dispatcher, num_sms, id_bytes)),
        ports_(type_, MakeBody(type_, Engine::kModel)),
        body_(MakeBody(type_, Engine::kModel)),
        csv_(HeaderLine(ports_.inputs()) + "\n") {}
  void Reset() override { body_->Reset(); }
  const TbSchedulerOut& Outputs() const override { return body_->Outputs(); }
  void Tick(const TbSchedulerIn& in) override {
    for (uint32_t port = 0; port < type_.inputs.size(); ++port) {
      for (uint32_t lane = 0; lane < type_.inputs[port].lanes; ++lane) {
        ports_.SetInput(port, lane, type_.inputs[port].get(in, lane));
      }
    }
    csv_ += InputLine(ports_) + "\n";
    ++rows_;
    body_->Tick(in);
  }
  bool Idle(const TbSchedulerIn& in) const override { return body_->Idle(in); }
  uint64_t rows() const { return rows_; }
  const std::string& csv() const { return csv_; }

 private:
  BlockType<TbSchedulerIn, TbSchedulerOut> type_;
  TypedBlock<TbSchedulerIn, TbSchedulerOut> ports_;
  std::unique_ptr<TbScheduler> body_;
  std::string csv_;
  uint64_t rows_ = 0;
};

const Dispatcher* DispatcherOf(std::string_view name) {
  static constexpr Dispatcher kAll[] = {
      Dispatcher::kPaver,   Dispatcher::kLrr,   Dispatcher::kBcs,   Dispatcher::kCacheFit,
      Dispatcher::kSwizzle, Dispatcher::kChunk, Dispatcher::kCtaMap};
  for (const Dispatcher& dispatcher : kAll) {
    if (name == fmt::format("{}_tb_scheduler", ToString(dispatcher))) return &dispatcher;
  }
  return nullptr;
}

std::string TbSchedulerStimulus(Dispatcher dispatcher, const RtlParameters& parameters,
                                uint64_t seed, uint64_t cycles) {
  const uint32_t num_sms = ParameterValue(parameters, "NumSm");
  const uint32_t id_bytes = ParameterValue(parameters, "IdWidth") / 8;
  RecordingTbScheduler scheduler(dispatcher, num_sms, id_bytes);
  SplitMix64 random(seed);
  while (scheduler.rows() < cycles) {
    RunRandomKernel(dispatcher, num_sms, id_bytes, 8 * num_sms + 20, &random, &scheduler);
  }
  return scheduler.csv();
}

}  // namespace

std::string RandomStimulus(const BlockRow& row, const RtlParameters& parameters, uint64_t seed,
                           uint64_t cycles) {
  if (const Dispatcher* dispatcher = DispatcherOf(row.name)) {
    return TbSchedulerStimulus(*dispatcher, parameters, seed, cycles);
  }
  const auto environment = MakePartEnvironment(row.name, parameters);
  const auto block = row.make(parameters, Engine::kModel, {});
  SplitMix64 random(seed);
  std::string csv = HeaderLine(block->inputs()) + "\n";
  for (uint64_t cycle = 0; cycle < cycles; ++cycle) {
    Ports ports(block.get());
    block->ClearInputs();
    block->Settle();
    environment->Drive(&random, &ports);
    block->Settle();
    environment->Observe(ports);
    csv += InputLine(*block) + "\n";
    block->Tick();
  }
  return csv;
}

}  // namespace flagstone
