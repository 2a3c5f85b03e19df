#include "app/order/order_ptx.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>

namespace flagstone {
namespace {

using Op = OrderOperation::Op;

std::string Text(const OrderValue& value) {
  const char axis = static_cast<char>('x' + value.index);
  switch (value.kind) {
    case OrderValue::Kind::kNumber:
      return std::to_string(value.index);
    case OrderValue::Kind::kTbIndex:
      return fmt::format("%flagstone_tb_{}", axis);
    case OrderValue::Kind::kGridExtent:
      return fmt::format("%flagstone_grid_{}", axis);
    case OrderValue::Kind::kResult:
      break;
  }
  return fmt::format("%flagstone_v{}", value.index);
}

// Entry a of the table; on another grid than the table's, a.
std::string Lookup(const OrderCode& code, const std::string& a, const std::string& result,
                   const std::string& table) {
  std::string text =
      fmt::format("\tsetp.eq.u32 %flagstone_same, %flagstone_grid_x, {};\n", code.table_grid.x);
  text +=
      fmt::format("\tsetp.eq.and.u32 %flagstone_same, %flagstone_grid_y, {}, %flagstone_same;\n",
                  code.table_grid.y);
  text +=
      fmt::format("\tsetp.eq.and.u32 %flagstone_same, %flagstone_grid_z, {}, %flagstone_same;\n",
                  code.table_grid.z);
  text += fmt::format("\tmov.u32 {}, {};\n", result, a);
  text += fmt::format("\tmov.u64 %flagstone_at, {};\n", table);
  text += fmt::format("\tmul.wide.u32 %flagstone_offset, {}, 4;\n", a);
  text += "\tadd.s64 %flagstone_at, %flagstone_at, %flagstone_offset;\n";
  text += fmt::format("\t@%flagstone_same ld.global.u32 {}, [%flagstone_at];\n", result);
  return text;
}

std::string Operation(const OrderCode& code, uint32_t index, const std::string& table) {
  const OrderOperation& operation = code.operations[index];
  const std::string result = fmt::format("%flagstone_v{}", index);
  const std::string a = Text(operation.a);
  if (operation.op == Op::kTable) return Lookup(code, a, result, table);
  constexpr std::array kNames = {"add.u32", "sub.u32", "mul.lo.u32",
                                 "div.u32", "rem.u32", "min.u32"};
  return fmt::format("\t{} {}, {}, {};\n", kNames[static_cast<size_t>(operation.op)], result, a,
                     Text(operation.b));
}

}  // namespace

std::string OrderTableName(const std::string& entry) { return "flagstone_order_" + entry; }

std::string OrderPrologue(const OrderCode& code, const std::string& table) {
  std::string text = fmt::format("\n\t// TB order '{}'\n", code.name);
  for (const char axis : {'x', 'y', 'z'}) {
    text +=
        fmt::format("\t.reg .b32 %flagstone_{0}, %flagstone_tb_{0}, %flagstone_grid_{0};\n", axis);
  }
  if (!code.operations.empty()) {
    text += fmt::format("\t.reg .b32 %flagstone_v<{}>;\n", code.operations.size());
  }
  if (!code.table.empty()) {
    text += "\t.reg .pred %flagstone_same;\n\t.reg .b64 %flagstone_at, %flagstone_offset;\n";
  }
  for (const char axis : {'x', 'y', 'z'}) {
    text += fmt::format("\tmov.u32 %flagstone_tb_{0}, %ctaid.{0};\n", axis);
    text += fmt::format("\tmov.u32 %flagstone_grid_{0}, %nctaid.{0};\n", axis);
  }
  for (uint32_t i = 0; i < code.operations.size(); ++i) text += Operation(code, i, table);
  for (uint32_t axis = 0; axis < 3; ++axis) {
    text += fmt::format("\tmov.u32 %flagstone_{}, {};\n", static_cast<char>('x' + axis),
                        Text(code.work[axis]));
  }
  return text;
}

std::string OrderTablePtx(const OrderCode& code, const std::string& name) {
  return fmt::format(".global .align 4 .u32 {}[{}] = {{{}}};\n\n", name, code.table.size(),
                     fmt::join(code.table, ","));
}

}  // namespace flagstone
