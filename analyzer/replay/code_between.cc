#include "analyzer/replay/code_between.h"

#include <algorithm>
#include <array>

#include "gpu_model/memory/packet.h"
#include "kernels/ptx/kernel.h"

namespace flagstone::replay {
namespace {

using ptx::Opcode;

constexpr double kClose = 8;  // core cycles: waits that lie so close are one

// Adds up what a stretch takes, one instruction after the other.
class Clock {
 public:
  Clock(uint32_t registers, double writeback, double width)
      : ready_(registers, 0), writeback_(writeback), width_(width) {}

  void Add(const InstructionInfo& info, const IssueInfo& issue, bool is_load, double times) {
    const double before = now_;
    for (uint32_t i = 0; i < info.source_count; ++i) Await(info.sources[i]);
    for (uint32_t i = 0; i < info.destination_count; ++i) Await(info.destinations[i]);
    const double result = now_ + (is_load ? 0 : issue.latency + writeback_);
    for (uint32_t i = 0; i < info.destination_count; ++i) ready_[info.destinations[i]] = result;
    now_ = issue.unit == Unit::kControl ? result : now_ + 1;
    chain_ += times * (now_ - before);
    issued_ += times / width_;
    if (issue.unit == Unit::kLoadStore) {
      load_store_ += times;
    } else {
      pipes_[static_cast<size_t>(issue.unit)] += times * issue.interval;
    }
  }

  double chain() const { return chain_; }
  // Of what has been added since the last call.
  Gap Take() {
    const double pipe = *std::max_element(pipes_.begin(), pipes_.end());
    const Gap gap = {static_cast<float>(std::max(issued_, pipe)), static_cast<float>(chain_),
                     static_cast<float>(load_store_)};
    issued_ = chain_ = load_store_ = 0;
    pipes_ = {};
    return gap;
  }

 private:
  void Await(uint16_t reg) { now_ = std::max(now_, ready_[reg]); }

