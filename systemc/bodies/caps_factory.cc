#include "systemc/bodies/caps_factory.h"

#include "base/error.h"
#include "gpu_model/blocks/caps/caps_prefetcher.h"
#include "gpu_model/blocks/caps/fields.h"

namespace flagstone {

CapsConfig CapsConfigOf(const RtlParameters& parameters) {
  CapsConfig config;
  for (const RtlParameter& parameter : parameters) {
    if (parameter.name == "CtaSlots") config.cta_slots = parameter.value;
    if (parameter.name == "NumWarps") config.num_warps = parameter.value;
    if (parameter.name == "AddrWidth") config.addr_bits = parameter.value;
    if (parameter.name == "Threshold") config.threshold = parameter.value;
    if (parameter.name == "RefreshBase") config.refresh_base = parameter.value != 0;
    if (parameter.name == "Style") config.style = parameter.value;
  }
  return config;
}

BlockType<CapsIn, CapsOut> CapsPrefetcherType(const CapsConfig& config) {
  const auto check = [](std::string_view name, uint32_t value, uint32_t low, uint32_t high) {
    if (value < low || value > high) {
      ThrowBadInput("caps_prefetcher with {} = {}: expected {} to {}", name, value, low, high);
    }
  };
  check("CTA slots", config.cta_slots, 1, kMaxCtaSlots);
  check("warps", config.num_warps, 2, 64);
  check("address bits", config.addr_bits, 16, 64);
  check("the threshold", config.threshold, 0, 254);
  return {.name = "caps_prefetcher",
          .parameters = {{"CtaSlots", config.cta_slots},
                         {"NumWarps", config.num_warps},
                         {"AddrWidth", config.addr_bits},
                         {"Threshold", config.threshold},
                         {"RefreshBase", config.refresh_base ? 1u : 0u},
                         {"Style", config.style}},
          .inputs = CapsInputs(config),
          .outputs = CapsOutputs(config),
          .model = [=] { return std::make_unique<CapsPrefetcher>(config); }};
}

std::unique_ptr<CapsBlock> MakeCapsPrefetcher(const CapsConfig& config, Engine engine,
                                              const BodyOptions& options) {
  return MakeBody(CapsPrefetcherType(config), engine, options);
}

}  // namespace flagstone
