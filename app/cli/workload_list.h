// `flagstone list workloads`: papers, kernels, thread blocks and load classes of each.
#ifndef FLAGSTONE_APP_CLI_WORKLOAD_LIST_H_
#define FLAGSTONE_APP_CLI_WORKLOAD_LIST_H_

#include <string>

#include "app/results/run_json.h"

namespace flagstone {

// One record for each workload in the folder, by name: {name, summary, papers[], kernels[],
// launches, threads_per_tb, tbs_test, tbs_paper, loads {uniform, affine, deterministic, indirect}}.
// TBs are those of the largest launch. Loads are the static global ones of all kernels, by their
// address alone, at test size; `uniform` ones have the same address for all threads of a TB.
Json WorkloadItems();

// The records as a table, at most 100 columns wide: long lists go on in the next line.
std::string WorkloadTable(const Json& items);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_CLI_WORKLOAD_LIST_H_
