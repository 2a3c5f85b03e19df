#include "kernels/launch/overlay.h"

#include <algorithm>
#include <bit>
#include <filesystem>
#include <initializer_list>
#include <sstream>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/hash.h"
#include "base/toml_reader.h"

namespace flagstone {
namespace {

// Moves a node of any type under `key`; a copy would lose its position in the file.
void Put(toml::table& into, const toml::key& key, toml::node& node) {
  node.visit([&](auto& value) { into.insert_or_assign(key, std::move(value)); });
}

void Merge(toml::table& base, toml::table& over) {
  for (auto&& [key, node] : over) {
    toml::node* old = base.get(key.str());
    if (old != nullptr && old->is_table() && node.is_table()) {
      Merge(*old->as_table(), *node.as_table());
    } else {
      Put(base, key, node);
    }
  }
}

void DropAllBut(toml::table& table, std::initializer_list<std::string_view> kept) {
  for (auto it = table.begin(); it != table.end();) {
    const bool keep = std::find(kept.begin(), kept.end(), it->first.str()) != kept.end();
    it = keep ? std::next(it) : table.erase(it);
  }
}

// A buffer that gets another fill keeps only its type and count from the base.
void DropOldFill(toml::table& base, const toml::table& over) {
  if (over.contains("fill")) DropAllBut(base, {"type", "count"});
}

void DropOldKind(toml::table& base, const toml::table& over) {
  if (over.contains("kind")) base.clear();
}

void DropOldExpectation(toml::table& base, const toml::table& over) {
  if (!over.contains("file") && !over.contains("reference")) return;
  base.erase("file");
  base.erase("reference");
}

// Calls drop(base, over) for each table that both `base[key]` and `over[key]` hold.
void ForCommonTables(toml::table& base, toml::table& over, std::string_view key,
                     void (*drop)(toml::table&, const toml::table&)) {
  toml::table* bases = base[key].as_table();
  toml::table* overs = over[key].as_table();
  if (bases == nullptr || overs == nullptr) return;
  for (auto&& [name, node] : *overs) {
    toml::node* old = bases->get(name.str());
    if (old != nullptr && old->is_table() && node.is_table()) {
      drop(*old->as_table(), *node.as_table());
    }
  }
}

// An overlay that is no array of tables stays where it is, replaces the launches and is reported.
void MergeLaunches(toml::table& base, toml::table& over) {
  toml::array* launches = base["launch"].as_array();
  toml::array* overs = over["launch"].as_array();
  if (launches == nullptr || overs == nullptr) return;
  if (!launches->is_homogeneous<toml::table>() || !overs->is_homogeneous<toml::table>()) return;
  size_t index = 0;
  for (toml::node& node : *overs) {
    if (index < launches->size()) {
      Merge(*launches->get(index)->as_table(), *node.as_table());
    } else {
      launches->push_back(std::move(*node.as_table()));
    }
    ++index;
  }
  over.erase("launch");
}

void Hash(const toml::node& node, Fnv1a& hash) {
  hash.Add(static_cast<uint64_t>(node.type()));
  if (const toml::table* table = node.as_table()) {
    hash.Add(uint64_t{table->size()});
    for (const auto& [key, value] : *table) {  // sorted by key
      hash.Add(uint64_t{key.str().size()});
      hash.Add(key.str());
      Hash(value, hash);
    }
  } else if (const toml::array* array = node.as_array()) {
    hash.Add(uint64_t{array->size()});
    for (const toml::node& value : *array) Hash(value, hash);
  } else if (const auto* text = node.as_string()) {
    hash.Add(uint64_t{text->get().size()});
    hash.Add(std::string_view{text->get()});
  } else if (const auto* integer = node.as_integer()) {
    hash.Add(static_cast<uint64_t>(integer->get()));
  } else if (const auto* real = node.as_floating_point()) {
    hash.Add(std::bit_cast<uint64_t>(real->get()));
  } else if (const auto* boolean = node.as_boolean()) {
    hash.Add(uint64_t{boolean->get()});
  }  // no key takes a date or a time
}

}  // namespace

std::string ApplySize(toml::table& file_table, std::string_view size, const std::string& file) {
  if (size != "test" && size != "medium" && size != "ladm" && size != "paper") {
    ThrowBadInput("unknown size {}: expected one of test, medium, ladm, paper", Quoted(size));
  }
  const TomlReader root(file_table, file, "the file");
  if (!root.Has("size")) return "";
  const TomlReader sizes = root.Table("size", "[size]");
  sizes.AllowOnly({"test", "medium", "ladm", "paper"});
  std::string found(sizes.Has("paper") ? "base" : "paper");
  if (sizes.Has(size)) {
    found = size;
    sizes.Table(size, fmt::format("[size.{}]", size));  // throws when it is no table
    toml::table over = std::move(*file_table["size"][size].as_table());
    if (over.contains("size")) {
      root.Fail(over.find("size")->first.source().begin,
                "key 'size' inside [size.{}]: expected keys of the file itself", size);
    }
    ForCommonTables(file_table, over, "input", DropOldKind);
    ForCommonTables(file_table, over, "buffer", DropOldFill);
    ForCommonTables(file_table, over, "symbol", DropOldFill);
    ForCommonTables(file_table, over, "check", DropOldExpectation);
    MergeLaunches(file_table, over);
    Merge(file_table, over);
  }
  file_table.erase("size");
  return found;
}

void ApplyInputFiles(toml::table& file_table, const InputFiles& files) {
  for (const auto& [name, path] : files) {
    const std::string absolute = std::filesystem::absolute(path).string();
    toml::table* input = file_table["input"][name].as_table();
    toml::table* buffer = file_table["buffer"][name].as_table();
    if (input != nullptr) {
      DropAllBut(*input, {"symmetric"});
      input->insert_or_assign("kind", "file");
      input->insert_or_assign("file", absolute);
    } else if (buffer != nullptr) {
      DropAllBut(*buffer, {"type", "count"});
      buffer->insert_or_assign("fill", "file");
      buffer->insert_or_assign("file", absolute);
    } else {
      std::vector<std::string_view> names;
      for (const char* kind : {"input", "buffer"}) {
        if (const toml::table* tables = file_table[kind].as_table()) {
          for (const auto& entry : *tables) names.push_back(entry.first.str());
        }
      }
      ThrowBadInput("input {}: expected one of {}", Quoted(name), CommaSeparated(names));
    }
  }
}

uint64_t HashToml(const toml::table& table) {
  Fnv1a hash;
  Hash(table, hash);
  return hash.Value();
}

}  // namespace flagstone
