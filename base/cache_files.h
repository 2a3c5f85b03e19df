// What is made on first use and kept in the user's cache: whole, or made again.
#ifndef FLAGSTONE_BASE_CACHE_FILES_H_
#define FLAGSTONE_BASE_CACHE_FILES_H_

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace flagstone {

// Puts `built`, a file of the same file system, in the place of `target`: on the disk first, with
// its size and hash in TARGET.sum beside it. Another process may install the same file at the same
// time: both are good, and the last one stays. Throws kInternal ("cannot write 'F': reason").
void InstallChecked(const std::filesystem::path& built, const std::filesystem::path& target);

// What is wrong with a file that InstallChecked has put there, in words; empty where nothing is.
// Also where the file is not there: then "it is missing".
std::string ProblemOfChecked(const std::filesystem::path& file);

// True where a file is there and whole, which is then marked as used now. One that is there and not
// whole is removed, and said in one line on stderr; one without its sum is removed.
bool IsReadyInCache(const std::filesystem::path& file);

// A folder inside a cache for one build, locked while this lives and removed at its end. Folders of
// builds that were killed hold no lock any more: the next build removes them.
class BuildFolder {
 public:
  // Throws kInternal ("cannot write in 'CACHE': reason").
  explicit BuildFolder(const std::filesystem::path& cache);
  ~BuildFolder();
  BuildFolder(const BuildFolder&) = delete;
  BuildFolder& operator=(const BuildFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  int lock_ = -1;
};

// A file with its sum, or a folder, of a cache.
struct CacheEntry {
  std::filesystem::path path;
  uint64_t bytes = 0;
  std::filesystem::file_time_type used;  // last
};
// The libraries and objects in the folder of a cache and the folders in its folder `synth`, those
// used last first.
std::vector<CacheEntry> CacheEntries(const std::filesystem::path& cache);
// Removes an entry with what is beside it.
void RemoveCacheEntry(const CacheEntry& entry);

}  // namespace flagstone

#endif  // FLAGSTONE_BASE_CACHE_FILES_H_
