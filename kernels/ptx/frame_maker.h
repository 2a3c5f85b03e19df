// How calls of procedures and alloca become code on a stack in local memory: the class behind
// MakeFrames (frames.h). What frames hold, and the rewriting, stand in frames.cc; the code of
// calls, returns and alloca in frame_code.cc.
#ifndef FLAGSTONE_KERNELS_PTX_FRAME_MAKER_H_
#define FLAGSTONE_KERNELS_PTX_FRAME_MAKER_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "kernels/ptx/frames.h"

namespace flagstone::ptx {

inline uint64_t AlignTo(uint64_t value, uint64_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

// One procedure: where its code begins, and what its frames hold.
struct FrameProcedure {
  std::optional<uint32_t> entry;  // pc in the old code
  uint64_t frame_bytes = kFrameHeader;
  std::unordered_map<RegisterId, uint64_t> slots;  // of registers that calls preserve
  std::vector<size_t> sites;                       // that call it

  uint64_t Place(uint64_t bytes, uint64_t alignment) {
    const uint64_t at = AlignTo(frame_bytes, alignment);
    frame_bytes = at + bytes;
    return at;
  }
};

// One place that calls a procedure.
struct FrameSite {
  uint32_t pc = 0;  // in the old code
  std::vector<RegisterId> preserved;
  uint32_t return_pc = 0;  // in the new code
};

class FrameMaker {
 public:
  FrameMaker(Kernel* kernel, int address_bits)
      : kernel_(*kernel), pointer_(address_bits == 64 ? Type::kU64 : Type::kU32) {}

  void Run();

 private:
  bool FindProcedures();
  void PlaceVariables();
  void FindPreserved();
  void Preserve(FrameSite* site, const std::vector<uint64_t>& live);

  void Rewrite();
  void RewriteOne(uint32_t pc);
  void AddCall(uint32_t pc);
  void AddReturn(const Instruction& at);
  void AddAlloca(const Instruction& alloca);
  void AddInFrame(const Instruction& instruction);
  void ReplaceByFrame(Instruction* instruction, Operand* operand);

  RegisterId NewRegister(const char* name, Type type) {
    kernel_.registers.push_back({name, type});
    return static_cast<RegisterId>(kernel_.registers.size() - 1);
  }
  Instruction& Add(Opcode opcode, Type type, std::vector<Operand> operands, uint8_t destinations);
  void AddMove(Type type, const Operand& to, const Operand& from) {
    Add(Opcode::kMov, type, {to, from}, 1);
  }
  // To or from [frame + offset]; the type is that of the value.
  void AddAccess(bool load, Type type, RegisterId value, uint64_t offset);
  // The frame holds a predicate as a number.
  void AddTransfer(bool load, RegisterId reg, uint64_t offset);
  void AddOverflowCheck(RegisterId top, RegisterId frame);
  // The operand as a register of a pointer's width, whatever the instruction's is.
  Operand Widened(const Operand& operand, Type type);
  void AddResult(Type type, const Operand& to, const Operand& pointer);

  static Operand Special(SpecialRegister special) {
    Operand operand;
    operand.kind = Operand::Kind::kSpecial;
    operand.special = special;
    return operand;
  }

  Kernel& kernel_;
  const Type pointer_;
  std::vector<FrameProcedure> procedures_;  // by number; 0 is none
  std::vector<FrameSite> sites_;
  std::unordered_map<const Variable*, uint64_t> places_;  // of variables in frames
  size_t next_site_ = 0;
  RegisterId frame_ = 0, top_ = 0;  // of the stack
  std::vector<Instruction> code_;
  const Instruction* at_ = nullptr;                       // whose place and text new ones take
  std::vector<std::pair<size_t, uint32_t>> old_targets_;  // index in code_; pc in the old code
  std::vector<std::pair<size_t, size_t>> returns_;        // index in code_; site
};

}  // namespace flagstone::ptx

#endif  // FLAGSTONE_KERNELS_PTX_FRAME_MAKER_H_
