// `flagstone synth`: what each hardware block costs.
#include "synth/synth.h"

#include <fmt/format.h>

#include "cli/options.h"
#include "cli/table.h"
#include "cli/terminal.h"
#include "cli/verbs.h"
#include "cli/version.h"

namespace flagstone {
namespace {

struct SynthOptions {
  CommonOptions common;
  std::vector<std::string> blocks;
};

std::string OrDash(const Json& value) { return value.is_null() ? "-" : value.dump(); }

void Synth(const SynthOptions& options) {
  ProgressBar bar(options.common.quiet);
  const std::vector<SynthResult> results =
      Synthesize(SelectSynthBlocks(options.blocks),
                 [&](const SynthBlock& block, size_t position, size_t number) {
                   bar.Show(fmt::format("synth {}", block.name), position, number);
                 });
  bar.Clear();
  Json json = ToJson(results);
  json["version"] = Version();
  json["command"] = CommandLine();
  if (options.common.json.wanted) options.common.json.Write(json);
  if (options.common.json.wanted && options.common.json.file.empty()) return;
  Table table;
  table.AddColumn("block", Table::Align::kLeft);
  table.AddColumn("parameters", Table::Align::kLeft);
  for (const char* header : {"cells", "flip-flops", "logic depth", "seconds"}) {
    table.AddColumn(header, Table::Align::kRight);
  }
  for (const Json& block : json["blocks"]) {
    std::string parameters;
    for (const auto& [name, value] : block["parameters"].items()) {
      parameters += fmt::format("{}{}={}", parameters.empty() ? "" : " ", name, value.dump());
    }
    table.AddRow({block["name"].get<std::string>(), parameters, OrDash(block["cells"]),
                  OrDash(block["flip_flops"]), OrDash(block["logic_depth"]),
                  fmt::format("{:.1f}", block["seconds"].get<double>())});
  }
  fmt::print("{}", table.ToString());
  fmt::print("cells: Yosys's own gates, no library; give no area. Logic depth in gates.\n");
}

}  // namespace

void AddSynthVerb(CLI::App* app, int* /*exit_code*/) {
  CLI::App* verb = app->add_subcommand("synth", "Synthesise the hardware blocks with Yosys");
  auto options = std::make_shared<SynthOptions>();
  verb->add_option("blocks", options->blocks,
                   "Names ('flagstone list blocks'); all tops if left out")
      ->type_name("BLOCK...");
  options->common.json.AddTo(verb);
  verb->add_flag("-q,--quiet", options->common.quiet, "No progress on stderr");
  verb->footer("Example:\n  flagstone synth paver_task_stealer --json stealer.json");
  verb->callback([options] { Synth(*options); });
}

}  // namespace flagstone
