// --store, --fresh and --store-any-engine: whether a verb looks for its results among those that
// were computed before.
#ifndef FLAGSTONE_APP_CLI_STORE_OPTIONS_H_
#define FLAGSTONE_APP_CLI_STORE_OPTIONS_H_

#include <optional>
#include <string>

#include "app/cli/verb.h"
#include "app/flow/run/stored_run.h"
#include "app/results/result_store.h"

namespace flagstone {

struct StoreOptions {
  std::string folder;  // empty: the user's own place (app/results/store_place.h)
  bool fresh = false;
  bool any_engine = false;

  void AddFolder(Verb* verb);  // --store alone
  void AddTo(Verb* verb);
};

// Prints "warning: LINE" on stderr.
void Warn(const std::string& line);

// The store that the options name, if there is one.
class OpenedStore {
 public:
  explicit OpenedStore(const StoreOptions& options);

  StoreUse Use(ResultStore::Say say = Warn) const;
  // Throws kBadInput where the options, or the environment, say that there is none.
  const ResultStore& Required() const;

 private:
  std::optional<ResultStore> store_;
  bool fresh_, any_engine_;
};

}  // namespace flagstone

#endif  // FLAGSTONE_APP_CLI_STORE_OPTIONS_H_
