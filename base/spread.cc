#include "base/spread.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "base/numbers.h"

namespace flagstone {
namespace {

constexpr double kLeastGrouped = 1000;  // whole numbers from here on have their digits in groups

std::string Text(double value, int decimals) {
  if (decimals > 0) return fmt::format("{:.{}f}", value, decimals);
  const std::string sign = value < 0 ? "-" : "";
  const double size = std::round(std::abs(value));
  return size >= kLeastGrouped ? sign + Grouped(static_cast<uint64_t>(size))
                               : fmt::format("{}{:.0f}", sign, size);
}

// The place of a number's first digit after rounding to it: 2 for 0.047, -3 for 960 of three
// digits, which is 1,000.
int DecimalsOf(double deviation) {
  int decimals = -static_cast<int>(std::floor(std::log10(deviation)));
  const double unit = std::pow(10.0, -decimals);
  if (std::round(deviation / unit) >= 10) --decimals;
  return decimals;
}

double RoundedTo(double value, int decimals) {
  const double unit = std::pow(10.0, -decimals);
  return std::round(value / unit) * unit;
}

}  // namespace

Spread Spread::Of(std::span<const double> values) {
  Spread spread;
  spread.count = values.size();
  if (values.empty()) return spread;
  const auto count = static_cast<double>(values.size());
  for (const double value : values) spread.mean += value / count;
  if (values.size() < 2) return spread;
  double squares = 0;
  for (const double value : values) squares += (value - spread.mean) * (value - spread.mean);
  spread.deviation = std::sqrt(squares / (count - 1));
  return spread;
}

bool Spread::IsEqual() const { return std::abs(mean - 1) < 2 * deviation; }

std::string Spread::ToText(int decimals) const {
  if (deviation == 0) return Text(mean, decimals);
  const int digits = DecimalsOf(deviation);
  const int shown = std::max(digits, 0);
  return fmt::format("{} ±{}", Text(RoundedTo(mean, digits), shown),
                     Text(RoundedTo(deviation, digits), shown));
}

double StudentT(size_t freedom) {
  constexpr double kNormal = 1.960;
  constexpr std::array kQuantiles = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306,
                                     2.262,  2.228, 2.201, 2.179, 2.160, 2.145, 2.131};
  return freedom <= kQuantiles.size() ? kQuantiles[freedom - 1] : kNormal;
}

}  // namespace flagstone
