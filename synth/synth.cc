#include "synth/synth.h"

#include <algorithm>
#include <chrono>
#include <sstream>

#include "base/error.h"
#include "base/file.h"
#include "base/subprocess.h"
#include "synth/yosys.h"

namespace flagstone {
namespace {

// To a flat netlist of Yosys's own gates, with plain D flip-flops only. Without -nordff Yosys
// copies the read pointer of a memory in registers.
std::string FlatScript(const SynthBlock& block) {
  return fmt::format(
      "synth -flatten -noabc -nordff -top {}\n"
      "dfflegalize -cell $_DFF_P_ x\n"
      "opt_clean\n",
      block.name);
}

// The number behind "length=" in ltp's report; 0 where there is no path.
uint64_t LogicDepth(const std::string& log) {
  constexpr std::string_view kMark = "(length=";
  const size_t mark = log.rfind(kMark);
  if (mark == std::string::npos) return 0;
  return std::stoull(log.substr(mark + kMark.size()));
}

void CountCells(const nlohmann::json& statistics, SynthResult* result) {
  for (const auto& [type, count] : statistics.at("design").at("num_cells_by_type").items()) {
    const auto number = count.get<uint64_t>();
    result->cells += number;
    if (type.find("DFF") != std::string::npos) {
      result->flip_flops += number;
    } else if (type.find("LATCH") != std::string::npos) {
      ThrowInternal("{} has a latch: expected flip-flops only", result->block.name);
    }
  }
}

SynthResult SynthesizeOne(const SynthBlock& block, const std::vector<std::string>& files) {
  const auto start = std::chrono::steady_clock::now();
  const ScratchFolder folder;
  const std::string script = ReadScript(block, files) + FlatScript(block) +
                             "abc -g gates,MUX\n"
                             "opt_clean -purge\n"
                             "tee -q -o statistics.json stat -json\n"
                             "ltp -noff\n";
  const std::string log = RunYosys(script, folder.path(), block.name);
  SynthResult result;
  result.block = block;
  result.logic_depth = LogicDepth(log);
  // Yosys prints a log line before the object.
  const std::string text = ReadFile(folder.path() / "statistics.json");
  CountCells(nlohmann::json::parse(text.substr(std::min(text.find('{'), text.size()))), &result);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

}  // namespace

std::vector<SynthResult> Synthesize(const std::vector<SynthBlock>& blocks,
                                    const SynthProgress& progress) {
  FindYosys();
  const std::vector<std::string> files = RtlFiles();
  std::vector<SynthResult> results;
  for (size_t i = 0; i < blocks.size(); ++i) {
    if (progress) progress(blocks[i], i, blocks.size());
    results.push_back(SynthesizeOne(blocks[i], files));
  }
  return results;
}

std::string YosysVersion() {
  return TellingLine(RunProcess({FindYosys(), "--version"}).output, "Yosys");
}

nlohmann::ordered_json ToJson(const std::vector<SynthResult>& results) {
  nlohmann::ordered_json blocks = nlohmann::ordered_json::array();
  for (const SynthResult& result : results) {
    nlohmann::ordered_json parameters = nlohmann::ordered_json::object();
    for (const SynthParameter& parameter : result.block.parameters) {
      parameters[std::string(parameter.name)] = parameter.value;
    }
    blocks.push_back({{"name", result.block.name},
                      {"parameters", parameters},
                      {"cells", result.cells},
                      {"flip_flops", result.flip_flops},
                      {"area_um2", nullptr},
                      {"sequential_um2", nullptr},
                      {"combinational_um2", nullptr},
                      {"storage_um2", nullptr},
                      {"logic_depth", result.logic_depth},
                      {"fmax_mhz", nullptr},
                      {"leakage_uw", nullptr},
                      {"energy_pj", nullptr},
                      {"seconds", result.seconds}});
  }
  return {{"schema", "flagstone.synth/1"},
          {"library", nullptr},
          {"tools", {{"yosys", YosysVersion()}}},
          {"blocks", blocks}};
}

std::vector<std::string> CombinationalOutputs(const SynthBlock& block,
                                              const std::vector<std::string>& files) {
  const ScratchFolder folder;
  // Without the flip-flops, whatever an input still reaches it reaches within the cycle. Bits, not
  // vectors: a vector may hold both kinds.
  const std::string script = ReadScript(block, files.empty() ? RtlFiles() : files) +
                             FlatScript(block) +
                             "splitnets -ports\n"
                             "delete t:$_DFF_P_\n"
                             "tee -q -o outputs.txt select -list i:* %co* o:* %i\n";
  RunYosys(script, folder.path(), block.name);
  std::istringstream text(ReadFile(folder.path() / "outputs.txt"));
  std::vector<std::string> outputs;
  for (std::string line; std::getline(text, line);) {
    if (!line.empty()) outputs.push_back(line.substr(line.find('/') + 1));
  }
  std::sort(outputs.begin(), outputs.end());
  return outputs;
}

}  // namespace flagstone
