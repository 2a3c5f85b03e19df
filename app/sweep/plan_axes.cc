#include "app/sweep/plan_axes.h"

#include <algorithm>
#include <utility>

#include "gpu_model/machines/machine_fields.h"

namespace flagstone {
namespace {

std::string TextOf(const TomlReader& reader, std::string_view axis, const toml::node& node) {
  if (node.is_string()) return node.as_string()->get();
  if (node.is_integer()) return fmt::format("{}", node.as_integer()->get());
  reader.FailType(node, fmt::format("a value of axis '{}'", axis), "an integer or a string");
}

std::vector<std::string> ReadValues(const TomlReader& reader, const std::string& axis) {
  std::vector<std::string> values;
  for (const toml::node& node : reader.Array(axis)) {
    values.push_back(TextOf(reader, axis, node));
    if (std::count(values.begin(), values.end(), values.back()) > 1) {
      reader.Fail(node.source().begin, "axis '{}' has the value {} twice", axis, values.back());
    }
  }
  if (values.empty()) {
    reader.Fail(reader.Require(axis).source().begin,
                "axis '{}' is empty: expected at least one value", axis);
  }
  return values;
}

// Numbers for keys that are numbers, strings for the others.
void CheckTypes(const TomlReader& reader, const toml::source_position& at,
                const SweepDimension& axis) {
  const MachineField* field = FindMachineField(axis.key);
  const bool wants_number = field == nullptr || field->integer != nullptr || field->wide != nullptr;
  for (const std::string& value : axis.values) {
    if (IsWholeNumber(value) == wants_number) continue;
    reader.Fail(at, "axis '{}' has the value {}: expected {}", axis.key, Quoted(value),
                wants_number ? "an integer that is not negative" : "a string");
  }
}

SweepCondition ReadCondition(const TomlReader& reader, const SweepSpace& space) {
  std::vector<std::string_view> keys;
  for (const SweepDimension& dimension : space.dimensions) keys.push_back(dimension.key);
  reader.AllowOnly(keys);
  SweepCondition condition;
  for (size_t d = 0; d < space.dimensions.size(); ++d) {
    const SweepDimension& dimension = space.dimensions[d];
    if (!reader.Has(dimension.key)) continue;
    const toml::node& node = reader.Require(dimension.key);
    SweepCondition::Part part = {d, std::vector<bool>(dimension.values.size())};
    const auto add = [&](const toml::node& value) {
      const std::string text = TextOf(reader, dimension.key, value);
      const auto at = std::find(dimension.values.begin(), dimension.values.end(), text);
      if (at == dimension.values.end()) {
        reader.Fail(value.source().begin, "{} has no value {}: expected some of {}", dimension.key,
                    Quoted(text), CommaSeparated(dimension.values));
      }
      part.holds[static_cast<size_t>(at - dimension.values.begin())] = true;
    };
    if (const toml::array* values = node.as_array()) {
      for (const toml::node& value : *values) add(value);
    } else {
      add(node);
    }
    condition.parts.push_back(std::move(part));
  }
  return condition;
}

}  // namespace

bool IsWholeNumber(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

std::vector<SweepDimension> ReadAxes(const TomlReader& root) {
  std::vector<SweepDimension> axes;
  if (!root.Has("axes")) return axes;
  const TomlReader reader = root.Table("axes", "[axes]");
  std::vector<std::pair<toml::source_position, std::string>> keys;
  for (const auto& [key, node] : reader.table()) {
    keys.emplace_back(key.source().begin, std::string(key.str()));
  }
  std::sort(keys.begin(), keys.end(), [](const auto& a, const auto& b) {
    return std::pair(a.first.line, a.first.column) < std::pair(b.first.line, b.first.column);
  });
  for (const auto& [position, key] : keys) {
    const MachineField* const field = FindMachineField(key);
    if (key != kSeedAxis && (field == nullptr || !IsSetting(*field))) {
      reader.Fail(
          position,
          "axis '{}' is no key of a machine: expected one of 'flagstone list keys', quoted, "
          "or seed",
          key);
    }
    axes.push_back({key, ReadValues(reader, key)});
    CheckTypes(reader, position, axes.back());
  }
  return axes;
}

std::vector<SweepCondition> ReadConditions(const TomlReader& root, const char* key,
                                           const SweepSpace& space) {
  std::vector<SweepCondition> conditions;
  if (!root.Has(key)) return conditions;
  for (const toml::node& node : root.Array(key)) {
    conditions.push_back(ReadCondition(root.TableOf(node, fmt::format("[[{}]]", key)), space));
  }
  return conditions;
}

SweepSample ReadSample(const TomlReader& root) {
  SweepSample sample;
  if (!root.Has("sample")) return sample;
  const TomlReader reader = root.Table("sample", "[sample]");
  reader.AllowOnly({"kind", "points", "seed"});
  const std::string kind = reader.Line("kind");
  if (kind != "random" && kind != "latin-hypercube") {
    reader.Fail(reader.Require("kind").source().begin,
                "key 'kind' is {}: expected random or latin-hypercube", Quoted(kind));
  }
  sample.kind = kind == "random" ? SweepSample::Kind::kRandom : SweepSample::Kind::kLatinHypercube;
  sample.points = static_cast<uint64_t>(reader.Integer("points", 1, int64_t{1} << 40));
  sample.seed = static_cast<uint64_t>(reader.Integer("seed", 0, INT64_MAX, 1));
  return sample;
}

}  // namespace flagstone
