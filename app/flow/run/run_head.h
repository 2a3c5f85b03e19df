// What all runs share, a workload's and a program's: the head of their record, and what they cost
// this host.
#ifndef FLAGSTONE_APP_FLOW_RUN_RUN_HEAD_H_
#define FLAGSTONE_APP_FLOW_RUN_RUN_HEAD_H_

#include <cstdint>
#include <string>

#include "app/flow/run/run_options.h"
#include "app/results/run_record.h"
#include "base/stopwatch.h"

namespace flagstone {

// What is known of a run before its first launch.
RunRecord BeginRecord(const RunOptions& options, const std::string& workload, uint64_t input_hash);

// From its construction on.
class HostUse {
 public:
  HostUse();
  // Into record->host, whose analysis time is there already.
  void Put(const RunOptions& options, RunRecord* record) const;

 private:
  mutable Stopwatch watch_;
  double cpu_start_;
};

}  // namespace flagstone

#endif  // FLAGSTONE_APP_FLOW_RUN_RUN_HEAD_H_
