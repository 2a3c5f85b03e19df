// Where the command finds its workloads, machines and RTL: in the source tree when built there, in
// the installation's share folder after `cmake --install`.
#ifndef FLAGSTONE_BASE_PATHS_H_
#define FLAGSTONE_BASE_PATHS_H_

#include <filesystem>

namespace flagstone {

// The folder that holds workloads/, gpu_model/machines/, rtl/. $FLAGSTONE_HOME wins; then
// ../share/flagstone beside the shared library that this code is in, or beside the running program;
// then the source tree it was built from.
// Throws kInternal when none of them exists.
std::filesystem::path DataFolder();

// Where results that take long are kept: $XDG_CACHE_HOME/flagstone, else ~/.cache/flagstone. Throws
// kInternal when neither is set.
std::filesystem::path CacheFolder();

}  // namespace flagstone

#endif  // FLAGSTONE_BASE_PATHS_H_
