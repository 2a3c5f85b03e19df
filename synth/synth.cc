#include "synth/synth.h"

#include <chrono>
#include <mutex>
#include <span>

#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "synth/detail_json.h"
#include "synth/result_cache.h"
#include "synth/timing.h"
#include "synth/yosys.h"

namespace flagstone {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

struct Tools {
  std::string yosys, sta;
};

// "u_fifo.entries_q[3][1]", "gen_entry[3].entry[1]": a bit of a memory.
bool IsStorage(const NetlistCell& cell) {
  return cell.name.find("entries_q[") != std::string::npos || cell.type == nullptr ||
         cell.type->kind == CellKind::kLatch;
}

void CountCells(const MappedBlock& mapped, SynthResult* result) {
  for (const NetlistCell& cell : mapped.netlist.cells) {
    ++result->cells;
    double area = 0;
    if (cell.type == nullptr) {
      for (const RamMacro& macro : mapped.macros) {
        if (macro.cell_name() != cell.type_name) continue;
        area = macro.area_um2();
        result->leakage_uw += macro.leakage_nw() / 1000;
      }
    } else {
      area = cell.type->area_um2;
      result->leakage_uw += cell.type->leakage_nw / 1000;
    }
    const bool flip_flop = cell.type != nullptr && cell.type->kind == CellKind::kFlipFlop;
    result->flip_flops += flip_flop ? 1 : 0;
    if (cell.type == nullptr || cell.type->kind == CellKind::kLatch ||
        (flip_flop && IsStorage(cell))) {
      result->storage_um2 += area;
    } else if (flip_flop || cell.type->kind == CellKind::kClockGate) {
      result->sequential_um2 += area;
    } else {
      result->combinational_um2 += area;
    }
  }
  result->area_um2 = result->sequential_um2 + result->combinational_um2 + result->storage_um2;
  result->logic_depth = LogicDepth(mapped.netlist);
}

// Maps a block that misses its clock again, and keeps the first netlist that meets it, or the
// fastest.
void MapFaster(const SynthBlock& block, const CellLibrary& library, double wire_ff,
               const fs::path& folder, MappedBlock* mapped, Timing* timing) {
  const double period_ns = 1000 / block.clock_mhz;
  const fs::path first = folder / "first", again = folder / "again";
  const size_t cells = mapped->netlist.cells.size();
  fs::copy(folder, first);
  for (const AbcScript& abc : std::span(kAbcScripts).subspan(1)) {
    if (timing->slack_ns >= 0) break;
    if (cells > abc.most_cells) continue;
    fs::copy(first, again);
    MappedBlock faster = RemapBlock(block, abc, library, again);
    const Timing then = AnalyzeTiming(faster, library, period_ns, wire_ff, again);
    if (then.fmax_mhz > timing->fmax_mhz) {
      for (const fs::directory_entry& file : fs::directory_iterator(again)) {
        fs::rename(file.path(), folder / file.path().filename());
      }
      *mapped = std::move(faster);
      *timing = then;
    }
    fs::remove_all(again);
  }
  fs::remove_all(first);
}

json Measure(const SynthBlock& block, const CellLibrary& library, double wire_ff,
             const fs::path& folder) {
  const auto start = std::chrono::steady_clock::now();
  const double period_ns = 1000 / block.clock_mhz;
  MappedBlock mapped = MapBlock(block, library, period_ns, folder);
  Timing timing = AnalyzeTiming(mapped, library, period_ns, wire_ff, folder);
  if (timing.slack_ns < 0) MapFaster(block, library, wire_ff, folder, &mapped, &timing);
  SynthResult result;
  CountCells(mapped, &result);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return {{"cells", result.cells},
          {"flip_flops", result.flip_flops},
          {"sequential_um2", result.sequential_um2},
          {"combinational_um2", result.combinational_um2},
          {"storage_um2", result.storage_um2},
          {"logic_depth", result.logic_depth},
          {"leakage_uw", result.leakage_uw},
          {"fmax_mhz", timing.fmax_mhz},
          {"from", timing.from},
          {"to", timing.to},
          {"default_power_uw", timing.default_power_uw},
          {"seconds", result.seconds}};
}

// What a later run reads (Yosys and OpenSTA leave a hundred times as much for a large block), and
// what synth/rerun needs besides: scripts, and the netlist with its buffers.
const KeptFiles& Kept() {
  static const KeptFiles kKept = {{"result.json", "netlist.json", "timing.rpt"},
                                  {"macros.json"},
                                  {".ys", ".tcl", ".script", ".constr", ".v"}};
  return kKept;
}

SynthResult FromCache(const SynthBlock& block, const fs::path& folder) {
  const json kept = json::parse(ReadFile(folder / "result.json"));
  SynthResult result;
  result.block = block;
  result.cells = kept.at("cells");
  result.flip_flops = kept.at("flip_flops");
  result.sequential_um2 = kept.at("sequential_um2");
  result.combinational_um2 = kept.at("combinational_um2");
  result.storage_um2 = kept.at("storage_um2");
  result.area_um2 = result.sequential_um2 + result.combinational_um2 + result.storage_um2;
  result.logic_depth = kept.at("logic_depth");
  result.leakage_uw = kept.at("leakage_uw");
  result.fmax_mhz = kept.at("fmax_mhz");
  result.from = kept.at("from");
  result.to = kept.at("to");
  result.default_power_uw = kept.at("default_power_uw");
  result.seconds = kept.at("seconds");
  result.folder = folder;
  return result;
}

std::string Key(const SynthBlock& block, const CellLibrary& library, const Tools& tools,
                double wire_ff) {
  Fnv1a hash;
  hash.Add(tools.yosys);
  hash.Add(tools.sta);
  hash.Add(library.text);
  for (const NamedText& file : MappingFiles(library, 1000 / block.clock_mhz)) {
    hash.Add(file.text);
  }
  const std::vector<std::string> files = RtlFilesOf(block.name);
  for (const std::string& file : files) hash.Add(ReadFile(file));
  hash.Add(MappingScript(block, files, library));
  for (const AbcScript& abc : kAbcScripts) {
    hash.Add(RemappingScript(abc, library));
    hash.Add(fmt::format("{}", abc.most_cells));
  }
  hash.Add(fmt::format("wire {} format 5", wire_ff));
  return fmt::format("{}-{:016x}", block.name, hash.Value());
}

SynthResult SynthesizeOne(const SynthBlock& block, const CellLibrary& library, const Tools& tools,
                          double wire_ff) {
  return FromCache(
      block, KeptResult(Key(block, library, tools, wire_ff), Kept(), [&](const fs::path& work) {
        const json measured = Measure(block, library, wire_ff, work);
        WriteFileAtomically(work / "result.json", measured.dump(1) + "\n");
      }));
}

}  // namespace

