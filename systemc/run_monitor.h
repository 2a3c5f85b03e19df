// Watches a run: its end, lack of progress, limits, interruption and progress reports.
#ifndef FLAGSTONE_SYSTEMC_RUN_MONITOR_H_
#define FLAGSTONE_SYSTEMC_RUN_MONITOR_H_

#include <cstdint>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "systemc/clock_domain.h"
#include "systemc/gpu.h"
#include "systemc/loop_skipper.h"
#include "systemc/recorder.h"
#include "systemc/simulation.h"

namespace flagstone {

class RunMonitor final : public RunControl {
 public:
  RunMonitor(const SimulateOptions& options, const LaunchRequest& request)
      : options_(options), request_(request) {}
  // `recorder` is asked for samples; null: there is none.
  void Connect(GpuModule* gpu, Recorder* recorder) {
    gpu_ = gpu;
    recorder_ = recorder;
  }

  // Of a request with a `loop`: asked after each core cycle.
  void Connect(LoopSkipper* skipper) { skipper_ = skipper; }

  uint64_t Watch(uint64_t now) override;
  bool Finished() override;
  void Fail(std::exception_ptr error) override {
    error_ = std::move(error);
    stopped_ = true;
  }

  void Rethrow() const {
    if (error_ != nullptr) std::rethrow_exception(error_);
  }
  bool interrupted() const { return interrupted_; }
  bool finished() const { return finished_; }
  // Core cycles until nothing was left to do.
  uint64_t cycles() const { return cycles_; }
  std::vector<LaunchStatistics> TakeMarks() { return std::move(marks_); }
  // Of these, the last ones, in which the L2 wrote its dirty lines back.
  uint64_t flush_cycles() const { return flushing_ ? cycles_ - flush_begins_ : 0; }

 private:
  uint64_t LastProgress() const;
  uint64_t Completed() const;
  std::string WhoWaits() const;
  std::string WaitingWarps() const;
  std::string WaitingMemory() const;
  void Report(uint64_t now);
  void KeepMarks();

  const SimulateOptions& options_;
  const LaunchRequest& request_;
  GpuModule* gpu_ = nullptr;
  Recorder* recorder_ = nullptr;
  LoopSkipper* skipper_ = nullptr;
  std::exception_ptr error_;
  uint64_t next_stall_check_ = 0;
  uint64_t next_report_ = 0;
  uint64_t next_sample_ = 0;  // of the recorder
  bool interrupted_ = false;
  bool finished_ = false;
  bool flushing_ = false;
  uint64_t flush_begins_ = 0;
  uint64_t cycles_ = 0;
  std::vector<LaunchStatistics> marks_;
};

}  // namespace flagstone

#endif  // FLAGSTONE_SYSTEMC_RUN_MONITOR_H_
