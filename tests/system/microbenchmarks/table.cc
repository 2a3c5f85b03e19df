// Prints what each part of a machine costs beside what its file says.
#include <fmt/core.h>

#include <exception>
#include <string>
#include <vector>

#include "gpu_model/machines/machine.h"
#include "tests/system/microbenchmarks/measurement.h"

int main(int argc, char** argv) {
  using flagstone::MachineConfig;
  namespace bench = flagstone::microbenchmark;
  std::vector<std::string> names(argv + 1, argv + argc);
  if (names.empty()) names = flagstone::ListMachines();
  bool right = true;
  try {
    for (const std::string& name : names) {
      if (MachineConfig::Load(name, {}).numa.Nodes() > 1) continue;
      fmt::print("{:<46} {:<17} {:>9} {:>9}\n", name, "unit", "measured", "file");
      for (const bench::Measurement& row :
           bench::MeasureAll(MachineConfig::Load(name, bench::IdealFetch()))) {
        right = right && row.Right();
        fmt::print("  {:<44} {:<17} {:>9.3f} {:>9.3f}{}\n", row.name, row.unit, row.measured,
                   row.expected, row.Right() ? "" : "  OUT OF BOUNDS");
      }
    }
  } catch (const std::exception& error) {
    fmt::print(stderr, "microbenchmarks: {}\n", error.what());
    return 2;
  }
  return right ? 0 : 1;
}
