#include "app/order/sm_work.h"

#include <algorithm>
#include <array>
#include <vector>

#include "analyzer/address/loop_forest.h"
#include "gpu_model/memory/packet.h"
#include "gpu_model/simt/program.h"
#include "gpu_model/sm/issue_units.h"
#include "kernels/ptx/control_flow.h"
#include "kernels/ptx/kernel.h"

namespace flagstone {
namespace {

constexpr double kLongWait = 10'000;  // of a load, to count how many follow one another

// How often each loop of the analysis turns in all, with those around it.
std::vector<double> TurnsOf(const AddressAnalysis& addresses) {
  std::vector<double> turns(addresses.loops.size(), 1);
  for (size_t l = 0; l < turns.size(); ++l) {
    const CountedLoop& loop = addresses.loops[l];
    if (loop.known || loop.bounded) turns[l] = static_cast<double>(loop.trip_count);
    if (loop.parent < l) turns[l] *= turns[loop.parent];
  }
  return turns;
}

// A stretch of code without branches, and how often a warp goes through it.
struct Stretch {
  uint32_t begin = 0, end = 0;
  double times = 1;
};

std::vector<Stretch> StretchesOf(const KernelLaunch& launch, const AddressAnalysis& addresses) {
  const std::vector<double> turns = TurnsOf(addresses);
  const ptx::ControlFlow flow(*launch.kernel);
  const LoopForest forest(flow);
  std::vector<Stretch> stretches;
  for (const ptx::BasicBlock& block : flow.blocks()) {
    Stretch stretch = {block.begin, block.end, 1};
    const uint32_t loop = forest.InnermostOf(flow.BlockOf(block.begin));
    if (loop != kNoLoop) {
      const uint32_t header = flow.blocks()[forest.loops()[loop].header].begin;
      for (size_t l = 0; l < turns.size(); ++l) {
        if (addresses.loops[l].header_pc == header) stretch.times = turns[l];
      }
    }
    stretches.push_back(stretch);
  }
  return stretches;
}

// A warp that is alone on its SM.
class LoneWarp {
 public:
  LoneWarp(const Program& program, const std::vector<IssueInfo>& issue, const SmConfig& sm,
           double load_latency)
      : program_(program),
        issue_(issue),
        writeback_(sm.writeback_latency),
        load_latency_(load_latency),
        ready_(program.scoreboard_registers(), 0) {}

  // Cycles of all stretches. What is repeated takes as long each time as it does the second time.
  double Run(const std::vector<Stretch>& stretches) {
    double cycles = 0;
    for (const Stretch& stretch : stretches) {
      const double first = Pass(stretch);
      cycles += stretch.times > 1 ? stretch.times * Pass(stretch) : first;
    }
    return cycles;
  }

 private:
  double Pass(const Stretch& stretch) {
    const double start = now_;
    for (uint32_t pc = stretch.begin; pc < stretch.end; ++pc) {
      const InstructionInfo& info = program_.info(pc);
      for (uint32_t i = 0; i < info.source_count; ++i) Await(info.sources[i]);
      for (uint32_t i = 0; i < info.destination_count; ++i) Await(info.destinations[i]);
      const double result = now_ + (issue_[pc].wants_load ? load_latency_ : ResultAfter(pc));
      for (uint32_t i = 0; i < info.destination_count; ++i) {
        ready_[info.destinations[i]] = result;
      }
      now_ = issue_[pc].unit == Unit::kControl ? result : now_ + 1;
    }
    return now_ - start;
  }
  double ResultAfter(uint32_t pc) const { return issue_[pc].latency + writeback_; }
  void Await(uint16_t reg) { now_ = std::max(now_, ready_[reg]); }

  const Program& program_;
  const std::vector<IssueInfo>& issue_;
  double writeback_;
  double load_latency_;
  double now_ = 0;
  std::vector<double> ready_;  // by register
};

}  // namespace

SmWork FindSmWork(const KernelLaunch& launch, const AddressAnalysis& addresses,
                  const RequestsOfAccess& requests, const SmConfig& sm) {
  const Program program(launch, {}, Program::For::kAnalysis);
  const std::vector<IssueInfo> issue = MakeIssueInfos(program, sm);
  const std::vector<Stretch> stretches = StretchesOf(launch, addresses);
  SmWork work;
  std::array<double, kUnits> pipes = {};
  for (const Stretch& stretch : stretches) {
    work.instructions += stretch.times * (stretch.end - stretch.begin);
    for (uint32_t pc = stretch.begin; pc < stretch.end; ++pc) {
      const auto asked = requests.find(pc);
      if (asked != requests.end()) {
        work.load_store += stretch.times * asked->second.lines;
        const InstructionInfo& info = program.info(pc);
        if (!info.is_store) {
          work.requested_bytes += stretch.times * asked->second.sectors * kSectorBytes;
        }
      } else if (issue[pc].unit == Unit::kLoadStore) {
        work.load_store += stretch.times;
      } else {
        pipes[static_cast<size_t>(issue[pc].unit)] += stretch.times * issue[pc].interval;
      }
    }
  }
  work.pipe = *std::max_element(pipes.begin(), pipes.end());
  work.chain = LoneWarp(program, issue, sm, 0).Run(stretches);
  const double waiting = LoneWarp(program, issue, sm, kLongWait).Run(stretches);
  work.rounds = (waiting - work.chain) / kLongWait;
  return work;
}

}  // namespace flagstone
