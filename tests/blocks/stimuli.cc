#include "tests/blocks/stimuli.h"

#include <algorithm>

#include "gpu_model/blocks/tb_scheduler/fields.h"
#include "systemc/bodies/caps_factory.h"
#include "systemc/bodies/stimulus.h"
#include "systemc/bodies/tb_scheduler_factory.h"
#include "tests/blocks/part_environment.h"
#include "tests/contract/random_loads.h"
#include "tests/contract/random_warps.h"

namespace flagstone {
namespace {

FieldValue LowBits(FieldValue value, uint32_t width) {
  for (uint32_t word = 0; word < value.size(); ++word) {
    const uint32_t bits = width > 64 * word ? width - 64 * word : 0;
    if (bits < 64) value[word] &= (uint64_t{1} << bits) - 1;
  }
  return value;
}

// A model that writes down what it is given, with noise in payloads that mean nothing.
template <class In, class Out>
class RecordingBlock final : public Block<In, Out> {
 public:
  RecordingBlock(BlockType<In, Out> type, uint64_t seed)
      : type_(std::move(type)),
        noise_(seed),
        ports_(type_, MakeBody(type_, Engine::kModel)),
        body_(MakeBody(type_, Engine::kModel)),
        csv_(HeaderLine(ports_.inputs()) + "\n") {}
  void Reset() override { body_->Reset(); }
  const Out& Outputs() const override { return body_->Outputs(); }
  void Tick(const In& in) override {
    for (uint32_t port = 0; port < type_.inputs.size(); ++port) {
      for (uint32_t lane = 0; lane < type_.inputs[port].lanes; ++lane) {
        const auto& field = type_.inputs[port];
        const FieldValue value = IsGoverned(type_.inputs, field, in, lane)
                                     ? field.get(in, lane)
                                     : FieldValue{noise_.Next(), noise_.Next()};
        ports_.SetInput(port, lane, LowBits(value, field.width));
      }
    }
    csv_ += InputLine(ports_) + "\n";
    ++rows_;
    body_->Tick(in);
  }
  bool Idle(const In& in) const override { return body_->Idle(in); }
  uint64_t rows() const { return rows_; }
  const std::string& csv() const { return csv_; }

 private:
  BlockType<In, Out> type_;
  SplitMix64 noise_;
  TypedBlock<In, Out> ports_;
  std::unique_ptr<Block<In, Out>> body_;
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
                                uint64_t seed, uint64_t cycles, KernelSize size) {
  const uint32_t num_sms = ParameterValue(parameters, "NumSm");
  const uint32_t id_bytes = ParameterValue(parameters, "IdWidth") / 8;
  RecordingBlock scheduler(TbSchedulerType(dispatcher, num_sms, id_bytes), seed);
  SplitMix64 random(seed);
  if (size == KernelSize::kLarge) {
    RunLargeKernels(dispatcher, num_sms, id_bytes, cycles, &random, &scheduler);
    return scheduler.csv();
  }
  while (scheduler.rows() < cycles) {
    RunRandomKernel(dispatcher, num_sms, id_bytes, 8 * num_sms + 20, &random, &scheduler);
  }
  return scheduler.csv();
}

std::string CapsStimulus(const RtlParameters& parameters, uint64_t seed, uint64_t cycles) {
  const CapsConfig config = CapsConfigOf(parameters);
  RecordingBlock block(CapsPrefetcherType(config), seed);
  CapsBench bench(&block, config);
  while (block.rows() < cycles) {
    ++seed;
    RunRandomLoads(seed, config, seed % 8 == 0 ? kLongKernel : 200, &bench);
  }
  return block.csv();
}

std::string CapsWarpSchedulerStimulus(const RtlParameters& parameters, uint64_t seed,
                                      uint64_t cycles) {
  const CapsWarpSchedulerConfig config = CapsWarpSchedulerConfigOf(parameters);
  RecordingBlock block(CapsWarpSchedulerType(config), seed);
  RandomWarps warps(seed, config.num_warps);
  while (block.rows() < cycles) block.Tick(warps.Next(block.Outputs()));
  return block.csv();
}

}  // namespace

std::string RandomStimulus(const BlockRow& row, const RtlParameters& parameters, uint64_t seed,
                           uint64_t cycles, KernelSize size) {
  if (const Dispatcher* dispatcher = DispatcherOf(row.name)) {
    return TbSchedulerStimulus(*dispatcher, parameters, seed, cycles, size);
  }
  if (row.name == "caps_prefetcher") return CapsStimulus(parameters, seed, cycles);
  if (row.name == "caps_warp_scheduler") {
    return CapsWarpSchedulerStimulus(parameters, seed, cycles);
  }
  const auto environment = MakePartEnvironment(row.name, parameters, size);
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
