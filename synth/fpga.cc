#include "synth/fpga.h"

#include <algorithm>
#include <chrono>
#include <sstream>

#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/subprocess.h"
#include "synth/fpga_wrapper.h"
#include "synth/result_cache.h"
#include "synth/yosys.h"

namespace flagstone {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr uint32_t kSeeds[] = {1, 2, 3};

std::string FindNextpnr() {
  const auto path = FindProgram("nextpnr-ice40");
  if (!path) ThrowInternal("--fpga needs nextpnr: install the package 'nextpnr-ice40'");
  return path->string();
}

// "nextpnr-ice40 0.4-1+b1".
std::string NextpnrVersion() {
  const std::string line = TellingLine(RunProcess({FindNextpnr(), "--version"}).output, "Version");
  const size_t at = line.find("Version ");
  if (at == std::string::npos) ThrowInternal("nextpnr-ice40 does not say its version: '{}'", line);
  return "nextpnr-ice40 " + line.substr(at + 8, line.find(')', at) - at - 8);
}

// The block alone, in the FPGA's cells: nothing of it is shared with the wrapper.
std::string BlockScript(const SynthBlock& block, const std::vector<std::string>& files) {
  return ReadScript(block, files) +
         fmt::format("synth_ice40 -top {}\ndelete =A:blackbox\nwrite_json block.json\n",
                     block.name);
}

std::string WrappedScript(const SynthBlock& block) {
  return fmt::format(
      "read_verilog wrapped.v\nsynth_ice40 -top fpga_pins\ndelete ={0}\nread_json block.json\n"
      "hierarchy -check -top fpga_pins\nflatten\nopt_clean\nwrite_json wrapped.json\n",
      block.name);
}

std::vector<std::string> RouteCommand(uint32_t seed) {
  return {"nextpnr-ice40",
          "--hx8k",
          "--package",
          std::string(kIce40.package),
          "--json",
          "wrapped.json",
          "--seed",
          fmt::format("{}", seed),
          "--freq",
          "100",
          "--report",
          fmt::format("route_{}.json", seed),
          "--timing-allow-fail",
          "--pcf-allow-unconstrained"};
}

void CountFpgaCells(const json& module, FpgaResult* result) {
  for (const auto& [name, cell] : module.at("cells").items()) {
    const std::string type = cell.at("type");
    if (type == "SB_LUT4") ++result->luts;
    if (type == "SB_CARRY") ++result->carries;
    if (type.starts_with("SB_DFF")) ++result->flip_flops;
    if (type.starts_with("SB_RAM40_4K")) ++result->block_rams;
  }
}

// Of the last table of nextpnr's log: "Info:  ICESTORM_LC:  8108/ 7680   105%". 0: there is none.
uint64_t LogicCellsIn(const std::string& log) {
  const size_t at = log.rfind("ICESTORM_LC:");
  if (at == std::string::npos) return 0;
  std::istringstream words(log.substr(at + 12, 40));
  uint64_t used = 0;
  return words >> used ? used : 0;
}

// The ends of the slowest path between registers.
void ReadPath(const json& report, const PinWrapper& wrapper, FpgaResult* result) {
  result->from = result->to = "";
  for (const json& path : report.at("critical_paths")) {
    const std::string from = path.at("from"), to = path.at("to");
    if (from == "<async>" || to == "<async>" || path.at("path").empty()) continue;
    std::string first, last;  // nets
    for (const json& step : path.at("path")) {
      if (!step.contains("net")) continue;
      if (first.empty()) first = step.at("net");
      last = step.at("net");
    }
    const std::string end = path.at("path").back().at("to").at("cell");
    result->from = wrapper.NameInBlock(first);
    result->to = wrapper.NameInBlock(end.starts_with("out_q") ? last : end);
    return;
  }
}

// What nextpnr says where it finds no room for a cell, or for a wire.
constexpr std::string_view kNoRoom[] = {"no BELs remaining",
                                        "Failed to expand region",
                                        "failed to place",
                                        "Unable to find legal placement",
                                        "Unable to find a placement location",
                                        "Unable to find placement",
                                        "Failed to route arc"};

// Whether a placement was found. Throws kInternal where nextpnr failed for another reason than
// room.
bool RouteFrom(uint32_t seed, const PinWrapper& wrapper, const fs::path& folder,
               FpgaResult* result) {
  const ProcessResult route = RunProcess(RouteCommand(seed), folder);
  WriteFileAtomically(folder / fmt::format("route_{}.log", seed), route.output);
  const uint64_t used = LogicCellsIn(route.output);
  if (used > 0) result->logic_cells = used - wrapper.flip_flops();
  if (route.status != 0) {
    const std::string why = TellingLine(route.output, "ERROR");
    const bool no_room =
        std::any_of(std::begin(kNoRoom), std::end(kNoRoom),
                    [&](std::string_view text) { return why.find(text) != std::string::npos; });
    // One that was killed has no line of an error.
    if (used == 0 || !no_room || !why.starts_with("ERROR")) {
      ThrowInternal("nextpnr-ice40 failed on {}: {}", result->block.name, why);
    }
    return false;
  }
  const json report = json::parse(ReadFile(folder / fmt::format("route_{}.json", seed)));
  for (const auto& [clock, fmax] : report.at("fmax").items()) {
    if (fmax.at("achieved").get<double>() <= result->fmax_mhz) continue;
    result->fmax_mhz = fmax.at("achieved");
    result->seed = seed;
    ReadPath(report, wrapper, result);
  }
  return true;
}

FpgaResult MeasureOnFpga(const SynthBlock& block, const fs::path& folder) {
  const auto start = std::chrono::steady_clock::now();
  FpgaResult result;
  result.block = block;
  RunYosys(BlockScript(block, RtlFilesOf(block.name)), folder, block.name);
  fs::rename(folder / "script.ys", folder / "block.ys");
  const std::string netlist = ReadFile(folder / "block.json");
  CountFpgaCells(json::parse(netlist).at("modules").at(std::string(block.name)), &result);
  const PinWrapper wrapper(netlist, block.name);
  result.wrapper_luts = wrapper.luts();
  result.wrapper_flip_flops = wrapper.flip_flops();
  WriteFileAtomically(folder / "wrapped.v", wrapper.Verilog());
  RunYosys(WrappedScript(block), folder, block.name);
  fs::rename(folder / "script.ys", folder / "wrapped.ys");
  for (const uint32_t seed : kSeeds) {
    result.fits |= RouteFrom(seed, wrapper, folder, &result);
    if (result.logic_cells + result.wrapper_flip_flops > kIce40.logic_cells) break;
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

json ToKept(const FpgaResult& result) {
  return {{"luts", result.luts},
          {"flip_flops", result.flip_flops},
          {"carries", result.carries},
          {"block_rams", result.block_rams},
          {"logic_cells", result.logic_cells},
          {"wrapper_luts", result.wrapper_luts},
          {"wrapper_flip_flops", result.wrapper_flip_flops},
          {"fits", result.fits},
          {"seed", result.seed},
          {"fmax_mhz", result.fmax_mhz},
          {"from", result.from},
          {"to", result.to},
          {"seconds", result.seconds}};
}

FpgaResult FromKept(const SynthBlock& block, const fs::path& folder) {
  const json kept = json::parse(ReadFile(folder / "result.json"));
  FpgaResult result;
  result.block = block;
  result.luts = kept.at("luts");
  result.flip_flops = kept.at("flip_flops");
  result.carries = kept.at("carries");
  result.block_rams = kept.at("block_rams");
  result.logic_cells = kept.at("logic_cells");
  result.wrapper_luts = kept.at("wrapper_luts");
  result.wrapper_flip_flops = kept.at("wrapper_flip_flops");
  result.fits = kept.at("fits");
  result.seed = kept.at("seed");
  result.fmax_mhz = kept.at("fmax_mhz");
  result.from = kept.at("from");
  result.to = kept.at("to");
  result.seconds = kept.at("seconds");
  result.folder = folder;
  return result;
}

// A netlist for which the wrapper's text tells how wrappers are made.
constexpr std::string_view kAnyPorts = R"({"modules": {"any": {"ports": {
    "clk_i": {"direction": "input", "bits": [2]}, "a_i": {"direction": "input", "bits": [3, 4]},
    "b_o": {"direction": "output", "bits": [5]}}}}})";

