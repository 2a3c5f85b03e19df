// `flagstone list experiments`: what there is to reproduce.
#ifndef FLAGSTONE_APP_CLI_EXPERIMENT_LIST_H_
#define FLAGSTONE_APP_CLI_EXPERIMENT_LIST_H_

#include <string>

#include "app/results/run_json.h"

namespace flagstone {

// {name, paper, table_of, cases, source, summary} of each experiment and of each table of one,
// which names it in `table_of`, null for experiments themselves.
Json ExperimentItems();

// The experiments alone, a line each, with a rule between those of different papers.
std::string ExperimentTable(const Json& items);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_CLI_EXPERIMENT_LIST_H_
