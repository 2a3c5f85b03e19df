#include <bit>

#include "base/error.h"
#include "gpu_model/blocks/common/check_range.h"
#include "gpu_model/blocks/dispatch_top/gpu_dispatch_top.h"
#include "gpu_model/blocks/field_rows.h"

namespace flagstone {
namespace {

using In = DispatchTopIn;
using Out = DispatchTopOut;

constexpr std::string_view kDispatchTop = "gpu_dispatch_top";
constexpr uint32_t kTagBits = 4;
constexpr uint32_t kMostOfAnSm = (1U << 20) - 1;  // registers and shared memory, in any unit

uint32_t ContextBits(uint32_t contexts) {
  return static_cast<uint32_t>(std::bit_width(contexts - 1));
}

FieldTable<In> Inputs(uint32_t num_sms, uint32_t contexts) {
  return {Scalar<&In::s_axil_awvalid>("s_axil_awvalid", 1),
          Scalar<&In::s_axil_awaddr>("s_axil_awaddr", 12, "s_axil_awvalid"),
          Scalar<&In::s_axil_wvalid>("s_axil_wvalid", 1),
          Scalar<&In::s_axil_wdata>("s_axil_wdata", 32, "s_axil_wvalid"),
          Scalar<&In::s_axil_wstrb>("s_axil_wstrb", 4, "s_axil_wvalid"),
          Scalar<&In::s_axil_bready>("s_axil_bready", 1),
          Scalar<&In::s_axil_arvalid>("s_axil_arvalid", 1),
          Scalar<&In::s_axil_araddr>("s_axil_araddr", 12, "s_axil_arvalid"),
          Scalar<&In::s_axil_rready>("s_axil_rready", 1),
          Scalar<&In::m_axi_arready>("m_axi_arready", 1),
          Scalar<&In::m_axi_rvalid>("m_axi_rvalid", 1),
          Scalar<&In::m_axi_rid>("m_axi_rid", 4, "m_axi_rvalid"),
          Scalar<&In::m_axi_rdata>("m_axi_rdata", 64, "m_axi_rvalid"),
          Scalar<&In::m_axi_rresp>("m_axi_rresp", 2, "m_axi_rvalid"),
          Scalar<&In::m_axi_rlast>("m_axi_rlast", 1, "m_axi_rvalid"),
          BitLanes<&In::tb_ready>("tb_ready", num_sms),
          BitLanes<&In::done_valid>("done_valid", num_sms),
          Lanes<&In::done_context>("done_context", ContextBits(contexts), num_sms, "done_valid"),
          Lanes<&In::done_tag>("done_tag", kTagBits, num_sms, "done_valid")};
}

FieldTable<Out> Outputs(uint32_t num_sms, uint32_t contexts, uint32_t id_bits) {
  const auto of_tb = [](Field<Out> field) {
    return field.When([](const Out& out, uint32_t) { return Any(out.tb_valid); });
  };
  return {Scalar<&Out::s_axil_awready>("s_axil_awready", 1),
          Scalar<&Out::s_axil_wready>("s_axil_wready", 1),
          Scalar<&Out::s_axil_bvalid>("s_axil_bvalid", 1),
          Scalar<&Out::s_axil_bresp>("s_axil_bresp", 2, "s_axil_bvalid"),
          Scalar<&Out::s_axil_arready>("s_axil_arready", 1),
          Scalar<&Out::s_axil_rvalid>("s_axil_rvalid", 1),
          Scalar<&Out::s_axil_rdata>("s_axil_rdata", 32, "s_axil_rvalid"),
          Scalar<&Out::s_axil_rresp>("s_axil_rresp", 2, "s_axil_rvalid"),
          Scalar<&Out::irq>("irq", 1),
          Scalar<&Out::m_axi_arvalid>("m_axi_arvalid", 1),
          Scalar<&Out::m_axi_araddr>("m_axi_araddr", 64, "m_axi_arvalid"),
          Scalar<&Out::m_axi_arlen>("m_axi_arlen", 8, "m_axi_arvalid"),
          Scalar<&Out::m_axi_arid>("m_axi_arid", 4, "m_axi_arvalid"),
          Scalar<&Out::m_axi_rready>("m_axi_rready", 1),
          of_tb(Scalar<&Out::launch_entry>("launch_entry", 64)),
          of_tb(Scalar<&Out::launch_parameters>("launch_parameters", 64)),
          BitLanes<&Out::tb_valid>("tb_valid", num_sms),
          of_tb(Scalar<&Out::tb_id>("tb_id", id_bits)),
          of_tb(Scalar<&Out::tb_x>("tb_x", id_bits)),
          of_tb(Scalar<&Out::tb_y>("tb_y", id_bits)),
          of_tb(Scalar<&Out::tb_z>("tb_z", id_bits)),
          of_tb(Scalar<&Out::tb_context>("tb_context", ContextBits(contexts))),
          Scalar<&Out::tb_tag>("tb_tag", kTagBits),
          Scalar<&Out::quiescent>("quiescent", 1)};
}

}  // namespace

const BlockDescriptor& DispatchTopDescriptor() {
  static const BlockDescriptor kDescriptor = {
      .name = kDispatchTop,
      .summary = "any of four TB schedulers with registers, an AXI4 port and ports for SMs",
      .whole = true,
      .parameters = {{"Scheduler", 2, 0, kDispatchSchedulers - 1, {0, 1, 2, 3}},
                     {"NumSm", 15, 1, kMaxSms},
                     {"IdWidth", 16, 16, 32, {16, 32}},
                     {"Contexts", 8, 2, 32},
                     {"Descriptors", TbSchedulerSize::kDescriptors, 3,
                      TbSchedulerSize::kMostDescriptors},
                     {"Reads", 4, 2, AxiReadMaster::kMostReads},
                     {"Resources", 1, 0, 1},
                     {"SmWarps", 48, 1, 1023},
                     {"SmRegisters", 32768, 1, kMostOfAnSm},
                     {"SmShared", 49152, 1, kMostOfAnSm}},
      .synth = {{{{"Scheduler", 0}, {"NumSm", 28}, {"Resources", 0}}, 1000},
                {{{"Scheduler", 2}, {"NumSm", 28}, {"Resources", 0}}, 1000}},
      .operation = "tb_valid_o & tb_ready_i",
      .coverage = "Scheduler=2 NumSm=4 IdWidth=32 Contexts=4 Descriptors=4 Reads=4 Resources=1",
      .mutation = {{.name = "tb_hand_over",
                    .within = "tb_hand_over.sv",
                    .parameters = "Scheduler=2 NumSm=3 IdWidth=16 Contexts=4 Descriptors=4 Reads=4 "
                                  "Resources=1 SmWarps=48 SmRegisters=32768 SmShared=49152",
                    .seeds = 20,
                    .cycles = 3000,
                    .large = 4}},
      .netlist =
          "Scheduler=2 NumSm=4 IdWidth=16 Contexts=4 Descriptors=4 Reads=4 Resources=1 "
          "SmWarps=48 SmRegisters=32768 SmShared=49152"};
  return kDescriptor;
}

DispatchTopSize DispatchTopSizeOf(const RtlParameters& parameters) {
  const auto value = [&](std::string_view name, uint32_t low, uint32_t high) {
    const uint32_t found = ParameterValue(parameters, name);
    CheckRange(kDispatchTop, name, found, low, high);
    return found;
  };
  DispatchTopSize size;
  size.scheduler = static_cast<DispatchScheduler>(value("Scheduler", 0, kDispatchSchedulers - 1));
  size.num_sms = value("NumSm", 1, kMaxSms);
  size.id_bits = value("IdWidth", 16, 32);
  size.contexts = value("Contexts", 2, 32);
  size.descriptors = value("Descriptors", 3, TbSchedulerSize::kMostDescriptors);
  size.reads = value("Reads", 2, AxiReadMaster::kMostReads);
  size.sm = {.counted = value("Resources", 0, 1) != 0,
             .warps = value("SmWarps", 1, 1023),
             .registers = value("SmRegisters", 1, kMostOfAnSm),
             .shared = value("SmShared", 1, kMostOfAnSm)};
  return size;
}

BlockType<In, Out> DispatchTopType(const RtlParameters& parameters) {
  const DispatchTopSize size = DispatchTopSizeOf(parameters);
  return {.name = std::string(kDispatchTop),
          .parameters = parameters,
          .inputs = Inputs(size.num_sms, size.contexts),
          .outputs = Outputs(size.num_sms, size.contexts, size.id_bits),
          .events = kDispatchTopEvents,
          .model = [size] { return std::make_unique<GpuDispatchTop>(size); }};
}

}  // namespace flagstone
