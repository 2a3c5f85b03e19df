#include "analyzer/address/affine.h"

#include <algorithm>

namespace flagstone {
namespace {

__extension__ typedef __int128 Wide;

int64_t Saturate(Wide value) {
  if (value <= Interval::kMin) return Interval::kMin;
  if (value >= Interval::kMax) return Interval::kMax;
  return static_cast<int64_t>(value);
}

bool IsBound(int64_t value) { return value == Interval::kMin || value == Interval::kMax; }

int64_t ScaleEnd(int64_t end, int64_t factor) {
  if (!IsBound(end)) return Saturate(static_cast<Wide>(end) * factor);
  return (end > 0) == (factor > 0) ? Interval::kMax : Interval::kMin;
}

bool AddScaledTo(int64_t& target, int64_t value, int64_t scale) {
  int64_t product = 0;
  return !__builtin_mul_overflow(value, scale, &product) &&
         !__builtin_add_overflow(target, product, &target);
}

// Visits (a's coefficient, b's coefficient) per symbol.
template <class Visit>
void ForEachPair(const AffineForm& a, const AffineForm& b, Visit visit) {
  for (size_t d = 0; d < 3; ++d) visit(a.tid[d], b.tid[d]);
  for (size_t d = 0; d < 3; ++d) visit(a.ctaid[d], b.ctaid[d]);
  for (size_t l = 0; l < std::min(a.loops.size(), b.loops.size()); ++l) {
    visit(a.loops[l], b.loops[l]);
  }
}

}  // namespace

Interval operator+(const Interval& a, const Interval& b) {
  Interval sum;
  if (!IsBound(a.low) && !IsBound(b.low)) sum.low = Saturate(static_cast<Wide>(a.low) + b.low);
  if (!IsBound(a.high) && !IsBound(b.high)) sum.high = Saturate(static_cast<Wide>(a.high) + b.high);
  return sum;
}

Interval Scale(const Interval& a, int64_t factor) {
  if (factor == 0) return {0, 0};
  const int64_t x = ScaleEnd(a.low, factor);
  const int64_t y = ScaleEnd(a.high, factor);
  return factor > 0 ? Interval{x, y} : Interval{y, x};
}

bool AddScaled(AffineForm& target, const AffineForm& form, int64_t scale) {
  bool ok = AddScaledTo(target.constant, form.constant, scale);
  for (size_t d = 0; d < 3; ++d) {
    ok = ok && AddScaledTo(target.tid[d], form.tid[d], scale);
    ok = ok && AddScaledTo(target.ctaid[d], form.ctaid[d], scale);
  }
  if (target.loops.size() < form.loops.size()) target.loops.resize(form.loops.size(), 0);
  for (size_t l = 0; l < form.loops.size(); ++l) {
    ok = ok && AddScaledTo(target.loops[l], form.loops[l], scale);
  }
  while (!target.loops.empty() && target.loops.back() == 0) target.loops.pop_back();
  return ok;
}

AffineForm Constant(int64_t value) {
  AffineForm form;
  form.constant = value;
  return form;
}

bool IsConstant(const AffineForm& form) {
  bool constant = true;
  ForEachCoefficient(form, [&](int64_t c) { constant = constant && c == 0; });
  return constant;
}

int64_t LoopCoefficient(const AffineForm& form, uint32_t loop) {
  return loop < form.loops.size() ? form.loops[loop] : 0;
}

void SetLoopCoefficient(AffineForm& form, uint32_t loop, int64_t value) {
  if (form.loops.size() <= loop) form.loops.resize(loop + 1, 0);
  form.loops[loop] = value;
  while (!form.loops.empty() && form.loops.back() == 0) form.loops.pop_back();
}

Interval SymbolRanges::Of(const AffineForm& form) const {
  Interval sum{form.constant, form.constant};
  const std::array<uint32_t, 3> threads = {block.x, block.y, block.z};
  const std::array<uint32_t, 3> tbs = {grid.x, grid.y, grid.z};
  for (size_t d = 0; d < 3; ++d) {
    if (form.tid[d] != 0) sum = sum + Scale({0, int64_t{threads[d]} - 1}, form.tid[d]);
    if (form.ctaid[d] != 0) sum = sum + Scale({0, int64_t{tbs[d]} - 1}, form.ctaid[d]);
  }
  for (size_t l = 0; l < form.loops.size(); ++l) {
    if (form.loops[l] == 0) continue;
    const Interval counter = l < counters.size() ? counters[l] : Interval{0, Interval::kMax};
    sum = sum + Scale(counter, form.loops[l]);
  }
  return sum;
}

Interval SymbolRanges::Of(const AffineForm& form, std::span<const Guard> guards) const {
  Interval range = Of(form);
  for (const Guard& guard : guards) {
    // form = s * guard + rest >= min(rest) for s > 0; form <= max(rest) for s < 0.
    int64_t tried[2] = {0, 0};
    ForEachPair(form, guard.form, [&](int64_t f, int64_t g) {
      if (f == 0 || g == 0 || f == Interval::kMin || f % g != 0) return;
      const int64_t s = f / g;
      if (s == tried[0] || s == tried[1]) return;
      tried[1] = tried[0];
      tried[0] = s;
      AffineForm rest = form;
      if (s == Interval::kMin || !AddScaled(rest, guard.form, -s)) return;
      const Interval bound = Of(rest);
      if (s > 0) range.low = std::max(range.low, bound.low);
      if (s < 0) range.high = std::min(range.high, bound.high);
    });
  }
  return range;
}

}  // namespace flagstone
