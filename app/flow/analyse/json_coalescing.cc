#include "app/flow/analyse/json_coalescing.h"

#include <optional>

namespace flagstone {

Json ToJson(const CoalescingMeasures& measures) {
  const auto or_null = [](const std::optional<double>& value) {
    return value ? Json(*value) : Json(nullptr);
  };
  Json json;
  json["degree"] = or_null(measures.degree);
  json["sectors_in_range"] = measures.degree ? Json(measures.sectors_in_range) : Json(nullptr);
  json["sector_expectation"] = or_null(measures.sector_expectation);
  json["sectors_per_request"] = or_null(measures.sectors_per_request);
  json["graph"] = measures.degree ? Json(measures.graph) : Json(nullptr);
  json["loads_left_out"] = measures.left_out;
  return json;
}

}  // namespace flagstone
