#include "app/flow/run/checkpoint.h"

#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "app/flow/run/checkpoint_launch.h"
#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"

namespace flagstone {
namespace {

using Json = CheckpointJson;

constexpr const char* kSchema = "flagstone.checkpoint/3";
static_assert(std::is_trivially_copyable_v<LaunchStatistics>);

uint64_t HashOf(std::string_view bytes) {
  Fnv1a hash;
  hash.Add(bytes);
  return hash.Value();
}

template <class T>
void Append(const T& value, std::string* bytes) {
  bytes->append(reinterpret_cast<const char*>(&value), sizeof value);
}

// The keys that the run that goes on must share, in the order in which they are compared.
Json Identity(const RunOptions& options, const RunRecord& record) {
  return {{"version", options.version},
          {"input_hash", record.input_hash},
          {"config_hash", record.config_hash},
          {"engine", record.engine},
          {"values", record.values}};
}

const char* Meaning(const std::string& key) {
  if (key == "version") return "version of Flagstone";
  if (key == "input_hash") return "workload, size or input";
  if (key == "config_hash") return "machine, policy, seed or other configuration";
  return key == "engine" ? "engine" : "choice of values";
}

// Reads the file from its front.
class Reader {
 public:
  Reader(const std::string& file, std::string_view bytes) : file_(file), bytes_(bytes) {}

  std::string_view Take(uint64_t size) {
    if (size > bytes_.size()) Damaged("it ends early");
    const std::string_view taken = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return taken;
  }
  std::string_view TakeLine() {
    const size_t end = bytes_.find('\n');
    if (end == std::string_view::npos) Damaged("it has no first line");
    const std::string_view line = Take(end);
    Take(1);
    return line;
  }
  template <class T>
  T Value() {
    T value;
    std::memcpy(&value, Take(sizeof value).data(), sizeof value);
    return value;
  }
  bool empty() const { return bytes_.empty(); }

  [[noreturn]] void Damaged(const char* why) const {
    ThrowBadInput("'{}' is no whole checkpoint: {}", file_, why);
  }

