#include "kernels/ptx/matrix_forms.h"

#include <initializer_list>
#include <vector>

namespace flagstone::ptx {
namespace {

using enum Type;
using Shape = MatrixShape;
using Forms = std::vector<MmaForm>;

struct Size {
  Shape shape;
  uint8_t m;
  uint16_t k;
};
constexpr Size kM8n8k4 = {Shape::kM8n8k4, 8, 4}, kM8n8k16 = {Shape::kM8n8k16, 8, 16},
               kM8n8k32 = {Shape::kM8n8k32, 8, 32}, kM8n8k128 = {Shape::kM8n8k128, 8, 128},
               kM16n8k4 = {Shape::kM16n8k4, 16, 4}, kM16n8k8 = {Shape::kM16n8k8, 16, 8},
               kM16n8k16 = {Shape::kM16n8k16, 16, 16}, kM16n8k32 = {Shape::kM16n8k32, 16, 32},
               kM16n8k64 = {Shape::kM16n8k64, 16, 64}, kM16n8k128 = {Shape::kM16n8k128, 16, 128},
               kM16n8k256 = {Shape::kM16n8k256, 16, 256};

// Every factor of `factors` with every other, in each size, with C and D of each type of `sums`.
void Add(Forms* forms, std::initializer_list<Size> sizes, std::initializer_list<Type> factors,
         std::initializer_list<Type> sums, const MmaForm& of = {}) {
  for (const Size& size : sizes) {
    for (const Type sum : sums) {
      for (const Type a : factors) {
        for (const Type b : factors) {
          MmaForm form = of;
          form.shape = size.shape;
          form.m = size.m;
          form.n = 8;
          form.k = size.k;
          form.a = a;
          form.b = b;
          form.c = form.d = sum;
          forms->push_back(form);
        }
      }
    }
  }
}

Forms MakeForms() {
  Forms forms;
  const auto bytes = {kE4m3, kE5m2};
  const auto narrow = {kE4m3, kE5m2, kE3m2, kE2m3, kE2m1};
  Add(&forms, {kM16n8k8, kM16n8k16}, {kF16}, {kF16, kF32});
  Add(&forms, {kM16n8k8, kM16n8k16}, {kBf16}, {kF32});
  Add(&forms, {kM16n8k4, kM16n8k8}, {kTf32}, {kF32});
  Add(&forms, {kM8n8k4, kM16n8k4, kM16n8k8, kM16n8k16}, {kF64}, {kF64});
  Add(&forms, {kM8n8k16, kM16n8k16, kM16n8k32}, {kS8, kU8}, {kS32});
  Add(&forms, {kM8n8k32, kM16n8k32, kM16n8k64}, {kS4, kU4}, {kS32});
  Add(&forms, {kM8n8k128, kM16n8k128, kM16n8k256}, {kB1}, {kS32}, {.bits = true});
  Add(&forms, {kM16n8k16, kM16n8k32}, bytes, {kF32, kF16});
  Add(&forms, {kM8n8k4}, {kF16}, {kF16, kF32}, {.quads = true});
  forms.push_back({Shape::kM8n8k4, kF32, kF16, kF16, kF16, 8, 8, 4, false, true});
  Add(&forms, {kM16n8k32}, narrow, {kF32, kF16}, {.kind = MatrixKind::kF8f6f4});
  Add(&forms, {kM16n8k32}, narrow, {kF32}, {.kind = MatrixKind::kMxf8f6f4});
  Add(&forms, {kM16n8k64}, {kE2m1Packed}, {kF32}, {.kind = MatrixKind::kMxf4});
  Add(&forms, {kM16n8k64}, {kE2m1Packed}, {kF32}, {.kind = MatrixKind::kMxf4nvf4});

  const auto sparse = [](MatrixKind kind) { return MmaForm{.sparse = true, .kind = kind}; };
  const MmaForm plain = sparse(MatrixKind::kNone);
  Add(&forms, {kM16n8k16, kM16n8k32}, {kF16}, {kF16, kF32}, plain);
  Add(&forms, {kM16n8k16, kM16n8k32}, {kBf16}, {kF32}, plain);
  Add(&forms, {kM16n8k8, kM16n8k16}, {kTf32}, {kF32}, plain);
  Add(&forms, {kM16n8k32, kM16n8k64}, {kS8, kU8}, {kS32}, plain);
  Add(&forms, {kM16n8k64, kM16n8k128}, {kS4, kU4}, {kS32}, plain);
  Add(&forms, {kM16n8k64}, bytes, {kF32}, plain);
  Add(&forms, {kM16n8k64}, narrow, {kF32, kF16}, sparse(MatrixKind::kF8f6f4));
  Add(&forms, {kM16n8k64}, narrow, {kF32}, sparse(MatrixKind::kMxf8f6f4));
  Add(&forms, {kM16n8k128}, {kE2m1Packed}, {kF32}, sparse(MatrixKind::kMxf4));
  Add(&forms, {kM16n8k128}, {kE2m1Packed}, {kF32}, sparse(MatrixKind::kMxf4nvf4));
  return forms;
}

// Without bytes around them where the kind has floats of 4 bits alone.
Type FactorOf(Type type, MatrixKind kind) {
  return type == kE2m1 && kind >= MatrixKind::kMxf4 ? kE2m1Packed : type;
}

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
    case kE3m2:
    case kE2m3:
    case kE2m1:
      return 4;
    case kS4:
    case kU4:
    case kE2m1Packed:
      return 8;
    case kB1:
      return 32;
    default:
      return 1;
  }
}

std::span<const MmaForm> MmaForms() {
  static const Forms forms = MakeForms();
  return forms;
}

const MmaForm* FindMma(const Instruction& instruction) {
  const Modifiers& m = instruction.modifiers;
  for (const MmaForm& form : MmaForms()) {
    const bool same = form.shape == m.shape && form.d == instruction.type &&
                      form.a == FactorOf(instruction.source_type, m.kind) &&
                      form.b == FactorOf(instruction.third_type, m.kind) &&
                      form.c == instruction.fourth_type && form.sparse == m.sparse &&
                      form.kind == m.kind;
    const BooleanOp op = m.boolean_op;
    const bool combines = op == BooleanOp::kAnd || op == BooleanOp::kXor;
    if (!same || (form.bits ? !combines : op != BooleanOp::kNone)) continue;
    // Only sums of integers saturate.
    if ((form.d == kS32 && !form.bits) || !m.finite) return &form;
  }
  return nullptr;
}

uint32_t ScalesOfRow(const Modifiers& modifiers) {
  if (modifiers.scale_vectors != 0) return modifiers.scale_vectors;
  return modifiers.kind == MatrixKind::kMxf4 ? 2 : 1;
}

}  // namespace flagstone::ptx
