#include "systemc/bodies/caps_factory.h"

#include "base/error.h"
#include "gpu_model/blocks/caps/caps_prefetcher.h"
#include "gpu_model/blocks/caps/fields.h"
#include "gpu_model/blocks/warp_scheduler/fields.h"
#include "systemc/bodies/sm_block_ports.h"

namespace flagstone {
namespace {

void CheckRange(std::string_view block, std::string_view name, uint32_t value, uint32_t low,
                uint32_t high) {
  if (value >= low && value <= high) return;
  ThrowBadInput("{} with {} = {}: expected {} to {}", block, name, value, low, high);
}

}  // namespace

CapsConfig CapsConfigOf(const RtlParameters& parameters) {
  CapsConfig config;
  for (const RtlParameter& parameter : parameters) {
    if (parameter.name == "CtaSlots") config.cta_slots = parameter.value;
    if (parameter.name == "NumWarps") config.num_warps = parameter.value;
    if (parameter.name == "AddrWidth") config.addr_bits = parameter.value;
    if (parameter.name == "Threshold") config.threshold = parameter.value;
    if (parameter.name == "RefreshBase") config.refresh_base = parameter.value != 0;
    if (parameter.name == "CaseAPaced") config.case_a_paced = parameter.value != 0;
    if (parameter.name == "Style") config.style = parameter.value;
  }
  return config;
}

BlockType<CapsIn, CapsOut> CapsPrefetcherType(const CapsConfig& config) {
  constexpr std::string_view kName = "caps_prefetcher";
  CheckRange(kName, "CTA slots", config.cta_slots, 1, kMaxCtaSlots);
  CheckRange(kName, "warps", config.num_warps, 2, kMaxWarps);
  CheckRange(kName, "address bits", config.addr_bits, 16, 64);
  CheckRange(kName, "the threshold", config.threshold, 0, 254);
  return {.name = "caps_prefetcher",
          .parameters = {{"CtaSlots", config.cta_slots},
                         {"NumWarps", config.num_warps},
                         {"AddrWidth", config.addr_bits},
                         {"Threshold", config.threshold},
                         {"RefreshBase", config.refresh_base ? 1u : 0u},
                         {"CaseAPaced", config.case_a_paced ? 1u : 0u},
                         {"Style", config.style}},
          .inputs = CapsInputs(config),
          .outputs = CapsOutputs(config),
          .model = [=] { return std::make_unique<CapsPrefetcher>(config); }};
}

std::unique_ptr<CapsBlock> MakeCapsPrefetcher(const CapsConfig& config, Engine engine,
                                              const BodyOptions& options) {
  return MakeBody<CapsIn, CapsOut, PrefetcherPorts>(CapsPrefetcherType(config), engine, options);
}

CapsWarpSchedulerConfig CapsWarpSchedulerConfigOf(const RtlParameters& parameters) {
  CapsWarpSchedulerConfig config;
  for (const RtlParameter& parameter : parameters) {
    if (parameter.name == "NumWarps") config.num_warps = parameter.value;
    if (parameter.name == "Policy") {
      config.policy = static_cast<CapsWarpSchedulerConfig::Policy>(parameter.value);
    }
    if (parameter.name == "LeadingFirst") config.leading_first = parameter.value != 0;
    if (parameter.name == "ReadyWarps") config.ready_warps = parameter.value;
  }
  return config;
}

BlockType<WarpSchedulerIn, WarpSchedulerOut> CapsWarpSchedulerType(
    const CapsWarpSchedulerConfig& config) {
  constexpr std::string_view kName = "caps_warp_scheduler";
  CheckRange(kName, "warps", config.num_warps, 2, kMaxWarps);
  CheckRange(kName, "places for ready warps", config.ready_warps, 2, 16);
  return {.name = std::string(kName),
          .parameters = {{"NumWarps", config.num_warps},
                         {"Policy", static_cast<uint32_t>(config.policy)},
                         {"LeadingFirst", config.leading_first ? 1u : 0u},
                         {"ReadyWarps", config.ready_warps}},
          .inputs = WarpSchedulerInputs(config.num_warps),
          .outputs = WarpSchedulerOutputs(config.num_warps),
          .model = [=] { return std::make_unique<CapsWarpScheduler>(PrefetchAware(config)); }};
}

std::unique_ptr<WarpScheduler> MakeCapsWarpScheduler(const CapsWarpSchedulerConfig& config,
                                                     Engine engine, const BodyOptions& options) {
  return MakeBody<WarpSchedulerIn, WarpSchedulerOut, WarpSchedulerPorts>(
      CapsWarpSchedulerType(config), engine, options);
}

}  // namespace flagstone
