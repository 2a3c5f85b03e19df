#include "gpu_model/machines/machine.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <set>
#include <utility>

#include "base/error.h"
#include "base/file.h"
#include "base/paths.h"
#include "base/toml_reader.h"
#include "gpu_model/blocks/prefetcher/descriptor.h"
#include "gpu_model/blocks/warp_scheduler/descriptor.h"
#include "gpu_model/machines/machine_fields.h"
#include "gpu_model/machines/settings.h"

namespace flagstone {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kBaseKey = "base";
constexpr uint32_t kMostNodeSlices = 64;  // a word has a bit for each
constexpr int kMostBases = 8;             // a longer chain is a circle

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

// The bits of an address choose a set: of 2^n sets, or of 3 * 2^n, as caches of 48 KiB have them.
void CheckSets(uint32_t lines, uint32_t ways, uint32_t size_kib, std::string_view key,
               const std::string& where) {
  const uint32_t sets = lines / ways;
  if (sets == 0 || std::has_single_bit(sets)) return;
  if (sets % 3 == 0 && std::has_single_bit(sets / 3)) return;
  ThrowBadInput(
      "{}: {}.size_kib is {}: {} sets of {} lines: expected a power of two, or three times one",
      where, key, size_kib, sets, ways);
}

void CheckCache(const CacheConfig& cache, std::string_view key, const std::string& where) {
  const uint32_t lines = cache.size_kib * 1024 / cache.line_bytes;
  if (lines % cache.ways != 0) {
    ThrowBadInput("{}: {}.ways is {}: {} KiB in lines of {} B do not divide into that many ways",
                  where, key, cache.ways, cache.size_kib, cache.line_bytes);
  }
  CheckSets(lines, cache.ways, cache.size_kib, key, where);
  if (cache.sector_bytes != 32 && cache.sector_bytes != cache.line_bytes) {
    ThrowBadInput("{}: {}.sector_bytes is {}: expected 32, or {} for a cache without sectors",
                  where, key, cache.sector_bytes, cache.line_bytes);
  }
}

void CheckReadOnlyCache(const ReadOnlyCacheConfig& cache, std::string_view key,
                        const std::string& where) {
  const uint32_t lines = cache.size_kib * 1024 / 128;
  if (lines % cache.ways != 0) {
    ThrowBadInput("{}: {}.ways is {}: {} KiB in lines of 128 B do not divide into that many ways",
                  where, key, cache.ways, cache.size_kib);
  }
  CheckSets(lines, cache.ways, cache.size_kib, key, where);
}

// What is counted for the machine as a whole is the same for all its nodes.
void CheckNodes(const MachineConfig& machine, const std::string& where) {
  const NumaConfig& numa = machine.numa;
  const uint32_t nodes = numa.Nodes();
  if (!std::has_single_bit(numa.page_bytes)) {
    ThrowBadInput("{}: numa.page_bytes is {}: expected a power of two", where, numa.page_bytes);
  }
  if (nodes == 1) return;
  if (nodes > NumaConfig::kMostNodes) {
    ThrowBadInput("{}: numa.gpus * numa.chiplets is {}: expected at most {} nodes", where, nodes,
                  NumaConfig::kMostNodes);
  }
  const std::pair<std::string_view, uint32_t> totals[] = {{"sm.count", machine.sm.count},
                                                          {"l2.slices", machine.l2.slices},
                                                          {"dram.channels", machine.dram.channels}};
  for (const auto& [key, total] : totals) {
    if (total % nodes == 0) continue;
    ThrowBadInput("{}: {} is {}: expected a multiple of the {} nodes", where, key, total, nodes);
  }
  if (machine.l2.slices / nodes > kMostNodeSlices) {
    ThrowBadInput("{}: l2.slices is {}: expected at most {} for each of the {} nodes", where,
                  machine.l2.slices, kMostNodeSlices, nodes);
  }
  if (machine.l2.between_launches == BetweenLaunches::kWarm) {
    ThrowBadInput(
        "{}: l2.between_launches is \"warm\": expected \"invalidate\" or \"keep\" for a machine of "
        "{} nodes",
        where, nodes);
  }
  if (machine.l2.cache.mshr_unit != MshrUnit::kLine) {
    ThrowBadInput("{}: l2.mshr_unit is \"sector\": expected \"line\" for a machine of {} nodes",
                  where, nodes);
  }
  if (numa.remote_mshrs >= machine.l2.cache.mshrs) {
    ThrowBadInput("{}: numa.remote_mshrs is {}: expected less than l2.mshrs ({})", where,
                  numa.remote_mshrs, machine.l2.cache.mshrs);
  }
}

// What single ranges cannot say.
void CheckWhole(const MachineConfig& machine, const std::string& where) {
  CheckCache(machine.sm.l1, "sm.l1", where);
  CheckCache(machine.l2.cache, "l2", where);
  CheckReadOnlyCache(machine.sm.const_cache, "sm.const_cache", where);
  CheckReadOnlyCache(machine.sm.texture_cache, "sm.texture_cache", where);
  CheckReadOnlyCache(machine.sm.instruction_cache, "sm.instruction_cache", where);
  const WarpSchedulerConfig& scheduling = machine.sm.scheduling;
  if (scheduling.ccws_victim_tags % scheduling.ccws_victim_ways != 0) {
    ThrowBadInput(
        "{}: sm.scheduling.ccws_victim_tags is {}: expected a multiple of "
        "sm.scheduling.ccws_victim_ways ({})",
        where, scheduling.ccws_victim_tags, scheduling.ccws_victim_ways);
  }
  std::vector<std::string_view> schedulers;
  for (const auto* scheduler : AllWarpSchedulers()) schedulers.push_back(scheduler->name);
  if (std::find(schedulers.begin(), schedulers.end(), machine.sm.warp_scheduler) ==
      schedulers.end()) {
    ThrowBadInput("{}: sm.warp_scheduler is {}: expected one of {}", where,
                  Quoted(machine.sm.warp_scheduler), CommaSeparated(schedulers));
  }
  std::vector<std::string_view> prefetchers;
  for (const auto* prefetcher : AllPrefetchers()) prefetchers.push_back(prefetcher->name);
  if (std::find(prefetchers.begin(), prefetchers.end(), machine.sm.prefetcher) ==
      prefetchers.end()) {
    ThrowBadInput("{}: sm.prefetcher is {}: expected one of {}", where,
                  Quoted(machine.sm.prefetcher), CommaSeparated(prefetchers));
  }
  if (machine.l2.slices % machine.dram.channels != 0) {
    ThrowBadInput("{}: l2.slices is {}: expected a multiple of dram.channels ({})", where,
                  machine.l2.slices, machine.dram.channels);
  }
  CheckNodes(machine, where);
  const uint32_t ipoly = std::bit_ceil(machine.OfNode().l2.slices);
  if (machine.l2.slice_hash == SliceHash::kIpoly && ipoly != 16 && ipoly != 32 && ipoly != 64) {
    ThrowBadInput("{}: l2.slice_hash is \"ipoly\": expected 9 to 64 slices (l2.slices is {})",
                  where, machine.l2.slices);
  }
  if (machine.dram.banks % machine.dram.bank_groups != 0) {
    ThrowBadInput("{}: dram.bank_groups is {}: expected a divisor of dram.banks ({})", where,
                  machine.dram.bank_groups, machine.dram.banks);
  }
  const DramConfig& dram = machine.dram;
  if (dram.write_queue != 0 &&
      !(dram.write_low < dram.write_high && dram.write_high <= dram.write_queue)) {
    ThrowBadInput(
        "{}: dram.write_high is {}: expected more than write_low ({}), at most "
        "write_queue ({})",
        where, dram.write_high, dram.write_low, dram.write_queue);
  }
  if (machine.dram.row_bytes % 256 != 0) {
    ThrowBadInput("{}: dram.row_bytes is {}: expected a multiple of 256", where,
                  machine.dram.row_bytes);
  }
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
  CheckWhole(base, where);
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
