// The arithmetic by which a TB finds whose work it does, as a list of operations that can be
// written in any language.
#ifndef FLAGSTONE_APP_ORDER_ORDER_CODE_H_
#define FLAGSTONE_APP_ORDER_ORDER_CODE_H_

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "app/order/tb_order.h"

namespace flagstone {

// A value: a number, or the result of operation `index`.
struct OrderValue {
  enum class Kind : uint8_t { kNumber, kTbIndex, kGridExtent, kResult };
  Kind kind = Kind::kNumber;
  uint32_t index = 0;  // the number; the axis; the operation
  bool operator==(const OrderValue&) const = default;
};

// Table: the entry of the order's table at `a`, or `a` itself on another grid than the table's.
struct OrderOperation {
  enum class Op : uint8_t { kAdd, kSubtract, kMultiply, kDivide, kRemainder, kMinimum, kTable };
  Op op = Op::kAdd;
  OrderValue a, b;
};

struct OrderCode {
  std::string name;
  std::vector<OrderOperation> operations;
  std::array<OrderValue, 3> work;  // x, y, z of the TB whose work this one does
  // Of an order without a closed form: for this grid.
  std::vector<uint32_t> table;
  Dim3 table_grid;

  // What the code computes for a TB; unsigned 32-bit arithmetic, as on the GPU.
  Dim3 Run(const Dim3& tb, const Dim3& grid) const;
};

// `grid` is that of the table; closed forms hold on any grid.
OrderCode MakeOrderCode(const TbOrder& order, const OrderMachine& machine, const Dim3& grid);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_ORDER_ORDER_CODE_H_
