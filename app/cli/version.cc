#include "app/cli/version.h"

#include <fmt/core.h>

#include "app/cli/build_info.h"

namespace flagstone {

std::string Version() {
  return std::string(kProjectVersion) + (*kCommit == '\0' ? "" : "+") + kCommit;
}

std::string VersionText() {
  return fmt::format(
      "flagstone {}\n"
      "compiler   {}\n"
      "Verilator  {}\n"
      "SystemC    {}\n"
      "METIS      {}\n"
      "Yosys      {}\n",
      Version(), kCompiler, kVerilator, kSystemC, kMetis, kYosys);
}

}  // namespace flagstone
