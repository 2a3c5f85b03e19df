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
  verb->AddFlag(
      "--store-any-engine", &any_engine,
      "Take from the store also what models have computed\nwhere RTL is asked for, or the "
      "reverse");
}

void Warn(const std::string& line) { fmt::print(stderr, "warning: {}\n", line); }

OpenedStore::OpenedStore(const StoreOptions& options)
    : fresh_(options.fresh), any_engine_(options.any_engine) {
  const auto folder = StorePlace(options.folder);
  if (!folder) return;
  store_.emplace(*folder, Warn);
  if (const std::string unreadable = store_->Unreadable(); !unreadable.empty()) {
    Warn(fmt::format(
        "the store cannot read {}: results there are not found (docs/command.md says how "
        "users share a store)",
        unreadable));
  }
}

StoreUse OpenedStore::Use(ResultStore::Say say) const {
  return {store_ ? &*store_ : nullptr, fresh_, any_engine_, std::move(say)};
}

const ResultStore& OpenedStore::Required() const {
  if (!store_) ThrowBadInput("there is no store of results: expected a folder after --store");
  return *store_;
}

}  // namespace flagstone
