// Writes random stimuli for a block, and the response of its golden model, as CSV.
// usage: record_stimulus BLOCK SEED CYCLES STIMULUS.csv RESPONSE.csv [NAME=VALUE...]
#include <cstdio>
#include <string>
#include <vector>

#include "base/file.h"
#include "systemc/bodies/stimulus.h"
#include "tests/blocks/stimuli.h"

int main(int argc, char** argv) {
  using namespace flagstone;
  if (argc < 6) return 2;
  try {
    const BlockRow& row = FindBlock(argv[1]);
    const RtlParameters parameters =
        ChooseParameters(row, std::vector<std::string>(argv + 6, argv + argc));
    const std::string stimulus =
        RandomStimulus(row, parameters, std::stoull(argv[2]), std::stoull(argv[3]));
    const auto block = row.make(parameters, Engine::kModel, {});
    WriteFileAtomically(argv[4], stimulus);
    WriteFileAtomically(argv[5],
                        Respond(ParseStimulus(stimulus, argv[4], block->inputs()), 0, block.get()));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "record_stimulus: %s\n", error.what());
    return 1;
  }
  return 0;
}
