#include "synth/blocks.h"

#include <algorithm>
#include <filesystem>

#include "base/error.h"
#include "base/file.h"
#include "gpu_model/blocks/all/all_blocks.h"
#include "synth/yosys.h"

namespace flagstone {
namespace {

struct ParameterRange {
  std::string_view name;
  uint32_t least, most;
};

// What the modules' headers say.
constexpr ParameterRange kRanges[] = {
    {"CtaSlots", 1, 32}, {"NumWarps", 2, 64},   {"NumSm", 1, 256},       {"IdWidth", 16, 32},
    {"IdBytes", 2, 4},   {"Count", 1, 256},     {"Width", 1, 4096},      {"Depth", 1, 1024},
    {"Style", 0, 2},     {"AddrWidth", 19, 64}, {"Descriptors", 1, 128}, {"IssuePorts", 1, 256},
};

std::vector<SynthBlock> MakeBlocks() {
  std::vector<SynthBlock> rows;
  for (const BlockDescriptor* block : BlockDescriptors()) {
    for (const SynthSize& size : block->synth) {
      SynthBlock& row = rows.emplace_back();
      row.name = block->name;
      row.top = block->whole;
      row.what = block->summary;
      row.clock_mhz = size.clock_mhz;
      row.operation = block->operation;
      for (const RtlParameter& parameter : size.parameters) {
        row.parameters.push_back({parameter.name, parameter.value});
      }
    }
  }
  return rows;
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

std::vector<SynthBlock> ForMachine(std::vector<SynthBlock> blocks, const TbSchedulerSize& size,
                                   double clock_mhz) {
  for (SynthBlock& block : blocks) {
    for (SynthParameter& parameter : block.parameters) {
      if (parameter.name == "NumSm") parameter.value = size.num_sms;
      if (parameter.name == "Descriptors") parameter.value = size.descriptors;
      if (parameter.name == "IssuePorts") parameter.value = size.issue_ports;
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

namespace {

// Whether the block's module has a parameter that its rows leave at the default.
bool Declares(const SynthBlock& block, std::string_view name) {
  const std::string declaration = fmt::format("parameter int {} =", name);
  for (const std::string& file : RtlFilesOf(block.name)) {
    if (std::filesystem::path(file).stem() == block.name) {
      return ReadFile(file).find(declaration) != std::string::npos;
    }
  }
  return false;
}

}  // namespace

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
  if (!found) {
    for (SynthBlock& block : *blocks) {
      if (!Declares(block, name)) continue;
      block.parameters.push_back({std::string(name), value});
      found = true;
    }
  }
  if (!found) ThrowBadInput("--param {}: no block here has it: expected one of {}", name, known);
}

}  // namespace flagstone
