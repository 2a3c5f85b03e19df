// `flagstone synth`: what each hardware block costs.
#include "synth/synth.h"

#include <fmt/format.h>

#include <charconv>

#include "base/error.h"
#include "cli/options.h"
#include "cli/table.h"
#include "cli/terminal.h"
#include "cli/verbs.h"
#include "cli/version.h"

namespace flagstone {
namespace {

struct SynthVerb {
  CommonOptions common;
  std::vector<std::string> blocks;
  std::vector<std::string> parameters;
  std::string library;
  double clock_mhz = 0;
  double wire_ff = 0;
};

std::string ParameterText(const SynthBlock& block) {
  std::string text;
  for (const SynthParameter& parameter : block.parameters) {
    // The usual width of an id says nothing.
    if (parameter.name == "IdWidth" && parameter.value == 16) continue;
    if (parameter.name == "IdBytes" && parameter.value == 2) continue;
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", parameter.name, parameter.value);
  }
  return text;
}

std::string Rounded(double value) {
  return value >= 100 ? Grouped(static_cast<uint64_t>(value + 0.5)) : fmt::format("{:.1f}", value);
}

std::string ToText(const std::vector<SynthResult>& results) {
  Table table;
  table.AddColumn("block", Table::Align::kLeft);
  for (const char* header :
       {"cells", "FF", "um2", "seq", "comb", "stor", "depth", "fmax", "for", "uW", "pJ", "s"}) {
    table.AddColumn(header, Table::Align::kRight);
  }
  for (const SynthResult& result : results) {
    table.AddRow({fmt::format("{} {}", result.block.name, ParameterText(result.block)),
                  Grouped(result.cells), Grouped(result.flip_flops), Rounded(result.area_um2),
                  Rounded(result.sequential_um2), Rounded(result.combinational_um2),
                  Rounded(result.storage_um2), fmt::format("{}", result.logic_depth),
                  result.fmax_mhz > 0 ? fmt::format("{:.0f}", result.fmax_mhz) : "-",
                  fmt::format("{:.0f}", result.block.clock_mhz), Rounded(result.leakage_uw),
                  result.energy_pj ? fmt::format("{:.2f}", *result.energy_pj) : "-",
                  fmt::format("{:.1f}", result.seconds)});
  }
  return table.ToString();
}

void AddParameters(const std::vector<std::string>& texts, std::vector<SynthBlock>* blocks) {
  for (const std::string& text : texts) {
    const size_t equals = text.find('=');
    uint32_t value = 0;
    const char* end = text.data() + text.size();
    if (equals == std::string::npos ||
        std::from_chars(text.data() + equals + 1, end, value).ptr != end ||
        equals + 1 == text.size()) {
      ThrowBadInput("--param {}: expected NAME=NUMBER", text);
    }
    SetParameter(blocks, text.substr(0, equals), value);
  }
}

void Synth(const SynthVerb& options) {
  const CellLibrary library = ReadCellLibrary(options.library);
  std::vector<SynthBlock> blocks = SelectSynthBlocks(options.blocks);
  AddParameters(options.parameters, &blocks);
  if (options.clock_mhz > 0) {
    for (SynthBlock& block : blocks) block.clock_mhz = options.clock_mhz;
  }
  ProgressBar bar(options.common.quiet);
  CatchInterrupts();
  SynthOptions synth;
  synth.wire_ff = options.wire_ff;
  synth.interrupted = [] { return Interrupted()->load(); };
  const std::vector<SynthResult> results =
      Synthesize(blocks, library, synth, [&](const SynthBlock& block, size_t done, size_t number) {
        bar.Show(fmt::format("synth {}", block.name), done, number);
      });
  bar.Clear();
  Json json = ToJson(results, library);
  json["version"] = Version();
  json["command"] = CommandLine();
  if (options.common.json.wanted) options.common.json.Write(json);
  if (options.common.json.wanted && options.common.json.file.empty()) return;
  fmt::print("{}", ToText(results));
  fmt::print(
      "library {}, {}\n"
      "um2: area of cells, seq + comb + stor; fmax and for: MHz reached and mapped for; uW: "
      "leakage\n",
      library.name,
      options.wire_ff > 0 ? fmt::format("{} fF of wire for each pin driven", options.wire_ff)
                          : std::string("no wires"));
}

}  // namespace

void AddSynthVerb(CLI::App* app, int* /*exit_code*/) {
  CLI::App* verb = app->add_subcommand("synth", "Area, clock and power of the hardware blocks");
  auto options = std::make_shared<SynthVerb>();
  verb->add_option("blocks", options->blocks, "Names ('flagstone list blocks'); all if left out")
      ->type_name("BLOCK...");
  verb->add_option("--library", options->library,
                   "Cells: a Liberty file, or osu018, osu035, osu050; built in: 45 nm")
      ->type_name("F.lib");
  verb->add_option("--param", options->parameters, "Another value for a parameter of the blocks")
      ->type_name("NAME=N");
  verb->add_option("--clock", options->clock_mhz, "Map for this clock instead of the machines'")
      ->type_name("MHZ")
      ->check(CLI::Range(1.0, 10000.0));
  verb->add_option("--wire", options->wire_ff, "Wire to each pin that a net drives (default 0)")
      ->type_name("FF")
      ->check(CLI::Range(0.0, 1000.0));
  options->common.json.AddTo(verb);
  verb->add_flag("-q,--quiet", options->common.quiet, "No progress on stderr");
  verb->footer("Example:\n  flagstone synth paver_task_stealer --json stealer.json");
  verb->callback([options] { Synth(*options); });
}

}  // namespace flagstone
