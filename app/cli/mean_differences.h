// How far an experiment's figures are from the published ones in the mean, machine by machine.
#ifndef FLAGSTONE_APP_CLI_MEAN_DIFFERENCES_H_
#define FLAGSTONE_APP_CLI_MEAN_DIFFERENCES_H_

#include <string>

#include "app/flow/reproduce/experiment.h"
#include "app/results/run_json.h"

namespace flagstone {

// `figures`: of each case in turn, a record for each metric, with its `difference` (null: none).
// A row for each machine with several such records, and one of all: the mean of the differences'
// absolute values.
Json MeanDifferences(const Experiment& experiment, const Json& figures);

// As a table of percentages, a column a machine; empty where there are no rows.
std::string MeanDifferencesText(const Experiment& experiment, const Json& means);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_CLI_MEAN_DIFFERENCES_H_
