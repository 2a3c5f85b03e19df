#include "app/results/result_store.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <exception>
#include <random>
#include <system_error>
#include <utility>

#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"

namespace flagstone {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSchema = "flagstone.result/2";
constexpr const char* kTemporary = ".tmp";
constexpr const char* kDamaged = "damaged";

// The checksum covers the name, so that one result's file under another's name is none.
std::string HeaderOf(std::string_view name, std::string_view payload) {
  Fnv1a hash;
  hash.Add(name);
  hash.Add(payload);
  const Json header = {{"schema", kSchema}, {"checksum", fmt::format("{:016x}", hash.Value())}};
  return header.dump();
}

// Takes a result from its file's bytes; what is wrong with them, or nothing.
std::string Parse(std::string_view name, std::string_view bytes, StoredResult* result) {
  const size_t end = bytes.find('\n');
  if (end == std::string_view::npos || bytes.back() != '\n') return "it ends early";
  if (end + 1 == bytes.size()) return "it ends early";
  const std::string_view payload = bytes.substr(end + 1, bytes.size() - end - 2);
  if (bytes.substr(0, end) != HeaderOf(name, payload)) {
    return "its bytes are not those that were written under this name";
  }
  Json json = Json::parse(payload);
  result->code = json.at("code");
  result->version = json.at("version");
  result->workload = json.at("workload");
  result->record = std::move(json.at("record"));
  return "";
}

// A FIFO or a device would be read without end, and a link leads out of the store.
std::string Read(const fs::path& path, StoredResult* result) {
  std::error_code none;
  if (fs::symlink_status(path, none).type() != fs::file_type::regular) {
    return "it is no regular file";
  }
  try {
    return Parse(path.stem().string(), ReadFile(path), result);
  } catch (const std::exception& error) {
    return error.what();
  }
}

// Unlike a number of a process, no other process of any node has it.
std::string OwnName() {
  char host[256] = {};
  gethostname(host, sizeof host - 1);
  std::random_device random;
  return fmt::format("{}.{}.{:08x}{:08x}", host, getpid(), random(), random());
}

// Also a link that leads nowhere.
bool Exists(const fs::path& path) {
  std::error_code error;
  return fs::exists(fs::symlink_status(path, error));
}

}  // namespace

ResultStore::ResultStore(fs::path folder, Say say)
    : folder_(std::move(folder)), say_(std::move(say)) {}

fs::path ResultStore::PathOf(const std::string& name) const {
  return folder_ / name.substr(0, 2) / (name + ".json");
}

std::optional<StoredResult> ResultStore::Get(const std::string& name) const {
  if (!Exists(PathOf(name))) return std::nullopt;
  if (IsClosed(name)) {
    say_(
        fmt::format("the store cannot read '{}': it is another user's, and computed again "
                    "(docs/command.md says how users share a store)",
                    PathOf(name).string()));
    return std::nullopt;
  }
  StoredResult result;
  const std::string problem = Read(PathOf(name), &result);
  if (problem.empty()) return result;
  if (!Exists(PathOf(name))) return std::nullopt;  // removed by another process meanwhile
  say_(
      fmt::format("the stored result '{}' is damaged ({}): it is set aside as '{}', and computed "
                  "again",
                  PathOf(name).string(), problem, SetAside(name)));
  return std::nullopt;
}

bool ResultStore::IsClosed(const std::string& name) const {
  return access(PathOf(name).c_str(), R_OK) != 0 && errno == EACCES;
}

void ResultStore::Put(const std::string& name, const StoredResult& result) const {
  const Json payload = {{"code", result.code},
                        {"version", result.version},
                        {"workload", result.workload},
                        {"record", result.record}};
  const std::string text = payload.dump();
  WriteDurably(PathOf(name), HeaderOf(name, text) + "\n" + text + "\n", folder_);
}

