#include "synth/timing.h"

#include <cstdlib>
#include <sstream>

#include "base/error.h"
#include "base/file.h"
#include "base/subprocess.h"
#include "synth/output_buffers.h"

namespace flagstone {
namespace {

std::string FindSta() {
  const auto path = FindProgram("sta");
  if (!path) ThrowInternal("timing needs OpenSTA: install the package 'opensta'");
  return path->string();
}

bool HasClock(const Netlist& netlist) {
  for (const NetlistPort& port : netlist.ports) {
    if (port.name == "clk_i") return true;
  }
  return false;
}

// The flip-flop on the other side of a port, as ps of the period.
double FlipFlopDelay(const CellLibrary& library) {
  return library.Smallest(CellKind::kFlipFlop, "+")->clock_to_output_ns;
}

std::string Script(const MappedBlock& mapped, const CellLibrary& library, double period_ns,
                   double wire_ff) {
  const Netlist& netlist = mapped.netlist;
  std::string script = fmt::format("read_liberty \"{}\"\n", library.file);
  if (!mapped.macros.empty()) script += "read_liberty macros.lib\n";
  script += fmt::format("read_verilog netlist.v\nlink_design {}\n", netlist.top);
  script += fmt::format("create_clock -name clk -period {:.4f}{}\n", period_ns,
                        HasClock(netlist) ? " [get_ports clk_i]" : "");
  const double output_ns = library.Smallest(CellKind::kFlipFlop, "+")->setup_ns;
  const double load = OutputLoad(library) / library.capacitance_unit_ff;
  for (const NetlistPort& port : netlist.ports) {
    if (port.name == "clk_i") continue;
    if (port.input) {
      script += fmt::format("set_input_delay {:.4f} -clock clk {{{}}}\n", FlipFlopDelay(library),
                            port.name);
    } else {
      script += fmt::format("set_output_delay {:.4f} -clock clk {{{}}}\nset_load {:.6f} {{{}}}\n",
                            output_ns, port.name, load, port.name);
    }
  }
  if (wire_ff > 0) {
    std::vector<uint32_t> sinks(netlist.nets.size(), 0);
    for (const NetlistCell& cell : netlist.cells) {
      for (const NetlistPin& cell_pin : cell.pins) sinks[cell_pin.net] += cell_pin.input ? 1 : 0;
    }
    for (const NetlistCell& cell : netlist.cells) {
      for (const NetlistPin& cell_pin : cell.pins) {
        if (cell_pin.input || sinks[cell_pin.net] == 0) continue;
        script +=
            fmt::format("set_load -wire_load {:.6f} [get_nets w{}]\n",
                        wire_ff * sinks[cell_pin.net] / library.capacitance_unit_ff, cell_pin.net);
      }
    }
  }
  return script +
         "report_checks -path_delay max -fields {slew cap} -digits 4\n"
         "puts \"worst slack below\"\nreport_worst_slack\n"
         "set_power_activity -global -activity 0.1\nreport_power -digits 6\n";
}

// "u_stealer.sum_q[3]$cell (rising edge-triggered ...)" -> "u_stealer.sum_q[3]".
std::string PointAfter(const std::string& report, const std::string& mark) {
  const size_t at = report.find(mark);
  if (at == std::string::npos) return "";
  const size_t begin = at + mark.size();
  std::string point = report.substr(begin, report.find_first_of(" \n", begin) - begin);
  std::erase(point, '\\');
  const size_t cell = point.find("$cell");
  return point.substr(0, cell);
}

}  // namespace

std::string StaVersion() {
  const std::string version = TellingLine(RunProcess({FindSta(), "-version"}).output, ".");
  if (!version.starts_with("2.")) {
    ThrowInternal("OpenSTA is of version '{}': expected 2.x, as in Debian 12's package 'opensta'",
                  version);
  }
  return "OpenSTA " + version;
}

Timing AnalyzeTiming(const MappedBlock& mapped, const CellLibrary& library, double period_ns,
                     double wire_ff, const std::filesystem::path& folder) {
  WriteFileAtomically(folder / "netlist.v", ToVerilog(mapped.netlist));
  if (!mapped.macros.empty()) {
    WriteFileAtomically(folder / "macros.lib", ToLiberty(mapped.macros, library.voltage));
  }
  WriteFileAtomically(folder / "timing.tcl", Script(mapped, library, period_ns, wire_ff));
  const ProcessResult result = RunProcess({FindSta(), "-no_splash", "-exit", "timing.tcl"}, folder);
  WriteFileAtomically(folder / "timing.rpt", result.output);
  if (result.status != 0 || result.output.find("Error:") != std::string::npos) {
    ThrowInternal("OpenSTA failed on {}: {}", mapped.netlist.top,
                  TellingLine(result.output, "Error:"));
  }
  Timing timing;
  timing.from = PointAfter(result.output, "Startpoint: ");
  timing.to = PointAfter(result.output, "Endpoint: ");
  const size_t slack = result.output.find("worst slack below");
  std::istringstream after(result.output.substr(std::min(slack + 17, result.output.size())));
  std::string word, second;
  if (slack != std::string::npos && !timing.from.empty() &&
      (after >> word >> second >> timing.slack_ns)) {
    timing.fmax_mhz = 1000 / (period_ns - timing.slack_ns);
  }
  std::istringstream lines(result.output);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("Total")) continue;
    std::istringstream columns(line);
    double internal = 0, switching = 0, leakage = 0, total = 0;
    if (columns >> word >> internal >> switching >> leakage >> total) {
      timing.default_power_uw = total * 1e6;
    }
  }
  return timing;
}

}  // namespace flagstone
