#include "app/order/emit_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace flagstone {
namespace {

using Op = OrderOperation::Op;

constexpr size_t kConstantBytes = 65536;

struct Language {
  const char *index, *extent;  // of an axis: "blockIdx.{}"
  const char* divide;
  const char* minimum;  // of two values
  const char* table;
};
constexpr Language kCuda = {"blockIdx.{}", "gridDim.{}", "/", "min({}, {})",
                            "flagstone_table({}, gridDim)"};
constexpr Language kCudaTiles = {"block.{}", "grid.{}", "/", "min({}, {})",
                                 "flagstone_table({}, grid)"};
constexpr Language kTriton = {"pid_{}", "num_{}", "//", "tl.minimum({}, {})",
                              "tl.where(known, tl.load(table + {0}, mask=known, other=0), {0})"};

std::string Text(const Language& language, const OrderValue& value) {
  const char axis = static_cast<char>('x' + value.index);
  switch (value.kind) {
    case OrderValue::Kind::kNumber:
      return std::to_string(value.index);
    case OrderValue::Kind::kTbIndex:
      return fmt::format(fmt::runtime(language.index), axis);
    case OrderValue::Kind::kGridExtent:
      return fmt::format(fmt::runtime(language.extent), axis);
    case OrderValue::Kind::kResult:
      break;
  }
  return fmt::format("v{}", value.index);
}

std::string Text(const Language& language, const OrderOperation& operation) {
  const std::string a = Text(language, operation.a), b = Text(language, operation.b);
  switch (operation.op) {
    case Op::kAdd:
      return a + " + " + b;
    case Op::kSubtract:
      return a + " - " + b;
    case Op::kMultiply:
      return a + " * " + b;
    case Op::kDivide:
      return fmt::format("{} {} {}", a, language.divide, b);
    case Op::kRemainder:
      return a + " % " + b;
    case Op::kMinimum:
      return fmt::format(fmt::runtime(language.minimum), a, b);
    case Op::kTable:
      break;
  }
  return fmt::format(fmt::runtime(language.table), a);
}

std::string CudaTable(const OrderCode& code) {
  const uint64_t count = code.table.size();
  const bool is_short = count <= 65536;
  const bool constant = count * (is_short ? 2 : 4) <= kConstantBytes;
  return fmt::format(
      "{} {} flagstone_order[{}] = {{{}}};\n\n"
      "__device__ inline unsigned flagstone_table(unsigned tb, const dim3& grid) {{\n"
      "  const bool known = grid.x == {} && grid.y == {} && grid.z == {};\n"
      "  return known ? flagstone_order[tb] : tb;  // other grids keep their order\n"
      "}}\n\n",
      constant ? "__constant__" : "__device__ const", is_short ? "unsigned short" : "unsigned",
      count, fmt::join(code.table, ","), code.table_grid.x, code.table_grid.y, code.table_grid.z);
}

std::string CudaOperations(const Language& language, const OrderCode& code) {
  std::string text;
  for (size_t i = 0; i < code.operations.size(); ++i) {
    text += fmt::format("  const unsigned v{} = {};\n", i, Text(language, code.operations[i]));
  }
  return text;
}

}  // namespace

std::string EmitCuda(const OrderCode& code) {
  std::string text = fmt::format(
      "// TB order '{}', by flagstone order. In the kernel: const dim3 block = flagstone_block();\n"
      "// and block.x, block.y, block.z wherever it read blockIdx.\n",
      code.name);
  if (!code.table.empty()) text += CudaTable(code);
  text += "__device__ inline dim3 flagstone_block() {\n" + CudaOperations(kCuda, code);
  return text + fmt::format("  return dim3({}, {}, {});\n}}\n", Text(kCuda, code.work[0]),
                            Text(kCuda, code.work[1]), Text(kCuda, code.work[2]));
}

std::string EmitCudaTiles(const OrderCode& code) {
  std::string text = fmt::format(
      "// Tile order '{}', by flagstone order. In the loop over `tiles` tiles:\n"
      "// flagstone_tile(tile, tiles) wherever it read the index `tile`.\n",
      code.name);
  if (!code.table.empty()) text += CudaTable(code);
  text +=
      "__device__ inline unsigned flagstone_tile(unsigned tile, unsigned tiles) {\n"
      "  const dim3 block(tile, 0, 0), grid(tiles, 1, 1);\n";
  text += CudaOperations(kCudaTiles, code);
  return text + fmt::format("  return {};\n}}\n", Text(kCudaTiles, code.work[0]));
}

std::string EmitTriton(const OrderCode& code) {
  const bool tables = !code.table.empty();
  std::string text = fmt::format(
      "# TB order '{}', by flagstone order. pid_*: tl.program_id(0), (1), (2); num_*:\n"
      "# tl.num_programs(0), (1), (2); gives the three ids whose work this program does.\n",
      code.name);
  if (tables) {
    text += fmt::format(
        "# table: int32 tensor for a grid of {} x {} x {}; others keep their order:\n# [{}]\n",
        code.table_grid.x, code.table_grid.y, code.table_grid.z, fmt::join(code.table, ", "));
  }
  text += fmt::format(
      "import triton\nimport triton.language as tl\n\n\n@triton.jit\ndef flagstone_block(pid_x, "
      "pid_y, pid_z, num_x, num_y, num_z{}):\n",
      tables ? ", table" : "");
  if (tables) {
    text += fmt::format("    known = (num_x == {}) & (num_y == {}) & (num_z == {})\n",
                        code.table_grid.x, code.table_grid.y, code.table_grid.z);
  }
  for (size_t i = 0; i < code.operations.size(); ++i) {
    text += fmt::format("    v{} = {}\n", i, Text(kTriton, code.operations[i]));
  }
  return text + fmt::format("    return {}, {}, {}\n", Text(kTriton, code.work[0]),
                            Text(kTriton, code.work[1]), Text(kTriton, code.work[2]));
}

}  // namespace flagstone
