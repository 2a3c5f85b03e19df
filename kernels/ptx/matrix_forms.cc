#include "kernels/ptx/matrix_forms.h"

#include <array>

namespace flagstone::ptx {
namespace {

using enum Type;
using Shape = MatrixShape;

constexpr std::array kForms = {
    MmaForm{Shape::kM16n8k8, kF16, kF16, kF16, kF16, 16, 8, 8},
    MmaForm{Shape::kM16n8k8, kF32, kF16, kF16, kF32, 16, 8, 8},
    MmaForm{Shape::kM16n8k16, kF16, kF16, kF16, kF16, 16, 8, 16},
    MmaForm{Shape::kM16n8k16, kF32, kF16, kF16, kF32, 16, 8, 16},
    MmaForm{Shape::kM16n8k8, kF32, kBf16, kBf16, kF32, 16, 8, 8},
    MmaForm{Shape::kM16n8k16, kF32, kBf16, kBf16, kF32, 16, 8, 16},
    MmaForm{Shape::kM16n8k4, kF32, kTf32, kTf32, kF32, 16, 8, 4},
    MmaForm{Shape::kM16n8k8, kF32, kTf32, kTf32, kF32, 16, 8, 8},
    MmaForm{Shape::kM8n8k4, kF64, kF64, kF64, kF64, 8, 8, 4},
    MmaForm{Shape::kM8n8k16, kS32, kS8, kS8, kS32, 8, 8, 16},
    MmaForm{Shape::kM8n8k16, kS32, kS8, kU8, kS32, 8, 8, 16},
    MmaForm{Shape::kM8n8k16, kS32, kU8, kS8, kS32, 8, 8, 16},
    MmaForm{Shape::kM8n8k16, kS32, kU8, kU8, kS32, 8, 8, 16},
    MmaForm{Shape::kM16n8k16, kS32, kS8, kS8, kS32, 16, 8, 16},
    MmaForm{Shape::kM16n8k16, kS32, kS8, kU8, kS32, 16, 8, 16},
    MmaForm{Shape::kM16n8k16, kS32, kU8, kS8, kS32, 16, 8, 16},
    MmaForm{Shape::kM16n8k16, kS32, kU8, kU8, kS32, 16, 8, 16},
    MmaForm{Shape::kM16n8k32, kS32, kS8, kS8, kS32, 16, 8, 32},
    MmaForm{Shape::kM16n8k32, kS32, kS8, kU8, kS32, 16, 8, 32},
    MmaForm{Shape::kM16n8k32, kS32, kU8, kS8, kS32, 16, 8, 32},
    MmaForm{Shape::kM16n8k32, kS32, kU8, kU8, kS32, 16, 8, 32},
    MmaForm{Shape::kM8n8k32, kS32, kS4, kS4, kS32, 8, 8, 32},
    MmaForm{Shape::kM8n8k32, kS32, kS4, kU4, kS32, 8, 8, 32},
    MmaForm{Shape::kM8n8k32, kS32, kU4, kS4, kS32, 8, 8, 32},
    MmaForm{Shape::kM8n8k32, kS32, kU4, kU4, kS32, 8, 8, 32},
    MmaForm{Shape::kM16n8k32, kS32, kS4, kS4, kS32, 16, 8, 32},
    MmaForm{Shape::kM16n8k32, kS32, kS4, kU4, kS32, 16, 8, 32},
    MmaForm{Shape::kM16n8k32, kS32, kU4, kS4, kS32, 16, 8, 32},
    MmaForm{Shape::kM16n8k32, kS32, kU4, kU4, kS32, 16, 8, 32},
    MmaForm{Shape::kM16n8k64, kS32, kS4, kS4, kS32, 16, 8, 64},
    MmaForm{Shape::kM16n8k64, kS32, kS4, kU4, kS32, 16, 8, 64},
    MmaForm{Shape::kM16n8k64, kS32, kU4, kS4, kS32, 16, 8, 64},
    MmaForm{Shape::kM16n8k64, kS32, kU4, kU4, kS32, 16, 8, 64},
    MmaForm{Shape::kM8n8k128, kS32, kB1, kB1, kS32, 8, 8, 128, true},
    MmaForm{Shape::kM16n8k128, kS32, kB1, kB1, kS32, 16, 8, 128, true},
    MmaForm{Shape::kM16n8k256, kS32, kB1, kB1, kS32, 16, 8, 256, true},
    MmaForm{Shape::kM16n8k16, kF32, kE4m3, kE4m3, kF32, 16, 8, 16},
    MmaForm{Shape::kM16n8k16, kF32, kE4m3, kE5m2, kF32, 16, 8, 16},
    MmaForm{Shape::kM16n8k16, kF32, kE5m2, kE4m3, kF32, 16, 8, 16},
    MmaForm{Shape::kM16n8k16, kF32, kE5m2, kE5m2, kF32, 16, 8, 16},
    MmaForm{Shape::kM16n8k16, kF16, kE4m3, kE4m3, kF16, 16, 8, 16},
    MmaForm{Shape::kM16n8k16, kF16, kE4m3, kE5m2, kF16, 16, 8, 16},
    MmaForm{Shape::kM16n8k16, kF16, kE5m2, kE4m3, kF16, 16, 8, 16},
    MmaForm{Shape::kM16n8k16, kF16, kE5m2, kE5m2, kF16, 16, 8, 16},
    MmaForm{Shape::kM16n8k32, kF32, kE4m3, kE4m3, kF32, 16, 8, 32},
    MmaForm{Shape::kM16n8k32, kF32, kE4m3, kE5m2, kF32, 16, 8, 32},
    MmaForm{Shape::kM16n8k32, kF32, kE5m2, kE4m3, kF32, 16, 8, 32},
    MmaForm{Shape::kM16n8k32, kF32, kE5m2, kE5m2, kF32, 16, 8, 32},
    MmaForm{Shape::kM16n8k32, kF16, kE4m3, kE4m3, kF16, 16, 8, 32},
    MmaForm{Shape::kM16n8k32, kF16, kE4m3, kE5m2, kF16, 16, 8, 32},
    MmaForm{Shape::kM16n8k32, kF16, kE5m2, kE4m3, kF16, 16, 8, 32},
    MmaForm{Shape::kM16n8k32, kF16, kE5m2, kE5m2, kF16, 16, 8, 32},
    MmaForm{Shape::kM8n8k4, kF16, kF16, kF16, kF16, 8, 8, 4, false, true},
    MmaForm{Shape::kM8n8k4, kF32, kF16, kF16, kF16, 8, 8, 4, false, true},
    MmaForm{Shape::kM8n8k4, kF32, kF16, kF16, kF32, 8, 8, 4, false, true},
};

}  // namespace

uint32_t MmaForm::PerRegister(Type type) {
  switch (type) {
    case kF16:
    case kBf16:
      return 2;
    case kS8:
    case kU8:
    case kE4m3:
    case kE5m2:
      return 4;
    case kS4:
    case kU4:
      return 8;
    case kB1:
      return 32;
    default:
      return 1;
  }
}

std::span<const MmaForm> MmaForms() { return kForms; }

const MmaForm* FindMma(const Instruction& instruction) {
  for (const MmaForm& form : kForms) {
    const bool same = form.shape == instruction.modifiers.shape && form.d == instruction.type &&
                      form.a == instruction.source_type && form.b == instruction.third_type &&
                      form.c == instruction.fourth_type;
    const BooleanOp op = instruction.modifiers.boolean_op;
    const bool combines = op == BooleanOp::kAnd || op == BooleanOp::kXor;
    if (!same || (form.bits ? !combines : op != BooleanOp::kNone)) continue;
    // Only sums of integers saturate.
    if ((form.d == kS32 && !form.bits) || !instruction.modifiers.finite) return &form;
  }
  return nullptr;
}

}  // namespace flagstone::ptx