std::string FpgaKey(const SynthBlock& block, const std::string& tools) {
  Fnv1a hash;
  hash.Add(tools);
  const std::vector<std::string> files = RtlFilesOf(block.name);
  for (const std::string& file : files) hash.Add(ReadFile(file));
  hash.Add(BlockScript(block, files) + WrappedScript(block));
  for (const uint32_t seed : kSeeds) {
    for (const std::string& argument : RouteCommand(seed)) hash.Add(argument);
  }
  hash.Add(PinWrapper(std::string(kAnyPorts), "any").Verilog());
  hash.Add("format 2");
  return fmt::format("ice40_{}-{:016x}", block.name, hash.Value());
}

}  // namespace

std::vector<FpgaResult> RouteOnFpga(const std::vector<SynthBlock>& blocks,
                                    const SynthOptions& options, const SynthProgress& progress) {
  const std::string tools = YosysVersion() + NextpnrVersion();
  static const KeptFiles kKept = {{"result.json"}, {}, {".ys", ".v", ".log"}};
  std::vector<FpgaResult> results(blocks.size());
  RunInParallel(
      blocks.size(), options.jobs, options.interrupted,
      [&](size_t i) {
        const fs::path kept =
            KeptResult(FpgaKey(blocks[i], tools), kKept, [&](const fs::path& work) {
              const json measured = ToKept(MeasureOnFpga(blocks[i], work));
              WriteFileAtomically(work / "result.json", measured.dump(1) + "\n");
            });
        results[i] = FromKept(blocks[i], kept);
      },
      [&](size_t i, size_t done) {
        if (progress) progress(blocks[i], done, blocks.size());
      });
  return results;
}

