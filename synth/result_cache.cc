#include "synth/result_cache.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>

#include "base/cache_files.h"
#include "base/error.h"
#include "base/file.h"
#include "base/paths.h"

namespace flagstone {
namespace {

namespace fs = std::filesystem;

// Moves what is kept into a new folder, each file that is read again with its sum.
void Keep(const fs::path& from, const fs::path& to, const KeptFiles& files) {
  fs::create_directory(to);
  for (const auto* names : {&files.checked, &files.may_lack}) {
    for (const std::string_view name : *names) {
      if (fs::exists(from / name)) InstallChecked(from / name, to / name);
    }
  }
  for (const fs::directory_entry& file : fs::directory_iterator(from)) {
    const fs::path extension = file.path().extension();
    const bool wanted = std::any_of(files.extensions.begin(), files.extensions.end(),
                                    [&](std::string_view other) { return extension == other; });
    if (wanted && file.is_regular_file()) fs::rename(file.path(), to / file.path().filename());
  }
}

bool IsKept(const fs::path& kept, const KeptFiles& files) {
  std::error_code error;
  if (!fs::exists(fs::symlink_status(kept, error))) return false;
  for (const std::string_view name : files.checked) {
    if (!IsReadyInCache(kept / name)) return false;
  }
  for (const std::string_view name : files.may_lack) {
    if (!fs::exists(kept / (std::string(name) + ".sum"), error)) continue;
    if (!IsReadyInCache(kept / name)) return false;
  }
  fs::last_write_time(kept, fs::file_time_type::clock::now(), error);
  return true;
}

}  // namespace

fs::path KeptResult(const std::string& key, const KeptFiles& files,
                    const std::function<void(const fs::path&)>& make) {
  const fs::path cache = CacheFolder() / "synth";
  const fs::path kept = cache / key;
  if (IsKept(kept, files)) return kept;
  std::error_code error;
  fs::create_directories(cache, error);
  if (error) ThrowInternal("cannot make the folder '{}': {}", cache.string(), error.message());
  const BuildFolder build(cache);
  const fs::path work = build.path() / "work", result = build.path() / "result";
  fs::create_directory(work);
  make(work);
  Keep(work, result, files);
  fs::remove_all(kept, error);
  // Another process may have been faster: its result is as good.
  fs::rename(result, kept, error);
  return kept;
}

void RunInParallel(size_t number, size_t jobs, const std::function<bool()>& interrupted,
                   const std::function<void(size_t)>& work,
                   const std::function<void(size_t, size_t)>& after) {
  std::atomic<size_t> next = 0;
  std::mutex mutex;  // guards the three below, and the call of `after`
  size_t done = 0;
  size_t failed_at = number;
  std::exception_ptr failure;
  const auto run = [&] {
    for (size_t i = next++; i < number; i = next++) {
      try {
        if (interrupted && interrupted()) ThrowRunFailed("interrupted");
        work(i);
        const std::lock_guard<std::mutex> lock(mutex);
        after(i, ++done);
      } catch (...) {
        const std::lock_guard<std::mutex> lock(mutex);
        next = number;
        if (i < failed_at) {  // the first in order, whatever the threads did
          failed_at = i;
          failure = std::current_exception();
        }
      }
    }
  };
  std::vector<std::thread> threads;
  for (size_t i = 1; i < std::min(jobs, number); ++i) threads.emplace_back(run);
  run();
  for (std::thread& thread : threads) thread.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace flagstone
