#include "app/results/statistics_json.h"

#include <algorithm>
#include <string>

namespace flagstone {
namespace {

Json& At(std::string_view name, Json* json) {
  const size_t dot = name.find('.');
  Json& child = (*json)[std::string(name.substr(0, dot))];
  return dot == std::string_view::npos ? child : At(name.substr(dot + 1), &child);
}

bool WasCounted(const StatisticsField& field, const Counted& counted) {
  const bool timed = counted.timing || field.without_timing;
  return timed && (counted.on_request || !field.on_request);
}

Json Value(const StatisticsField& field, const LaunchStatistics& statistics) {
  return field.histogram() ? Json(field.Get(statistics)) : Json(field.Get(statistics).front());
}

}  // namespace

void PutStatistics(const LaunchStatistics& statistics, const Counted& counted, Json* json) {
  for (const StatisticsField& field : StatisticsTable()) {
    At(field.name, json) = WasCounted(field, counted) ? Value(field, statistics) : Json(nullptr);
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

Json PartsJson(const std::vector<LaunchStatistics>& parts, ChipPart part, const Counted& counted) {
  Json json = Json::object();
  for (const StatisticsField& field : StatisticsTable()) {
    if (PartOf(field.name) != part) continue;
    Json& column = At(field.name, &json);
    column = nullptr;
    if (!WasCounted(field, counted)) continue;
    column = Json::array();
    for (const LaunchStatistics& statistics : parts) column.push_back(Value(field, statistics));
  }
  return json;
}

}  // namespace flagstone
