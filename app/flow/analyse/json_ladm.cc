#include "app/flow/analyse/json_ladm.h"

#include <optional>
#include <string>

namespace flagstone {
namespace {

using Json = nlohmann::ordered_json;

template <class T>
Json OrNull(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json OrNull(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

}  // namespace

nlohmann::ordered_json ToJson(const LadmAnalysis& analysis) {
  Json json;
  json["arguments"] = Json::array();
  for (const LadmArgument& a : analysis.arguments) {
    json["arguments"].push_back({{"name", a.name},
                                 {"type", ToString(a.type)},
                                 {"stride", OrNull(a.stride_bytes)},
                                 {"stride_index", OrNull(a.stride)},
                                 {"placement", ToString(a.placement)},
                                 {"interleave_bytes", OrNull(a.interleave_bytes)},
                                 {"datablock_bytes", a.datablock_bytes},
                                 {"address", a.address},
                                 {"bytes", a.bytes},
                                 {"pages", a.pages}});
  }
  json["locality_table"] = Json::array();
  for (const LadmAccess& a : analysis.table) {
    json["locality_table"].push_back({{"pc", a.pc},
                                      {"line", a.line},
                                      {"store", a.is_store},
                                      {"argument", a.array},
                                      {"type", ToString(a.type)},
                                      {"invariant", a.invariant},
                                      {"variant", OrNull(a.variant)},
                                      {"stride", OrNull(a.stride_bytes)},
                                      {"unrolled", a.unrolled},
                                      {"datablock_bytes", a.datablock_bytes}});
  }
  const bool decided = analysis.scheduler.has_value();
  json["scheduler"] = decided ? Json(ToString(*analysis.scheduler)) : Json(nullptr);
  json["decided_by"] = OrNull(analysis.decided_by);
  json["batch_tbs"] = decided && *analysis.scheduler == TbPlacement::kAlignAware
                          ? Json(analysis.batch_tbs)
                          : Json(nullptr);
  json["cache_policy"] = decided ? Json(ToString(analysis.caching)) : Json(nullptr);
  json["published"] = decided ? Json({{"scheduler", ToString(*analysis.published.scheduler)},
                                      {"decided_by", analysis.published.decided_by},
                                      {"cache_policy", ToString(analysis.published.caching)}})
                              : Json(nullptr);
  return json;
}

nlohmann::ordered_json ToJson(const std::optional<Placed>& placed) {
  if (!placed) return nullptr;
  constexpr const char* kElements[] = {"tb", "row", "column"};
  const bool by_units = !placed->by_queue;
  const DealUnits& units = placed->tbs.units;
  Json json = {{"element", kElements[static_cast<size_t>(placed->tbs.element)]},
               {"gpu_unit", by_units ? Json(units.gpu) : Json(nullptr)},
               {"chiplet_unit", by_units ? Json(units.chiplet) : Json(nullptr)},
               {"tbs_per_node", placed->tbs_of_node},
               {"caching", placed->once ? "ronce" : "rtwice"}};
  json["arrays"] = Json::array();
  for (const PlacedArray& array : placed->arrays) {
    const bool dealt = array.units && !array.by_owner;
    json["arrays"].push_back({{"name", array.name},
                              {"gpu_bytes", dealt ? Json(array.units->gpu) : Json(nullptr)},
                              {"chiplet_bytes", dealt ? Json(array.units->chiplet) : Json(nullptr)},
                              {"pages_per_node", array.units ? Json(array.pages) : Json(nullptr)}});
  }
  return json;
}

}  // namespace flagstone
