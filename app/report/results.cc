#include "app/report/results.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/error.h"
#include "base/file.h"

namespace flagstone {
namespace {

constexpr std::string_view kPageSchema = "flagstone.report/1";

// What a page can show, with a key that each such result has.
struct Schema {
  std::string_view name;
  std::string_view key;
  bool is_array;  // the value of `key`, else an object
};
constexpr Schema kSchemas[] = {
    {"flagstone.run/1", "totals", false},      {"flagstone.compare/1", "runs", true},
    {"flagstone.analyze/1", "launches", true}, {"flagstone.synth/1", "blocks", true},
    {"flagstone.reproduce/1", "runs", true},   {"flagstone.diff/1", "pairs", true},
    {"flagstone.sweep/1", "rows", true},       {"flagstone.order/1", "candidates", true},
};

std::string KnownSchemas() {
  std::string names;
  for (const Schema& schema : kSchemas) {
    names += (names.empty() ? "" : ", ") + std::string(schema.name);
  }
  return names;
}

std::string SchemaOf(const std::string& file, const ResultJson& json) {
  if (!json.is_object() || !json.contains("schema") || !json["schema"].is_string()) {
    ThrowBadInput("'{}' is no result of flagstone: expected what a verb's --json has written",
                  file);
  }
  return json["schema"].get<std::string>();
}

void Check(const std::string& file, const ResultJson& json) {
  const std::string name = SchemaOf(file, json);
  for (const Schema& schema : kSchemas) {
    if (name != schema.name) continue;
    const auto value = json.find(schema.key);
    if (value != json.end() && (schema.is_array ? value->is_array() : value->is_object())) return;
    ThrowBadInput("'{}' is no result of flagstone: {} without its {} '{}'", file, name,
                  schema.is_array ? "array" : "object", schema.key);
  }
  ThrowBadInput("'{}' is of schema '{}': expected one of {}", file, name, KnownSchemas());
}

std::string TextAt(const ResultJson& json, const char* key) {
  const auto value = json.find(key);
  return value != json.end() && value->is_string() ? value->get<std::string>() : "";
}

// The values of `key` over the elements, each once.
std::string Distinct(const ResultJson& elements, const char* key) {
  std::vector<std::string> seen;
  for (const ResultJson& element : elements) {
    if (!element.is_object()) continue;
    std::string text = TextAt(element, key);
    if (!text.empty() && std::find(seen.begin(), seen.end(), text) == seen.end()) {
      seen.push_back(std::move(text));
    }
  }
  constexpr size_t kShown = 3;
  const size_t count = seen.size();
  seen.resize(std::min(count, kShown));
  return fmt::format("{}{}", fmt::join(seen, ", "),
                     count > kShown ? fmt::format(" and {} more", count - kShown) : "");
}

}  // namespace

std::vector<NamedResult> ReadResults(const std::string& file) {
  return ParseResults(file, ReadFile(file));
}

std::vector<NamedResult> ParseResults(const std::string& file, std::string_view text) {
  ResultJson json;
  try {
    json = ResultJson::parse(text);
  } catch (const ResultJson::parse_error& error) {
    if (text.starts_with("<")) {
      ThrowBadInput(
          "'{}' is a page: expected the JSON that 'flagstone report --extract' prints of "
          "it",
          file);
    }
    ThrowBadInput("'{}' is not JSON, or only a part of it: unexpected {} at byte {}", file,
                  error.byte > text.size() ? "end" : "text", error.byte);
  } catch (const ResultJson::exception& error) {
    // "[json.exception.out_of_range.406] number overflow parsing '1e999'"
    const std::string_view what = error.what();
    ThrowBadInput("'{}' is no result of flagstone: {}: expected numbers below 1.8e308", file,
                  what.substr(std::min(what.find("] ") + 2, what.size())));
  }
  std::vector<NamedResult> results;
  if (SchemaOf(file, json) != kPageSchema) {
    Check(file, json);
    results.push_back({std::filesystem::path(file).stem().string(), std::move(json)});
    return results;
  }
  if (!json.contains("results") || !json["results"].is_array()) {
    ThrowBadInput("'{}' is no result of flagstone: {} without its array 'results'", file,
                  kPageSchema);
  }
  for (ResultJson& entry : json["results"]) {
    if (!entry.is_object() || !entry.contains("result")) {
      ThrowBadInput("'{}': an entry of 'results' has no 'result'", file);
    }
    Check(file, entry["result"]);
    results.push_back({TextAt(entry, "name"), std::move(entry["result"])});
  }
  return results;
}

ResultJson PageData(const std::vector<NamedResult>& results) {
  ResultJson list = ResultJson::array();
  for (const NamedResult& result : results) {
    list.push_back({{"name", result.name}, {"result", result.json}});
  }
  return {{"schema", kPageSchema}, {"results", std::move(list)}};
}

std::string TitleOf(const ResultJson& result) {
  const std::string schema = TextAt(result, "schema");
  const std::string workload = TextAt(result, "workload");
  if (schema == "flagstone.run/1") {
    return fmt::format("{} under {} on {}", workload, TextAt(result, "policy"),
                       TextAt(result, "machine"));
  }
  if (schema == "flagstone.analyze/1") {
    return fmt::format("{}: who shares data, grouped by {}", workload, TextAt(result, "policy"));
  }
  if (schema == "flagstone.compare/1") {
    return fmt::format("{}: {} compared", Distinct(result["runs"], "workload"),
                       Distinct(result["runs"], "policy"));
  }
  if (schema == "flagstone.order/1") {
    return fmt::format("{} on {}: orders of its TBs", workload, TextAt(result, "machine"));
  }
  if (schema == "flagstone.synth/1") {
    return fmt::format("cost of {}", Distinct(result["blocks"], "name"));
  }
  if (schema == "flagstone.reproduce/1") return TextAt(result, "experiment") + " reproduced";
  if (schema == "flagstone.sweep/1") return TextAt(result, "description");
  const ResultJson& pairs = result["pairs"];
  if (pairs.empty() || !pairs.front().is_object()) return "what changed";
  const std::string a = TextAt(pairs.front(), "a"), b = TextAt(pairs.front(), "b");
  return pairs.size() > 1 ? "what changed" : a == b ? "what changed: " + a : a + " → " + b;
}

}  // namespace flagstone
