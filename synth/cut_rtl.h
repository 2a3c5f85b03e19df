// The RTL's side of an equivalence proof: in Yosys's gates, cut at what it stores.
#ifndef FLAGSTONE_SYNTH_CUT_RTL_H_
#define FLAGSTONE_SYNTH_CUT_RTL_H_

#include <string>

#include "synth/cut_netlist.h"
#include "synth/netlist.h"

namespace flagstone {

struct RtlCut {
  CutSide side;
  CutDoubles doubles;
  std::string text;  // Yosys's JSON
};

// `text`: the RTL as Yosys's JSON; `gate`: how `netlist` is cut. Of what the RTL stores, that which
// the netlist has under one of its names; the rest is an input alone, and stays out of what is
// compared.
RtlCut CutRtl(const std::string& text, const Netlist& netlist, const CutSide& gate);

}  // namespace flagstone

#endif  // FLAGSTONE_SYNTH_CUT_RTL_H_
