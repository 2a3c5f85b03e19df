// The second half of app/flow/studies/load_study.h: the rows of all runs beside what is published.
#include <algorithm>
#include <set>
#include <utility>

#include "app/flow/studies/load_study.h"
#include "app/flow/studies/load_study_kinds.h"
#include "base/error.h"
#include "base/toml_reader.h"

namespace flagstone {
namespace {

// The row of a published kernel, which leaves `rows`; null where its workload has no rows.
Json TakeRow(const LoadStudy::Published& published, std::vector<Json>* rows) {
  const auto of_workload = [&](const Json& row) { return row["workload"] == published.workload; };
  const auto found = std::find_if(rows->begin(), rows->end(), [&](const Json& row) {
    return of_workload(row) && row["kernel"] == published.kernel;
  });
  if (found == rows->end()) return nullptr;
  Json row = std::move(*found);
  rows->erase(found);
  return row;
}

}  // namespace

Json JudgeLoadStudy(const LoadStudy& study, Json* rows) {
  const LoadStudyKind& kind = KindOf(study);
  if (!kind.HasPublished()) return nullptr;
  std::vector<Json> left(rows->begin(), rows->end());
  std::set<std::string> computed;  // workloads; a run may have failed
  for (const Json& row : left) computed.insert(row["workload"].get<std::string>());
  *rows = Json::array();
  for (const LoadStudy::Published& published : study.published) {
    if (!computed.contains(published.workload)) continue;
    Json row = TakeRow(published, &left);
    if (row.is_null()) {
      ThrowBadInput("workload {} launches no kernel {}, or [[kernel]] names it twice",
                    Quoted(published.workload), Quoted(published.kernel));
    }
    row["label"] = published.label;
    row["theirs"] = published.theirs;
    const bool agrees = kind.agrees(row);
    row["agrees"] = agrees;
    row["explained"] = agrees ? "" : published.explained;
    rows->push_back(std::move(row));
  }
  if (!kind.takes_others) return kind.summarize(*rows);
  for (Json& row : left) {
    row["label"] = row["kernel"];
    for (const char* key : {"theirs", "agrees", "explained"}) row[key] = nullptr;
    rows->push_back(std::move(row));
  }
  return kind.summarize(*rows);
}

bool IsReproduced(const Json& rows) {
  return std::all_of(rows.begin(), rows.end(), [](const Json& row) {
    return row.value("theirs", Json()).is_null() || row["agrees"].get<bool>() ||
           !row["explained"].get<std::string>().empty();
  });
}

}  // namespace flagstone
