#include "synth/cell_models.h"

#include <cctype>

#include "base/error.h"

namespace flagstone {
namespace {

// or := xor { (| or +) xor }; xor := and { ^ and }; and := not { [& or *] not }; a blank is an AND.
class Expression {
 public:
  explicit Expression(const std::string& text) : text_(text) {}

  std::string Whole() {
    std::string verilog = Or();
    if (Peek() != '\0') Fail();
    return verilog;
  }

 private:
  [[noreturn]] void Fail() const {
    ThrowBadInput("Liberty expression '{}': cannot be read", text_);
  }

  char Peek() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool Take(std::string_view marks) {
    const char c = Peek();
    if (c == '\0' || marks.find(c) == std::string_view::npos) return false;
    ++at_;
    return true;
  }

  std::string Or() {
    std::string left = Xor();
    while (Take("|+")) left = fmt::format("({} | {})", left, Xor());
    return left;
  }
  std::string Xor() {
    std::string left = And();
    while (Take("^")) left = fmt::format("({} ^ {})", left, And());
    return left;
  }
  std::string And() {
    std::string left = Not();
    for (;;) {
      const char c = Peek();
      if (!Take("&*") && c != '(' && c != '!' && !IsWord(c)) return left;
      left = fmt::format("({} & {})", left, Not());
    }
  }
  std::string Not() {
    std::string value;
    if (Take("!")) {
      value = fmt::format("~{}", Not());
    } else if (Take("(")) {
      value = Or();
      if (!Take(")")) Fail();
    } else {
      std::string word;
      for (char c = Peek(); IsWord(c); c = at_ < text_.size() ? text_[at_] : '\0') {
        word += c;
        ++at_;
      }
      if (word.empty()) Fail();
      value = word == "0" || word == "1" ? fmt::format("1'b{}", word) : word;
    }
    while (Take("'")) value = fmt::format("~{}", value);
    return value;
  }
  static bool IsWord(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  }

  const std::string& text_;
  size_t at_ = 0;
};

std::string Body(const LibraryCell& cell, bool zeroed) {
  std::string body;
  const char* start = zeroed ? " = 1'b0" : "";
  const std::string inverse = cell.state_inverse.empty() ? "unused" : cell.state_inverse;
  if (cell.kind == CellKind::kClockGate) {
    // A latch that is open while the clock is low, and an AND.
    std::string output;
    for (const CellPin& pin : cell.pins) {
      if (!pin.input) output = pin.name;
    }
    return fmt::format(
        "  reg open{3};\n  always @* if (!{0}) open = {1};\n  assign {2} = {0} & open;\n",
        cell.clock, cell.data, output, start);
  }
  if (cell.kind == CellKind::kFlipFlop || cell.kind == CellKind::kLatch) {
    const std::string clock = ToVerilogExpression(cell.clock);
    const std::string data = ToVerilogExpression(cell.data);
    body += fmt::format("  reg {0}{2};\n  wire {1} = ~{0};\n", cell.state, inverse, start);
    body += cell.kind == CellKind::kFlipFlop
                ? fmt::format("  wire clock = {};\n  always @(posedge clock) {} <= {};\n", clock,
                              cell.state, data)
                : fmt::format("  always @* if ({}) {} = {};\n", clock, cell.state, data);
  }
  for (const CellPin& pin : cell.pins) {
    if (!pin.input) {
      body += fmt::format("  assign {} = {};\n", pin.name, ToVerilogExpression(pin.function));
    }
  }
  return body;
}

}  // namespace

std::string ToVerilogExpression(const std::string& liberty) { return Expression(liberty).Whole(); }

std::string CellModels(const CellLibrary& library, bool zeroed) {
  std::string text;
  for (const auto& [name, cell] : library.cells) {
    if (!cell.plain) continue;
    text += fmt::format("module {} (", name);
    for (size_t i = 0; i < cell.pins.size(); ++i) {
      text += fmt::format("{}{} {}", i == 0 ? "" : ", ", cell.pins[i].input ? "input" : "output",
                          cell.pins[i].name);
    }
    text += ");\n" + Body(cell, zeroed) + "endmodule\n";
  }
  return text;
}

std::string MacroModels(const std::vector<RamMacro>& macros) {
  std::string text;
  for (const RamMacro& macro : macros) {
    std::string ports = "input clk_i, input write_valid_i";
    const auto bits = [&](const char* direction, const char* name, uint32_t width) {
      std::string vector = "{";
      for (uint32_t i = 0; i < width; ++i) {
        const std::string bit = width == 1 ? std::string(name) : fmt::format("{}_{}", name, i);
        ports += fmt::format(", {} {}", direction, bit);
        vector += (i == 0 ? bit : "");
        if (i != 0) vector.insert(1, bit + ", ");
      }
      return vector + "}";
    };
    const std::string write = bits("input", "write_index_i", macro.index_bits());
    const std::string data = bits("input", "write_data_i", macro.width);
    const std::string read = bits("input", "read_index_i", macro.index_bits());
    const std::string out = bits("output", "read_data_o", macro.width);
    text += fmt::format(
        "module {0} ({1});\n  reg [{2}:0] entries [0:{3}];\n  reg [{2}:0] word;\n  assign {4} = "
        "word;\n"
        "  always @(posedge clk_i) begin\n    if (write_valid_i) entries[{6}] <= {7};\n"
        "    word <= entries[{5}];\n  end\nendmodule\n",
        macro.cell_name(), ports, macro.width - 1, macro.depth - 1, out, read, write, data);
  }
  return text;
}

}  // namespace flagstone
