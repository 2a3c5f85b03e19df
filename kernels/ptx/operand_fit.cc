#include "kernels/ptx/operand_fit.h"

namespace flagstone::ptx {

bool Fits(Type reg, Type wanted, bool wider) {
  if (reg == Type::kPred || wanted == Type::kPred) return reg == wanted;
  if (IsPackedInteger(wanted)) return reg == Type::kB32 || reg == Type::kF16x2;
  const int have = SizeInBytes(reg);
  const int need = SizeInBytes(wanted);
  const bool float_with_int = (IsFloat(reg) && !IsFloat(wanted) && !IsBits(wanted)) ||
                              (IsFloat(wanted) && !IsFloat(reg) && !IsBits(reg));
  if (float_with_int) return false;
  const bool is_float = IsFloat(reg) || IsFloat(wanted);
  return wider && !is_float ? have >= need : have == need;
}

}  // namespace flagstone::ptx