std::string ResultStore::Unreadable() const {
  const auto readable = [](const fs::path& folder) {
    return access(folder.c_str(), R_OK | X_OK) == 0 || errno == ENOENT;
  };
  std::error_code error;
  const bool is_folder = fs::is_directory(folder_, error);
  if (error == std::errc::permission_denied || (is_folder && !readable(folder_))) {
    return fmt::format("'{}'", folder_.string());
  }
  if (!is_folder) return "";
  size_t count = 0;
  std::string first;
  for (const fs::directory_entry& group : fs::directory_iterator(folder_, error)) {
    if (group.path().filename().native().size() != 2 || readable(group.path())) continue;
    const std::string name = group.path().string();
    if (count++ == 0 || name < first) first = name;
  }
  if (count == 0) return "";
  return fmt::format("'{}'{}", first, count == 1 ? "" : fmt::format(" and {} more", count - 1));
}

void ResultStore::ForEachName(const std::function<void(std::string_view)>& visit) const {
  constexpr std::string_view kEnding = ".json";
  std::error_code error;
  for (const fs::directory_entry& group : fs::directory_iterator(folder_, error)) {
    if (group.path().filename().native().size() != 2) continue;
    for (const fs::directory_entry& file : fs::directory_iterator(group.path(), error)) {
      const std::string name = file.path().filename().string();
      if (name.front() == '.' || !name.ends_with(kEnding)) continue;
      visit(name.substr(0, name.size() - kEnding.size()));
    }
  }
}

std::vector<std::string> ResultStore::Names() const {
  std::vector<std::string> names;
  ForEachName([&](std::string_view name) { names.emplace_back(name); });
  std::sort(names.begin(), names.end());
  return names;
}

std::string ResultStore::Problem(const std::string& name) const {
  StoredResult result;
  return Read(PathOf(name), &result);
}

std::string ResultStore::SetAside(const std::string& name) const {
  const fs::path aside = folder_ / kDamaged / (name + "." + OwnName());
  std::error_code error;
  fs::create_directories(aside.parent_path(), error);
  fs::rename(PathOf(name), aside, error);
  return aside.string();
}

uint64_t ResultStore::RemoveDamaged() const {
  std::error_code error;
  const uint64_t removed = fs::remove_all(folder_ / kDamaged, error);
  return error || removed == 0 ? 0 : removed - 1;  // the folder counts too
}

void WriteDurably(const fs::path& path, std::string_view bytes, const fs::path& shown) {
  const auto fail = [&](int reason) {
    ThrowInternal("cannot write in '{}': {}", shown.string(), std::strerror(reason));
  };
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  if (error) fail(error.value());
  const TemporaryName temporary(
      (path.parent_path() / ("." + path.filename().string() + "." + OwnName() + kTemporary))
          .string());
  const int file = open(temporary.path().c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file < 0) fail(errno);
  int reason = 0;
  while (reason == 0 && !bytes.empty()) {
    const ssize_t written = write(file, bytes.data(), bytes.size());
    if (written > 0) bytes.remove_prefix(static_cast<size_t>(written));
    if (written < 0 && errno != EINTR) reason = errno;
  }
  if (reason == 0 && fsync(file) != 0) reason = errno;
  if (close(file) != 0 && reason == 0) reason = errno;
  if (reason == 0 && std::rename(temporary.path().c_str(), path.c_str()) != 0) reason = errno;
  if (reason != 0) fail(reason);
}

uint64_t RemoveLeftTemporaries(const fs::path& folder) {
  // Made anew: when it was written is now, on the clock that dates all files here.
  const fs::path clock = folder / ("." + OwnName() + kTemporary);
  std::error_code error;
  if (!Exists(folder)) return 0;
  WriteFileAtomically(clock, "");
  const auto now = fs::last_write_time(clock);
  uint64_t removed = 0;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder, error)) {
    if (entry.path().extension() != kTemporary) continue;
    const bool old = now - fs::last_write_time(entry.path(), error) > std::chrono::hours(1);
    if (!error && old && fs::remove(entry.path(), error)) ++removed;
  }
  fs::remove(clock, error);
  return removed;
}

}  // namespace flagstone
