// A flat netlist of library cells, bit by bit, as Yosys writes it.
#ifndef FLAGSTONE_SYNTH_NETLIST_H_
#define FLAGSTONE_SYNTH_NETLIST_H_

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "synth/cell_library.h"

namespace flagstone {

struct NetlistPin {
  const CellPin* pin = nullptr;  // null for a pin of a macro
  std::string name;
  uint32_t net = 0;
  bool input = false;
};

struct NetlistCell {
  std::string name;                   // of a register: the RTL signal and bit that it holds; unique
  const LibraryCell* type = nullptr;  // null for a macro
  std::string type_name;
  std::vector<NetlistPin> pins;

  // The net of the pin, or kNoNet.
  uint32_t Net(std::string_view pin) const;
};

// One bit of a port.
struct NetlistPort {
  std::string name;  // "tb_ready_i[3]", "start_i"
  std::string base;  // "tb_ready_i"
  uint32_t bit = 0;
  uint32_t width = 1;
  bool input = false;
  uint32_t net = 0;
};

inline constexpr uint32_t kNoNet = ~uint32_t{0};

struct Netlist {
  std::string top;
  std::vector<NetlistPort> ports;
  std::vector<NetlistCell> cells;
  std::vector<std::string> nets;  // names by net; 0 and 1 are the constants
  // All names that the designer gave to bits, also to those that are constants or others' doubles.
  std::unordered_map<std::string, uint32_t> net_of_name;
};

// `json`: what write_json writes of one flat module `top`. `macros`: names of cell types outside
// the library that may stand in it. Throws kInternal for any other cell that `library` lacks.
Netlist ReadNetlist(const std::string& json, const std::string& top, const CellLibrary& library,
                    const std::vector<std::string>& macros = {});

// As structural Verilog, each bit of a port a port of its own: what OpenSTA and Icarus both take.
std::string ToVerilog(const Netlist& netlist);

// The same behind a module `top` with the RTL's ports, which can stand in the RTL's place. The
// netlist itself is the module top_netlist.
std::string ToVerilogModule(Netlist netlist);

// Cells on the longest path between registers or ports; flip-flops, latches, clock gates and macros
// begin and end paths.
uint64_t LogicDepth(const Netlist& netlist);

// "\a.b[3] ": an identifier that holds any character.
std::string Escaped(const std::string& name);

}  // namespace flagstone

#endif  // FLAGSTONE_SYNTH_NETLIST_H_
