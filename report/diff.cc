#include "report/diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "base/error.h"

namespace flagstone {
namespace {

// A part of a result that can be compared: its name, what was asked for, its figures.
struct Part {
  std::string name;
  const ResultJson* asked = nullptr;
  const ResultJson* figures = nullptr;
};

const ResultJson* Find(const ResultJson& json, std::string_view key) {
  if (!json.is_object()) return nullptr;
  const auto value = json.find(key);
  return value == json.end() ? nullptr : &*value;
}

std::string Words(const ResultJson& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

// "syrk paper fermi rb gto none"
std::string RunName(const ResultJson& run) {
  std::string name;
  for (const char* key :
       {"workload", "size", "machine", "policy", "warp_scheduler", "prefetcher"}) {
    const ResultJson* value = Find(run, key);
    if (value != nullptr && value->is_string()) name += (name.empty() ? "" : " ") + Words(*value);
  }
  return name;
}

std::vector<Part> PartsOf(const ResultJson& result) {
  const std::string schema = result["schema"].get<std::string>();
  if (schema == "flagstone.run/1") return {{TitleOf(result), &result, &result["totals"]}};
  std::vector<Part> parts;
  if (schema == "flagstone.synth/1") {
    for (const ResultJson& block : result["blocks"]) {
      std::string name = Words(block.value("name", ResultJson()));
      if (const ResultJson* values = Find(block, "parameters")) {
        for (const auto& [key, value] : values->items())
          name += fmt::format(" {}={}", key, Words(value));
      }
      parts.push_back({std::move(name), &result, &block});
    }
  } else if (schema == "flagstone.analyze/1") {
    size_t number = 0;
    for (const ResultJson& launch : result["launches"]) {
      parts.push_back({fmt::format("launch {}", number++), &result, &launch});
    }
  } else if (const ResultJson* runs = Find(result, "runs")) {
    for (const ResultJson& run : *runs) {
      if (const ResultJson* totals = Find(run, "totals"))
        parts.push_back({RunName(run), &run, totals});
    }
  }
  // The same name again, as where settings alone differ, is told apart by its place.
  std::map<std::string, int> seen;
  for (Part& part : parts) {
    if (const int copy = ++seen[part.name]; copy > 1) part.name += fmt::format(" #{}", copy);
  }
  return parts;
}

using Figures = std::map<std::string, ResultJson>;

// All numbers by their path; arrays (histograms, groups) are left out.
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

ResultJson Relative(const ResultJson& a, const ResultJson& b) {
  if (!a.is_number() || !b.is_number() || a.get<double>() == 0) return nullptr;
  return b.get<double>() / a.get<double>() - 1;
}

// The rows, those with the largest number first.
ResultJson Sorted(std::vector<std::pair<double, ResultJson>> rows) {
  std::stable_sort(rows.begin(), rows.end(),
                   [](const auto& x, const auto& y) { return x.first > y.first; });
  ResultJson json = ResultJson::array();
  for (auto& [number, row] : rows) json.push_back(std::move(row));
  return json;
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

// Cycles are what schedulers did in them, summed: the change of each kind is its part of the change
// of all. Empty where nothing was timed. The largest part first.
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

// What was asked for, or made the result, and is not the same.
ResultJson Asked(const Part& a, const Part& b) {
  ResultJson json = ResultJson::array();
  for (const char* key :
       {"version", "config_hash", "input_hash", "workload", "size", "machine", "policy",
        "warp_scheduler", "prefetcher", "engine", "values", "seed", "granularity", "data",
        "library", "experiment", "interrupted", "command"}) {
    const ResultJson* from = Find(*a.asked, key);
    const ResultJson* to = Find(*b.asked, key);
    if (from == nullptr && to == nullptr) continue;
    const ResultJson none;
    const ResultJson& x = from == nullptr ? none : *from;
    const ResultJson& y = to == nullptr ? none : *to;
    if (x != y) json.push_back({{"name", key}, {"a", x}, {"b", y}});
  }
  return json;
}

ResultJson PairJson(const Part& a, const Part& b) {
  Figures from, to;
  Collect(*a.figures, "", &from);
  Collect(*b.figures, "", &to);
  ResultJson cycles = nullptr;
  if (from.contains("cycles") && to.contains("cycles")) {
    cycles = {{"a", from["cycles"]},
              {"b", to["cycles"]},
              {"change", Relative(from["cycles"], to["cycles"])}};
  }
  return {{"a", a.name},
          {"b", b.name},
          {"asked", Asked(a, b)},
          {"cycles", std::move(cycles)},
          {"explained_by", Explanation(from, to)},
          {"differences", Differences(from, to)}};
}

}  // namespace

ResultJson DiffJson(const NamedResult& a, const NamedResult& b) {
  if (a.json["schema"] != b.json["schema"]) {
    ThrowBadInput("'{}' is of schema {} and '{}' of {}: expected two results of one verb", a.name,
                  Words(a.json["schema"]), b.name, Words(b.json["schema"]));
  }
  const std::vector<Part> from = PartsOf(a.json), to = PartsOf(b.json);
  ResultJson pairs = ResultJson::array(), only_a = ResultJson::array(),
             only_b = ResultJson::array();
  const bool alone = from.size() == 1 && to.size() == 1;
  std::map<std::string, const Part*> by_name;
  for (const Part& part : to) by_name[part.name] = &part;
  for (const Part& part : from) {
    const auto other = by_name.find(part.name);
    if (alone) {
      pairs.push_back(PairJson(part, to.front()));
      by_name.clear();
    } else if (other == by_name.end()) {
      only_a.push_back(part.name);
    } else {
      pairs.push_back(PairJson(part, *other->second));
      by_name.erase(other);
    }
  }
  for (const Part& part : to) {
    if (by_name.contains(part.name)) only_b.push_back(part.name);
  }
  if (pairs.empty()) {
    ThrowBadInput("'{}' and '{}' have nothing in common: '{}' and '{}'", a.name, b.name,
                  from.empty() ? "nothing" : from.front().name,
                  to.empty() ? "nothing" : to.front().name);
  }
  return {{"schema", "flagstone.diff/1"},
          {"of", a.json["schema"]},
          {"a", a.name},
          {"b", b.name},
          {"pairs", std::move(pairs)},
          {"only_a", std::move(only_a)},
          {"only_b", std::move(only_b)}};
}

}  // namespace flagstone
