// The names and shapes of wmma instructions.
#include <algorithm>
#include <array>

#include "kernels/ptx/matrix_forms.h"
#include "kernels/ptx/wmma.h"

namespace flagstone::ptx {
namespace {

using enum Type;

struct WmmaShape {
  std::string_view name;
  uint8_t m, n, k;
};
constexpr std::array kShapes = {
    WmmaShape{"m16n16k16", 16, 16, 16}, WmmaShape{"m32n8k16", 32, 8, 16},
    WmmaShape{"m8n32k16", 8, 32, 16},   WmmaShape{"m16n16k8", 16, 16, 8},
    WmmaShape{"m8n8k4", 8, 8, 4},       WmmaShape{"m8n8k32", 8, 8, 32},
    WmmaShape{"m8n8k128", 8, 8, 128},
};

bool IsFactor(Type type, uint32_t k) {
  if (k == 8) return type == kTf32;
  if (k == 4) return type == kF64;
  if (k == 32) return type == kS4 || type == kU4;
  if (k == 128) return type == kB1;
  return type == kF16 || type == kBf16 || type == kS8 || type == kU8;
}

// Whether sums of such products may have the type; kNone: of any.
bool IsSum(Type type, Type factor, uint32_t k) {
  switch (type) {
    case kF16:
      return k == 16 && (factor == kF16 || factor == kNone);
    case kF32:
      return (k == 16 || k == 8) && factor != kS8 && factor != kU8;
    case kS32:
      return k >= 16 && factor != kF16 && factor != kBf16;
    case kF64:
      return k == 4;
    default:
      return false;
  }
}

// b_by_rows: of an mma.
bool IsWhole(const WmmaForm& f, bool b_by_rows) {
  const bool below_bytes = f.k >= 32;
  if (f.op != WmmaForm::Op::kMma) {
    if (f.matrix == 'c' || f.matrix == 'd') return IsSum(f.d, kNone, f.k);
    return IsFactor(f.d, f.k) && (!below_bytes || f.by_rows == (f.matrix == 'a'));
  }
  const bool whole = f.a == kS8 || f.a == kU8 || f.a == kS4 || f.a == kU4;
  return f.a == f.b && IsFactor(f.a, f.k) && IsSum(f.d, f.a, f.k) && IsSum(f.c, f.a, f.k) &&
         (!f.finite || whole) && (f.bits_by != BooleanOp::kNone) == (f.a == kB1) &&
         (!below_bytes || (f.by_rows && !b_by_rows));
}

}  // namespace

uint32_t WmmaForm::Registers(char matrix_name) const {
  const bool product = op == Op::kMma;
  if (matrix_name == 'a' || matrix_name == 'b') {
    const Type type = product ? a : d;
    if (type == kF16) return 8;  // some elements are there several times
    const uint32_t elements = uint32_t{k} * (matrix_name == 'a' ? m : n);
    return MmaForm::Registers(type, elements);
  }
  return MmaForm::Registers(product && matrix_name == 'c' ? c : d, uint32_t{m} * n);
}

Type WmmaForm::RegisterType(char matrix_name) const {
  const bool product = op == Op::kMma;
  const bool factor = matrix_name == 'a' || matrix_name == 'b';
  const Type type = !product ? d : factor ? a : matrix_name == 'c' ? c : d;
  return type == kF64 ? kF64 : kB32;
}

std::optional<WmmaForm> FindWmma(const std::vector<std::string_view>& words) {
  WmmaForm form;
  size_t next = 0;
  const auto take = [&](std::string_view wanted) {
    if (next == words.size() || words[next] != wanted) return false;
    ++next;
    return true;
  };
  const auto layout = [&](bool* by_rows) {
    *by_rows = take("row");
    return *by_rows || take("col");
  };
  if (take("load")) {
    form.op = WmmaForm::Op::kLoad;
    form.matrix = take("a") ? 'a' : take("b") ? 'b' : take("c") ? 'c' : '\0';
  } else if (take("store")) {
    form.op = WmmaForm::Op::kStore;
    form.matrix = take("d") ? 'd' : '\0';
  } else if (take("mma")) {
    form.op = WmmaForm::Op::kMma;
    if (take("xor")) form.bits_by = BooleanOp::kXor;
    if (form.bits_by == BooleanOp::kNone && take("and")) form.bits_by = BooleanOp::kAnd;
    if (form.bits_by != BooleanOp::kNone && !take("popc")) return std::nullopt;
  } else {
    return std::nullopt;
  }
  const bool product = form.op == WmmaForm::Op::kMma;
  bool b_by_rows = false;  // elements lie in registers as those of any layout
  if (form.matrix == '\0' || !take("sync") || !take("aligned") || !layout(&form.by_rows) ||
      (product && !layout(&b_by_rows)) || next == words.size()) {
    return std::nullopt;
  }
  const auto shape = std::find_if(kShapes.begin(), kShapes.end(),
                                  [&](const WmmaShape& s) { return s.name == words[next]; });
  if (shape == kShapes.end()) return std::nullopt;
  ++next;
  form.m = shape->m;
  form.n = shape->n;
  form.k = shape->k;
  if (product) take("rn");  // of f64, the only rounding there is here
  if (!product && next < words.size()) {
    const auto space = ParseSpace(words[next]);
    if (space == Space::kGlobal || space == Space::kShared) {
      form.space = *space;
      ++next;
    }
  }
  std::vector<Type> types;
  for (; next < words.size() && types.size() < 4; ++next) {
    const auto type = ParseType(words[next]);
    if (!type) break;
    types.push_back(*type);
  }
  if (product && types.size() == 2) types = {types[0], kF16, kF16, types[1]};
  if (types.size() != (product ? 4 : 1)) return std::nullopt;
  form.d = types[0];
  if (product) {
    form.a = types[1];
    form.b = types[2];
    form.c = types[3];
    form.finite = take("satfinite");
  }
  if (next != words.size() || !IsWhole(form, b_by_rows)) return std::nullopt;
  return form;
}

}  // namespace flagstone::ptx
