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
    {"flagstone.fpga/1", "blocks", true},
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

// Whether bytes of UTF-8 hold letters that run from right to left: U+0590 to U+08FF, U+FB1D to
// U+FDFF and U+FE70 to U+FEFF, and what stands with them in their blocks of bytes.
bool RunsFromTheRight(std::string_view text) {
  for (size_t i = 0; i + 1 < text.size(); ++i) {
    const auto lead = static_cast<uint8_t>(text[i]), next = static_cast<uint8_t>(text[i + 1]);
    if (lead >= 0xd6 && lead <= 0xdf) return true;
    if (lead == 0xe0 && next >= 0xa0 && next <= 0xa3) return true;
    if (lead == 0xef && next >= 0xac && next <= 0xbb) return true;
  }
  return false;
}

// Whether the three bytes turn the direction of what follows: U+202A to U+202E, U+2066 to U+2069.
bool IsDirection(std::string_view bytes) {
  return (bytes.starts_with("\xe2\x80") && bytes[2] >= '\xaa' && bytes[2] <= '\xae') ||
         (bytes.starts_with("\xe2\x81") && bytes[2] >= '\xa6' && bytes[2] <= '\xa9');
}

// A name as a title holds it: not longer than a line, and nothing that turns the rest around.
std::string InTitle(const std::string& name) {
  constexpr size_t kLongest = 60;
  std::string text;
  for (size_t i = 0; i < name.size(); ++i) {
    if (i + 2 < name.size() && IsDirection(std::string_view(name).substr(i, 3))) {
      i += 2;
    } else {
      text += name[i];
    }
  }
  if (text.size() > kLongest) {
    size_t end = kLongest;
    while (end > 0 && (static_cast<uint8_t>(text[end]) & 0xc0) == 0x80) --end;
    text = text.substr(0, end) + "…";
  }
  return RunsFromTheRight(text) ? "\u2068" + text + "\u2069" : text;
}

std::string TitleAt(const ResultJson& json, const char* key) { return InTitle(TextAt(json, key)); }

// The values of `key` over the elements, each once.
std::string Distinct(const ResultJson& elements, const char* key) {
  std::vector<std::string> seen;
  for (const ResultJson& element : elements) {
    if (!element.is_object()) continue;
    std::string text = TitleAt(element, key);
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
  const std::string workload = TitleAt(result, "workload");
  if (schema == "flagstone.run/1") {
    return fmt::format("{} under {} on {}", workload, TitleAt(result, "policy"),
                       TitleAt(result, "machine"));
  }
  if (schema == "flagstone.analyze/1") {
    return fmt::format("{}: who shares data, grouped by {}", workload, TitleAt(result, "policy"));
  }
  if (schema == "flagstone.compare/1") {
    const ResultJson& runs = result["runs"];
    const std::string policies = Distinct(runs, "policy"),
                      prefetchers = Distinct(runs, "prefetcher");
    const auto several = [](const std::string& names) { return names.find(',') != names.npos; };
    const bool of_prefetchers = !several(policies) && several(prefetchers);
    return fmt::format("{}: {} compared", Distinct(runs, "workload"),
                       of_prefetchers ? "prefetchers " + prefetchers : policies);
  }
  if (schema == "flagstone.order/1") {
    return fmt::format("{} on {}: orders of its TBs", workload, TitleAt(result, "machine"));
  }
  if (schema == "flagstone.synth/1") {
    return fmt::format("cost of {}", Distinct(result["blocks"], "name"));
  }
  if (schema == "flagstone.fpga/1") {
    return fmt::format("{} on an FPGA", Distinct(result["blocks"], "name"));
  }
  if (schema == "flagstone.reproduce/1") return TitleAt(result, "experiment") + " reproduced";
  if (schema == "flagstone.sweep/1") return TitleAt(result, "description");
  const ResultJson& pairs = result["pairs"];
  if (pairs.empty() || !pairs.front().is_object()) return "what changed";
  const std::string a = TitleAt(pairs.front(), "a"), b = TitleAt(pairs.front(), "b");
  return pairs.size() > 1 ? "what changed" : a == b ? "what changed: " + a : a + " → " + b;
}

}  // namespace flagstone
