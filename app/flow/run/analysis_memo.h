// What the analyses of a run's launches have found, for launches that are the same again.
#ifndef FLAGSTONE_APP_FLOW_RUN_ANALYSIS_MEMO_H_
#define FLAGSTONE_APP_FLOW_RUN_ANALYSIS_MEMO_H_

#include <map>
#include <optional>
#include <string>

#include "analyzer/cta_mapping/assignment.h"
#include "app/results/launch_record.h"
#include "kernels/launch/device_memory.h"
#include "kernels/launch/kernel_launch.h"
#include "kernels/launch/tb_groups.h"

namespace flagstone {

// What a launch's policy goes by.
struct LaunchFindings {
  AnalysisSummary summary;
  TbGroups groups;
  std::optional<CtaDirection> direction;
};

// Of a run: options, machine and policy are the same for all its launches. What is found on known
// data is found anew each time.
class AnalysisMemo {
 public:
  // All that an analysis reads of a launch beside its kernel: shape, arguments and symbols, where
  // regions lie, and what .const variables hold. The first launch's TB queue is such a region: only
  // from the second one on are launches of a queue equal.
  static std::string ShapeOf(const KernelLaunch& launch, const DeviceMemory& memory);
  // The same with the kernel, which lasts as long as the run.
  static std::string KeyOf(const KernelLaunch& launch, const DeviceMemory& memory);

  // Null: nobody has put it in.
  const LaunchFindings* Find(const std::string& key) const {
    const auto found = findings_.find(key);
    return found == findings_.end() ? nullptr : &found->second;
  }
  const LaunchFindings& Put(const std::string& key, LaunchFindings findings);

 private:
  static constexpr size_t kMost = 64;  // launches; then all are forgotten
  std::map<std::string, LaunchFindings> findings_;
};

}  // namespace flagstone

#endif  // FLAGSTONE_APP_FLOW_RUN_ANALYSIS_MEMO_H_
