#include "gpu_model/blocks/warp_scheduler/descriptor.h"

#include <algorithm>
#include <bit>

#include "gpu_model/blocks/common/check_range.h"
#include "gpu_model/blocks/field_rows.h"
#include "gpu_model/blocks/warp_scheduler/programmable/programmable_warp_scheduler.h"

namespace flagstone {
namespace {

using In = WarpSchedulerIn;
using Out = WarpSchedulerOut;

constexpr EventRule<In, Out> kProgrammableEvents = {
    [](const Out& out, const In& in, const In& last) {
      return out.quiescent && !HasPulse(in) && in.eligible == last.eligible;
    },
    /*compares_last=*/true};

ProgrammableConfig ConfigOf(const WarpSchedulerConfig& config) {
  return {.num_warps = config.num_warps, .tb_slots = std::clamp(config.tb_slots, 2U, 32U)};
}

std::unique_ptr<WarpScheduler> ProgrammableModel(const WarpSchedulerConfig& config) {
  return std::make_unique<ProgrammableWarpScheduler>(Programmable(ConfigOf(config)));
}

RtlParameters ProgrammableParameters(const WarpSchedulerConfig& config) {
  const ProgrammableConfig of = ConfigOf(config);
  return {{"NumWarps", of.num_warps}, {"TbSlots", of.tb_slots}};
}

WarpSchedulerType ProgrammableType(const RtlParameters& parameters) {
  ProgrammableConfig config;
  for (const RtlParameter& parameter : parameters) {
    if (parameter.name == "NumWarps") config.num_warps = parameter.value;
    if (parameter.name == "TbSlots") config.tb_slots = parameter.value;
  }
  CheckRange("programmable_warp_scheduler", "warps", config.num_warps, 2, kMaxWarps);
  CheckRange("programmable_warp_scheduler", "TBs", config.tb_slots, 2, 32);
  const uint32_t warps = config.num_warps;
  const auto index_bits = static_cast<uint32_t>(std::bit_width(warps - 1));
  const auto size_bits = static_cast<uint32_t>(std::bit_width(warps));
  return {
      .name = "programmable_warp_scheduler",
      .parameters = {{"NumWarps", warps}, {"TbSlots", config.tb_slots}},
      .inputs = {Scalar<&In::eligible>("eligible", warps), Scalar<&In::started>("started", warps),
                 Scalar<&In::finished>("finished", warps),
                 Scalar<&In::issued_valid>("issued_valid", 1),
                 Scalar<&In::issued_warp>("issued_warp", index_bits, "issued_valid"),
                 Scalar<&In::group_valid>("group_valid", 1),
                 Scalar<&In::group_size>("group_size", size_bits, "group_valid")},
      .outputs = {Scalar<&Out::grant_valid>("grant_valid", 1),
                  Scalar<&Out::grant_warp>("grant_warp", index_bits, "grant_valid"),
                  Scalar<&Out::quiescent>("quiescent", 1)},
      .events = kProgrammableEvents,
      .model = [=] { return std::make_unique<ProgrammableWarpScheduler>(Programmable(config)); }};
}

}  // namespace

const WarpSchedulerDescriptor& ProgrammableDescriptor() {
  static const WarpSchedulerDescriptor kDescriptor = {
      .name = "programmable",
      .summary = "a group of the oldest warps first, as many as the software says (RTL)",
      .model = ProgrammableModel,
      .takes_group_sizes = true,
      .block = {.name = "programmable_warp_scheduler",
                .summary = "a group of the oldest warps first, across the borders of TBs",
                .whole = true,
                .parameters = {{"NumWarps", 48, 2, kMaxWarps}, {"TbSlots", 8, 2, 32}},
                .synth = {{{{"NumWarps", 48}, {"TbSlots", 8}}, 1400}},
                .operation = "grant_valid_o",
                .coverage = "NumWarps=16 TbSlots=4",
                .mutation = {{.name = "programmable_warp_scheduler",
                              .parameters = "NumWarps=8 TbSlots=3",
                              .seeds = 8,
                              .cycles = 8000}},
                .netlist = "NumWarps=48 TbSlots=8"},
      .type = ProgrammableType,
      .parameters = ProgrammableParameters};
  return kDescriptor;
}

}  // namespace flagstone
