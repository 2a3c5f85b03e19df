#include "kernels/ptx/wgmma_form.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <span>

#include "kernels/ptx/matrix_forms.h"

namespace flagstone::ptx {
namespace {

// 128 and 16 of "m64n128k16"; false where it is no such shape.
bool ReadShape(std::string_view word, uint32_t* n, uint32_t* k) {
  constexpr std::string_view kRows = "m64n";
  if (!word.starts_with(kRows)) return false;
  const char* const end = word.data() + word.size();
  const auto columns = std::from_chars(word.data() + kRows.size(), end, *n);
  if (columns.ec != std::errc() || columns.ptr == end || *columns.ptr != 'k') return false;
  const auto depth = std::from_chars(columns.ptr + 1, end, *k);
  return depth.ec == std::errc() && depth.ptr == end;
}

bool TypesFit(const WgmmaForm& f) {
  using enum Type;
  switch (f.a) {
    case kF16:
      return f.b == kF16 && (f.d == kF16 || f.d == kF32);
    case kBf16:
    case kTf32:
      return f.b == f.a && f.d == kF32;
    case kE4m3:
    case kE5m2:
      return (f.b == kE4m3 || f.b == kE5m2) && (f.d == kF16 || f.d == kF32);
    case kS8:
    case kU8:
      return (f.b == kS8 || f.b == kU8) && f.d == kS32;
    case kB1:
      return f.b == kB1 && f.d == kS32;
    default:
      return false;
  }
}

// Sums of integers come in fewer widths.
bool ColumnsFit(const WgmmaForm& f) {
  if (f.n == 0 || f.n % 8 != 0 || f.n > WgmmaForm::kMostColumns) return false;
  return f.d != Type::kS32 || f.n % 16 == 0 || f.n == 8 || f.n == 24;
}

}  // namespace

uint32_t WgmmaForm::BitsOfElement() const { return 32 / MmaForm::PerRegister(a); }

std::optional<WgmmaForm> FindWgmma(const std::vector<std::string_view>& words) {
  std::span<const std::string_view> rest(words);
  const auto take = [&](std::string_view word) {
    if (rest.empty() || rest.front() != word) return false;
    rest = rest.subspan(1);
    return true;
  };
  if (!take("mma_async") || !take("sync")) return std::nullopt;
  take("aligned");
  WgmmaForm form;
  uint32_t depth = 0;
  if (rest.empty() || !ReadShape(rest.front(), &form.n, &depth)) return std::nullopt;
  rest = rest.subspan(1);
  form.saturates = take("satfinite");
  for (Type* const type : {&form.d, &form.a, &form.b}) {
    if (rest.empty()) return std::nullopt;
    *type = ParseType(rest.front()).value_or(Type::kNone);
    rest = rest.subspan(1);
  }
  if (!form.saturates) form.saturates = take("satfinite");
  const bool bits = form.a == Type::kB1;
  const bool combined = !bits || (take("and") && take("popc"));
  const bool saturation = !form.saturates || form.a == Type::kS8 || form.a == Type::kU8;
  const bool good = rest.empty() && combined && saturation && TypesFit(form) && ColumnsFit(form) &&
                    depth == form.Depth();
  return good ? std::optional(form) : std::nullopt;
}

WgmmaForm WgmmaFormOf(const Instruction& instruction) {
  return {.d = instruction.type,
          .a = instruction.source_type,
          .b = instruction.third_type,
          .n = instruction.modifiers.columns,
          .saturates = instruction.modifiers.finite};
}

}  // namespace flagstone::ptx
