// `flagstone block`: one hardware block alone, driven from a CSV.
#include <fmt/core.h>

#include "app/cli/options.h"
#include "app/cli/table.h"
#include "app/cli/verbs.h"
#include "base/error.h"
#include "base/file.h"
#include "systemc/cosim/block_registry.h"
#include "systemc/cosim/lockstep_mismatch.h"
#include "systemc/cosim/stimulus.h"
#include "systemc/cosim/wave_file.h"

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
  const Stimulus stimulus = ParseStimulus(text, options.stimulus, block->inputs());
  if (stimulus.rows == 0 && options.drain == 0) {
    ThrowBadInput("{}: it has no row: expected one for each cycle, or --drain N", options.stimulus);
  }
  return Respond(stimulus, options.drain, block.get());
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
  ThrowWaveError();
  WriteFileAtomically(options.response, csv);
  if (report.compared_cycles != 0) {
    fmt::print("lockstep: RTL and model agreed on every output in {} cycles\n",
               Grouped(report.compared_cycles));
  }
}

}  // namespace

void AddBlockVerb(CommandLineParser* command) {
  Verb* verb = command->AddVerb("block", "Drive one hardware block alone from a CSV");
  auto options = std::make_shared<BlockOptions>();
  verb->Add("block", &options->block, "A name ('flagstone list blocks')")
      .Type("BLOCK")
      .Check([](const std::string& name) {
        FindBlock(name);  // before what else is missing
        return std::string();
      })
      .Required();
  verb->Add("--stimulus", &options->stimulus,
            "Inputs: a row per cycle, a column per input; zero where there is none")
      .Type("IN.csv")
      .Input()
      .Required();
  verb->Add("--response", &options->response,
            "Outputs of each cycle, before the edge that takes its inputs")
      .Type("OUT.csv")
      .Output()
      .Required();
  AddEngine(verb, &options->engine);
  verb->Add("--param", &options->parameters, "An RTL parameter; may be given again")
      .Type("N=V")
      .Repeatable();
  verb->Add("--drain", &options->drain, "Cycles of zero inputs after the last row")
      .Type("N")
      .Range(uint64_t{0}, uint64_t{1000000000})
      .ShowDefault();
  verb->Add("--wave", &options->wave, "The block's signals as FST").Type("F.fst").Output();
  verb->Footer(
      "The header has the names of input ports without _i, lanes as name[3]; values are decimal\n"
      "or 0x; # begins a comment. Reset comes before row 0.\n\n"
      "Example:\n"
      "  flagstone block fifo --stimulus in.csv --response out.csv --param Depth=8 --drain 4");
  verb->Do([options] {
    Run(*options);
    return 0;
  });
}

}  // namespace flagstone
