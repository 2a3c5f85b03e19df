#include "app/flow/analyse/json_accesses.h"

#include <span>

#include "app/flow/analyse/json_coalescing.h"
#include "kernels/ptx/kernel.h"

namespace flagstone {
namespace {

using Json = nlohmann::ordered_json;

Json Form(const AddressForm& access, const AddressAnalysis& addresses) {
  if (access.pattern != AddressClass::kAffine) return nullptr;
  Json loops = Json::array();
  for (size_t l = 0; l < access.form.loops.size(); ++l) {
    if (access.form.loops[l] == 0) continue;
    const CountedLoop& loop = addresses.loops[l];
    const bool counted = loop.known || loop.bounded;
    loops.push_back({{"header_pc", loop.header_pc},
                     {"coefficient", access.form.loops[l]},
                     {"trip_count", counted ? Json(loop.trip_count) : Json(nullptr)}});
  }
  const bool guarded = access.address_class == AddressClass::kAffine;
  return {{"constant", access.form.constant},
          {"tid", access.form.tid},
          {"ctaid", access.form.ctaid},
          {"loops", loops},
          {"guards", guarded ? Json(access.guards.size()) : Json(nullptr)}};
}

Json Access(const AddressForm& access, const AddressAnalysis& addresses) {
  Json json;
  json["pc"] = access.pc;
  json["line"] = access.line;
  json["class"] = ToString(access.address_class);
  json["pattern"] = ToString(access.pattern);
  json["uniform"] = access.IsUniform();
  json["array"] = access.array;
  json["bytes"] = access.TotalBytes();
  json["reason"] = access.reason.empty() ? Json(nullptr) : Json(access.reason);
  json["chain"] = Json::array();
  for (const LoadLink& link : access.chain) {
    json["chain"].push_back({{"pc", link.pc},
                             {"line", link.line},
                             {"space", ptx::ToString(link.space)},
                             {"array", link.array}});
  }
  json["from_constant_table"] = access.IsFromConstantTable();
  json["form"] = Form(access, addresses);
  return json;
}

}  // namespace

void PutAccesses(const LaunchAnalysis& analysis, Json* launch) {
  for (const char* kind : {"loads", "stores", "atomics"}) (*launch)[kind] = Json::array();
  for (const AddressForm& access : analysis.addresses.accesses) {
    const char* const kind = access.is_atomic ? "atomics" : access.is_store ? "stores" : "loads";
    (*launch)[kind].push_back(Access(access, analysis.addresses));
  }
  for (size_t i = 0; i < analysis.coalescing.size(); ++i) {
    (*launch)["loads"][i]["coalescing"] = ToJson(Measure(std::span(&analysis.coalescing[i], 1)));
  }
}

}  // namespace flagstone
