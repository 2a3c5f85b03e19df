#include "synth/blocks.h"

#include "base/error.h"

namespace flagstone {

std::span<const SynthBlock> SynthBlocks() {
  static const std::vector<SynthBlock> kBlocks = {
      {"paver_tb_scheduler",
       true,
       "PAVER: TB groups from global memory, a queue per SM, task stealing",
       {{"NumSm", 15}, {"IdWidth", 16}}},
      {"lrr_tb_scheduler",
       true,
       "loose round-robin: sequential TB ids, SM after SM",
       {{"NumSm", 15}, {"IdWidth", 16}}},
      {"bcs_tb_scheduler",
       true,
       "block CTA scheduling: pairs of consecutive TBs",
       {{"NumSm", 15}, {"IdWidth", 16}}},
      {"cache_fit_tb_scheduler",
       true,
       "loose round-robin under a limit of TBs per SM",
       {{"NumSm", 15}, {"IdWidth", 16}}},
      {"swizzle_tb_scheduler", true, "the grid in bands of rows", {{"NumSm", 15}, {"IdWidth", 16}}},
      {"chunk_tb_scheduler",
       true,
       "a contiguous part of the grid for each SM",
       {{"NumSm", 15}, {"IdWidth", 16}}},
      {"cta_map_tb_scheduler",
       true,
       "rows or columns of the grid for each SM, or round-robin",
       {{"NumSm", 15}, {"IdWidth", 16}}},
      {"caps_prefetcher",
       true,
       "CAPS: prefetches for trailing warps, CTA by CTA",
       {{"CtaSlots", 8}, {"NumWarps", 48}, {"Style", 0}}},
      {"caps_percta_table",
       false,
       "CAPS: per CTA slot the base addresses of four loads",
       {{"CtaSlots", 8}, {"Style", 0}}},
      {"caps_dist_table", false, "CAPS: strides of four loads", {{"AddrWidth", 32}}},
      {"caps_stride_unit", false, "CAPS: strides and predicted addresses", {{"AddrWidth", 32}}},
      {"caps_prefetch_generator",
       false,
       "CAPS: the addresses to prefetch",
       {{"CtaSlots", 8}, {"NumWarps", 48}}},
      {"age_order", false, "which entry was written longest ago", {{"Count", 4}}},
      {"paver_queue_bank",
       false,
       "PAVER: all SMs' queues and the task stealer",
       {{"NumSm", 15}, {"IdWidth", 16}}},
      {"paver_tb_queue", false, "PAVER: one SM's next, tail and nextTB", {{"IdWidth", 16}}},
      {"paver_task_stealer",
       false,
       "PAVER: Algorithm 2 as a sequential scan",
       {{"NumSm", 15}, {"IdBytes", 2}}},
      {"paver_group_dispatcher",
       false,
       "PAVER: walks the global queue and hands groups out",
       {{"NumSm", 15}}},
      {"paver_fetch_port",
       false,
       "PAVER: the memory port that queues and dispatcher share",
       {{"NumSm", 15}, {"IdBytes", 2}}},
      {"tb_offer_bank", false, "one offer of a TB a cycle, SM after SM", {{"NumSm", 15}}},
      {"tb_limiter", false, "TBs that each SM holds, against a limit", {{"NumSm", 15}}},
      {"tb_range_bank", false, "each SM's ranges of a sequence over the grid", {{"NumSm", 15}}},
      {"outstanding_tbs", false, "counts the TBs that run", {{"NumSm", 15}}},
      {"round_robin_pick", false, "round-robin arbiter", {{"Count", 15}}},
      {"fifo", false, "first-in first-out queue in registers", {{"Width", 8}, {"Depth", 4}}},
      {"table_storage",
       false,
       "a table's entries in flip-flops, latches or a RAM macro",
       {{"Width", 32}, {"Depth", 16}, {"Style", 0}}},
      {"table_storage_flops", false, "its body in flip-flops", {{"Width", 32}, {"Depth", 16}}},
      {"table_storage_latches", false, "its body in latches", {{"Width", 32}, {"Depth", 16}}},
      {"table_storage_ram", false, "its body as a RAM macro", {{"Width", 32}, {"Depth", 16}}},
  };
  return kBlocks;
}

std::vector<SynthBlock> SelectSynthBlocks(const std::vector<std::string>& names) {
  std::vector<SynthBlock> selected;
  if (names.empty()) {
    for (const SynthBlock& block : SynthBlocks()) {
      if (block.top) selected.push_back(block);
    }
    return selected;
  }
  for (const std::string& name : names) {
    const SynthBlock* found = nullptr;
    std::string known;
    for (const SynthBlock& block : SynthBlocks()) {
      if (block.name == name) found = &block;
      known += fmt::format("{}{}", known.empty() ? "" : ", ", block.name);
    }
    if (found == nullptr) ThrowBadInput("unknown block '{}': expected one of {}", name, known);
    selected.push_back(*found);
  }
  return selected;
}

}  // namespace flagstone
