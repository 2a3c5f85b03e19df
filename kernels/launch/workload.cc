// workload.toml as a whole: its top-level keys, the order of its buffers, names that must exist.
#include "kernels/launch/workload.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "base/error.h"
#include "base/file.h"
#include "base/toml_reader.h"
#include "kernels/launch/launch_check.h"
#include "kernels/launch/overlay.h"
#include "kernels/launch/parse.h"
#include "kernels/ptx/kernel.h"

namespace flagstone {
namespace {

struct NamedTable {
  std::string name;
  const toml::table* table;
  toml::source_position position;
};

// The tables of [buffer.*] or [check.*] in the order of the file; toml++ keeps keys sorted.
std::vector<NamedTable> TablesInFileOrder(const TomlReader& root, std::string_view key) {
  std::vector<NamedTable> tables;
  if (!root.Has(key)) return tables;
  const TomlReader reader = root.Table(key, fmt::format("[{}]", key));
  for (const auto& [name, node] : reader.table()) {
    const std::string what = fmt::format("[{}.{}]", key, name.str());
    const TomlReader table = reader.TableOf(node, what);
    tables.push_back({std::string(name.str()), &table.table(), name.source().begin});
  }
  std::stable_sort(tables.begin(), tables.end(), [](const NamedTable& a, const NamedTable& b) {
    return std::pair(a.position.line, a.position.column) <
           std::pair(b.position.line, b.position.column);
  });
  return tables;
}

void ParseLaunches(const TomlReader& root, const ParseContext& context, Workload& workload) {
  const toml::array& launches = root.Array("launch");
  for (const toml::node& node : launches) {
    workload.launches.push_back(ParseLaunch(root.TableOf(node, "[[launch]]"), context));
  }
  if (launches.empty()) {
    root.Fail(launches.source().begin, "key 'launch' is empty: expected at least one [[launch]]");
  }
}

std::map<std::string, uint64_t> ParseVariables(const TomlReader& memory) {
  std::map<std::string, uint64_t> places;
  if (!memory.Has("variables")) return places;
  const TomlReader table = memory.Table("variables", "[memory.variables]");
  for (const auto& [name, node] : table.table()) {
    places[std::string(name.str())] =
        static_cast<uint64_t>(table.Integer(name.str(), 4096, int64_t{1} << 38));
  }
  return places;
}

// All buffers lie below the local memory of the threads, at 2^38.
MemoryLayout ParseLayout(const TomlReader& table) {
  table.AllowOnly({"base", "gap", "queue_bytes", "heap_bytes", "variables"});
  const auto multiple = [&](std::string_view key, uint64_t fallback, int64_t min, int64_t max) {
    if (!table.Has(key)) return fallback;
    const auto value = static_cast<uint64_t>(table.Integer(key, min, max));
    if (value % DeviceMemory::kAlignment != 0) {
      table.Fail(table.Require(key).source().begin, "key '{}' is {}: expected a multiple of {}",
                 key, value, DeviceMemory::kAlignment);
    }
    return value;
  };
  MemoryLayout layout;
  layout.base = multiple("base", layout.base, 4096, int64_t{1} << 37);
  layout.gap = multiple("gap", layout.gap, 0, 1 << 20);
  layout.queue_bytes = multiple("queue_bytes", layout.queue_bytes, 0, 1 << 30);
  return layout;
}

}  // namespace

std::string BufferNames(const Workload& workload) {
  std::vector<std::string_view> names;
  for (const BufferSpec& buffer : workload.buffers) names.push_back(buffer.name);
  return names.empty() ? "no buffer is defined"
                       : fmt::format("expected one of {}", CommaSeparated(names));
}

Workload Workload::Parse(std::string_view text, const std::filesystem::path& path,
                         std::string_view size, const InputFiles& files, const FileReader& read) {
  const std::string file = path.string();
  toml::table table = ParseToml(text, file);
  const std::string found = ApplySize(table, size, file);
  const uint64_t hash = HashToml(table);  // the contents of `files` are added by HashInputFiles
  ApplyInputFiles(table, files);
  const TomlReader root(table, file, "the file");
  root.AllowOnly({"name", "description", "papers", "input", "memory", "buffer", "symbol", "texture",
                  "launch", "check", "size"});

  Workload workload;
  workload.path = path;
  workload.asked_size = size;
  workload.size = found;
  workload.name = root.Line("name");
  workload.description = root.String("description", "");
  if (root.Has("papers")) {
    for (const toml::node& node : root.Array("papers")) {
      if (!node.is_string()) root.FailType(node, "an element of 'papers'", "a string");
      workload.papers.push_back(node.as_string()->get());
    }
  }
  ParseContext context = {.folder = path.parent_path(), .read = read, .inputs = {}};
  for (const NamedTable& input : TablesInFileOrder(root, "input")) {
    const std::string name = fmt::format("[input.{}]", input.name);
    context.inputs.push_back(ParseInput(input.name, {*input.table, file, name}, context));
  }
  if (root.Has("memory")) {
    const TomlReader memory = root.Table("memory", "[memory]");
    const MemoryLayout layout = ParseLayout(memory);
    if (memory.Has("base") || memory.Has("gap") || memory.Has("queue_bytes")) {
      workload.layout = layout;
    }
    constexpr int64_t kMostHeap = int64_t{8} << 30;
    workload.heap_bytes = static_cast<uint64_t>(
        memory.Integer("heap_bytes", 16, kMostHeap, static_cast<int64_t>(workload.heap_bytes)));
    workload.variables = ParseVariables(memory);
  }
  for (const NamedTable& buffer : TablesInFileOrder(root, "buffer")) {
    const std::string name = fmt::format("[buffer.{}]", buffer.name);
    workload.buffers.push_back(ParseBuffer(buffer.name, {*buffer.table, file, name}, context));
  }
  for (const NamedTable& symbol : TablesInFileOrder(root, "symbol")) {
    const std::string name = fmt::format("[symbol.{}]", symbol.name);
    workload.symbols.push_back(ParseSymbol(symbol.name, {*symbol.table, file, name}, context));
  }
  for (const NamedTable& texture : TablesInFileOrder(root, "texture")) {
    const std::string name = fmt::format("[texture.{}]", texture.name);
    workload.textures.push_back(ParseTexture(texture.name, {*texture.table, file, name}));
  }
  ParseLaunches(root, context, workload);
  for (const NamedTable& check : TablesInFileOrder(root, "check")) {
    const TomlReader reader(*check.table, file, fmt::format("[check.{}]", check.name));
    if (workload.FindBuffer(check.name) == nullptr) {
      reader.Fail(check.position, "check of unknown buffer {}: {}", Quoted(check.name),
                  BufferNames(workload));
    }
    workload.checks.push_back(ParseCheck(check.name, reader, context.folder));
  }
  CheckTextures(workload);
  CheckBufferArguments(workload);
  workload.loops = FindLoops(workload);
  CheckHostSteps(workload);
  workload.inputs = std::move(context.inputs);
  workload.input_hash = hash;
  return workload;
}

Workload Workload::Load(const std::filesystem::path& toml, std::string_view size,
                        const InputFiles& files, For purpose) {
  return LoadText(ReadFile(toml), toml, size, files, purpose);
}

Workload Workload::LoadText(std::string_view text, const std::filesystem::path& toml,
                            std::string_view size, const InputFiles& files, For purpose) {
  Workload workload = Parse(text, toml, size, files);
  CountJagged(workload);
  CheckTextures(workload);
  CheckBufferArguments(workload);
  LoadModules(workload);
  CheckLaunches(workload, purpose);
  CheckSymbols(workload);
  HashInputFiles(workload);
  return workload;
}

std::vector<std::string> Workload::UnusedBuffers() const {
  std::set<std::string> used;
  for (const LaunchSpec& launch : launches) {
    used.insert(launch.until_zero);
    for (const ArgumentSpec& argument : launch.arguments) used.insert(argument.buffer);
    for (const HostWrite& write : launch.writes) used.insert(write.region);
  }
  for (const TextureSpec& texture : textures) used.insert(texture.buffer);
  std::vector<std::string> unused;
  for (const BufferSpec& buffer : buffers) {
    if (!buffer.address && !used.contains(buffer.name)) unused.push_back(buffer.name);
  }
  return unused;
}

const BufferSpec* Workload::FindBuffer(std::string_view buffer) const {
  const auto found = std::find_if(buffers.begin(), buffers.end(),
                                  [&](const BufferSpec& spec) { return spec.name == buffer; });
  return found == buffers.end() ? nullptr : &*found;
}

const ptx::Kernel& Workload::KernelOf(size_t launch) const {
  return modules[launch_modules[launch]]->FindKernel(launches[launch].entry);
}

}  // namespace flagstone