nlohmann::ordered_json ToJson(const std::vector<FpgaResult>& results) {
  nlohmann::ordered_json blocks = nlohmann::ordered_json::array();
  for (const FpgaResult& result : results) {
    nlohmann::ordered_json parameters = nlohmann::ordered_json::object();
    for (const SynthParameter& parameter : result.block.parameters) {
      parameters[parameter.name] = parameter.value;
    }
    nlohmann::ordered_json block = {{"name", result.block.name},
                                    {"parameters", parameters},
                                    {"luts", result.luts},
                                    {"flip_flops", result.flip_flops},
                                    {"carries", result.carries},
                                    {"block_rams", result.block_rams},
                                    {"logic_cells", result.logic_cells},
                                    {"wrapper",
                                     {{"luts", result.wrapper_luts},
                                      {"flip_flops", result.wrapper_flip_flops},
                                      {"logic_cells", result.wrapper_flip_flops}}},
                                    {"fits", result.fits},
                                    {"fmax_mhz", nullptr},
                                    {"seed", nullptr},
                                    {"worst_path", nullptr},
                                    {"seconds", result.seconds}};
    if (result.fits) {
      block["fmax_mhz"] = result.fmax_mhz;
      block["seed"] = result.seed;
      block["worst_path"] = {{"from", result.from}, {"to", result.to}};
    }
    blocks.push_back(std::move(block));
  }
  return {{"schema", "flagstone.fpga/1"},
          {"device",
           {{"family", kIce40.family},
            {"part", kIce40.part},
            {"package", kIce40.package},
            {"logic_cells", kIce40.logic_cells},
            {"block_rams", kIce40.block_rams}}},
          {"tools", {{"yosys", YosysVersion()}, {"nextpnr", NextpnrVersion()}}},
          {"blocks", blocks}};
}

}  // namespace flagstone
