#include "gpu_model/machines/machine.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <set>
#include <utility>

#include "base/error.h"
#include "base/file.h"
#include "base/paths.h"
#include "base/toml_reader.h"
#include "gpu_model/machines/machine_check.h"
#include "gpu_model/machines/machine_fields.h"
#include "gpu_model/machines/settings.h"

namespace flagstone {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kBaseKey = "base";
constexpr int kMostBases = 8;  // a longer chain is a circle

fs::path MachinesFolder() { return DataFolder() / "gpu_model" / "machines"; }

// Where a value came from, for messages: "file:line:column: " or "--set key=value: ".
std::string At(const std::string& file, const toml::source_position& position) {
  return fmt::format("{}:{}:{}: ", file, position.line, position.column);
}

void SetInteger(const MachineField& field, int64_t value, const std::string& at,
                MachineConfig* machine) {
  if (value < 0 || static_cast<uint64_t>(value) < field.min ||
      static_cast<uint64_t>(value) > field.max) {
    ThrowBadInput("{}key '{}' is {}: expected an integer from {} to {}", at, field.key, value,
                  field.min, field.max);
  }
  if (field.integer != nullptr) {
    *field.integer(*machine) = static_cast<uint32_t>(value);
  } else {
    *field.wide(*machine) = static_cast<uint64_t>(value);
  }
}

void SetText(const MachineField& field, const std::string& value, const std::string& at,
             MachineConfig* machine) {
  if (field.text != nullptr) {
    *field.text(*machine) = value;
    return;
  }
  const auto found = std::find(field.names.begin(), field.names.end(), value);
  if (found == field.names.end()) {
    ThrowBadInput("{}key '{}' is {}: expected one of {}", at, field.key, Quoted(value),
                  CommaSeparated(field.names));
  }
  *field.choice(*machine) = static_cast<uint8_t>(found - field.names.begin());
}

bool IsInteger(const MachineField& field) {
  return field.integer != nullptr || field.wide != nullptr;
}

[[noreturn]] void FailUnknown(const std::string& at, const std::string& key) {
  // Keys of earlier versions, and what stands in their place.
  if (key == "sm.prefetching.caps_plus_look_ahead") {
    ThrowBadInput("{}key {} is gone: caps+ does not look ahead in loops, as with its value 0", at,
                  Quoted(key));
  }
  ThrowBadInput("{}unknown key {}: nearest known keys are {}", at, Quoted(key),
                CommaSeparated(NearestKeys(key)));
}

// Walks the file's tables; `prefix` is the dotted path to `table`.
void ReadTable(const toml::table& table, const std::string& prefix, const std::string& file,
               MachineConfig* machine, std::set<std::string>* seen) {
  for (const auto& [name, node] : table) {
    const std::string key = prefix + std::string(name.str());
    if (const toml::table* inner = node.as_table()) {
      const std::string dotted = key + ".";
      const bool known = std::any_of(
          MachineFields().begin(), MachineFields().end(),
          [&](const MachineField& field) { return field.key.substr(0, dotted.size()) == dotted; });
      if (!known) FailUnknown(At(file, name.source().begin), key);
      ReadTable(*inner, dotted, file, machine, seen);
      continue;
    }
    if (key == kBaseKey) continue;
    const MachineField* field = FindMachineField(key);
    if (field == nullptr) FailUnknown(At(file, name.source().begin), key);
    const std::string at = At(file, node.source().begin);
    if (IsInteger(*field)) {
      const auto* value = node.as_integer();
      if (value == nullptr) {
        ThrowBadInput("{}key '{}' is {}: expected an integer from {} to {}", at, key,
                      Describe(node), field->min, field->max);
      }
      SetInteger(*field, value->get(), at, machine);
    } else {
      const auto* value = node.as_string();
      if (value == nullptr) {
        ThrowBadInput("{}key '{}' is {}: expected a string", at, key, Describe(node));
      }
      SetText(*field, value->get(), at, machine);
    }
    seen->insert(key);
  }
}

void ApplySetting(const std::string& setting, MachineConfig* machine) {
  const std::string at = fmt::format("--set {}: ", setting);
  const size_t equals = setting.find('=');
  if (equals == std::string::npos || equals == 0) {
    ThrowBadInput("{}expected KEY=VALUE, for example sm.l1.size_kib=48", at);
  }
  const std::string key = setting.substr(0, equals);
  const std::string value = setting.substr(equals + 1);
  const MachineField* field = FindMachineField(key);
  if (field == nullptr) FailUnknown(at, key);
  if (!IsSetting(*field)) {
    ThrowBadInput(
        "{}'{}' says which machine it is: expected a machine file with a {} of its own (base = "
        "\"MACHINE\" takes the other values)",
        at, key, key);
  }
  if (!IsInteger(*field)) {
    SetText(*field, value, at, machine);
    return;
  }
  int64_t number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error != std::errc() || end != value.data() + value.size()) {
    ThrowBadInput("{}value is {}: expected an integer from {} to {}", at, Quoted(value), field->min,
                  field->max);
  }
  SetInteger(*field, number, at, machine);
}

