// Folders of results in CacheFolder()/synth: made once, whole, and read again until their cause
// changes.
#ifndef FLAGSTONE_SYNTH_RESULT_CACHE_H_
#define FLAGSTONE_SYNTH_RESULT_CACHE_H_

#include <exception>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace flagstone {

// What of a work folder is kept.
struct KeptFiles {
  std::vector<std::string_view> checked;     // read again, each with its sum
  std::vector<std::string_view> may_lack;    // the same, where the work has made them
  std::vector<std::string_view> extensions;  // ".v": files that stand there for readers
};

// The folder CacheFolder()/synth/KEY. Where it is not there and whole, `make` is called with an
// empty work folder, and what it leaves of `files` is put there at once. Throws kInternal where the
// cache cannot be written.
std::filesystem::path KeptResult(const std::string& key, const KeptFiles& files,
                                 const std::function<void(const std::filesystem::path&)>& make);

// Calls work(i) for each i below `number`, `jobs` at once, in threads, and after each that is done,
// one at a time, after(i, how many are). After a failure no more are begun; the first one in order
// is thrown. `interrupted` is asked before each: true is a failure (kRunFailed).
void RunInParallel(size_t number, size_t jobs, const std::function<bool()>& interrupted,
                   const std::function<void(size_t)>& work,
                   const std::function<void(size_t, size_t)>& after);

}  // namespace flagstone

#endif  // FLAGSTONE_SYNTH_RESULT_CACHE_H_
