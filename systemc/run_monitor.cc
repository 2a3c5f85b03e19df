#include "systemc/run_monitor.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "gpu_model/simt/launch_failure.h"
#include "systemc/collect.h"

namespace flagstone {
namespace {

constexpr uint64_t kReportCycles = 100'000;
constexpr uint64_t kPollCycles = 4096;
constexpr size_t kNamed = 4;

}  // namespace

uint64_t RunMonitor::LastProgress() const {
  uint64_t last = 0;
  for (const Node* node : gpu_->nodes) {
    last = std::max(last, node->tb_scheduler.core->last_progress());
  }
  for (const SmModule* sm : gpu_->sms()) last = std::max(last, sm->core->last_progress());
  return last;
}

uint64_t RunMonitor::Completed() const {
  uint64_t completed = 0;
  for (const SmModule* sm : gpu_->sms()) completed += sm->core->completed();
  return completed;
}

std::string RunMonitor::WaitingWarps() const {
  std::vector<std::string> lines;
  for (const SmModule* sm : gpu_->sms()) sm->core->DescribeWaiting(kNamed + 1, &lines);
  const TbStatistics tb = gpu_->Tbs();
  if (lines.empty()) {
    return fmt::format("no warp is on an SM, and the TB scheduler has issued {} of {} TBs",
                       tb.issued, tb.count);
  }
  const bool more = lines.size() > kNamed;
  lines.resize(std::min(lines.size(), kNamed));
  return fmt::format("{}{}", fmt::join(lines, "; "), more ? "; and others" : "");
}

// The network, L2 slices and DRAM channels that hold something.
std::string RunMonitor::WaitingMemory() const {
  std::vector<std::string> lines;
  size_t more = 0;
  for (const auto& [core, name] : gpu_->cores()) {
    if (core->Drained() || dynamic_cast<const Sm*>(core) != nullptr) continue;
    if (lines.size() == kNamed) {
      ++more;
    } else {
      lines.push_back(fmt::format("{} holds {}", name, core->Leftover()));
    }
  }
  if (lines.empty()) return "; nothing is in network, L2 and DRAM";
  return fmt::format("; {}{}", fmt::join(lines, "; "),
                     more == 0 ? "" : fmt::format("; and {} more like these", more));
}

std::string RunMonitor::WhoWaits() const { return WaitingWarps() + WaitingMemory(); }

void RunMonitor::Report(uint64_t now) {
  if (!options_.progress || now < next_report_) return;
  next_report_ = now + kReportCycles;
  Progress progress;
  progress.launch = request_.index;
  progress.launches = request_.count;
  progress.cycle = now;
  progress.tbs = request_.Tbs();
  progress.tbs_completed = Completed();
  for (const SmModule* sm : gpu_->sms())
    progress.warp_instructions += sm->core->warp_instructions();
  options_.progress(progress);
}

uint64_t RunMonitor::Watch(uint64_t now) {
  if (options_.interrupted != nullptr && options_.interrupted->load(std::memory_order_relaxed)) {
    interrupted_ = stopped_ = true;
    cycles_ = now;
    return kNever;
  }
  if (now >= request_.stop_cycle) {
    interrupted_ = stopped_ = true;
    cycles_ = now;
    return kNever;
  }
  Report(now);
  if (recorder_ != nullptr && now >= next_sample_) next_sample_ = recorder_->Sample(now);
  if (options_.max_cycles != 0 && now >= options_.max_cycles) {
    ThrowLaunchFailure(FailureCause::kTimeout, "cycle limit of {} reached: {}", options_.max_cycles,
                       WhoWaits());
  }
  const uint64_t patience = options_.machine.no_progress_cycles;
  if (now >= next_stall_check_) {
    const uint64_t last = LastProgress();
    if (now >= last + patience) {
      ThrowLaunchFailure(FailureCause::kTimeout, "no progress for {} cycles (since cycle {}): {}",
                         patience, last, WhoWaits());
    }
    next_stall_check_ = std::max(last + patience, now + 1);
  }
  uint64_t next = std::min({next_stall_check_, now + kPollCycles, request_.stop_cycle});
  if (options_.max_cycles != 0) next = std::min(next, options_.max_cycles);
  if (recorder_ != nullptr) next = std::min(next, next_sample_);
  if (skipper_ != nullptr) next = std::min(next, now + LoopSkipper::kPatience);
  return next;
}

// What SMs count by the cycle they count up to the last one.
void RunMonitor::KeepMarks() {
  const uint64_t cycles = gpu_->Elapsed() / gpu_->periods.core + 1;
  const uint64_t issued = gpu_->Tbs().issued;
  for (; marks_.size() < request_.marks.size() && issued >= request_.marks[marks_.size()];) {
    marks_.push_back(CollectTotals(*gpu_, options_.machine.clock, cycles));
  }
}

bool RunMonitor::Finished() {
  if (skipper_ != nullptr) skipper_->Watch(gpu_->Elapsed() / gpu_->periods.core);
  if (marks_.size() < request_.marks.size()) {
    KeepMarks();
    if (request_.stop_at_marks && marks_.size() == request_.marks.size()) {
      interrupted_ = stopped_ = true;
      cycles_ = marks_.back().cycles;
      return true;
    }
  }
  if (gpu_->HandsOutTbs()) return false;
  for (const auto& [core, name] : gpu_->cores()) {
    if (!core->Drained()) return false;
  }
  const uint64_t period = gpu_->periods.core;
  cycles_ = (gpu_->Elapsed() + period - 1) / period;
  if (options_.machine.l2.between_launches == BetweenLaunches::kInvalidate && !flushing_) {
    flushing_ = true;
    flush_begins_ = cycles_;
    gpu_->FlushL2();
    return false;
  }
  finished_ = stopped_ = true;
  return true;
}

}  // namespace flagstone
