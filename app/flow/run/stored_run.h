// A run whose result may be known already.
#ifndef FLAGSTONE_APP_FLOW_RUN_STORED_RUN_H_
#define FLAGSTONE_APP_FLOW_RUN_STORED_RUN_H_

#include <string>

#include "app/flow/run/launch_runner.h"
#include "app/flow/run/run_options.h"
#include "app/results/result_store.h"
#include "app/results/run_json.h"

namespace flagstone {

struct StoreUse {
  const ResultStore* store = nullptr;  // null: there is none
  bool fresh = false;                  // compute the result also where it is there
  bool any_engine = false;             // take also what the other of RTL and models has computed
  ResultStore::Say say;                // gets a line where a result cannot be kept
};

// NOLINTNEXTLINE(bugprone-exception-escape): moving Json asserts, and does not throw
struct StoredRun {
  Json record;              // as ToJson(RunRecord) makes it
  bool from_store = false;  // then `host` is of the process that computed it
};

// The record of RunWorkload(options): from the store where it is there (then `from_store` is true
// in it, and `engine` names what computed it), else computed, and kept if it is storable
// (app/flow/run/result_key.h) and was not interrupted. A result in the store that is of another
// workload, size, machine or policy than its name says is set aside. A failed run throws as
// RunWorkload() does and leaves nothing. `version` and `command` go into the record.
StoredRun RunThroughStore(const RunOptions& options, const StoreUse& use,
                          const std::string& version, const std::string& command);
// The same of the workload that the options name, which is loaded already, with TBs in an order;
// the record's `command` is empty.
struct NamedOrder {
  OrderOfLaunch of_launch;  // none: that of the ids
  std::string identity;  // lines that stand for it in the result's name (app/flow/run/result_key.h)
};
StoredRun RunThroughStore(const RunOptions& options, const Workload& workload,
                          const NamedOrder& order, const StoreUse& use, const std::string& version);

// Keeps a record under a name, but for one that was interrupted. Where that fails, `use.say` gets
// the reason.
void KeepResult(const std::string& name, const Workload& workload, const Json& record,
                const std::string& version, const StoreUse& use);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_FLOW_RUN_STORED_RUN_H_
