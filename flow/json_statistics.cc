#include "flow/json_statistics.h"

#include <algorithm>
#include <string>

namespace flagstone {
namespace {

Json& At(std::string_view name, Json* json) {
  const size_t dot = name.find('.');
  Json& child = (*json)[std::string(name.substr(0, dot))];
  return dot == std::string_view::npos ? child : At(name.substr(dot + 1), &child);
}

}  // namespace

void PutStatistics(const LaunchStatistics& statistics, const Counted& counted, Json* json) {
  for (const StatisticsField& field : StatisticsTable()) {
    Json& value = At(field.name, json);
    const bool timed = counted.timing || field.without_timing;
    if (!timed || (field.on_request && !counted.on_request)) {
      value = nullptr;
    } else if (field.histogram()) {
      value = field.Get(statistics);
    } else {
      value = field.Get(statistics).front();
    }
  }
  for (const StatisticsRate& rate : StatisticsRates()) {
    const uint64_t whole = rate.whole(statistics);
    Json& value = At(rate.name, json);
    value = nullptr;
    if (counted.timing && whole != 0) {
      value = static_cast<double>(rate.part(statistics)) / static_cast<double>(whole);
    }
  }
}

}  // namespace flagstone
