// The netlist's side of an equivalence proof: cut at what it stores, as Verilog.
#ifndef FLAGSTONE_SYNTH_CUT_NETLIST_H_
#define FLAGSTONE_SYNTH_CUT_NETLIST_H_

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <unordered_map>

#include "synth/netlist.h"

namespace flagstone {

// A side of the comparison, cut. Names are the RTL's: "u_fifo.count_q[1].now" is a state, ".next"
// what it becomes, ".open" whether a latch follows.
struct CutSide {
  std::set<std::string> inputs, outputs;
  // What the netlist's net always is: a flip-flop's state, by its name, or a constant, "0" or "1".
  std::unordered_map<uint32_t, std::string> held_on_net;
};

// A flip-flop of the RTL that the netlist does without: it is a constant there ("0", "1"), or the
// double of another one. That it stays so, also under reset, is proven as well: its next state is
// compared.
using CutDoubles = std::map<std::string, std::string>;

// The netlist without what stores, each cut a port, which `side` takes. The ports have
// `more_inputs` and next states of `doubles` too.
std::string CutNetlist(const Netlist& netlist, const std::set<std::string>& more_inputs,
                       const CutDoubles& doubles, CutSide* side);

}  // namespace flagstone

#endif  // FLAGSTONE_SYNTH_CUT_NETLIST_H_