  std::vector<double> ready_;
  double writeback_, width_;
  double now_ = 0;
  double issued_ = 0, chain_ = 0, load_store_ = 0;
  std::array<double, kUnits> pipes_ = {};
};

uint32_t GroupsOf(const ptx::Instruction& instruction) {
  const auto op = instruction.modifiers.async_op;
  if (op != ptx::AsyncOp::kWaitGroup && op != ptx::AsyncOp::kBulkWait) return 0;
  return instruction.operands.empty() ? 0 : static_cast<uint32_t>(instruction.operands[0].bits);
}

bool AwaitsCopies(const ptx::Instruction& instruction) {
  const ptx::Modifiers& modifiers = instruction.modifiers;
  if (instruction.opcode == Opcode::kMbarrier) {
    return modifiers.mbarrier_op == ptx::MbarrierOp::kTestWait ||
           modifiers.mbarrier_op == ptx::MbarrierOp::kTryWait;
  }
  return modifiers.async_op == ptx::AsyncOp::kWaitGroup ||
         modifiers.async_op == ptx::AsyncOp::kWaitAll ||
         modifiers.async_op == ptx::AsyncOp::kBulkWait;
}

bool Commits(const ptx::Instruction& instruction) {
  return instruction.modifiers.async_op == ptx::AsyncOp::kCommitGroup ||
         instruction.modifiers.async_op == ptx::AsyncOp::kBulkCommit;
}

}  // namespace

CodeBetween::CodeBetween(const KernelLaunch& launch, const AddressAnalysis& addresses,
                         const std::vector<uint32_t>& requests, const SmConfig& sm)
    : launch_(launch),
      program_(launch, {}, Program::For::kAnalysis),
      issue_(MakeIssueInfos(program_, sm)),
      flow_(*launch.kernel),
      forest_(flow_),
      trips_(forest_.loops().size(), 1),
      is_request_(program_.size(), false),
      loads_of_(program_.scoreboard_registers()),
      writeback_(sm.writeback_latency),
      width_(sm.issue_width),
      instructions_of_line_(kLineBytes / sm.instruction_bytes) {
  for (size_t l = 0; l < trips_.size(); ++l) {
    const uint32_t header = flow_.blocks()[forest_.loops()[l].header].begin;
    for (const CountedLoop& loop : addresses.loops) {
      if (loop.header_pc != header || !(loop.known || loop.bounded)) continue;
      trips_[l] = std::max(1.0, static_cast<double>(loop.trip_count));
    }
  }
  for (const uint32_t pc : requests) {
    is_request_[pc] = true;
    const InstructionInfo& info = program_.info(pc);
    for (uint32_t i = 0; i < info.destination_count; ++i) {
      loads_of_[info.destinations[i]].push_back(pc);
    }
  }
}

const std::vector<Stretch>& CodeBetween::Find(uint32_t from, uint32_t to) {
  const auto [at, is_new] = known_.try_emplace({from, to});
  if (is_new) at->second = Walk(PathOf(from, to), to);
  return at->second;
}

bool CodeBetween::LoopHolds(uint32_t loop, uint32_t pc) const {
  return pc < program_.size() && forest_.Contains(loop, flow_.BlockOf(pc));
}

// How often a block on the way turns: in loops that have neither end of it.
double CodeBetween::TimesOf(ptx::BlockId block, uint32_t from, uint32_t to) const {
  double times = 1;
  for (uint32_t loop = forest_.InnermostOf(block); loop != kNoLoop;
       loop = forest_.loops()[loop].parent) {
    if (LoopHolds(loop, from) || LoopHolds(loop, to)) break;
    times *= trips_[loop];
  }
  return times;
}

void CodeBetween::AddBlocks(uint32_t begin, uint32_t end, uint32_t from, uint32_t to,
                            uint32_t within, std::vector<Part>* path) const {
  for (uint32_t pc = begin; pc < end;) {
    const ptx::BlockId block = flow_.BlockOf(pc);
    const uint32_t until = std::min(end, flow_.blocks()[block].end);
    const bool of_ends = (from < program_.size() && flow_.BlockOf(from) == block) ||
                         (to < program_.size() && flow_.BlockOf(to) == block);
    const auto first = is_request_.begin();
    const bool beside = !of_ends && std::find(first + pc, first + until, true) != first + until;
    if (!beside && (within == kNoLoop || forest_.Contains(within, block))) {
      path->push_back({pc, until, TimesOf(block, from, to)});
    }
    pc = until;
  }
}

std::vector<CodeBetween::Part> CodeBetween::PathOf(uint32_t from, uint32_t to) const {
  std::vector<Part> path;
  const uint32_t begin = from == kStart ? 0 : from + 1;
  const uint32_t end = to == kEnd ? program_.size() : to;
  if (from == kStart || from < end) {
    AddBlocks(begin, end, from, to, kNoLoop, &path);
    return path;
  }
  uint32_t loop = forest_.InnermostOf(flow_.BlockOf(from));
  while (loop != kNoLoop && !LoopHolds(loop, to)) loop = forest_.loops()[loop].parent;
  if (loop == kNoLoop) return path;  // text in no order: nothing is known
  const uint32_t header = flow_.blocks()[forest_.loops()[loop].header].begin;
  uint32_t last = begin;
  for (ptx::BlockId block = 0; block < flow_.blocks().size(); ++block) {
    if (forest_.Contains(loop, block)) last = std::max(last, flow_.blocks()[block].end);
  }
  AddBlocks(begin, last, from, to, loop, &path);
  AddBlocks(header, to, from, to, loop, &path);
  return path;
}

std::vector<Stretch> CodeBetween::Walk(const std::vector<Part>& path, uint32_t to) {
  std::vector<Stretch> stretches;
  Clock clock(program_.scoreboard_registers(), writeback_, width_);
  std::vector<bool> settled(program_.scoreboard_registers(), false);  // written, or waited for
  auto first_line = static_cast<uint32_t>(lines_.size());
  const auto pass = [&](uint32_t pc) {
    const uint32_t line = pc / instructions_of_line_;
    if (lines_.size() == first_line || lines_.back() != line) lines_.push_back(line);
  };
  const auto end_with = [&](Stretch::End end) -> Stretch& {
    stretches.push_back({end, static_cast<uint16_t>(gaps_.size()), {}, 0});
    gaps_.push_back(clock.Take());
    gaps_.back().first_line = first_line;
    gaps_.back().end_line = first_line = static_cast<uint32_t>(lines_.size());
    return stretches.back();
  };
  const auto await = [&](const InstructionInfo& info) {
    for (uint32_t i = 0; i < info.source_count; ++i) {
      const uint16_t reg = info.sources[i];
      if (settled[reg] || loads_of_[reg].empty()) continue;
      settled[reg] = true;
      const bool goes_on = !stretches.empty() && stretches.back().end == Stretch::End::kResult &&
                           clock.chain() < kClose;
      std::vector<uint32_t>& loads =
          goes_on ? stretches.back().loads : end_with(Stretch::End::kResult).loads;
      loads.insert(loads.end(), loads_of_[reg].begin(), loads_of_[reg].end());
    }
  };
  for (const Part& part : path) {
    for (uint32_t pc = part.begin; pc < part.end; ++pc) {
      if (is_request_[pc]) continue;
      const InstructionInfo& info = program_.info(pc);
      const ptx::Instruction& instruction = launch_.kernel->instructions[pc];
      pass(pc);
      await(info);
      for (uint32_t i = 0; i < info.destination_count; ++i) {
        if (!instruction.guard) settled[info.destinations[i]] = true;
      }
      clock.Add(info, issue_[pc], info.space == MemorySpace::kGlobal, part.times);
      if (instruction.opcode == Opcode::kBar) {
        end_with(Stretch::End::kBarrier);
      } else if (Commits(instruction)) {
        end_with(Stretch::End::kCommit);
      } else if (AwaitsCopies(instruction)) {
        end_with(Stretch::End::kCopies).groups = GroupsOf(instruction);
      }
    }
  }
  if (to != kEnd) {
    pass(to);
    await(program_.info(to));
  }
  end_with(Stretch::End::kRequest);
  return stretches;
}

}  // namespace flagstone::replay
