#include "app/cli/ladm_table.h"

#include <fmt/core.h>

#include "app/cli/table.h"

namespace flagstone {

std::string LadmTable(const LadmAnalysis& analysis) {
  if (!analysis.scheduler) return {};
  Table table;
  table.AddColumn("array", Table::Align::kLeft);
  table.AddColumn("pages", Table::Align::kRight);
  table.AddColumn("locality", Table::Align::kLeft);
  table.AddColumn("placement", Table::Align::kLeft);
  table.AddColumn("stride of a turn", Table::Align::kLeft);
  constexpr size_t kLongest = 34;
  for (const LadmArgument& argument : analysis.arguments) {
    std::string stride = argument.stride;
    if (argument.stride_bytes) stride = fmt::format("{} B = {}", *argument.stride_bytes, stride);
    if (stride.size() > kLongest) stride = stride.substr(0, kLongest - 3) + "...";
    table.AddRow({argument.name.substr(0, 16), Grouped(argument.pages),
                  std::string(ToString(argument.type)), std::string(ToString(argument.placement)),
                  stride});
  }
  std::string text = "\nLADM, on several GPUs\n" + table.ToString();
  text += fmt::format("  {:<22} {}, as {} wishes", "scheduler", ToString(*analysis.scheduler),
                      analysis.decided_by);
  if (*analysis.scheduler == TbPlacement::kAlignAware) {
    text += fmt::format(", in batches of {} TBs", analysis.batch_tbs);
  }
  text += '\n';
  if (analysis.published.scheduler != analysis.scheduler) {
    text += fmt::format("  {:<22} {}, as {} wishes (lasp:published=1)\n", "in the paper's order",
                        ToString(*analysis.published.scheduler), analysis.published.decided_by);
  }
  text += fmt::format("  {:<22} {}\n", "remote lines", ToString(analysis.caching));
  return text;
}

}  // namespace flagstone
