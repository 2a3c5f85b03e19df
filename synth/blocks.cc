#include "synth/blocks.h"

#include <algorithm>

#include "base/error.h"

namespace flagstone {
namespace {

struct ParameterRange {
  std::string_view name;
  uint32_t least, most;
};

// What the modules' headers say.
constexpr ParameterRange kRanges[] = {
    {"CtaSlots", 1, 32}, {"NumWarps", 2, 64},   {"NumSm", 1, 128},  {"IdWidth", 16, 32},
    {"IdBytes", 2, 4},   {"Count", 1, 128},     {"Width", 1, 4096}, {"Depth", 1, 1024},
    {"Style", 0, 2},     {"AddrWidth", 19, 64},
};

struct Machine {
  uint32_t num_sms;
  double clock_mhz;
};
constexpr Machine kPaverMachines[] = {{15, 700}, {28, 1000}, {80, 1200}};

constexpr std::string_view kIssue = "tb_valid_o & tb_ready_i";
constexpr std::string_view kLoad = "load_valid_i";
constexpr std::string_view kGrant = "grant_valid_o";

std::vector<SynthBlock> MakeBlocks() {
  const std::vector<SynthParameter> dispatcher = {{"NumSm", 15}, {"IdWidth", 16}};
  std::vector<SynthBlock> blocks;
  // A row for each of the PAVER paper's machines.
  const auto on_machines = [&](const SynthBlock& block) {
    for (const Machine& machine : kPaverMachines) {
      SynthBlock& row = blocks.emplace_back(block);
      for (SynthParameter& parameter : row.parameters) {
        if (parameter.name == "NumSm") parameter.value = machine.num_sms;
      }
      row.clock_mhz = machine.clock_mhz;
    }
  };
  const auto add = [&](std::string_view name, bool top, std::string_view what,
                       std::vector<SynthParameter> parameters, double clock_mhz = 700) {
    // A TB scheduler's operation is the issue of a TB, the prefetcher's a load that it looks at,
    // the warp scheduler's a grant.
    const std::string_view operation = name == "caps_prefetcher"       ? kLoad
                                       : name == "caps_warp_scheduler" ? kGrant
                                       : top                           ? kIssue
                                                                       : "";
    blocks.push_back({name, top, what, std::move(parameters), clock_mhz, operation});
  };

  on_machines({"paver_tb_scheduler", true,
               "PAVER: TB groups from global memory, a queue per SM, task stealing", dispatcher,
               700, kIssue});
  add("lrr_tb_scheduler", true, "loose round-robin: sequential TB ids, SM after SM", dispatcher);
  add("bcs_tb_scheduler", true, "block CTA scheduling: pairs of consecutive TBs", dispatcher);
  add("cache_fit_tb_scheduler", true, "loose round-robin under a limit of TBs per SM", dispatcher);
  add("swizzle_tb_scheduler", true, "the grid in bands of rows", dispatcher);
  add("chunk_tb_scheduler", true, "a contiguous part of the grid for each SM", dispatcher);
  add("cta_map_tb_scheduler", true, "rows or columns of the grid for each SM, or round-robin",
      dispatcher);

  for (const uint32_t style : {0u, 1u, 2u}) {
    add("caps_prefetcher", true, "CAPS: prefetches for trailing warps, CTA by CTA",
        {{"CtaSlots", 8}, {"NumWarps", 48}, {"Style", style}}, 1400);
  }
  add("caps_warp_scheduler", true, "CAPS: leading warps first, and warps whose data was prefetched",
      {{"NumWarps", 48}}, 1400);
  for (const uint32_t style : {0u, 1u, 2u}) {
    add("caps_percta_table", false, "CAPS: per CTA slot the base addresses of four loads",
        {{"CtaSlots", 8}, {"Style", style}}, 1400);
  }
  add("caps_dist_table", false, "CAPS: strides of four loads", {{"AddrWidth", 32}}, 1400);
  add("caps_stride_unit", false, "CAPS: strides and predicted addresses", {{"AddrWidth", 32}},
      1400);
  add("caps_prefetch_generator", false, "CAPS: the addresses to prefetch",
      {{"CtaSlots", 8}, {"NumWarps", 48}}, 1400);
  add("caps_prefetch_jobs", false, "CAPS: which slots wait for prefetches of which load",
      {{"CtaSlots", 8}}, 1400);
  add("age_order", false, "in which order eight entries came in", {{"Count", 8}}, 1400);
  add("lru_of_4", false, "which of four entries was written longest ago", {}, 1400);

  add("paver_queue_bank", false, "PAVER: all SMs' queues and the task stealer", dispatcher);
  add("paver_tb_queue", false, "PAVER: one SM's next, tail and nextTB", {{"IdWidth", 16}}, 1200);
  on_machines({"paver_task_stealer",
               false,
               "PAVER: Algorithm 2 as a sequential scan",
               {{"NumSm", 15}, {"IdBytes", 2}}});
  add("paver_group_dispatcher", false, "PAVER: walks the global queue and hands groups out",
      {{"NumSm", 15}});
  add("paver_fetch_port", false, "PAVER: the memory port that queues and dispatcher share",
      {{"NumSm", 15}, {"IdBytes", 2}});
  add("tb_offer_bank", false, "one offer of a TB a cycle, SM after SM", {{"NumSm", 15}});
  add("tb_sequence", false, "the ids of a kernel's TBs in order", {});
  add("tb_limiter", false, "TBs that each SM may still take, under a limit", {{"NumSm", 15}});
  add("sm_walk", false, "visits the SMs, one a cycle", {{"NumSm", 15}});
  add("tb_range_bank", false, "each SM's ranges of a sequence over the grid", {{"NumSm", 15}});
  add("outstanding_tbs", false, "counts the TBs that run", {{"NumSm", 15}});
  add("carry_select_adder", false, "a + b in blocks of six bits", {{"Width", 32}}, 1400);
  add("first_index", false, "the lowest of many requesters", {{"Count", 48}}, 1400);
  add("round_robin_pick", false, "first requester at or after an index", {{"Count", 15}});
  add("round_robin_arbiter", false, "requesters in turn", {{"Count", 15}});
  add("fifo", false, "first-in first-out queue in registers", {{"Width", 8}, {"Depth", 4}});
  for (const uint32_t style : {0u, 1u, 2u}) {
    add("table_storage", false, "a table's entries in flip-flops (0), latches (1) or a RAM (2)",
        {{"Width", 32}, {"Depth", 16}, {"Style", style}}, 1400);
  }
  return blocks;
}

}  // namespace

std::span<const SynthBlock> SynthBlocks() {
  static const std::vector<SynthBlock> kBlocks = MakeBlocks();
  return kBlocks;
}

std::vector<SynthBlock> SelectSynthBlocks(const std::vector<std::string>& names) {
  const std::span<const SynthBlock> all = SynthBlocks();
  if (names.empty()) return {all.begin(), all.end()};
  std::vector<SynthBlock> selected;
  for (const std::string& name : names) {
    std::string known;
    const size_t before = selected.size();
    std::string_view last;
    for (const SynthBlock& block : all) {
      if (block.name == name) selected.push_back(block);
      if (block.name != last) known += fmt::format("{}{}", known.empty() ? "" : ", ", block.name);
      last = block.name;
    }
    if (selected.size() == before) {
      ThrowBadInput("unknown block '{}': expected one of {}", name, known);
    }
  }
  return selected;
}

std::vector<SynthBlock> ForMachine(std::vector<SynthBlock> blocks, uint32_t num_sms,
                                   double clock_mhz) {
  for (SynthBlock& block : blocks) {
    for (SynthParameter& parameter : block.parameters) {
      if (parameter.name == "NumSm") parameter.value = num_sms;
    }
    block.clock_mhz = clock_mhz;
  }
  return WithoutRepeats(blocks);
}

std::vector<SynthBlock> WithoutRepeats(const std::vector<SynthBlock>& blocks) {
  std::vector<SynthBlock> rows;
  for (const SynthBlock& block : blocks) {
    const bool seen = std::any_of(rows.begin(), rows.end(), [&](const SynthBlock& row) {
      return row.name == block.name && row.clock_mhz == block.clock_mhz &&
             std::equal(row.parameters.begin(), row.parameters.end(), block.parameters.begin(),
                        block.parameters.end(),
                        [](const SynthParameter& a, const SynthParameter& b) {
                          return a.name == b.name && a.value == b.value;
                        });
    });
    if (!seen) rows.push_back(block);
  }
  return rows;
}

void SetParameter(std::vector<SynthBlock>* blocks, std::string_view name, uint32_t value) {
  for (const ParameterRange& range : kRanges) {
    if (range.name == name && (value < range.least || value > range.most)) {
      ThrowBadInput("--param {}={}: expected {} to {}", name, value, range.least, range.most);
    }
  }
  bool found = false;
  std::string known;
  for (SynthBlock& block : *blocks) {
    for (SynthParameter& parameter : block.parameters) {
      if (parameter.name == name) {
        parameter.value = value;
        found = true;
      }
      if (known.find(parameter.name) == std::string::npos) {
        known += fmt::format("{}{}", known.empty() ? "" : ", ", parameter.name);
      }
    }
  }
  if (!found) ThrowBadInput("--param {}: no block here has it: expected one of {}", name, known);
}

}  // namespace flagstone
