#include "gpu_model/simt/decoder.h"

#include <charconv>
#include <optional>
#include <string>

#include "base/error.h"
#include "gpu_model/simt/instruction_class.h"
#include "gpu_model/simt/unexecuted.h"
#include "gpu_model/simt/warpgroup.h"
#include "kernels/ptx/instruction_table.h"
#include "kernels/ptx/spin_loops.h"

namespace flagstone::simt {
namespace {

using ptx::Opcode;

// 90 of "sm_90a".
uint32_t TargetNumber(const ptx::Module& module) {
  const size_t digits = module.target.find_first_of("0123456789");
  uint32_t number = 0;
  if (digits == std::string::npos) return number;
  std::from_chars(module.target.data() + digits, module.target.data() + module.target.size(),
                  number);
  return number;
}

}  // namespace

Decoder::Decoder(const KernelLaunch& launch, Program::Code* code,
                 std::vector<InstructionInfo>* infos)
    : launch_(launch),
      code_(code),
      infos_(infos),
      flow_(*launch.kernel),
      slots_(launch, flow_),
      handlers_(Handlers()),
      lanes_progress_(TargetNumber(*launch.module) >= 70) {}

void Decoder::Refuse(std::string_view reason) const {
  ThrowBadInput("{}:{}:{}: {}: {}", launch_.module->file, instruction_->location.line,
                instruction_->location.column, reason, instruction_->text);
}

void Decoder::Run() {
  const auto count = static_cast<uint32_t>(launch_.kernel->instructions.size());
  code_->insts.resize(count);
  code_->touched.resize(count);
  infos_->resize(count);
  code_->fixed_addresses.reserve(count);  // instructions point into it
  code_->matrices.reserve(count);         // the same
  code_->bulk.reserve(count);
  for (uint32_t pc = 0; pc < count; ++pc) Decode(pc);
  for (uint32_t pc = 0; pc < count; ++pc) WaitForCopies(pc);
  for (const uint32_t pc : waits_for_products_) WaitForProducts(pc);
  for (const uint32_t pc : waits_for_tensor_memory_) WaitForTensorMemory(pc);
  for (uint32_t pc = 0; !tensor_loads_.empty() && pc < count; ++pc) WaitForTensorLoads(pc);
  if (lanes_progress_) {
    const std::vector<ptx::Stays> stays = ptx::FindSpinLoops(*launch_.kernel, flow_);
    for (uint32_t pc = 0; pc < count; ++pc) code_->insts[pc].stays = stays[pc];
  }
  if (code_->warpgroup != nullptr) WatchRegisters(launch_, code_);
  code_->register_bytes = slots_.register_bytes();
  code_->uses_clock = slots_.uses_clock();
  code_->constants = slots_.TakeConstants();
}

void Decoder::Decode(uint32_t pc) {
  instruction_ = &launch_.kernel->instructions[pc];
  inst_ = &code_->insts[pc];
  info_ = &(*infos_)[pc];
  shape_ = {};
  sources_ = 0;
  argument_ = nullptr;
  inst_->pc = pc;
  inst_->modifiers = instruction_->modifiers;
  inst_->type = instruction_->type;
  inst_->source_type = instruction_->source_type;
  inst_->third_type = instruction_->third_type;
  inst_->guard = slots_.Mask(kAllLanes);
  if (instruction_->guard.has_value()) {
    inst_->guard = slots_.OfRegister(*instruction_->guard).slot;
    inst_->guard_flip = instruction_->guard_negated ? kAllLanes : 0;
    NoteSource(*instruction_->guard);
  }
  if (instruction_->opcode == Opcode::kUnsupported) return DecodeUnexecuted();
  if (instruction_->opcode == Opcode::kWgmma) return DecodeWarpgroup();
  if (instruction_->opcode == Opcode::kTcgen05) return DecodeTensorMemory();
  const ptx::InstructionRule* rule = ptx::FindInstructionRule(ptx::ToString(instruction_->opcode));
  if (rule == nullptr) Refuse("this instruction is not supported");
  const size_t count = instruction_->operands.size();
  const std::string letters = ptx::OperandLetters(*rule, *instruction_, count);
  // A pair of destinations ("%p|%q") has one letter.
  const bool vectors = instruction_->opcode == Opcode::kMma;
  const size_t pair = instruction_->destinations == 2 && !vectors ? 1 : 0;
  for (size_t k = 0; k < count; ++k) {
    DecodeOperand(k == 1 && pair != 0 ? 'Q' : letters[k == 0 ? 0 : k - pair],
                  instruction_->operands[k]);
  }
  SelectHandler();
  const std::vector<bool>& needed = launch_.needed_values;
  if (!needed.empty() && !needed[pc]) LeaveOutValue();
  info_->pipe = PipeOf(*instruction_);
  info_->space = inst_->space;
  info_->bytes = inst_->access_bytes;
}

// Of a program that only analyses read, it is a trap; of a slice it takes its time.
void Decoder::DecodeUnexecuted() {
  if (launch_.needed_values.empty()) {
    inst_->action = Action::kTrap;
    info_->pipe = Pipe::kControl;
    return;
  }
  if (launch_.needed_values[inst_->pc]) {
    Refuse("an address or a branch hangs on what is not executed");
  }
  const std::optional<UnexecutedClass> known = ClassOfUnexecuted(instruction_->text);
  if (!known) Refuse("no machine says how long this takes");
  inst_->action = Action::kNothing;
  info_->pipe = known->pipe;
  for (const ptx::Operand& results : instruction_->operands) {
    for (const ptx::Operand& result : results.elements) NoteDestination(result.reg);
  }
}

// A copy holds a number of the scoreboard until its data has come. What waits for all copies waits
// for these; what leaves some of them under way waits for none.
void Decoder::WaitForCopies(uint32_t pc) {
  const ptx::Instruction& instruction = launch_.kernel->instructions[pc];
  const ptx::AsyncOp op = instruction.modifiers.async_op;
  const bool some = op == ptx::AsyncOp::kWaitGroup && code_->insts[pc].offset != 0;
  if ((op != ptx::AsyncOp::kWaitGroup && op != ptx::AsyncOp::kWaitAll) || some) return;
  WaitFor(slots_.async_numbers(), &(*infos_)[pc]);
}

void Decoder::WaitFor(const std::vector<uint16_t>& numbers, InstructionInfo* info) {
  for (const uint16_t number : numbers) {
    if (info->source_count < info->sources.size()) info->sources[info->source_count++] = number;
  }
}

// Nobody needs what the instruction computes, reads or writes: it issues, and an access still has
// its addresses. Arguments are there already, and a fetch finds its address on the way to its
// value.
void Decoder::LeaveOutValue() {
  if (inst_->mask_source != kNoMask) {  // lanes wait for each other all the same
    inst_->run = [](Context&, const Inst&, LaneMask) {};
  } else if (inst_->action == Action::kCompute) {
    inst_->action = Action::kNothing;
  } else if (inst_->action == Action::kMemory && argument_ == nullptr &&
             instruction_->opcode != Opcode::kTex && instruction_->opcode != Opcode::kSuld &&
             instruction_->opcode != Opcode::kSust && inst_->inner == nullptr && !IsWarpAccess()) {
    inst_->run = handlers_.touch();
  }
}

}  // namespace flagstone::simt
