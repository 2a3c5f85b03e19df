// Tile loops (tile_loop.h) written anew in their text.
#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "app/order/ctaid_reads.h"
#include "app/order/order_ptx.h"
#include "app/order/tile_loop.h"
#include "base/error.h"
#include "kernels/ptx/lexer.h"

namespace flagstone {
namespace {

// Puts text into the place of some of a text, from its beginning on.
class Editor {
 public:
  explicit Editor(std::string_view text) : text_(text) {}

  void Replace(size_t begin, size_t end, std::string_view by) {
    result_ += text_.substr(taken_, begin - taken_);
    result_ += by;
    taken_ = end;
  }
  std::string Finish() { return result_ += text_.substr(taken_); }

 private:
  std::string_view text_;
  std::string result_;
  size_t taken_ = 0;
};

class Places {
 public:
  explicit Places(std::string_view text) : lines_{0} {
    for (size_t at = 0; at < text.size(); ++at) {
      if (text[at] == '\n') lines_.push_back(at + 1);
    }
  }
  size_t Of(const ptx::Location& location) const {
    return lines_[static_cast<size_t>(location.line - 1)] +
           static_cast<size_t>(location.column - 1);
  }

 private:
  std::vector<size_t> lines_;  // where each begins
};

struct Edit {
  size_t begin = 0, end = 0;
  std::string text;
};

// Each read of the index in an instruction.
void RenameIndex(std::string_view text, const std::string& file, size_t begin,
                 std::string_view index, std::vector<Edit>* edits) {
  ptx::Lexer lexer(text.substr(begin), file);
  for (ptx::Token token = lexer.Take(); token.kind != ptx::Token::Kind::kEnd && !token.Is(";");
       token = lexer.Take()) {
    if (!token.Is(index)) continue;
    const auto at = static_cast<size_t>(token.text.data() - text.data());
    edits->push_back({at, at + index.size(), "%flagstone_tile"});
  }
}

constexpr std::string_view kRegisters =
    "\n\t.reg .b32 %flagstone_tile;\n\t.reg .pred %flagstone_same, %flagstone_is_tile;\n"
    "\t.reg .b64 %flagstone_at, %flagstone_offset;\n";

std::string FindTile(const std::string& index, const std::string& bound, size_t tiles,
                     const std::string& name, const std::string& table) {
  return fmt::format(
      "// tile order '{0}'\n"
      "\tmov.b32 %flagstone_tile, {1};\n"
      "\tsetp.eq.u32 %flagstone_same, {2}, {3};\n"
      "\tsetp.lt.and.u32 %flagstone_is_tile, {1}, {3}, %flagstone_same;\n"
      "\tmov.u64 %flagstone_at, {4};\n"
      "\tmul.wide.u32 %flagstone_offset, {1}, 4;\n"
      "\tadd.s64 %flagstone_at, %flagstone_at, %flagstone_offset;\n"
      "\t@%flagstone_is_tile ld.global.u32 %flagstone_tile, [%flagstone_at];\n\t",
      name, index, bound, tiles, table);
}

}  // namespace

std::string WithOneTurn(const std::string& text, const ptx::Kernel& kernel, const TileLoop& loop) {
  const ptx::Instruction& step = kernel.instructions[loop.step];
  const ptx::Register& next = kernel.registers[step.operands[0].reg];
  const size_t begin = Places(text).Of(step.location);
  const bool wide = ptx::SizeInBytes(next.type) == 8;
  Editor editor(text);
  editor.Replace(begin, text.find(';', begin),
                 fmt::format("mov.b{} {}, {}", wide ? 64 : 32, next.name,
                             wide ? INT64_MAX : int64_t{INT32_MAX}));
  return editor.Finish();
}

std::string WithTileOrder(const std::string& text, const std::string& file,
                          const ptx::Kernel& kernel, const TileLoop& loop, const std::string& name,
                          const std::vector<uint32_t>& order) {
  const auto refuse = [&](const std::string& why) {
    ThrowBadInput(
        "{}:{}: no order can be written into the tiles of kernel '{}': of their index, {}", file,
        loop.line, kernel.name, why);
  };
  if (!loop.hidden.empty()) refuse(loop.hidden);
  const std::vector<PtxBody> bodies = FindCtaidReads(text, file);
  const auto body = std::find_if(bodies.begin(), bodies.end(),
                                 [&](const PtxBody& other) { return other.name == kernel.name; });
  const Places places(text);
  const size_t end = body + 1 == bodies.end() ? text.size() : (body + 1)->declared;
  const auto place_of = [&](uint32_t pc) {
    const size_t place = places.Of(kernel.instructions[pc].location);
    if (place < body->begin || place >= end) refuse("a read stands in another function");
    return place;
  };
  const std::string& index = kernel.registers[loop.index].name;
  const std::string bound = loop.bound.kind == ptx::Operand::Kind::kImmediate
                                ? std::to_string(loop.bound.bits)
                                : kernel.registers[loop.bound.reg].name;
  const std::string table = OrderTableName(kernel.name);
  std::vector<Edit> edits;
  edits.push_back(
      {body->declared, body->declared, OrderTablePtx({name, {}, {}, order, {}}, table)});
  edits.push_back({body->begin, body->begin, std::string(kRegisters)});
  const size_t header = place_of(loop.header);
  edits.push_back({header, header, FindTile(index, bound, order.size(), name, table)});
  for (const uint32_t pc : loop.reads) RenameIndex(text, file, place_of(pc), index, &edits);
  std::stable_sort(edits.begin(), edits.end(),
                   [](const Edit& a, const Edit& b) { return a.begin < b.begin; });
  Editor editor(text);
  for (const Edit& edit : edits) editor.Replace(edit.begin, edit.end, edit.text);
  return editor.Finish();
}

}  // namespace flagstone
