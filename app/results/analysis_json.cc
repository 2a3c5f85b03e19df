#include "app/results/analysis_json.h"

#include <string>

#include "base/error.h"

namespace flagstone {
namespace {

using Reason = GroupPrediction::Reason;

Json PredictionJson(const std::optional<GroupPrediction>& prediction) {
  if (!prediction) return nullptr;
  return {{"runs", prediction->runs},         {"reason", ToString(prediction->reason)},
          {"cycles", prediction->cycles},     {"lrr_cycles", prediction->lrr_cycles},
          {"l2_bytes", prediction->l2_bytes}, {"lrr_l2_bytes", prediction->lrr_l2_bytes},
          {"fastest", prediction->fastest},   {"limit", prediction->limit}};
}

Reason ReasonOf(const std::string& text) {
  for (const Reason reason : {Reason::kGains, Reason::kGainsLittle, Reason::kUnseen}) {
    if (ToString(reason) == text) return reason;
  }
  ThrowBadInput("unknown reason '{}'", text);
}

std::optional<GroupPrediction> PredictionOf(const Json& json) {
  if (json.is_null()) return std::nullopt;
  GroupPrediction prediction;
  prediction.runs = json.at("runs");
  prediction.reason = ReasonOf(json.at("reason"));
  prediction.cycles = json.at("cycles");
  prediction.lrr_cycles = json.at("lrr_cycles");
  prediction.l2_bytes = json.at("l2_bytes");
  prediction.lrr_l2_bytes = json.at("lrr_l2_bytes");
  prediction.fastest = json.at("fastest");
  prediction.limit = json.at("limit");
  return prediction;
}

Json FitJson(const std::optional<TbFit>& fit) {
  if (!fit) return nullptr;
  return {{"tbs", fit->tbs}, {"bytes_of_tb", fit->bytes_of_tb}};
}

}  // namespace

Json ToJson(const std::optional<AnalysisSummary>& summary) {
  if (!summary) {
    return {{"tbs", nullptr},          {"edges", nullptr},       {"parts", nullptr},
            {"kept_weight", nullptr},  {"union_ratio", nullptr}, {"l1_fills", nullptr},
            {"lrr_l1_fills", nullptr}, {"prediction", nullptr},  {"fit", nullptr}};
  }
  const bool fills = summary->fills.has_value();
  return {{"tbs", summary->tbs},
          {"edges", summary->edges},
          {"parts", summary->parts},
          {"kept_weight", summary->kept_weight},
          {"union_ratio", summary->union_ratio},
          {"l1_fills", OrNull(fills, fills ? summary->fills->groups : 0)},
          {"lrr_l1_fills", OrNull(fills, fills ? summary->fills->lrr : 0)},
          {"prediction", PredictionJson(summary->prediction)},
          {"fit", FitJson(summary->fit)}};
}

AnalysisSummary AnalysisSummaryOf(const Json& json) {
  AnalysisSummary summary = {.tbs = json.at("tbs"),
                             .edges = json.at("edges"),
                             .parts = json.at("parts"),
                             .kept_weight = json.at("kept_weight"),
                             .union_ratio = json.at("union_ratio"),
                             .prediction = PredictionOf(json.at("prediction"))};
  if (!json.at("l1_fills").is_null()) {
    summary.fills = {.groups = json.at("l1_fills"), .lrr = json.at("lrr_l1_fills")};
  }
  if (const Json& fit = json.at("fit"); !fit.is_null()) {
    summary.fit = {.bytes_of_tb = fit.at("bytes_of_tb"), .tbs = fit.at("tbs")};
  }
  return summary;
}

}  // namespace flagstone
