// Arithmetic on AffineForm and the box that its symbols (tid, ctaid, loop counters) range over.
#ifndef FLAGSTONE_ANALYZER_ADDRESS_AFFINE_H_
#define FLAGSTONE_ANALYZER_ADDRESS_AFFINE_H_

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "analyzer/address/address_form.h"

namespace flagstone {

// Closed range of integers. The ends of int64_t stand for "without bound".
struct Interval {
  static constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
  static constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  int64_t low = kMin;
  int64_t high = kMax;

  bool Contains(int64_t value) const { return low <= value && value <= high; }
  bool operator==(const Interval&) const = default;
};
Interval operator+(const Interval& a, const Interval& b);  // saturating
Interval Scale(const Interval& a, int64_t factor);         // saturating

// target += scale * form. False, with `target` unspecified, when a coefficient leaves 64 bits.
[[nodiscard]] bool AddScaled(AffineForm& target, const AffineForm& form, int64_t scale);
AffineForm Constant(int64_t value);
bool IsConstant(const AffineForm& form);
int64_t LoopCoefficient(const AffineForm& form, uint32_t loop);
void SetLoopCoefficient(AffineForm& form, uint32_t loop,
                        int64_t value);  // keeps the form canonical

// Calls visit(coefficient) for each symbol's coefficient, zero ones included.
template <class Visit>
void ForEachCoefficient(const AffineForm& form, Visit visit) {
  for (const int64_t c : form.tid) visit(c);
  for (const int64_t c : form.ctaid) visit(c);
  for (const int64_t c : form.loops) visit(c);
}

// What each symbol can be at this launch; a symbol with one value never appears in forms.
struct SymbolRanges {
  Dim3 block;
  Dim3 grid;
  std::vector<Interval> counters;  // by loop

  Interval Of(const AffineForm& form) const;
  // As Of, for points where each of `guards` is >= 0: never wider, not always the tightest.
  Interval Of(const AffineForm& form, std::span<const Guard> guards) const;
};

}  // namespace flagstone

#endif  // FLAGSTONE_ANALYZER_ADDRESS_AFFINE_H_
