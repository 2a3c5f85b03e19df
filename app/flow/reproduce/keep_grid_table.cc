// A part of app/flow/reproduce/experiment_grid.h: one table of a grid alone.
#include <algorithm>
#include <utility>

#include "app/flow/reproduce/experiment_grid.h"

namespace flagstone {
namespace {

// `values`, which stand by variant, of the variants at `kept`.
template <class T>
std::vector<T> Chosen(const std::vector<T>& values, const std::vector<size_t>& kept) {
  std::vector<T> chosen;
  chosen.reserve(kept.size());
  for (const size_t v : kept) chosen.push_back(values[v]);
  return chosen;
}

// Where `variant` stands among `kept`; 0 if it does not.
size_t PlaceAmong(const std::vector<size_t>& kept, size_t variant) {
  const auto it = std::find(kept.begin(), kept.end(), variant);
  return it == kept.end() ? 0 : static_cast<size_t>(it - kept.begin());
}

}  // namespace

bool ExperimentGrid::KeepTable(std::string_view name) {
  std::erase_if(tables, [&](const Table& t) { return t.name != name; });
  if (tables.empty()) return false;
  Table& table = tables.front();
  const bool relative = table.metric.relative != ExperimentMetric::Relative::kNone;
  std::vector<size_t> kept;
  for (size_t v = 0; v < variants.size(); ++v) {
    const bool shown =
        std::find(table.columns.begin(), table.columns.end(), v) != table.columns.end();
    if (shown || (relative && v == baseline)) kept.push_back(v);
  }
  std::vector<RunOptions> kept_runs;
  for (size_t first = 0; first < runs.size(); first += variants.size()) {
    for (const size_t v : kept) kept_runs.push_back(std::move(runs[first + v]));
  }
  for (size_t& column : table.columns) column = PlaceAmong(kept, column);
  for (Published& published : table.published) published.values = Chosen(published.values, kept);
  baseline = PlaceAmong(kept, baseline);
  variants = Chosen(variants, kept);
  runs = std::move(kept_runs);
  return true;
}

}  // namespace flagstone
