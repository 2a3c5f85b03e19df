#include "app/cli/version.h"

#include <fmt/core.h>

#include "app/cli/build_info.h"
#include "app/results/results_id.h"

namespace flagstone {

std::string Version() {
  return std::string(kProjectVersion) + (*kCommit == '\0' ? "" : "+") + kCommit;
}

std::string VersionText() {
  return fmt::format(
      "flagstone {}\n"
      "results    {}\n"
      "compiler   {}\n"
      "Verilator  {}\n"
      "SystemC    {}\n"
      "METIS      {}\n"
      "Yosys      {}\n",
      Version(), ResultsId(), kCompiler, kVerilator, kSystemC, kMetis, kYosys);
}

}  // namespace flagstone
