#include "kernels/ptx/make_operand.h"

#include <utility>

namespace flagstone::ptx {

Operand RegisterOperand(RegisterId reg) {
  Operand operand;
  operand.reg = reg;
  return operand;
}

Operand NumberOperand(uint64_t value) {
  Operand operand;
  operand.kind = Operand::Kind::kImmediate;
  operand.immediate_type = Type::kS64;
  operand.bits = value;
  return operand;
}

Operand LabelOperand(uint32_t target) {
  Operand operand;
  operand.kind = Operand::Kind::kLabel;
  operand.target = target;
  return operand;
}

Operand VectorOperand(std::vector<Operand> elements) {
  Operand operand;
  operand.kind = Operand::Kind::kVector;
  operand.elements = std::move(elements);
  return operand;
}

}  // namespace flagstone::ptx
