#include "gpu_model/blocks/warp_scheduler/descriptor.h"

#include "gpu_model/blocks/common/check_range.h"
#include "gpu_model/blocks/warp_scheduler/fields.h"
#include "gpu_model/blocks/warp_scheduler/pas/caps_warp_scheduler.h"

namespace flagstone {
namespace {

using Policy = CapsWarpSchedulerConfig::Policy;

template <Policy kPolicy>
CapsWarpSchedulerConfig PasConfig(const WarpSchedulerConfig& config) {
  return {.num_warps = config.num_warps, .policy = kPolicy, .ready_warps = config.two_level_ready};
}

template <Policy kPolicy>
std::unique_ptr<WarpScheduler> Model(const WarpSchedulerConfig& config) {
  return std::make_unique<CapsWarpScheduler>(PrefetchAware(PasConfig<kPolicy>(config)));
}

template <Policy kPolicy>
RtlParameters Parameters(const WarpSchedulerConfig& config) {
  return RtlParametersOf(PasConfig<kPolicy>(config));
}

WarpSchedulerType PasType(const RtlParameters& parameters) {
  return CapsWarpSchedulerType(CapsWarpSchedulerConfigOf(parameters));
}

BlockDescriptor PasBlock() {
  return {.name = "caps_warp_scheduler",
          .summary = "CAPS: leading warps first, and warps whose data was prefetched",
          .whole = true,
          .parameters = {{"NumWarps", 48, 2, kMaxWarps},
                         {"Policy", 0, 0, 3},
                         {"LeadingFirst", 1, 0, 1},
                         {"ReadyWarps", 8, 2, 16}},
          .synth = {{{{"NumWarps", 48}, {"Policy", 0}}, 1400},
                    {{{"NumWarps", 48}, {"Policy", 3}}, 1400}},
          .operation = "grant_valid_o",
          .coverage = "NumWarps=16 Policy=3",
          .mutation = {{.name = "caps_warp_scheduler",
                        .parameters = "NumWarps=8 Policy=0 LeadingFirst=1 ReadyWarps=3",
                        .seeds = 4,
                        .cycles = 3000},
                       {.name = "caps_warp_scheduler_duel",
                        .parameters = "NumWarps=8 Policy=3 LeadingFirst=1 ReadyWarps=3",
                        .seeds = 4,
                        .cycles = 6000}},
          .netlist = "NumWarps=48 Policy=0 LeadingFirst=1 ReadyWarps=8"};
}

template <Policy kPolicy>
WarpSchedulerDescriptor Descriptor(std::string_view name, std::string_view summary) {
  return {.name = name,
          .summary = summary,
          .model = Model<kPolicy>,
          .knows_leading = true,
          .compares_epochs = kPolicy == Policy::kDuel,
          .block = PasBlock(),
          .type = PasType,
          .parameters = Parameters<kPolicy>};
}

}  // namespace

CapsWarpSchedulerConfig CapsWarpSchedulerConfigOf(const RtlParameters& parameters) {
  CapsWarpSchedulerConfig config;
  for (const RtlParameter& parameter : parameters) {
    if (parameter.name == "NumWarps") config.num_warps = parameter.value;
    if (parameter.name == "Policy") config.policy = static_cast<Policy>(parameter.value);
    if (parameter.name == "LeadingFirst") config.leading_first = parameter.value != 0;
    if (parameter.name == "ReadyWarps") config.ready_warps = parameter.value;
  }
  return config;
}

RtlParameters RtlParametersOf(const CapsWarpSchedulerConfig& config) {
  return {{"NumWarps", config.num_warps},
          {"Policy", static_cast<uint32_t>(config.policy)},
          {"LeadingFirst", config.leading_first ? 1u : 0u},
          {"ReadyWarps", config.ready_warps}};
}

WarpSchedulerType CapsWarpSchedulerType(const CapsWarpSchedulerConfig& config) {
  CheckRange("caps_warp_scheduler", "warps", config.num_warps, 2, kMaxWarps);
  CheckRange("caps_warp_scheduler", "places for ready warps", config.ready_warps, 2, 16);
  return {.name = "caps_warp_scheduler",
          .parameters = RtlParametersOf(config),
          .inputs = WarpSchedulerInputs(config.num_warps),
          .outputs = WarpSchedulerOutputs(config.num_warps),
          .events = kWarpSchedulerEvents,
          .model = [=] { return std::make_unique<CapsWarpScheduler>(PrefetchAware(config)); }};
}

// The names under which a user chooses PAS: on top of which policy it puts the leading warps first
// (section V.A).
const std::vector<WarpSchedulerDescriptor>& PasDescriptors() {
  static const std::vector<WarpSchedulerDescriptor> kAll = {
      Descriptor<Policy::kTwoLevel>(
          "pas", "CAPS: two-level, leading warps first, and warps whose data was prefetched (RTL)"),
      Descriptor<Policy::kRoundRobin>("pas-lrr",
                                      "CAPS on loose round-robin: leading warps first (RTL)"),
      Descriptor<Policy::kGreedy>("pas-gto",
                                  "CAPS on greedy then oldest: leading warps first (RTL)"),
      Descriptor<Policy::kDuel>(
          "pas+", "the one of these three that lets most issue, tried in turn: not CAPS's (RTL)")};
  return kAll;
}

}  // namespace flagstone
