// A machine's GPU, elaborated once, which the launches of a run share one after the other.
#ifndef FLAGSTONE_SYSTEMC_KEPT_GPU_H_
#define FLAGSTONE_SYSTEMC_KEPT_GPU_H_

#include <memory>
#include <systemc>

#include "gpu_model/machines/machine.h"
#include "systemc/gpu.h"
#include "systemc/scoped_kernel.h"

namespace flagstone {

// Between launches it has no cores, and its SystemC kernel is not the current one.
class KeptGpu {
 public:
  explicit KeptGpu(const MachineConfig& machine) : gpu_("gpu", machine) {
    // It elaborates, and nothing else: SystemC would warn of that from the second time on.
    const sc_core::sc_actions before = sc_core::sc_report_handler::set_actions(
        sc_core::SC_ID_NO_SC_START_ACTIVITY_, sc_core::SC_DO_NOTHING);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    sc_core::sc_report_handler::set_actions(sc_core::SC_ID_NO_SC_START_ACTIVITY_, before);
    kernel_.Leave();
  }
  ~KeptGpu() { kernel_.Enter(); }
  KeptGpu(const KeptGpu&) = delete;
  KeptGpu& operator=(const KeptGpu&) = delete;

 private:
  friend class LaunchOnGpu;
  ScopedKernel kernel_;
  GpuModule gpu_;
};

// One launch on it, from here to the end of the scope: what the launch's cores hang on must be made
// before and outlive it.
class LaunchOnGpu {
 public:
  // `kept`: null before the first launch.
  LaunchOnGpu(std::unique_ptr<KeptGpu>* kept, const MachineConfig& machine) : kept_(*kept) {
    if (kept_ == nullptr) kept_ = std::make_unique<KeptGpu>(machine);
    kept_->kernel_.Enter();
  }
  // A launch that has not finished leaves requests under way: nobody goes on with such a GPU.
  ~LaunchOnGpu() {
    kept_->gpu_.End();
    kept_->kernel_.Leave();
    if (!finished_) kept_.reset();
  }
  LaunchOnGpu(const LaunchOnGpu&) = delete;
  LaunchOnGpu& operator=(const LaunchOnGpu&) = delete;

  GpuModule& gpu() { return kept_->gpu_; }
  void Finish() { finished_ = true; }

 private:
  std::unique_ptr<KeptGpu>& kept_;
  bool finished_ = false;
};

}  // namespace flagstone

#endif  // FLAGSTONE_SYSTEMC_KEPT_GPU_H_
