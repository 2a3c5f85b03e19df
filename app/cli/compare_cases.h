// The cases of `flagstone compare`: workloads x machines x policies x prefetchers.
#ifndef FLAGSTONE_APP_CLI_COMPARE_CASES_H_
#define FLAGSTONE_APP_CLI_COMPARE_CASES_H_

#include <algorithm>
#include <cstddef>
#include <string>
#include <thread>
#include <vector>

#include "app/cli/options.h"
#include "app/cli/report_option.h"
#include "app/cli/store_options.h"
#include "app/flow/run/run.h"

namespace flagstone {

struct CompareOptions {
  CommonOptions common;
  std::vector<std::string> workloads;
  std::string policies = "lrr,rb";
  std::string prefetchers;  // empty: the machine's
  std::string csv;
  ReportOption report;
  StoreOptions store;
  size_t jobs = std::max(1U, std::thread::hardware_concurrency());
};

struct Case {
  RunOptions options;
  size_t baseline = 0;          // index of the case that its figures are relative to
  size_t without_prefetch = 0;  // index of the same case under the first prefetcher
  std::string prefetch;         // as given; empty: the machine's
};

// All cases in the order of the table: workload, machine, policy, prefetcher. The baseline is lrr
// where it is among the policies, else the first policy, without prefetches. Throws kBadInput for
// an unknown name before any case runs.
std::vector<Case> MakeCases(const CompareOptions& options);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_CLI_COMPARE_CASES_H_
