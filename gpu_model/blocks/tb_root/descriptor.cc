#include <algorithm>

#include "gpu_model/blocks/field_rows.h"
#include "gpu_model/blocks/tb_root/numa_tb_root.h"

namespace flagstone {
namespace {

constexpr uint32_t kMaxGpus = 16, kMaxChiplets = 16, kMaxNodes = 32;
constexpr uint32_t kRankBits = 5, kGpuBits = 5;

FieldTable<TbRootIn> Inputs(const TbRootSize& size) {
  const uint32_t id = size.id_bits;
  const uint32_t count = std::min(id + 1, 32u);
  return {Scalar<&TbRootIn::start>("start", 1),
          Element<&TbRootIn::settings, kGpuStep>("gpu_step", id, "start"),
          Element<&TbRootIn::settings, kChipletStep>("chiplet_step", id, "start"),
          Element<&TbRootIn::settings, kRunTbs>("run_tbs", count, "start"),
          Element<&TbRootIn::settings, kStep>("step", id, "start"),
          Element<&TbRootIn::settings, kLineTbs>("line_tbs", count, "start"),
          Element<&TbRootIn::settings, kLineJump>("line_jump", id, "start"),
          Element<&TbRootIn::settings, kRunJump>("run_jump", id, "start"),
          Element<&TbRootIn::settings, kGpuRank>("gpu_rank", kRankBits, "start"),
          Element<&TbRootIn::settings, kChipletRank>("chiplet_rank", kRankBits, "start"),
          Element<&TbRootIn::settings, kLastGpu>("last_gpu", kGpuBits, "start"),
          Element<&TbRootIn::settings, kFullTbs>("full_tbs", count, "start"),
          Element<&TbRootIn::settings, kFullExtra>("full_extra", kRankBits, "start"),
          Element<&TbRootIn::settings, kFullShort>("full_short", kRankBits, "start"),
          Element<&TbRootIn::settings, kFullLack>("full_lack", count, "start"),
          Element<&TbRootIn::settings, kLastTbs>("last_tbs", count, "start"),
          Element<&TbRootIn::settings, kLastExtra>("last_extra", kRankBits, "start"),
          Element<&TbRootIn::settings, kLastShort>("last_short", kRankBits, "start"),
          Element<&TbRootIn::settings, kLastLack>("last_lack", count, "start"),
          BitLanes<&TbRootIn::node_busy>("node_busy", size.nodes.Nodes())};
}

FieldTable<TbRootOut> Outputs(const TbRootSize& size) {
  const uint32_t id = size.id_bits;
  const uint32_t count = std::min(id + 1, 32u);
  const auto under_start = [](Field<TbRootOut> field) {
    return field.When([](const TbRootOut& out, uint32_t) { return out.node_start[0] != 0; });
  };
  return {BitLanes<&TbRootOut::node_start>("node_start", size.nodes.Nodes()),
          under_start(Scalar<&TbRootOut::node_tb_count>("node_tb_count", count)),
          under_start(Element<&TbRootOut::node, 0>("node_first", id)),
          under_start(Element<&TbRootOut::node, 1>("node_run_tbs", count)),
          under_start(Element<&TbRootOut::node, 2>("node_step", id)),
          under_start(Element<&TbRootOut::node, 3>("node_line_tbs", count)),
          under_start(Element<&TbRootOut::node, 4>("node_line_jump", id)),
          under_start(Element<&TbRootOut::node, 5>("node_run_jump", id)),
          Scalar<&TbRootOut::busy>("busy", 1),
          Scalar<&TbRootOut::quiescent>("quiescent", 1)};
}

}  // namespace

const BlockDescriptor& TbRootDescriptor() {
  static const BlockDescriptor kDescriptor = {
      .name = "numa_tb_root",
      .summary = "starts the TB schedulers of nodes that share a grid, each with its part",
      .whole = true,
      .parameters = {{"Gpus", 4, 1, kMaxGpus},
                     {"Chiplets", 4, 1, kMaxChiplets},
                     {"IdWidth", 16, 16, 32, {16, 32}}},
      .synth = {{{{"Gpus", 4}, {"Chiplets", 4}, {"IdWidth", 16}}, 1400},
                {{{"Gpus", 4}, {"Chiplets", 4}, {"IdWidth", 32}}, 1400}},
      .operation = "node_start_o",
      .coverage = "Gpus=2 Chiplets=3 IdWidth=16",
      .mutation = {{.name = "numa_tb_root",
                    .parameters = "Gpus=2 Chiplets=3 IdWidth=16",
                    .seeds = 10,
                    .cycles = 4000}},
      .netlist = "Gpus=4 Chiplets=4 IdWidth=16"};
  return kDescriptor;
}

BlockType<TbRootIn, TbRootOut> TbRootType(const TbRootSize& size) {
  const NodeShape& nodes = size.nodes;
  if (nodes.gpus == 0 || nodes.gpus > kMaxGpus || nodes.chiplets == 0 ||
      nodes.chiplets > kMaxChiplets || nodes.Nodes() > kMaxNodes) {
    ThrowBadInput("a root of {} GPUs of {} chiplets: expected at most {} of {}, and {} nodes",
                  nodes.gpus, nodes.chiplets, kMaxGpus, kMaxChiplets, kMaxNodes);
  }
  return {
      .name = "numa_tb_root",
      .parameters = {{"Gpus", nodes.gpus}, {"Chiplets", nodes.chiplets}, {"IdWidth", size.id_bits}},
      .inputs = Inputs(size),
      .outputs = Outputs(size),
      .events = kTbRootEvents,
      .model = [size] { return std::make_unique<NumaTbRoot>(size); }};
}

BlockType<TbRootIn, TbRootOut> TbRootType(const RtlParameters& parameters) {
  return TbRootType(
      TbRootSize{{ParameterValue(parameters, "Gpus"), ParameterValue(parameters, "Chiplets")},
                 ParameterValue(parameters, "IdWidth")});
}

}  // namespace flagstone
