#include "app/flow/analyse/analysis_json.h"

#include "app/flow/analyse/json_accesses.h"
#include "app/flow/analyse/json_coalescing.h"
#include "app/flow/analyse/json_detail.h"
#include "app/flow/analyse/json_ladm.h"
#include "app/flow/analyse/json_locality.h"
#include "base/demangle.h"
#include "kernels/ptx/kernel.h"

namespace flagstone {

Json ToJson(const AnalyzedLaunch& analyzed, bool detail) {
  const LaunchAnalysis& analysis = analyzed.analysis;
  const bool grouped = !analysis.groups.groups.empty();
  Json json;
  json["entry"] = analyzed.launch->kernel->name;
  json["kernel"] = KernelName(analyzed.launch->kernel->name);
  json["grid"] = ToJson(analyzed.launch->grid);
  json["block"] = ToJson(analyzed.launch->block);
  json["tbs_per_sm"] = analysis.occupancy.tbs_per_sm;
  PutAccesses(analysis, &json);
  json["graph"] = GraphJson(analysis);
  if (detail) {
    json["graph"]["matrix"] = MatrixJson(analysis.sharers, analysis.groups);
    json["graph"]["sharers"] = SharersJson(analysis.sharers);
    json["graph"]["edge_list"] = EdgesJson(analysis.sharers);
    json["instructions"] = InstructionsJson(*analyzed.launch->kernel);
  }
  json["groups"] = grouped ? Json(analysis.groups.groups) : Json(nullptr);
  json["kept_weight"] = OrNull(grouped, analysis.kept_weight);
  json["union_ratio"] = OrNull(grouped, analysis.union_ratio);
  json["coalescing"] = ToJson(Measure(analysis.coalescing));
  json["policies"] = ToJson(analyzed.policies);
  json["cta_mapping"] = nullptr;
  if (analysis.cta_mapping) {
    json["cta_mapping"] = ToJson(*analysis.cta_mapping);
    json["cta_mapping"]["warp_groups"] = ToJson(analysis.warp_groups);
  }
  json["ladm"] = ToJson(analysis.ladm);
  json["placement"] = ToJson(analysis.placed);
  return json;
}

}  // namespace flagstone
