// The comparison of a run's results with expected files or CPU references.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <type_traits>

#include "base/error.h"
#include "base/file.h"
#include "base/toml_reader.h"
#include "kernels/launch/element.h"
#include "kernels/launch/workload.h"

namespace flagstone {
namespace {

// The absolute difference; 0 for two NaNs or equal infinities, infinite where only one is finite.
template <class T>
double Difference(T got, T expected) {
  if constexpr (std::is_floating_point_v<T>) {
    if (got == expected || (std::isnan(got) && std::isnan(expected))) return 0;
    const double difference = std::abs(static_cast<double>(got) - static_cast<double>(expected));
    return std::isnan(difference) ? std::numeric_limits<double>::infinity() : difference;
  } else {
    // Subtracted as unsigned numbers of 64 bits: exact, and wraps around to the right result.
    // NOLINTBEGIN(bugprone-signed-char-misuse): T may be int8_t, a number
    const auto low = static_cast<uint64_t>(std::min(got, expected));
    const auto high = static_cast<uint64_t>(std::max(got, expected));
    // NOLINTEND(bugprone-signed-char-misuse)
    return static_cast<double>(high - low);
  }
}

CheckResult Compare(const CheckSpec& check, const BufferSpec& buffer, const std::byte* got,
                    const std::byte* expected) {
  CheckResult result;
  result.buffer = check.buffer;
  VisitElementType(buffer.type, [&](auto element) {
    using T = decltype(element);
    for (uint64_t i = 0; i < buffer.count; ++i) {
      const T wanted = LoadElement<T>(expected, i);
      const double difference = Difference(LoadElement<T>(got, i), wanted);
      if (difference == 0) continue;
      result.max_error = std::max(result.max_error, difference);
      const double size = std::abs(static_cast<double>(wanted));
      // An infinite expected value allows no error, whatever rtol.
      const double allowed = check.atol + (std::isfinite(size) ? check.rtol * size : 0);
      if (difference <= allowed) continue;
      ++result.mismatches;
      if (result.mismatches > CheckResult::kShownMismatches) continue;
      // The unary plus shows a byte as a number.
      result.first_mismatches.push_back(
          {i, fmt::format("{}", +LoadElement<T>(got, i)), fmt::format("{}", +wanted)});
    }
  });
  result.passed = result.mismatches == 0;
  return result;
}

const Reference& FindReference(const Workload& workload, const CheckSpec& check,
                               ReferenceTable references) {
  std::vector<std::string_view> names;
  for (const Reference& reference : references) {
    if (reference.name == check.reference) return reference;
    names.push_back(reference.name);
  }
  ThrowBadInput("{}:{}:{}: unknown reference {}: expected one of {}", workload.path.string(),
                check.location.line, check.location.column, Quoted(check.reference),
                CommaSeparated(names));
}

std::string ExpectedFile(const CheckSpec& check, const BufferSpec& buffer) {
  std::string contents = ReadFile(check.file);
  if (contents.size() != buffer.Bytes()) {
    ThrowBadInput("'{}' has {} bytes: expected {} for buffer '{}'", check.file.string(),
                  contents.size(), buffer.Bytes(), buffer.name);
  }
  return contents;
}

}  // namespace

void RequireReferences(const Workload& workload, ReferenceTable references) {
  for (const CheckSpec& check : workload.checks) {
    if (!check.reference.empty()) FindReference(workload, check, references);
  }
}

std::vector<CheckResult> RunChecks(const Workload& workload, const DeviceMemory& memory,
                                   ReferenceTable references) {
  std::map<std::string_view, ReferenceData> computed;  // a reference runs once for all its buffers
  std::vector<CheckResult> results;
  for (const CheckSpec& check : workload.checks) {
    const BufferSpec& buffer = *workload.FindBuffer(check.buffer);
    const std::byte* got = memory.At(memory.Named(check.buffer).address);
    if (check.reference.empty()) {
      const std::string expected = ExpectedFile(check, buffer);
      results.push_back(
          Compare(check, buffer, got, reinterpret_cast<const std::byte*>(expected.data())));
      continue;
    }
    const Reference& reference = FindReference(workload, check, references);
    const auto [data, is_new] = computed.try_emplace(reference.name, workload);
    if (is_new) reference.compute(data->second);
    results.push_back(Compare(check, buffer, got, data->second.Bytes(check.buffer).data()));
  }
  return results;
}

}  // namespace flagstone
