// Which registers the products of warpgroups use, and who else touches them. All that costs is paid
// by these instructions of these kernels.
#include <algorithm>
#include <limits>

#include "gpu_model/simt/products.h"
#include "gpu_model/simt/warpgroup.h"
#include "kernels/ptx/liveness.h"

namespace flagstone::simt {
namespace {

using ptx::Operand;
using ptx::RegisterId;

bool IsMove(const ptx::Instruction& instruction) {
  return instruction.opcode == ptx::Opcode::kMov &&
         instruction.operands[0].kind == Operand::Kind::kRegister &&
         instruction.operands[1].kind == Operand::Kind::kRegister;
}

void RunWatched(Context& c, const Inst& inst, LaneMask mask) {
  const RegisterWatch& watch = *c.program->code().warpgroup->watches[inst.pc];
  CheckRegisters(c, inst, watch);
  watch.run(c, inst, mask);
}

class Watcher {
 public:
  Watcher(const ptx::Kernel& kernel, WarpgroupCode* code)
      : kernel_(kernel), code_(*code), ids_(kernel.registers.size(), kNone) {}

  void NumberRegisters() {
    size_t product = 0;
    for (const ptx::Instruction& instruction : kernel_.instructions) {
      if (instruction.modifiers.warpgroup_op != ptx::WarpgroupOp::kMmaAsync) continue;
      WarpgroupSlots& slots = code_.products[product++];
      ptx::ForEachRegister(instruction.operands[0],
                           [&](RegisterId reg) { slots.sums.push_back(Watch(reg)); });
      if (!slots.a_in_registers) continue;
      ptx::ForEachRegister(instruction.operands[1],
                           [&](RegisterId reg) { slots.factors.push_back(Watch(reg)); });
    }
    // Compilers put copies between products on the same registers.
    for (bool grew = true; grew;) {
      const size_t before = code_.watched.size();
      for (const ptx::Instruction& instruction : kernel_.instructions) {
        if (IsMove(instruction) && IsWatched(instruction.operands[1].reg)) {
          Watch(instruction.operands[0].reg);
        }
      }
      grew = code_.watched.size() != before;
    }
  }

  void Wrap(Inst* inst) {
    const ptx::Instruction& instruction = kernel_.instructions[inst->pc];
    RegisterWatch watch{.run = inst->run, .reads = {}, .writes = {}};
    watch.copies = IsMove(instruction);
    ptx::ForEachRead(instruction, [&](RegisterId reg) {
      if (IsWatched(reg)) watch.reads.push_back(ids_[reg]);
    });
    ptx::ForEachWritten(instruction, [&](RegisterId reg) {
      if (IsWatched(reg)) watch.writes.push_back(ids_[reg]);
    });
    if (watch.reads.empty() && watch.writes.empty()) return;
    code_.watches[inst->pc] = &code_.all_watches.emplace_back(std::move(watch));
    inst->run = RunWatched;
  }

 private:
  static constexpr WatchedId kNone = std::numeric_limits<WatchedId>::max();

  bool IsWatched(RegisterId reg) const { return ids_[reg] != kNone; }
  WatchedId Watch(RegisterId reg) {
    if (!IsWatched(reg)) {
      ids_[reg] = static_cast<WatchedId>(code_.watched.size());
      code_.watched.push_back(reg);
    }
    return ids_[reg];
  }

  const ptx::Kernel& kernel_;
  WarpgroupCode& code_;
  std::vector<WatchedId> ids_;  // by RegisterId
};

}  // namespace

void WatchRegisters(const KernelLaunch& launch, Program::Code* code) {
  Watcher watcher(*launch.kernel, code->warpgroup.get());
  watcher.NumberRegisters();
  code->warpgroup->watches.resize(code->insts.size());
  for (Inst& inst : code->insts) {
    const bool runs = inst.action == Action::kCompute || inst.action == Action::kMemory;
    if (runs && inst.run != nullptr) watcher.Wrap(&inst);
  }
}

}  // namespace flagstone::simt
