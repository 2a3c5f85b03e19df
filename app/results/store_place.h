// Where the store of results is.
#ifndef FLAGSTONE_APP_RESULTS_STORE_PLACE_H_
#define FLAGSTONE_APP_RESULTS_STORE_PLACE_H_

#include <filesystem>
#include <optional>
#include <string>

namespace flagstone {

// What a user writes in the place of a folder to have no store.
inline constexpr char kNoStore[] = "none";

// `asked` (--store) or, where it is empty, $FLAGSTONE_STORE, else `results` in the cache folder
// (base/paths.h). Nothing for kNoStore, and where the user has no cache folder.
std::optional<std::filesystem::path> StorePlace(const std::string& asked);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_RESULTS_STORE_PLACE_H_
