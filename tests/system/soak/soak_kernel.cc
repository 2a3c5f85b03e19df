// Writes a workload with a random kernel into a folder: what a soak runs.
//   soak_kernel SEED FOLDER
#include <fmt/core.h>

#include <cstdint>
#include <exception>
#include <string>

#include "base/file.h"
#include "base/random.h"
#include "tests/unit/analyzer/address/kernel_under_analysis.h"
#include "tests/unit/analyzer/random_kernel.h"

namespace flagstone {
namespace {

// More TBs than a small machine holds, of few and of many warps, some of them partial.
std::string Description(uint64_t seed) {
  SplitMix64 random(seed ^ 0x50a4);
  const uint64_t columns = 1 + random.Below(24);
  const uint64_t rows = 1 + random.Below(8);
  const uint64_t width = 8 << random.Below(6);
  const uint64_t height = 1 + random.Below(3);
  const uint64_t n = random.Below(40);
  const uint64_t m = random.Below(64);
  return fmt::format(
      "name = \"soak-{}\"\ndescription = \"a random kernel\"\n\n"
      "[buffer.a]\ntype = \"u32\"\ncount = {}\nfill = \"uniform\"\nmax = 4294967295\nseed = {}\n\n"
      "[buffer.b]\ntype = \"u32\"\ncount = 16384\nfill = \"zero\"\n\n"
      "[[launch]]\nptx = \"kernel.ptx\"\nentry = \"k\"\ngrid = [{}, {}, 1]\nblock = [{}, {}, 1]\n"
      "args = [\"a+{}\", \"b\", {{ u32 = {} }}, {{ u32 = {} }}]\n",
      seed, RandomKernel::kReach / 2, 1 + seed, columns, rows, width, height, RandomKernel::kReach,
      n, m);
}

}  // namespace
}  // namespace flagstone

int main(int argc, char** argv) {
  using flagstone::KernelUnderAnalysis;
  if (argc != 3) {
    fmt::print(stderr, "usage: soak_kernel SEED FOLDER\n");
    return 2;
  }
  try {
    const uint64_t seed = std::stoull(argv[1]);
    const std::string folder = argv[2];
    flagstone::WriteFileAtomically(folder + "/kernel.ptx",
                                   std::string(KernelUnderAnalysis::kVersion) +
                                       KernelUnderAnalysis::kHeader +
                                       flagstone::RandomKernel(seed).text() + "}\n");
    flagstone::WriteFileAtomically(folder + "/workload.toml", flagstone::Description(seed));
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
