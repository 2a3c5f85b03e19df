#include "base/paths.h"

#include <dlfcn.h>

#include <cstdlib>
#include <system_error>

#include "base/error.h"

namespace flagstone {
namespace {

bool HoldsData(const std::filesystem::path& folder) {
  std::error_code ignored;
  return std::filesystem::is_directory(folder / "workloads", ignored);
}

// share/flagstone of the installation whose shared library this code is in; empty where it is in a
// program.
std::filesystem::path BesideLibrary() {
  Dl_info info = {};
  if (dladdr(reinterpret_cast<const void*>(&HoldsData), &info) == 0) return {};
  std::error_code error;
  const auto file = std::filesystem::canonical(info.dli_fname, error);
  if (error || file.filename().string().find(".so") == std::string::npos) return {};
  // In lib, or a folder deeper, in lib/x86_64-linux-gnu.
  const auto prefix = file.parent_path().parent_path();
  for (const auto& folder : {prefix, prefix.parent_path()}) {
    if (HoldsData(folder / "share" / "flagstone")) return folder / "share" / "flagstone";
  }
  return {};
}

}  // namespace

std::filesystem::path DataFolder() {
  if (const char* home = std::getenv("FLAGSTONE_HOME"); home != nullptr && *home != '\0') {
    if (HoldsData(home)) return home;
    ThrowBadInput("FLAGSTONE_HOME is '{}', which has no folder 'workloads'", home);
  }
  if (auto beside = BesideLibrary(); !beside.empty()) return beside;
  std::error_code error;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", error);
  if (!error) {
    auto installed = program.parent_path().parent_path() / "share" / "flagstone";
    if (HoldsData(installed)) return installed;
  }
  if (HoldsData(FLAGSTONE_SOURCE_DIR)) return FLAGSTONE_SOURCE_DIR;
  ThrowInternal("cannot find Flagstone's workloads: set FLAGSTONE_HOME to the folder with them");
}

std::filesystem::path CacheFolder() {
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && *cache != '\0') {
    // Tools that run in folders of their own get paths in it.
    return std::filesystem::absolute(cache) / "flagstone";
  }
  if (const char* home = std::getenv("HOME"); home != nullptr && *home != '\0') {
    return std::filesystem::path(home) / ".cache" / "flagstone";
  }
  ThrowInternal("no folder for what is built on first use: set XDG_CACHE_HOME or HOME");
}

}  // namespace flagstone
