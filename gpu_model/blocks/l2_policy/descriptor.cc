#include "gpu_model/blocks/field_rows.h"
#include "gpu_model/blocks/l2_policy/l2_remote_policy.h"

namespace flagstone {
namespace {

constexpr uint32_t kMaxNodeBits = 5;

FieldTable<L2PolicyIn> Inputs(const L2PolicySize& size) {
  return {Scalar<&L2PolicyIn::cfg_valid>("cfg_valid", 1),
          Scalar<&L2PolicyIn::cfg_node>("cfg_node", size.node_bits, "cfg_valid"),
          Scalar<&L2PolicyIn::cfg_once>("cfg_once", 1, "cfg_valid"),
          Scalar<&L2PolicyIn::cfg_remote_caching>("cfg_remote_caching", 1, "cfg_valid"),
          BitLanes<&L2PolicyIn::req_valid>("req_valid", size.lanes),
          BitLanes<&L2PolicyIn::req_from_fabric>("req_from_fabric", size.lanes).Under("req_valid"),
          Lanes<&L2PolicyIn::req_kind>("req_kind", 2, size.lanes, "req_valid"),
          Lanes<&L2PolicyIn::req_home>("req_home", size.node_bits, size.lanes, "req_valid")};
}

FieldTable<L2PolicyOut> Outputs(const L2PolicySize& size) {
  return {BitLanes<&L2PolicyOut::dec_valid>("dec_valid", size.lanes),
          Lanes<&L2PolicyOut::dec_class>("dec_class", 2, size.lanes, "dec_valid"),
          BitLanes<&L2PolicyOut::dec_probe>("dec_probe", size.lanes).Under("dec_valid"),
          BitLanes<&L2PolicyOut::dec_keep>("dec_keep", size.lanes).Under("dec_valid"),
          BitLanes<&L2PolicyOut::dec_forward>("dec_forward", size.lanes).Under("dec_valid"),
          BitLanes<&L2PolicyOut::dec_update>("dec_update", size.lanes).Under("dec_valid"),
          BitLanes<&L2PolicyOut::dec_invalidate>("dec_invalidate", size.lanes).Under("dec_valid"),
          BitLanes<&L2PolicyOut::dec_fault>("dec_fault", size.lanes).Under("dec_valid"),
          Scalar<&L2PolicyOut::quiescent>("quiescent", 1)};
}

}  // namespace

const BlockDescriptor& L2PolicyDescriptor() {
  static const BlockDescriptor kDescriptor = {
      .name = "l2_remote_policy",
      .summary = "LADM: whose line a node's L2 keeps, and what goes to its home",
      .whole = true,
      .parameters = {{"NumLanes", 8, 1, kMaxL2Lanes}, {"NodeWidth", 4, 1, kMaxNodeBits}},
      .synth = {{{{"NumLanes", 32}, {"NodeWidth", 4}}, 1400}},
      .operation = "dec_valid_o",
      .coverage = "NumLanes=2 NodeWidth=2",
      .mutation = {{.name = "l2_remote_policy",
                    .parameters = "NumLanes=2 NodeWidth=2",
                    .seeds = 4,
                    .cycles = 3000}},
      .netlist = "NumLanes=8 NodeWidth=4"};
  return kDescriptor;
}

BlockType<L2PolicyIn, L2PolicyOut> L2PolicyType(const L2PolicySize& size) {
  if (size.lanes == 0 || size.lanes > kMaxL2Lanes || size.node_bits == 0 ||
      size.node_bits > kMaxNodeBits) {
    ThrowBadInput("an L2 policy of {} lanes and {} bits of a node: expected at most {} and {}",
                  size.lanes, size.node_bits, kMaxL2Lanes, kMaxNodeBits);
  }
  return {.name = "l2_remote_policy",
          .parameters = {{"NumLanes", size.lanes}, {"NodeWidth", size.node_bits}},
          .inputs = Inputs(size),
          .outputs = Outputs(size),
          .events = kL2PolicyEvents,
          .model = [size] { return std::make_unique<L2RemotePolicy>(size); }};
}

BlockType<L2PolicyIn, L2PolicyOut> L2PolicyType(const RtlParameters& parameters) {
  return L2PolicyType(L2PolicySize{ParameterValue(parameters, "NumLanes"),
                                   ParameterValue(parameters, "NodeWidth")});
}

}  // namespace flagstone