 private:
  const std::string& file_;
  std::string_view bytes_;
};

void RestoreMemory(const Json& header, Reader* reader, DeviceMemory* memory) {
  for (const Json& json : header.at("regions")) {
    const uint64_t size = json.at("size");
    const uint64_t address = json.at("address");
    const std::string name = json.at("name");
    // What launches have added since the start: queues of TB ids.
    const DeviceMemory::Region* known = memory->Find(address, size);
    if (known == nullptr || known->address != address) memory->AllocateQueue(name, size);
    const DeviceMemory::Region* found = memory->Find(address, size);
    if (found == nullptr || found->name != name || found->size != size ||
        found->address != address) {
      reader->Damaged("its memory is not that of the workload");
    }
    const DeviceMemory::Region& region = *found;
    const std::string_view contents = reader->Take(size);
    if (size != 0) std::memcpy(memory->At(region.address), contents.data(), size);
  }
  if (memory->regions().size() != header.at("regions").size()) {
    reader->Damaged("its memory is not that of the workload");
  }
}

// The sizes of the caches' contents, which `payload` takes.
Json CachesJson(const std::vector<TagArray>& caches, std::string* payload) {
  Json sizes = Json::array();
  for (const TagArray& cache : caches) {
    const std::string bytes = cache.Bytes();
    sizes.push_back(bytes.size());
    *payload += bytes;
  }
  return sizes;
}

std::vector<TagArray> RestoreCaches(const Json& sizes, Reader* reader) {
  std::vector<TagArray> caches;
  for (const Json& size : sizes) {
    std::optional<TagArray> cache = TagArray::OfBytes(reader->Take(size.get<uint64_t>()));
    if (!cache) reader->Damaged("its caches are not those of the machine");
    caches.push_back(*std::move(cache));
  }
  return caches;
}

void Restore(const Json& header, Reader* reader, const RunState& state) {
  const Json& position = header.at("position");
  state.sequence->Resume({position.at(0), position.at(1), position.at(2)});
  RunRecord& record = *state.record;
  record.lockstep_cycles = header.at("lockstep_cycles");
  for (const Json& block : header.at("blocks")) {
    record.blocks.push_back({block.at(0), block.at(1)});
  }
  for (const Json& json : header.at("launches")) {
    record.launches.push_back(LaunchFromCheckpoint(json));
    record.launches.back().statistics = reader->Value<LaunchStatistics>();
    record.totals += record.launches.back().statistics;
  }
  RestoreMemory(header, reader, state.memory);
  const auto placed = header.at("pages").get<std::vector<uint64_t>>();
  if (!state.pages->Restore(*state.memory, placed)) {
    reader->Damaged("its pages are not those of the workload");
  }
  state.caches->l2 = RestoreCaches(header.at("l2"), reader);
  for (const Json& of_sm : header.at("read_only")) {
    state.caches->read_only.push_back(RestoreCaches(of_sm, reader));
  }
}

}  // namespace

void SaveCheckpoint(const std::string& file, const RunOptions& options, const RunState& state) {
  const RunRecord& record = *state.record;
  Json header = {{"schema", kSchema}};
  header.update(Identity(options, record));
  const LaunchSequence::Position position = state.sequence->position();
  header["position"] = {position.loop, position.launch, position.round};
  header["lockstep_cycles"] = record.lockstep_cycles;
  header["blocks"] = Json::array();
  for (const BlockBody& block : record.blocks) header["blocks"].push_back({block.path, block.body});
  header["launches"] = Json::array();
  header["pages"] = state.pages->Save();
  header["regions"] = Json::array();
  std::string payload;
  for (const LaunchRecord& launch : record.launches) {
    header["launches"].push_back(LaunchToCheckpoint(launch));
    Append(launch.statistics, &payload);
  }
  for (const DeviceMemory::Region& region : state.memory->regions()) {
    header["regions"].push_back({{"name", region.name},
                                 {"address", region.address},
                                 {"size", region.size},
                                 {"writable", region.writable}});
    payload.append(reinterpret_cast<const char*>(state.memory->At(region.address)), region.size);
  }
  header["l2"] = CachesJson(state.caches->l2, &payload);
  header["read_only"] = Json::array();
  for (const std::vector<TagArray>& of_sm : state.caches->read_only) {
    header["read_only"].push_back(CachesJson(of_sm, &payload));
  }
  std::string bytes = header.dump() + "\n" + payload;
  Append(HashOf(bytes), &bytes);
  WriteFileAtomically(file, bytes);
}

void LoadCheckpoint(const std::string& file, const RunOptions& options, const RunState& state) {
  const std::string bytes = ReadFile(file);
  Reader reader(file, bytes);
  const Json header = Json::parse(reader.TakeLine(), nullptr, /*allow_exceptions=*/false);
  if (!header.is_object() || !header.contains("schema")) reader.Damaged("it is of another kind");
  if (header["schema"] != kSchema) {
    ThrowBadInput("'{}' has the format {}: expected {}", file, header["schema"].dump(), kSchema);
  }
  const Json identity = Identity(options, *state.record);
  for (const auto& [key, value] : identity.items()) {
    if (!header.contains(key) || header[key] != value) {
      ThrowBadInput("'{}' is the checkpoint of another {} ({}: {}, here {})", file, Meaning(key),
                    key, header.contains(key) ? header[key].dump() : "none", value.dump());
    }
  }
  const std::string_view all = bytes;
  if (all.size() < sizeof(uint64_t)) reader.Damaged("it ends early");
  Reader end(file, all.substr(all.size() - sizeof(uint64_t)));
  if (end.Value<uint64_t>() != HashOf(all.substr(0, all.size() - sizeof(uint64_t)))) {
    reader.Damaged("its bytes are not those that were written");
  }
  try {
    Restore(header, &reader, state);
  } catch (const Json::exception&) {
    reader.Damaged("a key of its first line is missing or of another type");
  }
}

}  // namespace flagstone
