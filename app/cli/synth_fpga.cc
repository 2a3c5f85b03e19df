#include "app/cli/synth_fpga.h"

#include <fmt/core.h>

#include "app/cli/synth_tables.h"
#include "app/cli/table.h"
#include "app/cli/terminal.h"
#include "app/cli/version.h"

namespace flagstone {

std::string FpgaText(const std::vector<FpgaResult>& results) {
  // Two tables: all columns beside each other are too wide for a page.
  Table counts, room;
  for (Table* table : {&counts, &room}) table->AddColumn("block", Table::Align::kLeft);
  for (const char* header : {"LUTs", "flip-flops", "carries", "RAMs"}) {
    counts.AddColumn(header, Table::Align::kRight);
  }
  for (const char* header : {"cells", "%", "wrapper", "MHz", "s"}) {
    room.AddColumn(header, Table::Align::kRight);
  }
  for (const FpgaResult& result : results) {
    const std::string parameters = ParameterText(result.block);
    const std::string name =
        fmt::format("{}{}{}", result.block.name, parameters.empty() ? "" : " ", parameters);
    const double share =
        100.0 * static_cast<double>(result.logic_cells) / static_cast<double>(kIce40.logic_cells);
    counts.AddRow({name, Grouped(result.luts), Grouped(result.flip_flops), Grouped(result.carries),
                   Grouped(result.block_rams)});
    room.AddRow({name, Grouped(result.logic_cells), fmt::format("{:.1f}", share),
                 Grouped(result.wrapper_flip_flops),
                 result.fits ? fmt::format("{:.1f}", result.fmax_mhz) : "-",
                 fmt::format("{:.1f}", result.seconds)});
  }
  return counts.ToString() + "\n" + room.ToString() +
         fmt::format(
             "cells: logic cells of the block alone; %: of the {} of an {}\n"
             "MHz: after routing, the best of three seeds; -: block and wrapper do not fit\n"
             "wrapper: logic cells of what gives the block its pins\n",
             Grouped(kIce40.logic_cells), kIce40.part);
}

void SynthOnFpga(const std::vector<SynthBlock>& blocks, const CommonOptions& common,
                 const ReportOption& report) {
  ProgressBar bar(common.quiet);
  const StopsEarly stops;
  SynthOptions options;
  options.interrupted = [] { return Interrupted()->load(); };
  const std::vector<FpgaResult> results =
      RouteOnFpga(blocks, options, [&](const SynthBlock& block, size_t done, size_t number) {
        bar.Show(fmt::format("route {}", block.name), done, number);
      });
  bar.Clear();
  nlohmann::ordered_json json = ToJson(results);
  json["version"] = Version();
  json["command"] = CommandLine();
  if (common.json.wanted) common.json.Write(json);
  if (report.wanted()) report.Write(json);
  if (common.json.OnStdout() || report.OnStdout()) return;
  fmt::print("{}", FpgaText(results));
}

}  // namespace flagstone
