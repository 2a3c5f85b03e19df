#include "app/flow/studies/sharing_study.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include "app/flow/analyse/analyze.h"
#include "app/policy/policies.h"
#include "base/toml_reader.h"
#include "kernels/launch/launch_sequence.h"
#include "kernels/ptx/kernel.h"

namespace flagstone {
namespace {

// Fig. 2 draws bars; these bounds part them as its text does (assumption).
constexpr double kLeastLow = 0.01, kLeastHigh = 0.3;

Json Shares(const DataDistribution& units) {
  const double all =
      static_cast<double>(units.unshared + units.intra_tb + units.inter_tb + units.both);
  const auto share = [&](uint64_t part) { return all == 0 ? 0 : static_cast<double>(part) / all; };
  return {{"unshared", share(units.unshared)},
          {"intra_tb", share(units.intra_tb)},
          {"inter_tb", share(units.inter_tb)},
          {"both", share(units.both)}};
}

double BetweenTbs(const Json& shares) {
  return shares["inter_tb"].get<double>() + shares["both"].get<double>();
}

std::string_view ClassOf(double between_tbs) {
  if (between_tbs < kLeastLow) return "none";
  return between_tbs < kLeastHigh ? "low" : "high";
}

Json Row(const std::string& name, const KernelLaunch& launch, const LaunchAnalysis& analysis) {
  const LocalityStatistics& s = analysis.statistics;
  Json row = {{"workload", name},
              {"kernel", launch.kernel->name},
              {"tbs", s.tbs},
              {"references", s.total_references},
              {"sp_score", s.sp_score},
              {"shared_tbs", s.shared_tbs},
              {"degree_of_sharing", nullptr},
              {"data", Shares(Distribute(analysis.sharers))},
              {"reads", Shares(DistributeReads(analysis.sharers))}};
  if (s.shared_tbs != 0) row["degree_of_sharing"] = s.degree_of_sharing;
  row["inter_tb"] = ClassOf(BetweenTbs(row["reads"]));
  return row;
}

}  // namespace

Json ReadTheirSharing(const TomlReader& reader) {
  constexpr uint64_t kMost = uint64_t{1} << 40;
  Json theirs = {{"tbs", nullptr},        {"references", nullptr},        {"sp_score", nullptr},
                 {"shared_tbs", nullptr}, {"degree_of_sharing", nullptr}, {"inter_tb", nullptr}};
  for (const char* key : {"tbs", "references", "shared_tbs"}) {
    if (reader.Has(key)) theirs[key] = reader.Integer(key, 0, kMost);
  }
  for (const char* key : {"sp_score", "degree_of_sharing"}) {
    if (reader.Has(key)) theirs[key] = reader.Number(key, 0, 1);
  }
  if (reader.Has("inter_tb")) {
    theirs["inter_tb"] =
        reader.OneOf("inter_tb", std::array<std::string_view, 3>{"high", "low", "none"});
  }
  return theirs;
}

Json SharingRows(const std::string& name, const Workload& workload) {
  BoundWorkload bound = Bind(workload);
  const MachineConfig machine = MachineConfig::Load("fermi", {});  // sharing depends on none
  AnalysisRequest request;
  request.machine = &machine;
  request.policy = &FindPolicy("lrr");
  request.depth = AnalysisRequest::Depth::kLocality;
  // As the paper counts: in elements, and with what all TBs read.
  request.granularity = Granularity::kElement;
  request.universal = Universal::kCounted;
  request.by_warp = true;
  request.known_data = &bound.memory;
  Json rows = Json::array();
  LaunchSequence sequence(&bound);
  while (const KernelLaunch* launch = sequence.Next()) {
    Json row = Row(name, *launch, AnalyzeLaunch(*launch, bound.memory, request));
    const auto known = std::find_if(rows.begin(), rows.end(), [&](const Json& other) {
      return other["kernel"] == row["kernel"];
    });
    if (known == rows.end()) {
      rows.push_back(std::move(row));
    } else if (row["references"] > (*known)["references"]) {
      *known = std::move(row);
    }
  }
  return rows;
}

bool SharingAgrees(const Json& row) {
  constexpr double kSixPlaces = 5e-7;
  const Json& theirs = row["theirs"];
  for (const char* key : {"tbs", "references", "shared_tbs", "inter_tb"}) {
    if (!theirs[key].is_null() && theirs[key] != row[key]) return false;
  }
  const Json& score = theirs["sp_score"];
  return score.is_null() ||
         std::abs(score.get<double>() - row["sp_score"].get<double>()) <= kSixPlaces;
}

Json SummarizeSharing(const Json& rows) {
  uint32_t agree = 0;
  double shared = 0;
  for (const Json& row : rows) {
    agree += SharingAgrees(row) ? 1U : 0U;
    shared += BetweenTbs(row["reads"]);
  }
  Json summary = {{"kernels", rows.size()}, {"agree", agree}, {"mean_shared", nullptr}};
  if (!rows.empty()) summary["mean_shared"] = shared / static_cast<double>(rows.size());
  return summary;
}

}  // namespace flagstone
