// The parts that blocks are made of: what is synthesised and tested of each.
#include "gpu_model/blocks/descriptor.h"
#include "gpu_model/blocks/sm_mask.h"
#include "gpu_model/blocks/tb_scheduler_size.h"

namespace flagstone {
namespace {

const BlockParameter kNumSm = {"NumSm", 15, 1, kMaxSms};
const BlockParameter kIdBytes = {"IdBytes", 2, 2, 4, {2, 4}};
const BlockParameter kDescriptors = {"Descriptors", TbSchedulerSize::kDescriptors, 1,
                                     TbSchedulerSize::kMostDescriptors};
const BlockParameter kIdWidth = {"IdWidth", 16, 16, 32, {16, 32}};

// A part that is driven alone, of a machine with 15 SMs at 700 MHz.
BlockDescriptor Driven(std::string_view name, std::string_view summary,
                       std::vector<BlockParameter> parameters, const MutationRow& mutation,
                       std::string_view netlist) {
  BlockDescriptor part = {.name = name, .summary = summary, .parameters = std::move(parameters)};
  RtlParameters standard;
  for (const BlockParameter& p : part.parameters) {
    standard.push_back({std::string(p.name), p.standard});
  }
  part.synth = {{standard}};
  part.mutation = {mutation};
  part.netlist = netlist;
  return part;
}

// A part that stands in others only.
BlockDescriptor Inner(std::string_view name, std::string_view summary, RtlParameters parameters,
                      double clock_mhz = 700) {
  return {.name = name, .summary = summary, .synth = {{std::move(parameters), clock_mhz}}};
}

// A part with table storage: in flip-flops, latches or a RAM.
BlockDescriptor InEachStyle(std::string_view name, std::string_view summary,
                            const RtlParameters& parameters) {
  BlockDescriptor part = {.name = name, .summary = summary};
  for (const uint32_t style : {0u, 1u, 2u}) {
    part.synth.push_back({parameters, 1400});
    part.synth.back().parameters.push_back({"Style", style});
  }
  return part;
}

std::vector<BlockDescriptor> PaverParts() {
  std::vector<BlockDescriptor> parts = {
      Driven("paver_tb_queue", "PAVER: one SM's next, tail and nextTB", {kIdWidth},
             {.parameters = "IdWidth=16", .seeds = 3, .cycles = 10000}, "IdWidth=16"),
      Driven("paver_task_stealer", "PAVER: Algorithm 2 as a sequential scan", {kNumSm, kIdBytes},
             {.parameters = "NumSm=3 IdBytes=2", .seeds = 20, .cycles = 10000},
             "NumSm=15 IdBytes=2 SumWidth=16"),
      Driven("paver_group_dispatcher", "PAVER: walks the global queue and hands groups out",
             {kNumSm, kDescriptors},
             {.parameters = "NumSm=3 Descriptors=4", .seeds = 6, .cycles = 10000, .large = 4},
             "NumSm=15 Descriptors=4"),
      Driven("paver_fetch_port", "PAVER: the memory port that queues and dispatcher share",
             {kNumSm, kIdBytes, kDescriptors},
             {.parameters = "NumSm=3 IdBytes=2 Descriptors=4", .seeds = 10, .cycles = 10000},
             "NumSm=15 IdBytes=2 Descriptors=4"),
  };
  parts[0].synth[0].clock_mhz = 1200;
  // The PAVER paper's machines.
  parts[2].synth = {{{{"NumSm", 15}, {"Descriptors", 4}}, 700},
                    {{{"NumSm", 28}, {"Descriptors", 16}}, 1000},
                    {{{"NumSm", 80}, {"Descriptors", 32}}, 1200}};
  // Counts that no whole scheduler brings to their high bits.
  parts[1].coverage = "NumSm=3";
  parts[2].coverage = "NumSm=3 Descriptors=4";
  parts[1].synth = {{{{"NumSm", 15}, {"IdBytes", 2}}, 700},
                    {{{"NumSm", 28}, {"IdBytes", 2}}, 1000},
                    {{{"NumSm", 80}, {"IdBytes", 2}}, 1200}};
  return parts;
}

std::vector<BlockDescriptor> CommonParts() {
  std::vector<BlockDescriptor> parts = {
      Driven("outstanding_tbs", "counts the TBs that run", {kNumSm},
             {.parameters = "NumSm=20", .seeds = 6, .cycles = 4000, .large = 2}, "NumSm=15"),
      Driven("round_robin_pick", "first requester at or after an index",
             {{"Count", 15, 1, kMaxSms}}, {.parameters = "Count=15", .seeds = 10, .cycles = 20000},
             "Count=15"),
      Driven("fifo", "first-in first-out queue in registers",
             {{"Width", 8, 1, 64}, {"Depth", 4, 1, 256}},
             {.parameters = "Width=8 Depth=5", .seeds = 2, .cycles = 5000}, "Width=8 Depth=4"),
  };
  parts[0].coverage = "NumSm=128";
  return parts;
}

std::vector<BlockDescriptor> InnerParts() {
  return {
      InEachStyle("caps_percta_table", "CAPS: per CTA slot the base addresses of four loads",
                  {{"CtaSlots", 8}}),
      Inner("caps_dist_table", "CAPS: strides of four loads", {{"AddrWidth", 32}}, 1400),
      Inner("caps_stride_unit", "CAPS: strides and predicted addresses", {{"AddrWidth", 32}}, 1400),
      Inner("caps_prefetch_generator", "CAPS: the addresses to prefetch",
            {{"CtaSlots", 8}, {"NumWarps", 48}}, 1400),
      Inner("caps_prefetch_jobs", "CAPS: which slots wait for prefetches of which load",
            {{"CtaSlots", 8}}, 1400),
      Inner("caps_two_level_policy", "CAPS: few warps ready, the others pending",
            {{"NumWarps", 48}}, 1400),
      Inner("caps_turns_policy", "CAPS: warps in turn", {{"NumWarps", 48}}, 1400),
      Inner("caps_greedy_policy", "CAPS: the warp that issued last, then the oldest",
            {{"NumWarps", 48}, {"GroupSize", 2}}, 1400),
      Inner("caps_order_duel", "beyond CAPS: the order of warps that lets most instructions issue",
            {{"NumWarps", 48}}, 1400),
      Inner("age_order", "in which order eight entries came in", {{"Count", 8}}, 1400),
      Inner("lru_of_4", "which of four entries was written longest ago", {}, 1400),
      Inner("paver_queue_bank", "PAVER: all SMs' queues and the task stealer",
            {{"NumSm", 15}, {"IdWidth", 16}}),
      Inner("paver_wide_queue_bank",
            "PAVER, ids by the sector: all SMs' queues, sectors and stealer",
            {{"NumSm", 15}, {"IdWidth", 16}}),
      Inner("paver_wide_tb_queue", "PAVER, ids by the sector: one SM's part", {{"IdWidth", 16}}),
      Inner("paver_wide_sector_bank", "PAVER, ids by the sector: the sectors of a few SMs",
            {{"IdWidth", 16}}),
      Inner("paver_wide_group_dispatcher",
            "PAVER, ids by the sector: groups for SMs that hold none",
            {{"NumSm", 15}, {"Descriptors", 4}}),
      Inner("paver_steal_rule", "PAVER: which SMs may steal", {{"NumSm", 15}}),
      Inner("tb_scheduler_shell", "what the TB schedulers without a queue in memory share",
            {{"NumSm", 15}, {"IdWidth", 16}}),
      Inner("tb_offer_bank", "offers of TBs, one a cycle and issue port, SM after SM",
            {{"NumSm", 15}}),
      Inner("tb_sequence", "the ids of a kernel's TBs in order", {}),
      Inner("tb_limiter", "TBs that each SM may still take, under a limit", {{"NumSm", 15}}),
      Inner("swizzle_order", "the grid's TBs in bands of rows", {}),
      Inner("numa_order", "runs of a grid's TBs at given distances", {}),
      Inner("chunk_order", "a contiguous part of the grid for each SM", {{"NumSm", 15}}),
      Inner("cta_map_order", "ids in order, or each SM's ranges", {{"NumSm", 15}}),
      Inner("cta_map_sizes", "the sizes of each SM's ranges, by division", {{"NumSm", 15}}),
      Inner("sm_walk", "visits the SMs, one a cycle", {{"NumSm", 15}}),
      Inner("axi_lite_slave", "dispatcher: writes and reads of registers, one of each at a time",
            {}, 1000),
      Inner("axi_read_master", "dispatcher: reads as AXI4 bursts, answered in order",
            {{"Reads", 4}}, 1000),
      Inner("dispatch_control", "dispatcher: a launch that runs and one behind it", {}, 1000),
      Inner("dispatch_register_file", "dispatcher: the registers", {}, 1000),
      Inner("dispatch_scheduler", "dispatcher: the TB scheduler, by parameter",
            {{"Scheduler", 0}, {"NumSm", 15}}, 1000),
      Inner("launch_prepare", "dispatcher: what a launch needs before it begins", {{"NumSm", 15}},
            1000),
      Inner("sm_contexts", "dispatcher: contexts of each SM in use", {{"NumSm", 15}}, 1000),
      Inner("tb_hand_over", "dispatcher: one TB after the other from the scheduler's offers",
            {{"NumSm", 15}}, 1000),
      Inner("tb_index_divider", "dispatcher: x, y and z of a TB's id", {}, 1000),
      Inner("tb_range_bank", "each SM's ranges of a sequence over the grid", {{"NumSm", 15}}),
      Inner("carry_select_adder", "a + b in blocks of six bits", {{"Width", 32}}, 1400),
      Inner("first_index", "the lowest of many requesters", {{"Count", 48}}, 1400),
      Inner("round_robin_arbiter", "requesters in turn", {{"Count", 15}}),
      InEachStyle("table_storage", "a table's entries in flip-flops (0), latches (1) or a RAM (2)",
                  {{"Width", 32}, {"Depth", 16}}),
  };
}

}  // namespace

const std::vector<BlockDescriptor>& PartDescriptors() {
  static const std::vector<BlockDescriptor> kParts = [] {
    std::vector<BlockDescriptor> all;
    for (auto* parts : {PaverParts, CommonParts, InnerParts}) {
      for (BlockDescriptor& part : parts()) all.push_back(std::move(part));
    }
    return all;
  }();
  return kParts;
}

}  // namespace flagstone
