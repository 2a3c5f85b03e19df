// tcgen05 (PTX ISA, section 9.7.16): its operands, and what waits for what in time.
#include <algorithm>
#include <memory>
#include <vector>

#include "gpu_model/simt/decoder.h"
#include "gpu_model/simt/instruction_descriptor.h"
#include "gpu_model/simt/tensor_memory.h"
#include "kernels/ptx/liveness.h"

namespace flagstone::simt {
namespace {

using ptx::Operand;
using ptx::Type;
using Op = ptx::TensorMemoryOp;

// A store waits for so many of its registers (assumption): their writers came one after the other.
constexpr size_t kAwaitedRegisters = 12;

}  // namespace

BulkSlots::Address Decoder::DecodePlainAddress(const Operand& operand) {
  BulkSlots::Address address;
  address.offset = static_cast<uint64_t>(operand.offset);
  if (operand.has_register_base) {
    const SizedSlot slot = slots_.OfRegister(operand.reg);
    NoteSource(operand.reg);
    address.slot = slot.slot;
    address.wide = slot.wide;
  } else {
    address.slot = slots_.Constant(slots_.AddressOf(*operand.variable), true);
  }
  return address;
}

void Decoder::DecodeRegisters(const Operand& operand, TensorMemorySlots* slots) {
  const bool loads = slots->form.op == Op::kLoad;
  for (const Operand& element : operand.elements) {
    if (element.kind == Operand::Kind::kSink) {
      slots->registers.push_back(kNoSlot);
    } else if (loads || slots->registers.size() >= kAwaitedRegisters) {
      slots->registers.push_back(element.kind == Operand::Kind::kRegister
                                     ? slots_.OfRegister(element.reg).slot
                                     : SourceOf(element, Type::kB32).slot);
    } else {
      slots->registers.push_back(SourceOf(element, Type::kB32).slot);
    }
  }
}

// D, A, B, the instruction descriptor, perhaps lanes that stay, whether D counts, perhaps its
// scale.
void Decoder::DecodeTensorProduct(TensorMemorySlots* slots) {
  const std::vector<Operand>& operands = instruction_->operands;
  slots->address = DecodePlainAddress(operands[0]);
  if (operands[1].kind == Operand::Kind::kMemory) {
    slots->factor = DecodePlainAddress(operands[1]);
  } else {
    slots->a = SourceOf(operands[1], Type::kB64).slot;
  }
  slots->b = SourceOf(operands[2], Type::kB64).slot;
  slots->instruction = SourceOf(operands[3], Type::kB32).slot;
  size_t next = 4;
  if (operands[next].kind == Operand::Kind::kVector) {
    for (size_t i = 0; i < slots->disabled.size(); ++i) {
      slots->disabled[i] = SourceOf(operands[next].elements[i], Type::kB32).slot;
    }
    ++next;
  }
  slots->keeps = SourceOf(operands[next], Type::kPred).slot;
  slots->keeps_flip = operands[next].negated ? kAllLanes : 0;
  if (next + 1 < operands.size()) slots->scale = static_cast<int>(operands[next + 1].bits);
  info_->pipe = Pipe::kTensor;
  info_->by_descriptor = true;
  InstructionDescriptor largest;
  largest.m = InstructionDescriptor::kMostRows;
  largest.n = InstructionDescriptor::kMostColumns;
  info_->tensor_work = static_cast<uint16_t>(largest.WorkOfPart());
  info_->destinations[info_->destination_count++] = slots_.ProductNumber();
}

void Decoder::DecodeTensorMemory() {
  const std::vector<Operand>& operands = instruction_->operands;
  if (code_->tensor_memory == nullptr) code_->tensor_memory = std::make_unique<TensorMemoryCode>();
  TensorMemorySlots& slots = code_->tensor_memory->slots.emplace_back();
  inst_->tensor_memory = &slots;
  inst_->action = Action::kTensorMemory;
  slots.form = instruction_->tensor_memory;
  info_->pipe = Pipe::kControl;
  const auto number = [&](uint16_t of) { info_->destinations[info_->destination_count++] = of; };
  switch (slots.form.op) {
    case Op::kAlloc:
      slots.address = DecodePlainAddress(operands[0]);
      slots.columns = SourceOf(operands[1], Type::kB32).slot;
      break;
    case Op::kDealloc:
      slots.freed = SourceOf(operands[0], Type::kB32).slot;
      slots.columns = SourceOf(operands[1], Type::kB32).slot;
      break;
    case Op::kLoad: {
      DecodeRegisters(operands[0], &slots);
      size_t next = 1;
      if (slots.form.reduction != ptx::AtomicOp::kNone) {
        slots.reduced = slots_.OfRegister(operands[next++].reg).slot;
      }
      slots.address = DecodePlainAddress(operands[next++]);
      if (next < operands.size()) slots.half_offset = static_cast<uint32_t>(operands[next].bits);
      info_->pipe = Pipe::kLogic;
      number(slots_.TensorLoadNumber());
      for (size_t i = 0; i < instruction_->destinations; ++i) {
        ptx::ForEachRegister(operands[i], [&](ptx::RegisterId reg) {
          tensor_loads_[reg].push_back(info_->destinations[0]);
        });
      }
      break;
    }
    case Op::kStore:
      slots.address = DecodePlainAddress(operands[0]);
      if (operands.size() == 3) slots.half_offset = static_cast<uint32_t>(operands[1].bits);
      DecodeRegisters(operands.back(), &slots);
      info_->pipe = Pipe::kLogic;
      number(slots_.TensorStoreNumber());
      break;
    case Op::kCopy:
      slots.address = DecodePlainAddress(operands[0]);
      slots.a = SourceOf(operands[1], Type::kB64).slot;
      break;
    case Op::kShift:
      slots.address = DecodePlainAddress(operands[0]);
      break;
    case Op::kMma:
      DecodeTensorProduct(&slots);
      break;
    case Op::kCommit:
      slots.address = DecodePlainAddress(operands[0]);
      if (slots.form.multicast) Bulk().tbs = SourceOf(operands[1], Type::kU16).slot;
      inst_->modifiers.multicast = slots.form.multicast;
      inst_->commit = CommitTensorArrival;
      waits_for_tensor_memory_.push_back(inst_->pc);
      break;
    case Op::kWaitLoad:
    case Op::kWaitStore:
      waits_for_tensor_memory_.push_back(inst_->pc);
      break;
    default:
      break;
  }
  const std::vector<bool>& needed = launch_.needed_values;
  slots.only_timed = !needed.empty() && !needed[inst_->pc];
}

// What a wait or a commit waits for, wherever it was issued: all loads, all stores, all products.
void Decoder::WaitForTensorMemory(uint32_t pc) {
  const Op op = launch_.kernel->instructions[pc].tensor_memory.op;
  WaitFor(op == Op::kWaitLoad    ? slots_.tensor_load_numbers()
          : op == Op::kWaitStore ? slots_.tensor_store_numbers()
                                 : slots_.product_numbers(),
          &(*infos_)[pc]);
}

// Loads are there for who reads their registers, too (PTX ISA, section 9.7.16.6.4.5).
void Decoder::WaitForTensorLoads(uint32_t pc) {
  std::vector<uint16_t> numbers;
  ptx::ForEachRead(launch_.kernel->instructions[pc], [&](ptx::RegisterId reg) {
    const auto loads = tensor_loads_.find(reg);
    if (loads == tensor_loads_.end()) return;
    for (const uint16_t number : loads->second) {
      const bool is_new = std::find(numbers.begin(), numbers.end(), number) == numbers.end();
      if (is_new) numbers.push_back(number);
    }
  });
  WaitFor(numbers, &(*infos_)[pc]);
}

}  // namespace flagstone::simt