std::vector<SynthResult> Synthesize(const std::vector<SynthBlock>& blocks,
                                    const CellLibrary& library, const SynthOptions& options,
                                    const SynthProgress& progress) {
  const Tools tools = {YosysVersion(), StaVersion()};
  std::vector<SynthResult> results(blocks.size());
  RunInParallel(
      blocks.size(), options.jobs, options.interrupted,
      [&](size_t i) { results[i] = SynthesizeOne(blocks[i], library, tools, options.wire_ff); },
      [&](size_t i, size_t done) {
        if (progress) progress(blocks[i], done, blocks.size());
      });
  return results;
}

nlohmann::ordered_json ToJson(const std::vector<SynthResult>& results, const CellLibrary& library,
                              bool detail) {
  nlohmann::ordered_json blocks = nlohmann::ordered_json::array();
  for (const SynthResult& result : results) {
    nlohmann::ordered_json parameters = nlohmann::ordered_json::object();
    for (const SynthParameter& parameter : result.block.parameters) {
      parameters[std::string(parameter.name)] = parameter.value;
    }
    nlohmann::ordered_json block = {{"name", result.block.name},
                                    {"parameters", parameters},
                                    {"cells", result.cells},
                                    {"flip_flops", result.flip_flops},
                                    {"area_um2", result.area_um2},
                                    {"sequential_um2", result.sequential_um2},
                                    {"combinational_um2", result.combinational_um2},
                                    {"storage_um2", result.storage_um2},
                                    {"logic_depth", result.logic_depth},
                                    {"fmax_mhz", nullptr},
                                    {"leakage_uw", result.leakage_uw},
                                    {"energy_pj", nullptr},
                                    {"default_energy_pj", nullptr},
                                    {"seconds", result.seconds},
                                    {"clock_mhz", result.block.clock_mhz},
                                    {"worst_path", {{"from", result.from}, {"to", result.to}}}};
    if (result.fmax_mhz > 0) block["fmax_mhz"] = result.fmax_mhz;
    if (result.energy_pj) block["energy_pj"] = *result.energy_pj;
    if (const auto energy = result.default_energy_pj()) block["default_energy_pj"] = *energy;
    if (detail) PutDetail(result, library, &block);
    blocks.push_back(std::move(block));
  }
  return {{"schema", "flagstone.synth/1"},
          {"library", library.name},
          {"tools", {{"yosys", YosysVersion()}, {"sta", StaVersion()}}},
          {"blocks", blocks}};
}

}  // namespace flagstone
