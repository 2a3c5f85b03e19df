#include "app/order/order_code.h"

#include <algorithm>

namespace flagstone {
namespace {

using Op = OrderOperation::Op;

OrderValue Number(uint32_t value) { return {OrderValue::Kind::kNumber, value}; }
OrderValue Extent(uint32_t axis) { return {OrderValue::Kind::kGridExtent, axis}; }
OrderValue TbIndex(uint32_t axis) { return {OrderValue::Kind::kTbIndex, axis}; }

uint32_t Compute(Op op, uint32_t a, uint32_t b) {
  switch (op) {
    case Op::kAdd:
      return a + b;
    case Op::kSubtract:
      return a - b;
    case Op::kMultiply:
      return a * b;
    case Op::kDivide:
      return b == 0 ? 0 : a / b;
    case Op::kRemainder:
      return b == 0 ? 0 : a % b;
    case Op::kMinimum:
      return std::min(a, b);
    case Op::kTable:
      break;
  }
  return a;
}

// Adds operations, but for those that change nothing and those that are there already.
class CodeBuilder {
 public:
  explicit CodeBuilder(OrderCode* code) : code_(*code) {}

  OrderValue Add(OrderValue a, OrderValue b) { return Do(Op::kAdd, a, b); }
  OrderValue Subtract(OrderValue a, OrderValue b) { return Do(Op::kSubtract, a, b); }
  OrderValue Multiply(OrderValue a, OrderValue b) { return Do(Op::kMultiply, a, b); }
  OrderValue Divide(OrderValue a, OrderValue b) { return Do(Op::kDivide, a, b); }
  OrderValue Remainder(OrderValue a, OrderValue b) { return Do(Op::kRemainder, a, b); }
  OrderValue Minimum(OrderValue a, OrderValue b) { return Do(Op::kMinimum, a, b); }
  OrderValue Table(OrderValue a) { return Do(Op::kTable, a, Number(0)); }

 private:
  OrderValue Do(Op op, OrderValue a, OrderValue b) {
    const bool numbers = a.kind == OrderValue::Kind::kNumber && b.kind == OrderValue::Kind::kNumber;
    if (numbers && op != Op::kTable) return Number(Compute(op, a.index, b.index));
    const OrderValue zero = Number(0), one = Number(1);
    if (op == Op::kAdd && a == zero) return b;
    if ((op == Op::kAdd || op == Op::kSubtract) && b == zero) return a;
    if (op == Op::kSubtract && a == b) return zero;
    if (op == Op::kMultiply && (a == zero || b == zero)) return zero;
    if (op == Op::kMultiply && a == one) return b;
    if ((op == Op::kMultiply || op == Op::kDivide) && b == one) return a;
    if (op == Op::kRemainder && b == one) return zero;
    if (op == Op::kMinimum && a == b) return a;
    for (uint32_t i = 0; i < code_.operations.size(); ++i) {
      const OrderOperation& known = code_.operations[i];
      if (known.op == op && known.a == a && known.b == b) {
        return {OrderValue::Kind::kResult, i};
      }
    }
    code_.operations.push_back({op, a, b});
    return {OrderValue::Kind::kResult, static_cast<uint32_t>(code_.operations.size() - 1)};
  }

