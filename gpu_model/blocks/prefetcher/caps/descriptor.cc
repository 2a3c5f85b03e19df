#include "gpu_model/blocks/prefetcher/descriptor.h"

#include "gpu_model/blocks/common/check_range.h"
#include "gpu_model/blocks/prefetcher/caps/caps_fields.h"
#include "gpu_model/blocks/prefetcher/caps/caps_prefetcher.h"

namespace flagstone {
namespace {

template <CapsConfig (*kConfigOf)(const PrefetcherConfig&)>
std::unique_ptr<Prefetcher> Model(const PrefetcherConfig& config) {
  return std::make_unique<CapsPrefetcher>(kConfigOf(config));
}

template <CapsConfig (*kConfigOf)(const PrefetcherConfig&)>
RtlParameters Parameters(const PrefetcherConfig& config) {
  return RtlParametersOf(kConfigOf(config));
}

PrefetcherType CapsType(const RtlParameters& parameters) {
  return CapsPrefetcherType(CapsConfigOf(parameters));
}

// Of each file its own cells, driven within the whole. Wide arithmetic needs distant warps. Only a
// RAM shows what a read gives that meets a write: flip-flops have the new word.
MutationRow Mutation(std::string_view name, std::string_view within, uint32_t seeds, bool distant) {
  return {.name = name,
          .within = within,
          .parameters = distant ? "CtaSlots=2 AddrWidth=16 Threshold=5 NumWarps=64 Style=2"
                                : "CtaSlots=2 AddrWidth=16 Threshold=5 NumWarps=8 Style=2",
          .seeds = seeds,
          .cycles = 3000};
}

BlockDescriptor CapsBlockDescriptor() {
  return {.name = "caps_prefetcher",
          .summary = "CAPS: prefetches for trailing warps, CTA by CTA",
          .whole = true,
          .parameters = {{"CtaSlots", 8, 1, kMaxCtaSlots},
                         {"NumWarps", 48, 2, 64},
                         {"AddrWidth", 32, 8, 64},
                         {"Threshold", 128, 0, 254},
                         {"RefreshBase", 0, 0, 1},
                         {"CaseAPaced", 0, 0, 1},
                         {"Confidence", 0, 0, 1},
                         {"Style", 0, 0, 2}},
          .synth = {{{{"CtaSlots", 8}, {"NumWarps", 48}, {"Style", 0}}, 1400},
                    {{{"CtaSlots", 8}, {"NumWarps", 48}, {"Style", 1}}, 1400},
                    {{{"CtaSlots", 8}, {"NumWarps", 48}, {"Style", 2}}, 1400},
                    {{{"CtaSlots", 8}, {"NumWarps", 48}, {"Confidence", 1}, {"Style", 0}}, 1400}},
          .operation = "load_valid_i",
          .coverage = "CtaSlots=2 NumWarps=64 RefreshBase=1 Confidence=1",
          .mutation = {Mutation("caps_prefetcher", "caps_prefetcher.sv", 120, true),
                       Mutation("caps_stride_unit", "u_stride_unit", 160, true),
                       Mutation("caps_percta_table", "u_percta_table", 60, false),
                       Mutation("caps_dist_table", "u_dist_table", 60, false),
                       Mutation("caps_prefetch_generator", "u_prefetch_generator", 140, false)},
          .netlist =
              "CtaSlots=8 NumWarps=48 AddrWidth=32 Threshold=128 RefreshBase=0 "
              "CaseAPaced=0 Confidence=0 Style=0",
          .netlist_with_ram = true};
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
    if (parameter.name == "Confidence") config.confidence = parameter.value != 0;
    if (parameter.name == "Style") config.style = parameter.value;
  }
  return config;
}

RtlParameters RtlParametersOf(const CapsConfig& config) {
  return {{"CtaSlots", config.cta_slots},
          {"NumWarps", config.num_warps},
          {"AddrWidth", config.addr_bits},
          {"Threshold", config.threshold},
          {"RefreshBase", config.refresh_base ? 1u : 0u},
          {"CaseAPaced", config.case_a_paced ? 1u : 0u},
          {"Confidence", config.confidence ? 1u : 0u},
          {"Style", config.style}};
}

PrefetcherType CapsPrefetcherType(const CapsConfig& config) {
  CheckRange("caps_prefetcher", "CTA slots", config.cta_slots, 1, kMaxCtaSlots);
  CheckRange("caps_prefetcher", "warps", config.num_warps, 2, kMaxWarps);
  CheckRange("caps_prefetcher", "address bits", config.addr_bits, 8, 64);
  CheckRange("caps_prefetcher", "the threshold", config.threshold, 0, 254);
  return {.name = "caps_prefetcher",
          .parameters = RtlParametersOf(config),
          .inputs = CapsInputs(config),
          .outputs = CapsOutputs(config),
          .events = kCapsEvents,
          .model = [=] { return std::make_unique<CapsPrefetcher>(config); }};
}

const PrefetcherDescriptor& CapsPrefetcherDescriptor() {
  static const PrefetcherDescriptor kDescriptor = {
      .name = "caps",
      .summary = "CAPS: base addresses of each CTA, one stride between warps for all (RTL)",
      .model = Model<CapsConfigOf>,
      .block = CapsBlockDescriptor(),
      .type = CapsType,
      .parameters = Parameters<CapsConfigOf>};
  return kDescriptor;
}

const PrefetcherDescriptor& CapsPlusDescriptor() {
  static const PrefetcherDescriptor kDescriptor = {
      .name = "caps+",
      .summary = "CAPS with proven strides alone, whose lines are kept until their use (RTL)",
      .model = Model<CapsPlusConfigOf>,
      .block = CapsBlockDescriptor(),
      .type = CapsType,
      .parameters = Parameters<CapsPlusConfigOf>};
  return kDescriptor;
}

}  // namespace flagstone
