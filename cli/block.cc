// `flagstone block`: one hardware block alone, driven from a CSV.
#include <fmt/format.h>

#include "base/error.h"
#include "base/file.h"
#include "cli/options.h"
#include "cli/table.h"
#include "cli/verbs.h"
#include "systemc/bodies/block_registry.h"
#include "systemc/bodies/lockstep_mismatch.h"
#include "systemc/bodies/stimulus.h"

namespace flagstone {
namespace {

struct BlockOptions {
  std::string block;
  std::string stimulus;
  std::string response;
  Engine engine = Engine::kRtl;
  std::vector<std::string> parameters;
  uint64_t drain = 0;
  std::string wave;
};

std::string Drive(const BlockOptions& options, const BlockRow& row, const std::string& text,
                  const WaveRequest& wave, LockstepReport* report) {
  BodyOptions body;
  body.rtl.path = std::string(row.name);
  body.rtl.wave = wave;
  body.lockstep = report;
  const auto block = row.make(ChooseParameters(row, options.parameters), options.engine, body);
  return Respond(ParseStimulus(text, options.stimulus, block->inputs()), options.drain,
                 block.get());
}

void Run(const BlockOptions& options) {
  const BlockRow& row = FindBlock(options.block);
  const std::string text = ReadFile(options.stimulus);
  LockstepReport report;
  std::string csv;
  try {
    csv = Drive(options, row, text, {options.wave}, &report);
  } catch (const LockstepMismatch& mismatch) {
    RethrowWithWave(mismatch, fmt::format("lockstep-{}.fst", row.name),
                    [&](const WaveRequest& wave) { Drive(options, row, text, wave, &report); });
  }
  WriteFileAtomically(options.response, csv);
  if (report.compared_cycles != 0) {
    fmt::print("lockstep: RTL and model agreed on every output in {} cycles\n",
               Grouped(report.compared_cycles));
  }
}

}  // namespace

void AddBlockVerb(CLI::App* app, int* /*exit_code*/) {
  CLI::App* verb = app->add_subcommand("block", "Drive one hardware block alone from a CSV");
  auto options = std::make_shared<BlockOptions>();
  verb->add_option("block", options->block, "A name ('flagstone list blocks')")
      ->type_name("BLOCK")
      ->required();
  verb->add_option("--stimulus", options->stimulus,
                   "Inputs: a row per cycle, a column per input; zero where there is none")
      ->type_name("IN.csv")
      ->required();
  verb->add_option("--response", options->response,
                   "Outputs of each cycle, before the edge that takes its inputs")
      ->type_name("OUT.csv")
      ->required();
  AddEngine(verb, &options->engine);
  verb->add_option("--param", options->parameters, "An RTL parameter; may be given again")
      ->type_name("N=V")
      ->expected(1)
      ->take_all();
  verb->add_option("--drain", options->drain, "Cycles of zero inputs after the last row")
      ->type_name("N")
      ->check(CLI::Range(uint64_t{0}, uint64_t{1000000000}).description(""))
      ->capture_default_str();
  verb->add_option("--wave", options->wave, "The block's signals as FST")->type_name("F.fst");
  verb->footer(
      "The header has the names of input ports without _i, lanes as name[3]; values are decimal\n"
      "or 0x; # begins a comment. Reset comes before row 0.\n\n"
      "Example:\n"
      "  flagstone block fifo --stimulus in.csv --response out.csv --param Depth=8 --drain 4");
  verb->callback([options] { Run(*options); });
}

}  // namespace flagstone
