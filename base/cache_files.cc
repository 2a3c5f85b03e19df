#include "base/cache_files.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>

#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"

namespace flagstone {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPrefix = "build-";
constexpr const char* kSum = ".sum";

fs::path SumOf(const fs::path& file) { return file.string() + kSum; }

std::string SumText(std::string_view bytes) {
  Fnv1a hash;
  hash.Add(bytes);
  return fmt::format("{} {:016x}\n", bytes.size(), hash.Value());
}

void Flush(const fs::path& file) {
  const int descriptor = open(file.c_str(), O_RDONLY | O_CLOEXEC);
  const bool good = descriptor >= 0 && fsync(descriptor) == 0;
  const int reason = errno;
  if (descriptor >= 0) close(descriptor);
  if (!good) ThrowInternal("cannot write '{}': {}", file.string(), std::strerror(reason));
}

void Rename(const fs::path& from, const fs::path& to) {
  std::error_code error;
  fs::rename(from, to, error);
  if (error) ThrowInternal("cannot write '{}': {}", to.string(), error.message());
}

// Holds the lock of all folders of builds, so that none is removed between its making and its lock.
class BuildsLock {
 public:
  explicit BuildsLock(const fs::path& cache)
      : descriptor_(open((cache / ".builds").c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0666)) {
    while (descriptor_ >= 0 && flock(descriptor_, LOCK_EX) != 0 && errno == EINTR) {
    }
  }
  ~BuildsLock() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  BuildsLock(const BuildsLock&) = delete;
  BuildsLock& operator=(const BuildsLock&) = delete;

 private:
  int descriptor_;
};

void RemoveLeftFolders(const fs::path& cache) {
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(cache, error)) {
    if (!entry.path().filename().native().starts_with(kPrefix)) continue;
    const int folder = open(entry.path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) continue;
    if (flock(folder, LOCK_EX | LOCK_NB) == 0) fs::remove_all(entry.path(), error);
    close(folder);
  }
}

uint64_t SizeOf(const fs::path& path) {
  std::error_code error;
  if (!fs::is_directory(path, error)) return fs::file_size(path, error);
  uint64_t bytes = 0;
  for (const fs::directory_entry& file : fs::recursive_directory_iterator(path, error)) {
    std::error_code none;
    if (file.is_regular_file(none)) bytes += file.file_size(none);
  }
  return bytes;
}

}  // namespace

void InstallChecked(const fs::path& built, const fs::path& target) {
  Flush(built);
  const fs::path sum = SumOf(built);
  WriteFileAtomically(sum, SumText(ReadFile(built)));
  Flush(sum);
  // The sum comes first: who sees the file sees its sum.
  Rename(sum, SumOf(target));
  Rename(built, target);
}

std::string ProblemOfChecked(const fs::path& file) {
  std::error_code error;
  const fs::file_type type = fs::symlink_status(file, error).type();
  if (type == fs::file_type::not_found) return "it is missing";
  if (type != fs::file_type::regular) return "it is no regular file";
  if (!fs::is_regular_file(fs::symlink_status(SumOf(file), error))) {
    return "its size and hash are not beside it";
  }
  try {
    if (ReadFile(SumOf(file)) == SumText(ReadFile(file))) return "";
  } catch (const Error& unreadable) {
    return unreadable.what();
  }
  return "its bytes are not those that were written";
}

bool IsReadyInCache(const fs::path& file) {
  // Asked first: a file that another process installs meanwhile is not one that is damaged.
  std::error_code error;
  if (!fs::exists(fs::symlink_status(file, error))) return false;
  const std::string problem = ProblemOfChecked(file);
  if (problem.empty()) {
    fs::last_write_time(SumOf(file), fs::file_time_type::clock::now(), error);
    return true;
  }
  if (!fs::exists(fs::symlink_status(file, error))) return false;
  // Of a build without sums, or one that was killed between both files: nothing is damaged.
  const bool lacks_sum = !fs::exists(fs::symlink_status(SumOf(file), error));
  if (!lacks_sum)
    fmt::print(stderr, "warning: '{}' in the cache is damaged ({}): it is made again\n",
               file.string(), problem);
  fs::remove_all(file, error);
  return false;
}

BuildFolder::BuildFolder(const fs::path& cache) {
  const BuildsLock lock(cache);
  RemoveLeftFolders(cache);
  std::string name = (cache / (std::string(kPrefix) + "XXXXXX")).string();
  if (mkdtemp(name.data()) == nullptr) {
    ThrowInternal("cannot write in '{}': {}", cache.string(), std::strerror(errno));
  }
  path_ = name;
  lock_ = open(name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (lock_ >= 0) flock(lock_, LOCK_EX);
}

BuildFolder::~BuildFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
  if (lock_ >= 0) close(lock_);
}

std::vector<CacheEntry> CacheEntries(const fs::path& cache) {
  std::vector<CacheEntry> entries;
  std::error_code error;
  for (const fs::directory_entry& file : fs::directory_iterator(cache, error)) {
    const fs::path extension = file.path().extension();
    if (extension != ".so" && extension != ".o") continue;
    const fs::path sum = SumOf(file.path());
    std::error_code none;
    const auto used = fs::last_write_time(fs::exists(sum, none) ? sum : file.path(), none);
    entries.push_back({file.path(), SizeOf(file.path()), used});
  }
  for (const fs::directory_entry& folder : fs::directory_iterator(cache / "synth", error)) {
    const std::string name = folder.path().filename().string();
    if (name.starts_with(kPrefix) || name.starts_with(".")) continue;
    std::error_code none;
    entries.push_back(
        {folder.path(), SizeOf(folder.path()), fs::last_write_time(folder.path(), none)});
  }
  std::sort(entries.begin(), entries.end(), [](const CacheEntry& a, const CacheEntry& b) {
    return a.used != b.used ? a.used > b.used : a.path < b.path;
  });
  return entries;
}

void RemoveCacheEntry(const CacheEntry& entry) {
  std::error_code error;
  fs::remove(SumOf(entry.path), error);
  fs::remove_all(entry.path, error);
  if (error) ThrowInternal("cannot remove '{}': {}", entry.path.string(), error.message());
}

}  // namespace flagstone
