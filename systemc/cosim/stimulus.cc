#include "systemc/cosim/stimulus.h"

#include <bit>
#include <charconv>
#include <optional>

#include "base/error.h"

namespace flagstone {
namespace {

struct Cell {
  std::string_view text;
  size_t column = 0;  // from 1
};

bool IsSpace(char c) { return c == ' ' || c == '\t' || c == '\r'; }

// The cells of a line without its comment; none where nothing is left.
std::vector<Cell> Cells(std::string_view line) {
  line = line.substr(0, line.find('#'));
  std::vector<Cell> cells;
  for (size_t begin = 0; begin <= line.size();) {
    const size_t end = std::min(line.find(',', begin), line.size());
    size_t first = begin, last = end;
    while (first < last && IsSpace(line[first])) ++first;
    while (last > first && IsSpace(line[last - 1])) --last;
    cells.push_back({line.substr(first, last - first), first + 1});
    begin = end + 1;
  }
  if (cells.size() == 1 && cells[0].text.empty()) cells.clear();
  return cells;
}

// A number of any size: words of 32 bits, low word first, the last not zero.
using Number = std::vector<uint32_t>;

// Reads `text`, decimal or 0x; nothing where it is no number.
std::optional<Number> ParseValue(std::string_view text) {
  uint32_t base = 10;
  if (text.starts_with("0x") || text.starts_with("0X")) {
    base = 16;
    text.remove_prefix(2);
  }
  if (text.empty()) return std::nullopt;
  Number words;
  for (const char c : text) {
    uint32_t digit = 0;
    const auto [end, error] = std::from_chars(&c, &c + 1, digit, static_cast<int>(base));
    if (error != std::errc()) return std::nullopt;
    uint64_t carry = digit;
    for (uint32_t& word : words) {
      const uint64_t product = uint64_t{word} * base + carry;
      word = static_cast<uint32_t>(product);
      carry = product >> 32;
    }
    if (carry != 0) words.push_back(static_cast<uint32_t>(carry));
  }
  return words;
}

bool Fits(const Number& value, uint32_t bits) {
  return value.empty() ||
         32 * (value.size() - 1) + static_cast<uint32_t>(std::bit_width(value.back())) <= bits;
}

// Bits [offset +: width] of `value`; 128 at most.
FieldValue Slice(const Number& value, uint32_t offset, uint32_t width) {
  FieldValue slice = {};
  for (uint32_t bit = 0; bit < width; ++bit) {
    const uint32_t at = offset + bit;
    if (at / 32 >= value.size()) break;
    slice[bit / 64] |= uint64_t{(value[at / 32] >> (at % 32)) & 1} << (bit % 64);
  }
  return slice;
}

class Parser {
 public:
  Parser(std::string_view file, const std::vector<AnyPort>& inputs) : file_(file), inputs_(inputs) {
    for (const AnyPort& port : inputs) taken_.emplace_back(port.lanes, false);
  }