  OrderCode& code_;
};

// DealtPlace.
OrderValue Dealt(CodeBuilder& b, OrderValue i, OrderValue count, OrderValue parts) {
  const OrderValue part = b.Remainder(i, parts);
  const OrderValue before =
      b.Add(b.Multiply(part, b.Divide(count, parts)), b.Minimum(part, b.Remainder(count, parts)));
  return b.Add(before, b.Divide(i, parts));
}

OrderValue BasePlace(CodeBuilder& b, const TbOrder& order, const OrderMachine& machine,
                     OrderValue i) {
  const OrderValue count = b.Multiply(b.Multiply(Extent(0), Extent(1)), Extent(2));
  switch (order.deal) {
    case OrderDeal::kNone:
      return i;
    case OrderDeal::kSm:
      return Dealt(b, i, count, Number(machine.sms));
    case OrderDeal::kChiplet:
      return Dealt(b, i, count, Number(machine.chiplets));
    case OrderDeal::kWave:
      break;
  }
  const OrderValue window = Number(machine.Window());
  const OrderValue first = b.Multiply(b.Divide(i, window), window);
  const OrderValue length = b.Minimum(window, b.Subtract(count, first));
  return b.Add(first, Dealt(b, b.Subtract(i, first), length, Number(machine.sms)));
}

// As TileAt in tb_order.cc.
std::array<OrderValue, 3> Tiles(CodeBuilder& b, const TbOrder& order, OrderValue i) {
  std::array<OrderValue, 3> at, size;
  OrderValue cells = b.Multiply(Extent(0), Extent(1));
  if (order.reverse) {
    i = b.Subtract(b.Subtract(b.Multiply(cells, Extent(2)), Number(1)), i);
  }
  for (const uint32_t axis : {2U, 1U, 0U}) {
    if (order.tile[axis] == 0) {
      at[axis] = Number(0);
      size[axis] = Extent(axis);
    } else {
      const OrderValue tile = Number(order.tile[axis]);
      at[axis] = b.Multiply(b.Divide(i, b.Multiply(cells, tile)), tile);
      i = b.Subtract(i, b.Multiply(at[axis], cells));
      size[axis] = b.Minimum(tile, b.Subtract(Extent(axis), at[axis]));
      // A tile of one is never less.
      if (order.tile[axis] == 1) size[axis] = Number(1);
    }
    cells = axis == 2 ? b.Multiply(Extent(0), size[2]) : b.Multiply(size[1], size[2]);
  }
  for (size_t k = 0; k < 3; ++k) {
    const uint8_t axis = order.inner[k];
    if (k == 2) {
      at[axis] = b.Add(at[axis], size[axis] == Number(1) ? Number(0) : i);
    } else {
      at[axis] = b.Add(at[axis], b.Remainder(i, size[axis]));
      i = b.Divide(i, size[axis]);
    }
  }
  if (order.snake) {
    // x, or width - 1 - x in odd rows.
    const OrderValue odd = b.Remainder(at[1], Number(2));
    const OrderValue twice = b.Add(at[0], at[0]);
    const OrderValue other = b.Subtract(b.Subtract(Extent(0), Number(1)), twice);
    at[0] = b.Add(at[0], b.Multiply(odd, other));
  }
  return at;
}

}  // namespace

OrderCode MakeOrderCode(const TbOrder& order, const OrderMachine& machine, const Dim3& grid) {
  OrderCode code;
  code.name = order.name;
  CodeBuilder b(&code);
  const OrderValue id = b.Add(
      b.Multiply(b.Add(b.Multiply(TbIndex(2), Extent(1)), TbIndex(1)), Extent(0)), TbIndex(0));
  // Tiles behind ids are those of one grid.
  if (order.HasClosedForm() && !machine.HasTiles(grid)) {
    code.work = Tiles(b, order, BasePlace(b, order, machine, id));
    return code;
  }
  // The table holds the deal too.
  code.table = order.Table(grid, machine);
  code.table_grid = grid;
  const OrderValue work = b.Table(id);
  const OrderValue rows = b.Divide(work, Extent(0));
  code.work = {b.Remainder(work, Extent(0)), b.Remainder(rows, Extent(1)),
               b.Divide(rows, Extent(1))};
  return code;
}

Dim3 OrderCode::Run(const Dim3& tb, const Dim3& grid) const {
  const std::array<uint32_t, 3> index = {tb.x, tb.y, tb.z}, extent = {grid.x, grid.y, grid.z};
  std::vector<uint32_t> results;
  const auto value = [&](const OrderValue& v) {
    switch (v.kind) {
      case OrderValue::Kind::kNumber:
        return v.index;
      case OrderValue::Kind::kTbIndex:
        return index[v.index];
      case OrderValue::Kind::kGridExtent:
        return extent[v.index];
      case OrderValue::Kind::kResult:
        break;
    }
    return results[v.index];
  };
  const bool tables = grid.x == table_grid.x && grid.y == table_grid.y && grid.z == table_grid.z;
  for (const OrderOperation& operation : operations) {
    const uint32_t a = value(operation.a);
    results.push_back(operation.op == Op::kTable ? (tables ? table[a] : a)
                                                 : Compute(operation.op, a, value(operation.b)));
  }
  return {value(work[0]), value(work[1]), value(work[2])};
}

}  // namespace flagstone
