#include "app/flow/sample/loop_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "analyzer/address/loop_forest.h"
#include "gpu_model/simt/program.h"
#include "kernels/ptx/control_flow.h"
#include "kernels/ptx/kernel.h"

namespace flagstone {
namespace {

// What executed TBs did at one branch.
struct Branch {
  std::vector<uint64_t> taken, not_taken;  // by TB and warp
  bool diverges = false;
};

class Profile {
 public:
  Profile(const KernelLaunch& launch, size_t tbs)
      : warps_(launch.WarpsPerTb()),
        executed_(launch.kernel->instructions.size()),
        branches_(launch.kernel->instructions.size()) {
    const auto& instructions = launch.kernel->instructions;
    for (size_t pc = 0; pc < instructions.size(); ++pc) {
      if (instructions[pc].opcode != ptx::Opcode::kBra) continue;
      branches_[pc].taken.resize(tbs * warps_);
      branches_[pc].not_taken.resize(tbs * warps_);
    }
  }

  static void Observe(void* self, uint64_t tb, uint32_t warp, const StepResult& step) {
    static_cast<Profile*>(self)->Step(tb, warp, step);
  }

  const std::vector<uint64_t>& executed() const { return executed_; }  // by pc
  const Branch& branch(uint32_t pc) const { return branches_[pc]; }

  // Whether the warps of each TB took the branch equally often, and all their lanes together.
  bool GoTogether(uint32_t pc) const {
    const Branch& branch = branches_[pc];
    if (branch.diverges) return false;
    const auto same = [&](const std::vector<uint64_t>& counts) {
      for (size_t i = 0; i < counts.size(); ++i) {
        if (counts[i] != counts[i / warps_ * warps_]) return false;
      }
      return true;
    };
    return same(branch.taken) && same(branch.not_taken);
  }

 private:
  void Step(uint64_t tb, uint32_t warp, const StepResult& step) {
    if (tb != tb_) {
      tb_ = tb;
      ++tbs_;
    }
    ++executed_[step.pc];
    Branch& branch = branches_[step.pc];
    if (branch.taken.empty()) return;
    if (step.executed != 0 && step.executed != step.active) branch.diverges = true;
    ++(step.executed != 0 ? branch.taken : branch.not_taken)[(tbs_ - 1) * warps_ + warp];
  }

  const size_t warps_;
  uint64_t tb_ = ~uint64_t{0};
  size_t tbs_ = 0;
  std::vector<uint64_t> executed_;
  std::vector<Branch> branches_;
};

uint64_t Sum(const std::vector<uint64_t>& counts) {
  uint64_t sum = 0;
  for (const uint64_t count : counts) sum += count;
  return sum;
}

std::vector<bool> BodyOf(const NaturalLoop& loop, const ptx::ControlFlow& flow, size_t size) {
  std::vector<bool> body(size);
  for (ptx::BlockId block = 0; block < flow.blocks().size(); ++block) {
    if (!loop.contains[block]) continue;
    const ptx::BasicBlock& of = flow.blocks()[block];
    for (uint32_t pc = of.begin; pc < of.end; ++pc) body[pc] = true;
  }
  return body;
}

}  // namespace

std::optional<ChosenLoop> ChooseLoop(const KernelLaunch& launch, const DeviceMemory& memory,
                                     const FunctionalControl& control) {
  const ptx::Kernel& kernel = *launch.kernel;
  const ptx::ControlFlow flow(kernel);
  const LoopForest forest(flow);
  if (forest.loops().empty()) return std::nullopt;
  const auto tbs = static_cast<uint32_t>(launch.TbCount());
  std::vector<uint32_t> drawn = {0, tbs / 2, tbs - 1};
  drawn.erase(std::unique(drawn.begin(), drawn.end()), drawn.end());
  Profile profile(launch, drawn.size());
  DeviceMemory copy = memory;
  KernelLaunch quiet = launch;
  quiet.findings = nullptr;
  FunctionalControl only = control;
  only.only = drawn;
  RunFunctionally(quiet, &copy, Profile::Observe, &profile, only);

  const Program program(quiet);
  const auto all = static_cast<double>(Sum(profile.executed()));
  std::optional<ChosenLoop> chosen;
  for (const NaturalLoop& loop : forest.loops()) {
    if (loop.latches.size() != 1) continue;
    const uint32_t branch = flow.blocks()[loop.latches.front()].end - 1;
    if (kernel.instructions[branch].opcode != ptx::Opcode::kBra) continue;
    if (!profile.GoTogether(branch)) continue;
    std::vector<bool> body = BodyOf(loop, flow, program.size());
    uint64_t inside = 0;
    bool alone = true;  // nothing beside the warps
    for (uint32_t pc = 0; pc < body.size(); ++pc) {
      if (!body[pc]) continue;
      inside += profile.executed()[pc];
      alone = alone && !program.ActsBesideWarp(pc);
    }
    if (!alone || inside == 0) continue;
    const uint64_t taken = Sum(profile.branch(branch).taken);
    const uint64_t left = Sum(profile.branch(branch).not_taken);
    const double entries = left != 0 ? static_cast<double>(left)
                                     : static_cast<double>(drawn.size() * launch.WarpsPerTb());
    ChosenLoop found = {{.branch = branch, .body = std::move(body)},
                        static_cast<double>(taken) / entries + 1,
                        static_cast<double>(inside) / (static_cast<double>(taken) + entries),
                        static_cast<double>(inside) / all,
                        program.Describe(branch)};
    constexpr double kFew = 4;
    if (chosen && chosen->Simulated(kFew) <= found.Simulated(kFew)) continue;
    found.place.resize(std::min(found.place.size(), found.place.find(": ")));
    found.place.erase(0, found.place.rfind('/') + 1);
    chosen = std::move(found);
  }
  return chosen;
}

}  // namespace flagstone