  Stimulus Parse(std::string_view text) {
    while (!text.empty()) {
      ++line_;
      const size_t end = std::min(text.find('\n'), text.size());
      const std::vector<Cell> cells = Cells(text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
      if (cells.empty()) continue;
      if (stimulus_.columns.empty()) {
        for (const Cell& cell : cells) AddColumn(cell);
      } else {
        AddRow(cells);
      }
    }
    if (stimulus_.columns.empty()) {
      ThrowBadInput("{}:{}:1: no header: expected the names of inputs, separated by commas", file_,
                    line_ + 1);
    }
    return std::move(stimulus_);
  }

 private:
  template <class... Arguments>
  [[noreturn]] void Fail(const Cell& cell, fmt::format_string<Arguments...> format,
                         Arguments&&... arguments) const {
    ThrowBadInput("{}:{}:{}: {}", file_, line_, cell.column,
                  fmt::format(format, std::forward<Arguments>(arguments)...));
  }

  void AddColumn(const Cell& cell) {
    const size_t bracket = std::min(cell.text.find('['), cell.text.size());
    const std::string_view name = cell.text.substr(0, bracket);
    uint32_t port = 0;
    while (port < inputs_.size() && inputs_[port].name != name) ++port;
    if (port == inputs_.size()) {
      std::string known;
      for (const AnyPort& input : inputs_) known += fmt::format(" {}", input.name);
      Fail(cell, "unknown column '{}': expected one of{}", cell.text, known);
    }
    const AnyPort& input = inputs_[port];
    if (bracket == cell.text.size()) {
      Take(cell, port, 0, input.lanes);
      return;
    }
    const std::string_view index = cell.text.substr(bracket + 1);
    uint32_t lane = 0;
    const auto [end, error] = std::from_chars(index.data(), index.data() + index.size(), lane);
    if (error != std::errc() || end != index.data() + index.size() - 1 || *end != ']' ||
        lane >= input.lanes) {
      Fail(cell, "column '{}': expected {}[0] to {}[{}]", cell.text, name, name, input.lanes - 1);
    }
    Take(cell, port, lane, 1);
  }

  // The cell's column has `count` lanes from `first` on.
  void Take(const Cell& cell, uint32_t port, uint32_t first, uint32_t count) {
    for (uint32_t lane = first; lane < first + count; ++lane) {
      if (taken_[port][lane]) {
        Fail(cell, "column '{}' is there already: expected each input once", cell.text);
      }
      taken_[port][lane] = true;
      stimulus_.columns.push_back({port, lane});
    }
    columns_.push_back({port, count});
  }

  void AddRow(const std::vector<Cell>& cells) {
    const size_t expected = columns_.size();
    if (cells.size() != expected) {
      Fail(cells.size() > expected ? cells[expected] : cells.back(),
           "a row of {} values: expected {}, as many as columns", cells.size(), expected);
    }
    for (size_t i = 0; i < cells.size(); ++i) {
      const AnyPort& port = inputs_[columns_[i].port];
      const uint32_t bits = port.width * columns_[i].lanes;
      const std::optional<Number> value = ParseValue(cells[i].text);
      if (!value) {
        Fail(cells[i], "'{}': expected a number for {}, decimal or 0x, of at most {} bit{}",
             cells[i].text, port.name, bits, bits == 1 ? "" : "s");
      }
      if (!Fits(*value, bits)) {
        Fail(cells[i], "'{}' is too wide: expected at most {} bit{} for {}", cells[i].text, bits,
             bits == 1 ? "" : "s", port.name);
      }
      for (uint32_t lane = 0; lane < columns_[i].lanes; ++lane) {
        stimulus_.values.push_back(Slice(*value, lane * port.width, port.width));
      }
    }
    ++stimulus_.rows;
  }

  // A column of the file.
  struct FileColumn {
    uint32_t port = 0;
    uint32_t lanes = 1;
  };

  std::string_view file_;
  const std::vector<AnyPort>& inputs_;
  std::vector<std::vector<bool>> taken_;  // per port and lane: there is a column
  size_t line_ = 0;
  std::vector<FileColumn> columns_;
  Stimulus stimulus_;
};

template <class Value>
std::string Line(const std::vector<AnyPort>& ports, Value value) {
  std::string line;
  for (uint32_t port = 0; port < ports.size(); ++port) {
    for (uint32_t lane = 0; lane < ports[port].lanes; ++lane) {
      if (!line.empty()) line += ',';
      line += value(port, lane);
    }
  }
  return line;
}

}  // namespace

Stimulus ParseStimulus(std::string_view text, std::string_view file,
                       const std::vector<AnyPort>& inputs) {
  return Parser(file, inputs).Parse(text);
}

void ApplyRow(const Stimulus& stimulus, size_t row, AnyBlock* block) {
  block->ClearInputs();
  if (row >= stimulus.rows) return;
  for (size_t i = 0; i < stimulus.columns.size(); ++i) {
    const Stimulus::Column& column = stimulus.columns[i];
    const FieldValue& value = stimulus.values[row * stimulus.columns.size() + i];
    block->SetInput(column.port, column.lane, value);
  }
}

std::string HeaderLine(const std::vector<AnyPort>& ports) {
  return Line(ports, [&](uint32_t port, uint32_t lane) {
    const AnyPort& p = ports[port];
    return p.lanes == 1 ? std::string(p.name) : fmt::format("{}[{}]", p.name, lane);
  });
}

std::string InputLine(const AnyBlock& block) {
  return Line(block.inputs(), [&](uint32_t port, uint32_t lane) {
    return FieldText(block.Input(port, lane), block.inputs()[port].width);
  });
}

std::string OutputLine(const AnyBlock& block) {
  return Line(block.outputs(), [&](uint32_t port, uint32_t lane) -> std::string {
    if (!block.Governed(port, lane)) return "-";
    return FieldText(block.Output(port, lane), block.outputs()[port].width);
  });
}

std::string Respond(const Stimulus& stimulus, uint64_t drain, AnyBlock* block) {
  std::string csv = HeaderLine(block->outputs()) + "\n";
  for (uint64_t row = 0; row < stimulus.rows + drain; ++row) {
    ApplyRow(stimulus, row, block);
    block->Settle();
    csv += OutputLine(*block) + "\n";
    block->Tick();
  }
  return csv;
}

}  // namespace flagstone
