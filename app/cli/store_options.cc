#include "app/cli/store_options.h"

#include <fmt/core.h>

#include <utility>

#include "app/results/store_place.h"
#include "base/error.h"

namespace flagstone {

void StoreOptions::AddFolder(Verb* verb) {
  verb->Add("--store", &folder,
            "Folder of results, or 'none' (default: $FLAGSTONE_STORE,\n"
            "else flagstone/results in the user's cache)")
      .Type("DIR")
      .FileName();
}

void StoreOptions::AddTo(Verb* verb) {
  AddFolder(verb);
  verb->AddFlag("--fresh", &fresh, "Simulate also what the store holds");
}

void Warn(const std::string& line) { fmt::print(stderr, "warning: {}\n", line); }

OpenedStore::OpenedStore(const StoreOptions& options) : fresh_(options.fresh) {
  if (const auto folder = StorePlace(options.folder)) store_.emplace(*folder, Warn);
}

StoreUse OpenedStore::Use(ResultStore::Say say) const {
  return {store_ ? &*store_ : nullptr, fresh_, std::move(say)};
}

const ResultStore& OpenedStore::Required() const {
  if (!store_) ThrowBadInput("there is no store of results: expected a folder after --store");
  return *store_;
}

}  // namespace flagstone
