#include "app/report/diff_figures.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

namespace flagstone {
namespace {

void Collect(const ResultJson& json, const std::string& path, Figures* figures) {
  if (json.is_object()) {
    for (const auto& [key, value] : json.items()) {
      if (key == "seconds" || key == "host") continue;
      Collect(value, path.empty() ? key : path + "." + key, figures);
    }
  } else if (json.is_number() || json.is_null()) {
    (*figures)[path] = json;
  }
}

// How far a figure moved, as the logarithm of its ratio. Counts of a few, and rates of less than a
// tenth of a percent, count little.
double Moved(const ResultJson& a, const ResultJson& b) {
  const double least = a.is_number_integer() && b.is_number_integer() ? 1 : 1e-3;
  const double from = std::abs(a.get<double>()) + least, to = std::abs(b.get<double>()) + least;
  return std::abs(std::log(to / from));
}

// The rows, those with the largest number first.
ResultJson Sorted(std::vector<std::pair<double, ResultJson>> rows) {
  std::stable_sort(rows.begin(), rows.end(),
                   [](const auto& x, const auto& y) { return x.first > y.first; });
  ResultJson json = ResultJson::array();
  for (auto& [number, row] : rows) json.push_back(std::move(row));
  return json;
}

// What schedulers did in their cycles, and the figures that say why.
struct Slot {
  const char* key;
  std::vector<const char*> reasons;
};
const std::vector<Slot>& Slots() {
  static const std::vector<Slot> kSlots = {
      {"issued", {"warp_instructions", "thread_instructions", "sm.dual_issues"}},
      {"memory",
       {"l1.load_latency.mean", "l1.miss_rate", "l1.misses", "l2.accesses", "l2.miss_rate",
        "l2.latency.mean", "noc.request.latency", "noc.reply.latency", "dram.reads",
        "dram.latency.mean", "dram.utilization", "prefetch.coverage"}},
      {"unit",
       {"sm.unit_waits.load_store", "sm.unit_waits.f32", "sm.unit_waits.f64", "sm.unit_waits.sfu",
        "sm.unit_waits.int_mul", "sm.unit_waits.control", "sm.unit_waits.const",
        "l1.reservation_fails", "l1.fails.mshr", "l1.fails.way", "l1.fails.queue", "l1.accesses"}},
      {"pipe", {"warp_instructions"}},
      {"barrier", {"tbs_per_sm"}},
      {"fetch", {"sm.instruction_cache.misses"}},
      {"no_grant", {"sm.occupancy"}},
      {"idle", {"tb.wait_cycles", "tb.mean_wait", "tb.stolen", "sm.occupancy", "tbs_per_sm"}}};
  return kSlots;
}

}  // namespace

Figures FiguresOf(const ResultJson& json) {
  Figures figures;
  Collect(json, "", &figures);
  return figures;
}

ResultJson Relative(const ResultJson& a, const ResultJson& b) {
  if (!a.is_number() || !b.is_number() || a.get<double>() == 0) return nullptr;
  return b.get<double>() / a.get<double>() - 1;
}

ResultJson Differences(const Figures& a, const Figures& b) {
  std::vector<std::pair<double, ResultJson>> rows;
  for (const auto& [name, from] : a) {
    const auto other = b.find(name);
    const ResultJson to = other == b.end() ? ResultJson() : other->second;
    if (from == to) continue;
    const bool both = from.is_number() && to.is_number();
    rows.push_back({both ? Moved(from, to) : 0,
                    {{"name", name}, {"a", from}, {"b", to}, {"change", Relative(from, to)}}});
  }
  for (const auto& [name, to] : b) {
    if (to.is_number() && !a.contains(name)) {
      rows.push_back({0, {{"name", name}, {"a", nullptr}, {"b", to}, {"change", nullptr}}});
    }
  }
  return Sorted(std::move(rows));
}

ResultJson Explanation(const Figures& a, const Figures& b) {
  const auto number = [](const Figures& figures, const std::string& name) -> std::optional<double> {
    const auto found = figures.find(name);
    if (found == figures.end() || !found->second.is_number()) return std::nullopt;
    return found->second.get<double>();
  };
  double change = 0;
  for (const Slot& slot : Slots()) {
    const std::string name = fmt::format("sm.issue.{}", slot.key);
    const auto from = number(a, name), to = number(b, name);
    if (!from || !to) return ResultJson::array();
    change += *to - *from;
  }
  constexpr double kTelling = 0.01;  // a figure that moved less explains nothing
  std::vector<std::pair<double, ResultJson>> rows;
  for (const Slot& slot : Slots()) {
    const std::string name = fmt::format("sm.issue.{}", slot.key);
    const double delta = *number(b, name) - *number(a, name);
    if (delta == 0) continue;
    std::vector<std::pair<double, ResultJson>> telling;
    for (const char* reason : slot.reasons) {
      const auto from = number(a, reason), to = number(b, reason);
      if (!from || !to || *from == 0 || std::abs(*to / *from - 1) < kTelling) continue;
      telling.push_back({Moved(a.at(reason), b.at(reason)),
                         {{"name", reason},
                          {"a", a.at(reason)},
                          {"b", b.at(reason)},
                          {"change", *to / *from - 1}}});
    }
    rows.push_back({std::abs(delta),
                    {{"name", name},
                     {"a", a.at(name)},
                     {"b", b.at(name)},
                     {"share", change == 0 ? ResultJson() : ResultJson(delta / change)},
                     {"reasons", Sorted(std::move(telling))}}});
  }
  return Sorted(std::move(rows));
}

}  // namespace flagstone
