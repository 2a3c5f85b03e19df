#include "app/cli/fill_in.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "app/results/columns.h"
#include "base/error.h"

namespace flagstone {
namespace {

double SumOf(const Json& value) {
  if (value.is_number()) return value.get<double>();
  double sum = 0;
  for (const Json& each : value) sum += SumOf(each);
  return sum;
}

double Named(std::string name, const Json& launch) {
  std::replace(name.begin(), name.end(), '.', '/');
  const Json::json_pointer pointer("/" + name);
  if (!launch.contains(pointer)) ThrowInternal("no statistic is named {}", name);
  return SumOf(launch.at(pointer));
}

// "a+b-c"
double Terms(std::string_view text, const Json& launch) {
  double sum = 0;
  double sign = 1;
  while (true) {
    const size_t end = std::min(text.find_first_of("+-"), text.size());
    sum += sign * Named(std::string(text.substr(0, end)), launch);
    if (end == text.size()) return sum;
    sign = text[end] == '+' ? 1 : -1;
    text.remove_prefix(end + 1);
  }
}

std::string Value(std::string_view name, const Json& launch) {
  const size_t slash = name.find('/');
  if (slash == std::string_view::npos) {
    const std::optional<Column> column = FindColumn(name);
    if (!column || !column->statistic) ThrowInternal("no statistic is named {}", name);
    return column->Cell(column->OfLaunch(launch));
  }
  const double whole = Terms(name.substr(slash + 1), launch);
  if (whole == 0) return "-";
  return fmt::format("{:.1f} %", 100.0 * Terms(name.substr(0, slash), launch) / whole);
}

}  // namespace

std::string FillIn(std::string_view text, const Json& launch) {
  std::string filled;
  while (true) {
    const size_t open = text.find('{');
    filled += text.substr(0, open);
    if (open == std::string_view::npos) return filled;
    const size_t close = text.find('}', open);
    filled += Value(text.substr(open + 1, close - open - 1), launch);
    text.remove_prefix(close + 1);
  }
}

}  // namespace flagstone
