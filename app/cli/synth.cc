// `flagstone synth`: what each hardware block costs.
#include "synth/synth.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <chrono>

#include "app/cli/files_read.h"
#include "app/cli/options.h"
#include "app/cli/report_option.h"
#include "app/cli/synth_fpga.h"
#include "app/cli/synth_report.h"
#include "app/cli/synth_tables.h"
#include "app/cli/table.h"
#include "app/cli/terminal.h"
#include "app/cli/verbs.h"
#include "app/cli/version.h"
#include "base/error.h"
#include "base/file.h"
#include "gpu_model/machines/machine.h"
#include "synth/cell_models.h"
#include "synth/equivalence.h"
#include "synth/schematic.h"
#include "synth/treemap.h"
#include "synth/yosys.h"

namespace flagstone {
namespace {

struct SynthVerb {
  CommonOptions common;
  std::vector<std::string> blocks;
  std::vector<std::string> parameters;
  std::string library;
  std::string machine;
  std::string fpga;       // a family
  std::string activity;   // an FST file
  std::string treemap;    // an SVG file
  std::string schematic;  // a folder
  std::string netlist;    // a Verilog file
  bool points = false;    // each block for several clocks
  bool papers = false;    // their figures beside ours
  ReportOption report;
  bool detail = false;  // in the JSON
  bool prove = false;   // that the netlists are equal to their RTL
  double clock_mhz = 0;
  double wire_ff = 0;
};

void AddParameters(const std::vector<std::string>& texts, std::vector<SynthBlock>* blocks) {
  for (const std::string& text : texts) {
    const size_t equals = text.find('=');
    uint32_t value = 0;
    const char* const end = text.data() + text.size();
    const char* const begin = equals == std::string::npos ? end : text.data() + equals + 1;
    const auto [rest, error] = std::from_chars(begin, end, value);
    if (equals == 0 || begin == end || rest != end || error != std::errc()) {
      ThrowBadInput("--param {}: expected NAME=NUMBER, a number of 32 bits", text);
    }
    SetParameter(blocks, text.substr(0, equals), value);
  }
}

// Of a block with several sets of parameters the first one stays where some of them were given, and
// is said; else the message names the sets.
void KeepOne(const char* option, bool given, std::vector<SynthBlock>* blocks) {
  if (blocks->size() == 1) return;
  const auto of_first = [&](const SynthBlock& block) { return block.name == blocks->front().name; };
  if (!std::all_of(blocks->begin(), blocks->end(), of_first)) {
    ThrowBadInput("{}: expected the name of one block, found {} of them", option, blocks->size());
  }
  std::string sets;
  for (const SynthBlock& block : *blocks) {
    std::string set;
    for (const SynthParameter& parameter : block.parameters) {
      set +=
          fmt::format("{}--param {}={}", set.empty() ? "" : " ", parameter.name, parameter.value);
    }
    sets += fmt::format("{}'{}'", sets.empty() ? "" : " or ", set);
  }
  if (!given) {
    ThrowBadInput("{}: {} has several sets of parameters: expected --machine, or {}", option,
                  blocks->front().name, sets);
  }
  fmt::print(stderr, "note: {}: the first of {}\n", option, sets);
  blocks->resize(1);
}

std::string EnergyText(const std::string& wave, const SynthResult& result,
                       const WaveEnergy& measured) {
  const Energy& energy = measured.energy;
  const double per_cycle = measured.per_cycle_pj();
  return fmt::format(
      "{} in {}: {} cycles, {} operations; {:.3f} pJ a cycle (clock {:.3f}, nets {:.3f}, in cells "
      "{:.3f})\n{:.1f} uW at {:.0f} MHz and {:.1f} uW leakage; OpenSTA, every net changing in 10 % "
      "of cycles: {:.1f} uW\ngate level: {} output bits compared with the RTL's, no difference\n",
      result.block.name, wave, energy.cycles, energy.operations, per_cycle,
      measured.clock_per_cycle_pj(), energy.switching_pj / static_cast<double>(energy.cycles),
      energy.internal_pj / static_cast<double>(energy.cycles), per_cycle * result.block.clock_mhz,
      result.block.clock_mhz, result.leakage_uw, result.default_power_uw, measured.compared);
}

// Proves each netlist equal to its RTL; throws kRunFailed at the first that is not.
std::string ProofText(const std::vector<SynthResult>& results, const CellLibrary& library,
                      ProgressBar* bar) {
  Table table;
  table.AddColumn("equal to its RTL", Table::Align::kLeft);
  table.AddColumn("registers and outputs", Table::Align::kRight);
  table.AddColumn("s", Table::Align::kRight);
  for (size_t i = 0; i < results.size(); ++i) {
    const SynthBlock& block = results[i].block;
    const std::string name = fmt::format("{} {}", block.name, ParameterText(block));
    bar->Show(fmt::format("prove {}", block.name), i, results.size());
    const ScratchFolder scratch;
    const auto start = std::chrono::steady_clock::now();
    const Equivalence equal = ProveEquivalence(
        block, library, ReadMapped(block, library, results[i].folder), scratch.path());
    if (!equal.proven) {
      ThrowRunFailed("{}: the netlist is not proven equal to the RTL: {}", name, equal.different);
    }
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
    table.AddRow({name, Grouped(equal.points), fmt::format("{:.1f}", time.count())});
  }
  bar->Clear();
  return table.ToString();
}

// The netlist, and Verilog models of the cells beside it: F.v and F_cells.v.
void WriteNetlist(const SynthResult& result, const CellLibrary& library,
                  const std::filesystem::path& file) {
  const MappedBlock mapped = ReadMapped(result.block, library, result.folder);
  std::string label(result.block.name);
  for (const SynthParameter& parameter : result.block.parameters) {
    label += fmt::format(" {}={}", parameter.name, parameter.value);
  }
  WriteFileAtomically(
      file, fmt::format("// {}, mapped for {:.0f} MHz with the cells of {} by {}.\n{}", label,
                        result.block.clock_mhz, library.name, YosysVersion(),
                        ToVerilogModule(mapped.netlist)));
  std::filesystem::path models = file;
  models.replace_filename(file.stem().string() + "_cells.v");
  WriteFileAtomically(models, CellModels(library) + MacroModels(mapped.macros));
}

void Synth(const SynthVerb& options) {
  if (options.papers && (!options.blocks.empty() || !options.machine.empty() || options.points ||
                         !options.parameters.empty() || options.clock_mhz > 0)) {
    ThrowBadInput(
        "--papers has its own blocks and clocks: expected no BLOCK, --machine, --param, --clock or "
        "--points");
  }
  if (options.points && (options.clock_mhz > 0 || !options.netlist.empty() ||
                         !options.treemap.empty() || !options.activity.empty())) {
    ThrowBadInput(
        "--points maps for several clocks: expected no --clock, --netlist, --treemap or "
        "--activity");
  }
  std::vector<SynthBlock> blocks =
      options.papers ? ReportBlocks() : SelectSynthBlocks(options.blocks);
  if (!options.machine.empty()) {
    const MachineConfig machine = MachineConfig::Load(options.machine, {});
    blocks = ForMachine(blocks, machine.SchedulerSize(/*id_bytes=*/2), machine.clock.core);
  }
  AddParameters(options.parameters, &blocks);
  if (options.clock_mhz > 0) {
    for (SynthBlock& block : blocks) block.clock_mhz = options.clock_mhz;
  }
  if (!options.fpga.empty()) {  // where a row's clock means nothing
    for (SynthBlock& block : blocks) block.clock_mhz = 0;
  }
  blocks = WithoutRepeats(blocks);
  if (!options.fpga.empty()) return SynthOnFpga(blocks, options.common, options.report);
  const CellLibrary library = ReadCellLibrary(options.library);
  for (const auto& [option, value] :
       {std::pair{"--activity", &options.activity}, std::pair{"--treemap", &options.treemap},
        std::pair{"--netlist", &options.netlist}}) {
    if (!value->empty()) KeepOne(option, !options.parameters.empty(), &blocks);
  }
  if (options.points) blocks = AtEachPoint(blocks);
  if (!options.activity.empty()) RequireRegularFile(options.activity);
  if (!options.schematic.empty() &&
      std::all_of(blocks.begin(), blocks.end(),
                  [](const SynthBlock& block) { return block.top; })) {
    ThrowBadInput("--schematic draws the parts that a block is made of: '{}' is made of parts",
                  blocks.front().name);
  }
  ProgressBar bar(options.common.quiet);
  const StopsEarly stops;
  SynthOptions synth;
  synth.wire_ff = options.wire_ff;
  synth.interrupted = [] { return Interrupted()->load(); };
  std::vector<SynthResult> results =
      Synthesize(blocks, library, synth, [&](const SynthBlock& block, size_t done, size_t number) {
        bar.Show(fmt::format("synth {}", block.name), done, number);
      });
  bar.Clear();
  std::string energy;
  if (!options.activity.empty()) {
    SynthResult& result = results.front();
    energy = EnergyText(options.activity, result,
                        MeasureWave(options.activity, library, options.wire_ff, &result));
  }
  const std::string proofs = options.prove ? ProofText(results, library, &bar) : "";
  std::map<size_t, WaveEnergy> energies;
  if (options.papers) {
    energies = MeasureReport(library, options.wire_ff, &results, [&](std::string_view what) {
      bar.Show(fmt::format("energy {}", what), energies.size(), results.size());
    });
    bar.Clear();
  }
  if (!options.netlist.empty()) WriteNetlist(results.front(), library, options.netlist);
  if (!options.treemap.empty()) {
    const SynthBlock& block = results.front().block;
    const MappedBlock mapped = ReadMapped(block, library, results.front().folder);
    WriteFileAtomically(options.treemap,
                        TreemapSvg(fmt::format("{} {}", block.name, ParameterText(block)),
                                   AreaByInstance(mapped, std::string(block.name))));
  }
  if (!options.schematic.empty()) {
    std::string_view last;
    for (const SynthBlock& block : blocks) {
      if (!block.top && block.name != last) DrawSchematic(block, options.schematic);
      last = block.name;
    }
  }
  const auto result_json = [&](bool detail) {
    Json json = ToJson(results, library, detail);
    json["version"] = Version();
    json["command"] = CommandLine();
    return json;
  };
  if (options.common.json.wanted) options.common.json.Write(result_json(options.detail));
  if (options.report.wanted()) options.report.Write(result_json(/*detail=*/true));
  if (options.common.json.OnStdout() || options.report.OnStdout()) return;
  if (options.papers) {
    fmt::print("{}", ReportText(results, energies));
  } else {
    fmt::print("{}", options.points ? PointsText(results) : SynthText(results));
  }
  fmt::print("library {}, {}\n", library.name,
             options.wire_ff > 0 ? fmt::format("{} fF of wire for each pin driven", options.wire_ff)
                                 : std::string("no wires"));
  if (!options.papers) {
    fmt::print(
        "um2: area of cells; MHz: the clock reached; Style: 0 flip-flops, 1 latches, 2 RAM\n"
        "pJ: of an operation with --activity; else of a cycle in which 10 % of the nets change "
        "(~)\n");
  }
  fmt::print("{}", energy);
  if (options.prove) fmt::print("\n{}", proofs);
}

}  // namespace

void AddSynthVerb(CommandLineParser* command) {
  Verb* verb = command->AddVerb("synth", "Area, clock and power of the hardware blocks");
  auto options = std::make_shared<SynthVerb>();
  verb->Add("blocks", &options->blocks, "Names ('flagstone list blocks'); all if left out")
      .Type("BLOCK...")
      .Different();
  verb->Add("--library", &options->library,
            "Cells: a Liberty file, or osu018, osu035, osu050; built in: 45 nm")
      .Type("F.lib")
      .Reads(PathsAmong);
  verb->Add("--param", &options->parameters,
            "Another value for a parameter of the blocks; may be given\nagain")
      .Type("NAME=N")
      .Repeatable();
  verb->Add("--clock", &options->clock_mhz, "Map for this clock instead of the machines'")
      .Type("MHZ")
      .Range(1.0, 10000.0);
  verb->Add("--wire", &options->wire_ff, "Wire to each pin that a net drives (default 0)")
      .Type("FF")
      .Range(0.0, 1000.0);
  verb->Add("--machine", &options->machine, "SMs and clock of this machine for all blocks")
      .Type("M");
  verb->Add("--fpga", &options->fpga,
            "Place and route on this FPGA (an HX8K), by nextpnr, instead of cells")
      .Type("ice40")
      .Check([](const std::string& value) {
        return value == kIce40.family ? "" : fmt::format("'{}': expected {}", value, kIce40.family);
      });
  verb->Add("--activity", &options->activity,
            "Energy of the block in this wave of 'run --wave', at gate level")
      .Type("F.fst")
      .Input();
  verb->Add("--treemap", &options->treemap, "Draw the block's area by instance")
      .Type("F.svg")
      .Output();
  verb->Add("--schematic", &options->schematic, "Draw the parts' RTL into this folder")
      .Type("DIR")
      .Output();
  verb->Add("--netlist", &options->netlist,
            "Write the block's cells as Verilog, and their models in F_cells.v")
      .Type("F.v")
      .Output();
  verb->AddFlag("--points", &options->points,
                "Map each block for 700, 1,000, 1,200 and 1,400 MHz: area against clock");
  verb->AddFlag("--papers", &options->papers, "Our figures beside the PAVER and CAPS papers'");
  verb->AddFlag("--prove", &options->prove, "Prove each netlist equal to its RTL");
  verb->AddFlag("--detail", &options->detail,
                "--json has each block's area by instance and its worst path");
  options->common.json.AddTo(verb);
  options->report.AddTo(verb);
  verb->AddFlag("-q,--quiet", &options->common.quiet, "No progress on stderr");
  verb->Footer(
      "Examples:\n  flagstone synth paver_task_stealer --json stealer.json\n"
      "  flagstone run syrk --policy rb --wave syrk.fst --wave-to 3000\n"
      "  flagstone synth paver_tb_scheduler --machine fermi --activity syrk.fst");
  verb->Do([options] {
    Synth(*options);
    return 0;
  });
}

}  // namespace flagstone
