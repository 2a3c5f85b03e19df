#include "app/report/diff.h"

#include <fmt/format.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "app/report/diff_figures.h"
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
  if (schema == "flagstone.synth/1" || schema == "flagstone.fpga/1") {
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
  Figures from = FiguresOf(*a.figures), to = FiguresOf(*b.figures);
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
