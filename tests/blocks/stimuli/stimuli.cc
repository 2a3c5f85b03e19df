#include "tests/blocks/stimuli/stimuli.h"

#include <algorithm>

#include "gpu_model/blocks/dispatch_top/gpu_dispatch_top.h"
#include "gpu_model/blocks/prefetcher/caps/caps_config.h"
#include "gpu_model/blocks/prefetcher/descriptor.h"
#include "gpu_model/blocks/tb_scheduler/descriptor.h"
#include "gpu_model/blocks/warp_scheduler/descriptor.h"
#include "systemc/cosim/stimulus.h"
#include "tests/blocks/contract/dispatch_top_bench.h"
#include "tests/blocks/contract/random_loads.h"
#include "tests/blocks/contract/random_warps.h"
#include "tests/blocks/stimuli/part_environment.h"

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

std::string TbSchedulerStimulus(const TbSchedulerDescriptor* kind, const RtlParameters& parameters,
                                uint64_t seed, uint64_t cycles, KernelSize size) {
  const uint32_t num_sms = ParameterValue(parameters, "NumSm");
  const uint32_t id_bytes = ParameterValue(parameters, "IdWidth") / 8;
  TbSchedulerSize shape = {num_sms, id_bytes};
  (kind->has_queue ? shape.descriptors : shape.issue_ports) =
      ParameterValue(parameters, kind->has_queue ? "Descriptors" : "IssuePorts");
  RecordingBlock scheduler(TbSchedulerType(*kind, shape), seed);
  SplitMix64 random(seed);
  if (size == KernelSize::kLarge) {
    RunLargeKernels(kind, num_sms, id_bytes, cycles, &random, &scheduler);
    return scheduler.csv();
  }
  while (scheduler.rows() < cycles) {
    RunRandomKernel(kind, num_sms, id_bytes, 8 * num_sms + 20, &random, &scheduler);
  }
  return scheduler.csv();
}

// Of any prefetcher whose RTL has CAPS's parameters of slots, warps and addresses.
std::string PrefetcherStimulus(const PrefetcherType& type, uint64_t seed, uint64_t cycles) {
  const CapsConfig config = CapsConfigOf(type.parameters);
  RecordingBlock block(type, seed);
  CapsBench bench(&block, config);
  bench.SetForLiveWarps(false);
  while (block.rows() < cycles) {
    ++seed;
    RunRandomLoads(seed, config, seed % 8 == 0 ? kLongKernel : 200, &bench);
  }
  return block.csv();
}

std::string WarpSchedulerStimulus(const WarpSchedulerType& type, uint64_t seed, uint64_t cycles) {
  RecordingBlock block(type, seed);
  uint32_t group_bits = 1;
  for (const RtlParameter& parameter : type.parameters) {
    if (parameter.name == "GroupWidth") group_bits = parameter.value;
  }
  RandomWarps warps(seed, type.Parameter("NumWarps"), group_bits);
  while (block.rows() < cycles) block.Tick(warps.Next(block.Outputs()));
  return block.csv();
}

std::string DispatchTopStimulus(const RtlParameters& parameters, uint64_t seed, uint64_t cycles,
                                KernelSize size) {
  RecordingBlock block(DispatchTopType(parameters), seed);
  RunRandomLaunches(DispatchTopSizeOf(parameters), seed, cycles, size == KernelSize::kLarge,
                    &block);
  return block.csv();
}

}  // namespace

std::string RandomStimulus(const BlockRow& row, const RtlParameters& parameters, uint64_t seed,
                           uint64_t cycles, KernelSize size) {
  for (const TbSchedulerDescriptor* kind : AllTbSchedulers()) {
    if (kind->block.name != row.name) continue;
    return TbSchedulerStimulus(kind, parameters, seed, cycles, size);
  }
  for (const PrefetcherDescriptor* kind : AllPrefetchers()) {
    if (!kind->HasRtl() || kind->block.name != row.name) continue;
    return PrefetcherStimulus(kind->type(parameters), seed, cycles);
  }
  for (const WarpSchedulerDescriptor* kind : AllWarpSchedulers()) {
    if (!kind->HasRtl() || kind->block.name != row.name) continue;
    return WarpSchedulerStimulus(kind->type(parameters), seed, cycles);
  }
  if (row.name == DispatchTopDescriptor().name) {
    return DispatchTopStimulus(parameters, seed, cycles, size);
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