fs::path PathOf(const std::string& name_or_path, const std::string& at) {
  fs::path path = name_or_path;
  if (name_or_path.find('/') != std::string::npos || path.extension() == ".toml") return path;
  fs::path known = MachinesFolder() / (name_or_path + ".toml");
  if (!fs::exists(known)) {
    ThrowBadInput("{}unknown machine {}: expected one of {}, or a path to a TOML file", at,
                  Quoted(name_or_path), CommaSeparated(ListMachines()));
  }
  return known;
}

// Reads a file on top of its base.
void ReadMachine(const fs::path& path, int depth, MachineConfig* machine,
                 std::set<std::string>* seen) {
  const std::string file = path.string();
  const toml::table table = ParseToml(ReadFile(path), file);
  if (const toml::node* base = table.get(kBaseKey)) {
    const std::string at = At(file, base->source().begin);
    const auto* name = base->as_string();
    if (name == nullptr) {
      ThrowBadInput("{}key 'base' is {}: expected the name of a machine", at, Describe(*base));
    }
    if (depth == kMostBases) ThrowBadInput("{}key 'base': more than {} bases", at, kMostBases);
    ReadMachine(PathOf(name->get(), at), depth + 1, machine, seen);
    seen->erase("name");  // the base's: results of two machines must tell them apart
  }
  ReadTable(table, "", file, machine, seen);
}

}  // namespace

MachineConfig MachineConfig::Load(const std::string& name_or_path,
                                  const std::vector<std::string>& settings) {
  const fs::path path = PathOf(name_or_path, "");
  const std::string file = path.string();
  MachineConfig machine;
  std::set<std::string> seen;
  ReadMachine(path, 0, &machine, &seen);
  for (const MachineField& field : MachineFields()) {
    if (!field.has_default && !seen.contains(std::string(field.key))) {
      ThrowBadInput("{}: missing key '{}'", file, field.key);
    }
  }
  return WithSettings(std::move(machine), settings, settings.empty() ? file : file + " with --set");
}

MachineConfig WithSettings(MachineConfig base, const std::vector<std::string>& settings,
                           const std::string& where) {
  for (const std::string& setting : settings) ApplySetting(setting, &base);
  CheckMachine(base, where);
  return base;
}

MachineConfig MachineConfig::OfNode() const {
  MachineConfig node = *this;
  node.sm.count /= numa.Nodes();
  node.l2.slices /= numa.Nodes();
  node.dram.channels /= numa.Nodes();
  return node;
}

std::string MachineConfig::Canonical() const {
  std::string text;
  for (const MachineField& field : MachineFields()) {
    text += fmt::format("{} = {}\n", field.key, ValueText(field, *this));
  }
  return text;
}

std::vector<std::string> ListMachines() {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(MachinesFolder(), error)) {
    if (entry.path().extension() == ".toml") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace flagstone
