// What lets a block of any number of ports stand on a chip with few pins.
#ifndef FLAGSTONE_SYNTH_FPGA_WRAPPER_H_
#define FLAGSTONE_SYNTH_FPGA_WRAPPER_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace flagstone {

// Inputs come from a chain of registers that in_i is shifted through; outputs are taken into a
// second chain under take_i, and leave it at out_o. So each path of the block begins and ends at a
// register, and neither chain has logic that the block could share. A register is a logic cell.
class PinWrapper {
 public:
  // `yosys_json`: what write_json writes of the module `block`.
  PinWrapper(const std::string& yosys_json, std::string_view block);

  // The module fpga_pins, with the block as u_block; and the block's ports, as a black box.
  std::string Verilog() const;

  uint64_t flip_flops() const { return inputs_.size() + outputs_.size(); }
  uint64_t luts() const { return outputs_.size(); }  // each beside its register, in one logic cell

  // A name of the routed netlist in the block's terms: "in_q[3]" and "out[3]" are bits of ports,
  // "u_block.u_fifo.read_q_SB_DFF_Q_D" is "u_fifo.read_q".
  std::string NameInBlock(std::string name) const;

 private:
  struct Port {
    std::string name;
    size_t width = 0;
    bool input = false;
  };
  std::string block_;
  std::vector<Port> ports_;
  std::vector<std::string> inputs_, outputs_;  // the bits, but for the clock
};

}  // namespace flagstone

#endif  // FLAGSTONE_SYNTH_FPGA_WRAPPER_H_
