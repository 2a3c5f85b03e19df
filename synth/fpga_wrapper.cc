#include "synth/fpga_wrapper.h"

#include <fmt/format.h>

#include <charconv>
#include <nlohmann/json.hpp>

namespace flagstone {
namespace {

constexpr std::string_view kClock = "clk_i";

constexpr size_t kNone = ~size_t{0};

// "in_q[12]" and "in_q": 12; kNone for another name.
size_t IndexIn(const std::string& name, std::string_view chain) {
  if (!name.starts_with(chain)) return kNone;
  const std::string_view rest = std::string_view(name).substr(chain.size());
  if (rest.size() < 3 || rest.front() != '[' || rest.back() != ']') return kNone;
  size_t index = kNone;
  const auto end = std::from_chars(rest.data() + 1, rest.data() + rest.size() - 1, index);
  return end.ec == std::errc() ? index : kNone;
}

}  // namespace

PinWrapper::PinWrapper(const std::string& yosys_json, std::string_view block) : block_(block) {
  const auto module =
      nlohmann::ordered_json::parse(yosys_json).at("modules").at(std::string(block));
  for (const auto& [name, port] : module.at("ports").items()) {
    ports_.push_back({name, port.at("bits").size(), port.at("direction") == "input"});
    if (name == kClock) continue;
    for (size_t bit = 0; bit < ports_.back().width; ++bit) {
      (ports_.back().input ? inputs_ : outputs_)
          .push_back(ports_.back().width == 1 ? name : fmt::format("{}[{}]", name, bit));
    }
  }
}

std::string PinWrapper::Verilog() const {
  std::string outline = fmt::format("(* blackbox *)\nmodule {} (", block_), pins;
  size_t in = 0, out = 0;
  for (const Port& port : ports_) {
    outline += fmt::format("{}{} [{}:0] {}", outline.back() == '(' ? "" : ", ",
                           port.input ? "input" : "output", port.width - 1, port.name);
    size_t* const next = port.input ? &in : &out;
    const std::string net =
        port.name == kClock
            ? std::string("clk_i")
            : fmt::format("{}[{} +: {}]", port.input ? "in_q" : "out", *next, port.width);
    if (port.name != kClock) *next += port.width;
    pins += fmt::format("{}.{}({})", pins.empty() ? "" : ", ", port.name, net);
  }
  return fmt::format(R"({}); endmodule

module fpga_pins (input clk_i, input in_i, input take_i, output out_o);
  reg  [{}:0] in_q;
  reg  [{}:0] out_q;
  wire [{}:0] out;
  always @(posedge clk_i) begin
    in_q  <= {{in_q, in_i}};
    out_q <= take_i ? out : {{out_q, 1'b0}};
  end
  assign out_o = out_q[{}];
  {} u_block ({});
endmodule
)",
                     outline, in - 1, out - 1, out - 1, out - 1, block_, pins);
}

std::string PinWrapper::NameInBlock(std::string name) const {
  for (const auto& [chain, bits] : {std::pair{"in_q", &inputs_}, std::pair{"out", &outputs_}}) {
    const size_t index = IndexIn(name, chain);
    if (index < bits->size()) return (*bits)[index];
  }
  constexpr std::string_view kInstance = "u_block.";
  if (name.starts_with(kInstance)) name.erase(0, kInstance.size());
  return name.substr(0, name.find("_SB_"));
}

}  // namespace flagstone
