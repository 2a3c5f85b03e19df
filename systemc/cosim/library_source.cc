#include "systemc/cosim/library_source.h"

#include <fmt/core.h>

#include <algorithm>
#include <sstream>
#include <vector>

#include "base/file.h"
#include "systemc/cosim/block_abi.h"

namespace flagstone {
namespace {

namespace fs = std::filesystem;

// What Verilator wrote, read again for what it cannot be asked.
struct Written {
  std::vector<std::string> fast, slow;  // C++ files: of the simulation loop; set-up
  std::string ports;                    // the port declarations in the class's header
  bool edge_sensitive = false;          // there are registers, which know the clock's level before
  bool level_sensitive = false;         // some logic follows the clock's level: a latch

  bool HasPort(const std::string& name) const {
    return ports.find("&" + name + ",") != std::string::npos;
  }
};

constexpr const char* kClockBefore = "__Vtrigrprev__TOP__clk_i";

bool ReadsTheClocksLevel(const std::string& line) {
  if (line.find("vlSelf->clk_i") == std::string::npos) return false;
  // The edge is found by the level now and before; a debug build checks the port's width, a
  // trace and a coverage count show it.
  for (const char* use : {"__Vtrigr", "Triggered", "0xfe", "VL_RAND_RESET", "buf", "__Vtogcov"}) {
    if (line.find(use) != std::string::npos) return false;
  }
  return true;
}

Written ReadWritten(const fs::path& build) {
  Written written;
  for (const auto& entry : fs::directory_iterator(build)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with("Vbody")) continue;
    std::istringstream text(ReadFile(entry.path()));
    const bool header = name == "Vbody.h";
    const bool code = name.ends_with(".cpp");
    for (std::string line; std::getline(text, line);) {
      if (code && ReadsTheClocksLevel(line)) written.level_sensitive = true;
      if (!code && line.find(kClockBefore) != std::string::npos) written.edge_sensitive = true;
      if (header &&
          (line.find(" VL_IN") != std::string::npos || line.find(" VL_OUT") != std::string::npos)) {
        written.ports += line + "\n";
      }
    }
    const bool slow = name.ends_with("__Slow.cpp") || name.ends_with("__Syms.cpp");
    if (code) (slow ? written.slow : written.fast).push_back(name);
  }
  std::sort(written.fast.begin(), written.fast.end());
  std::sort(written.slow.begin(), written.slow.end());
  return written;
}

std::string Includes(const std::vector<std::string>& files) {
  std::string text;
  for (const std::string& file : files) text += fmt::format("#include \"{}\"\n", file);
  return text;
}

}  // namespace

std::string LibrarySource(const std::filesystem::path& build) {
  const Written written = ReadWritten(build);
  const bool forgets = written.edge_sensitive && !written.level_sensitive;
  const auto set = [&](const char* function, const char* port) {
    return fmt::format("  void {}(unsigned char value) {{ {} }}\n", function,
                       written.HasPort(port) ? fmt::format("{} = value;", port) : "");
  };
  return Includes({"Vbody.h", "Vbody___024root.h"}) + Includes(written.fast) +
         fmt::format(
             "#include \"systemc/cosim/verilated_block.h\"\n"
             "#include \"systemc/cosim/verilated_ports.h\"\n"
             "class Model : public Vbody {{\n public:\n  using Vbody::Vbody;\n"
             "  void ListPorts(flagstone::PortList* list) {{\n{}  }}\n{}{}"
             "  static constexpr bool kForgetsClock = {};\n{}}};\n"
             "static constexpr flagstone::BlockAbi kAbi = flagstone::MakeBlockAbi<Model>();\n"
             "extern \"C\" __attribute__((visibility(\"default\"))) const flagstone::BlockAbi* {}()"
             " {{ return &kAbi; }}\n",
             written.ports, set("SetClock", "clk_i"), set("SetReset", "rst_ni"), forgets,
             forgets ? fmt::format("  void ForgetClock() {{ rootp->{} = 0; }}\n", kClockBefore)
                     : "",
             kBlockAbiSymbol) +
         "#pragma GCC optimize(\"O0\")\n" + Includes(written.slow);
}

}  // namespace flagstone
