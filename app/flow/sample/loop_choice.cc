#include "app/flow/sample/loop_choice.h"

#include <algorithm>
#include <vector>

#include "analyzer/address/loop_forest.h"
#include "gpu_model/simt/code.h"
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

  // Whether all warps took the branch equally often, their lanes together.
  bool GoTogether(uint32_t pc) const {
    const Branch& branch = branches_[pc];
    if (branch.diverges) return false;
    const auto same = [&](const std::vector<uint64_t>& counts) {
      return std::all_of(counts.begin(), counts.end(),
                         [&](uint64_t count) { return count == counts.front(); });
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

// The branch back where it alone leaves the loop, sooner or later; else the kernel's size.
uint32_t OnlyWayOut(const NaturalLoop& loop, const ptx::ControlFlow& flow,
                    const ptx::Kernel& kernel) {
  const auto none = static_cast<uint32_t>(kernel.instructions.size());
  if (loop.latches.size() != 1) return none;
  const ptx::BlockId latch = loop.latches.front();
  for (ptx::BlockId block = 0; block < flow.blocks().size(); ++block) {
    if (!loop.contains[block]) continue;
    const ptx::BasicBlock& of = flow.blocks()[block];
    for (uint32_t pc = of.begin; pc < of.end; ++pc) {
      const ptx::Opcode opcode = kernel.instructions[pc].opcode;
      if (opcode == ptx::Opcode::kExit || opcode == ptx::Opcode::kRet) return none;
    }
    for (const ptx::BlockId next : of.successors) {
      if (!loop.contains[next] && block != latch) return none;
    }
  }
  const uint32_t branch = flow.blocks()[latch].end - 1;
  const ptx::Instruction& instruction = kernel.instructions[branch];
  const bool leaves = instruction.opcode == ptx::Opcode::kBra && instruction.guard;
  return leaves ? branch : none;
}

// Nothing in it but what warps do for themselves, in memory whose lines are known by address.
bool IsPlain(const std::vector<bool>& body, const Program& program) {
  for (uint32_t pc = 0; pc < body.size(); ++pc) {
    if (!body[pc]) continue;
    if (program.ActsBesideWarp(pc) || program.info(pc).space == MemorySpace::kLocal) return false;
  }
  return true;
}

bool PrintsOrReadsClock(const Program& program) {
  if (program.code().uses_clock) return true;
  for (uint32_t pc = 0; pc < program.size(); ++pc) {
    if (program.info(pc).prints) return true;
  }
  return false;
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
  KernelLaunch quiet = launch;
  quiet.findings = nullptr;
  const Program program(quiet);
  if (PrintsOrReadsClock(program)) return std::nullopt;
  const auto tbs = static_cast<uint32_t>(launch.TbCount());
  std::vector<uint32_t> drawn = {0, tbs / 2, tbs - 1};
  drawn.erase(std::unique(drawn.begin(), drawn.end()), drawn.end());
  Profile profile(launch, drawn.size());
  DeviceMemory copy = memory;
  FunctionalControl only = control;
  only.only = drawn;
  RunFunctionally(quiet, &copy, Profile::Observe, &profile, only);

  const auto all = static_cast<double>(Sum(profile.executed()));
  std::optional<ChosenLoop> chosen;
  for (const NaturalLoop& loop : forest.loops()) {
    const uint32_t branch = OnlyWayOut(loop, flow, kernel);
    if (branch == program.size() || !profile.GoTogether(branch)) continue;
    std::vector<bool> body = BodyOf(loop, flow, program.size());
    if (!IsPlain(body, program)) continue;
    uint64_t inside = 0;
    for (uint32_t pc = 0; pc < body.size(); ++pc) inside += body[pc] ? profile.executed()[pc] : 0;
    const std::vector<uint64_t>& taken = profile.branch(branch).taken;
    const auto back = static_cast<double>(Sum(taken));
    const auto entries = static_cast<double>(Sum(profile.branch(branch).not_taken));
    if (entries == 0) continue;
    ChosenLoop found = {{.branch = branch, .body = std::move(body)},
                        back / entries + 1,
                        taken.front(),
                        static_cast<double>(inside) / (back + entries),
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
