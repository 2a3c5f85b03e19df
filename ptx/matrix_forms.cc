#include "ptx/matrix_forms.h"

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
};

}  // namespace

uint32_t MmaForm::PerRegister(Type type) {
  switch (type) {
    case kF16:
    case kBf16:
      return 2;
    case kS8:
    case kU8:
      return 4;
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
    // Only sums of integers saturate.
    if (same && (form.d == kS32 || !instruction.modifiers.finite)) return &form;
  }
  return nullptr;
}

}  // namespace flagstone::ptx
