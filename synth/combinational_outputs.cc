#include <fmt/core.h>

#include <algorithm>
#include <sstream>

#include "base/file.h"
#include "synth/synth.h"
#include "synth/yosys.h"

namespace flagstone {

std::vector<std::string> CombinationalOutputs(const SynthBlock& block,
                                              const std::vector<std::string>& files) {
  const ScratchFolder folder;
  // Without the flip-flops, whatever an input still reaches it reaches within the cycle. Bits, not
  // vectors: a vector may hold both kinds.
  const std::string script =
      ReadScript(block, files.empty() ? RtlFiles() : files) +
      fmt::format(
          "synth -flatten -noabc -nordff -top {}\ndfflegalize -cell $_DFF_P_ x\nopt_clean\n",
          block.name) +
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
