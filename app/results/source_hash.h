// One value for the bytes of many source files: what tells builds apart whose results may differ.
#ifndef FLAGSTONE_APP_RESULTS_SOURCE_HASH_H_
#define FLAGSTONE_APP_RESULTS_SOURCE_HASH_H_

#include <filesystem>
#include <set>
#include <string>

namespace flagstone {

// 16 hexadecimal digits of the files below `folder` with one of `extensions` (".cc"): of their
// paths from there and their bytes. A folder that is not there is an Error:
// its edits would change no hash.
std::string HashSources(const std::filesystem::path& folder,
                        const std::set<std::string>& extensions);

// The same of a folder of RTL: of all that Verilator may read.
std::string HashRtl(const std::filesystem::path& folder);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_RESULTS_SOURCE_HASH_H_
