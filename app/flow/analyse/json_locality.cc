#include "app/flow/analyse/json_locality.h"

namespace flagstone {

Json GraphJson(const LaunchAnalysis& analysis) {
  const LocalityStatistics& s = analysis.statistics;
  Json json = {{"tbs", s.tbs},
               {"edges", OrNull(s.counted, s.edges)},
               {"sp_score", OrNull(s.counted, s.sp_score)},
               {"total_references", s.total_references},
               {"shared_by_all", analysis.sharers.shared_by_all},
               {"shared_tbs", OrNull(s.counted, s.shared_tbs)},
               {"degree_of_sharing", OrNull(s.shared_tbs != 0, s.degree_of_sharing)},
               {"skipped_loads", analysis.sharers.skipped_loads}};
  json["distribution"] = nullptr;
  if (analysis.distribution) {
    const DataDistribution& data = *analysis.distribution;
    json["distribution"] = {{"unshared", data.unshared},
                            {"intra_tb", data.intra_tb},
                            {"inter_tb", data.inter_tb},
                            {"both", data.both}};
  }
  return json;
}

Json ToJson(const std::vector<PolicyFigures>& policies) {
  Json json = Json::array();
  for (const PolicyFigures& row : policies) {
    json.push_back({{"policy", row.policy},
                    {"groups", row.groups},
                    {"smallest", row.smallest},
                    {"largest", row.largest},
                    {"kept_weight", row.kept_weight},
                    {"union_ratio", row.union_ratio}});
  }
  return json;
}

Json ToJson(const CtaMapping& mapping) {
  Json left_out = Json::array();
  for (const SkippedLoad& load : mapping.left_out) {
    left_out.push_back({{"pc", load.pc}, {"line", load.line}, {"reason", load.reason}});
  }
  return {{"direction", ToString(mapping.direction)},
          {"distance_x", mapping.distance_x},
          {"distance_y", mapping.distance_y},
          {"weight_x", mapping.weight_x},
          {"weight_y", mapping.weight_y},
          {"symbolic_x", mapping.symbolic_x},
          {"symbolic_y", mapping.symbolic_y},
          {"unsolved_pairs", mapping.unsolved_pairs},
          {"left_out", left_out}};
}

Json ToJson(const std::vector<WarpGroup>& groups) {
  Json json = Json::array();
  for (const WarpGroup& group : groups) {
    json.push_back({{"line", OrNull(group.loop != WarpGroup::kNoLoop, group.line)},
                    {"reuse_warps", group.reuse_warps},
                    {"fitting_warps", group.fitting_warps},
                    {"fits_more", group.fits_more},
                    {"bound", group.bound},
                    {"size", group.size},
                    {"reason", ToString(group.reason)}});
  }
  return json;
}

}  // namespace flagstone
