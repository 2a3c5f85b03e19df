// What the simulation of a launch changes, kept as it is before: an attempt that is given up leaves
// nothing behind.
#ifndef FLAGSTONE_APP_FLOW_SAMPLE_LAUNCH_STATE_H_
#define FLAGSTONE_APP_FLOW_SAMPLE_LAUNCH_STATE_H_

#include <optional>
#include <vector>

#include "kernels/launch/findings.h"
#include "systemc/simulation.h"

namespace flagstone {

class LaunchState {
 public:
  // What the request names must outlive it.
  explicit LaunchState(const LaunchRequest& request) : request_(request), memory_(*request.memory) {
    if (request.l2 != nullptr) l2_ = *request.l2;
    if (request.read_only != nullptr) read_only_ = *request.read_only;
    if (request.counters != nullptr) counters_ = *request.counters;
    if (request.launch->findings != nullptr) findings_ = request.launch->findings->Save();
  }

  void Restore() const {
    *request_.memory = memory_;
    if (request_.l2 != nullptr) *request_.l2 = l2_;
    if (request_.read_only != nullptr) *request_.read_only = read_only_;
    if (counters_) *request_.counters = *counters_;
    if (request_.launch->findings != nullptr) request_.launch->findings->Load(findings_);
  }

  const DeviceMemory& memory() const { return memory_; }
  const std::vector<TagArray>& l2() const { return l2_; }  // none where it begins with nothing

 private:
  const LaunchRequest& request_;
  DeviceMemory memory_;
  std::vector<TagArray> l2_;
  std::vector<std::vector<TagArray>> read_only_;
  std::optional<RunCounters> counters_;
  Findings::Entries findings_;
};

}  // namespace flagstone

#endif  // FLAGSTONE_APP_FLOW_SAMPLE_LAUNCH_STATE_H_
