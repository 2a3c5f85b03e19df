#include "app/flow/studies/ladm_study.h"

#include <array>
#include <set>
#include <string>
#include <string_view>

#include "analyzer/address/address_analysis.h"
#include "analyzer/ladm/ladm.h"
#include "base/toml_reader.h"
#include "kernels/ptx/kernel.h"

namespace flagstone {
namespace {

// The paper's name for a row of Table II.
std::string_view Family(LocalityType type) {
  switch (type) {
    case LocalityType::kNoLocality:
      return "NL";
    case LocalityType::kIntraThread:
      return "ITL";
    case LocalityType::kUnclassified:
      return "unclassified";
    default:
      return "RCL";
  }
}

bool LocalityAgrees(const Json& row) {
  if (row["locality"].is_null()) return false;
  const std::string theirs = row["theirs"]["locality"];
  return row["locality"] == theirs.substr(0, theirs.find('-'));
}

bool SchedulerAgrees(const Json& row) { return row["scheduler"] == row["theirs"]["scheduler"]; }

}  // namespace

Json ReadTheirLadm(const TomlReader& reader) {
  static constexpr std::array<std::string_view, 6> kLocalities = {
      "NL", "NL-Xstride", "NL-Ystride", "RCL", "ITL", "unclassified"};
  using enum TbPlacement;
  static const std::array<std::string_view, 4> kSchedulers = {
      ToString(kAlignAware), ToString(kRowBinding), ToString(kColBinding), ToString(kKernelWide)};
  return {{"locality", reader.OneOf("locality", kLocalities)},
          {"scheduler", reader.OneOf("scheduler", kSchedulers)}};
}

Json LadmRows(const std::string& name, const Workload& workload) {
  const BoundWorkload bound = BindAddresses(workload);
  std::set<std::string> seen;
  Json rows = Json::array();
  for (const KernelLaunch& launch : bound.launches) {
    if (!seen.insert(launch.kernel->name).second) continue;
    const LadmAnalysis analysis =
        AnalyzeLadm(AnalyzeAddresses(launch, bound.memory), launch, bound.memory);
    Json row = {{"workload", name},      {"kernel", launch.kernel->name}, {"arrays", Json::array()},
                {"decided_by", nullptr}, {"locality", nullptr},           {"scheduler", nullptr}};
    for (const LadmArgument& argument : analysis.arguments) {
      row["arrays"].push_back({{"name", argument.name}, {"type", ToString(argument.type)}});
      if (!analysis.scheduler || argument.name != analysis.decided_by) continue;
      row["decided_by"] = argument.name;
      row["locality"] = Family(argument.type);
    }
    if (analysis.scheduler) row["scheduler"] = ToString(*analysis.scheduler);
    rows.push_back(std::move(row));
  }
  return rows;
}

bool LadmAgrees(const Json& row) { return LocalityAgrees(row) && SchedulerAgrees(row); }

Json SummarizeLadm(const Json& rows) {
  uint32_t localities = 0, schedulers = 0, both = 0;
  for (const Json& row : rows) {
    localities += LocalityAgrees(row) ? 1U : 0U;
    schedulers += SchedulerAgrees(row) ? 1U : 0U;
    both += LadmAgrees(row) ? 1U : 0U;
  }
  return {{"kernels", rows.size()},
          {"localities", localities},
          {"schedulers", schedulers},
          {"both", both}};
}

}  // namespace flagstone
