// Runs the mutants of one block against random stimuli: which of them answer other than the golden
// model?
// usage: mutation_runner BLOCK NETLIST MUTANTS SEEDS CYCLES LARGE [NAME=VALUE...]
//
// SEEDS stimuli of small kernels of CYCLES cycles each, and LARGE stimuli of large ones, of 70,000,
// with 25 times as many of 1,000, which begin large ones and end small ones.
// The mutants are one module, which has the name of its file NETLIST, with an input mut_sel: 0 is
// the block as it is, 1 to MUTANTS a mutant each. Prints a line `alive: 7 31`, the mutants that no
// stimulus tells from the golden model. Exit status 1 if the block itself differs from it.
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "systemc/cosim/verilate.h"
#include "tests/blocks/stimuli/replay.h"

namespace flagstone {
namespace {

int Run(const std::vector<std::string>& arguments) {
  const BlockRow& row = FindBlock(arguments.at(0));
  const std::filesystem::path netlist = arguments.at(1);
  const auto count = static_cast<uint32_t>(std::stoul(arguments.at(2)));
  const uint64_t seeds = std::stoull(arguments.at(3));
  const uint64_t cycles = std::stoull(arguments.at(4));
  const uint64_t large = std::stoull(arguments.at(5));
  Replay mutants(row, ChooseParameters(row, {arguments.begin() + 6, arguments.end()}),
                 VerilateFile(netlist.stem(), netlist, "-O1"), 1);
  std::vector<uint32_t> alive;
  for (uint32_t mutant = 1; mutant <= count; ++mutant) alive.push_back(mutant);
  for (uint64_t seed = 1; seed <= seeds + 26 * large && !alive.empty(); ++seed) {
    const GoldenRows rows =
        seed <= seeds
            ? mutants.Golden(seed, cycles)
            : mutants.Golden(seed, seed <= seeds + large ? 70000 : 1000, KernelSize::kLarge);
    if (mutants.Differs(rows)) {
      std::fprintf(stderr, "%s itself differs from its model, seed %llu\n", arguments[0].c_str(),
                   static_cast<unsigned long long>(seed));
      return 1;
    }
    std::erase_if(alive, [&](uint32_t mutant) { return mutants.Differs(rows, mutant); });
  }
  std::printf("alive:");
  for (const uint32_t mutant : alive) std::printf(" %u", mutant);
  std::printf("\n");
  return 0;
}

}  // namespace
}  // namespace flagstone

int main(int argc, char** argv) {
  if (argc < 7) return 2;
  try {
    return flagstone::Run({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    std::fprintf(stderr, "mutation_runner: %s\n", error.what());
    return 1;
  }
}
