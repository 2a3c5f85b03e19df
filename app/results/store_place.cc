#include "app/results/store_place.h"

#include <cstdlib>

#include "base/error.h"
#include "base/paths.h"

namespace flagstone {

std::optional<std::filesystem::path> StorePlace(const std::string& asked) {
  const char* const variable = std::getenv("FLAGSTONE_STORE");
  const std::string named = !asked.empty() ? asked : variable != nullptr ? variable : "";
  if (named == kNoStore) return std::nullopt;
  if (!named.empty()) return named;
  try {
    return CacheFolder() / "results";
  } catch (const Error&) {
    return std::nullopt;  // a run needs no store, and so no home
  }
}

}  // namespace flagstone
