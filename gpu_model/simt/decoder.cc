#include "gpu_model/simt/decoder.h"

#include <bit>
#include <string>
#include <utility>

#include "base/error.h"
#include "gpu_model/simt/bulk_copy.h"
#include "gpu_model/simt/bulk_reduce.h"
#include "gpu_model/simt/clusters.h"
#include "gpu_model/simt/host_calls.h"
#include "gpu_model/simt/instruction_class.h"
#include "ptx/instruction_table.h"

namespace flagstone::simt {
namespace {

using ptx::Opcode;
using ptx::Type;

// What `set` gives where its comparison holds.
uint32_t TrueValueOf(Type type) {
  switch (type) {
    case Type::kF32:
      return std::bit_cast<uint32_t>(1.0F);
    case Type::kF16:
      return 0x3c00;
    case Type::kBf16:
      return 0x3f80;
    case Type::kU16:
      return 0xffff;
    default:
      return kAllLanes;
  }
}

}  // namespace

Decoder::Decoder(const KernelLaunch& launch, Program::Code* code,
                 std::vector<InstructionInfo>* infos)
    : launch_(launch),
      code_(code),
      infos_(infos),
      flow_(*launch.kernel),
      slots_(launch, flow_),
      handlers_(Handlers()) {}

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

void Decoder::SelectWarpMemory(bool is_load) {
  inst_->action = Action::kMemory;
  info_->is_load = is_load;
  info_->is_store = !is_load;
  inst_->writes_memory = !is_load;
  inst_->run = SelectWarpAccess(*instruction_).run;
}

// A copy holds a number of the scoreboard until its data has come. What waits for all copies waits
// for these; what leaves some of them under way waits for none.
void Decoder::WaitForCopies(uint32_t pc) {
  const ptx::Instruction& instruction = launch_.kernel->instructions[pc];
  const ptx::AsyncOp op = instruction.modifiers.async_op;
  const bool some = op == ptx::AsyncOp::kWaitGroup && code_->insts[pc].offset != 0;
  if ((op != ptx::AsyncOp::kWaitGroup && op != ptx::AsyncOp::kWaitAll) || some) return;
  InstructionInfo& info = (*infos_)[pc];
  for (const uint16_t number : slots_.async_numbers()) {
    if (info.source_count < info.sources.size()) info.sources[info.source_count++] = number;
  }
}

void Decoder::SelectMemoryHandler() {
  const bool is_access = instruction_->opcode == Opcode::kLd || instruction_->opcode == Opcode::kSt;
  inst_->action = Action::kMemory;
  if (!is_access) inst_->element_bytes = static_cast<uint8_t>(ptx::SizeInBytes(instruction_->type));
  inst_->access_bytes = static_cast<uint8_t>(inst_->element_bytes * inst_->vector);
  inst_->writes_memory = instruction_->opcode != Opcode::kLd;
  info_->is_load = instruction_->opcode == Opcode::kLd;
  info_->is_store = instruction_->opcode == Opcode::kSt;
  info_->is_atomic = !is_access;
  if (inst_->writes_memory &&
      (inst_->space == MemorySpace::kParam || inst_->space == MemorySpace::kConst)) {
    Refuse("this state space cannot be written");
  }
  if (argument_ != nullptr) {
    DecodeArgument(*argument_);
    inst_->run = handlers_.constant_load(shape_);
    return;
  }
  const MemoryHandler handler = is_access            ? handlers_.memory(*instruction_, shape_)
                                : inst_->vector == 1 ? handlers_.atomic(*instruction_)
                                                     : SelectVectorAtomic();
  inst_->run = handler.run;
  inst_->commit = handler.commit;
  ReachCluster();
}

// Addresses in shared memory may name other TBs.
void Decoder::ReachCluster() {
  if (code_->clusters == nullptr) return;
  const bool shared = inst_->space == MemorySpace::kShared && instruction_->modifiers.remote;
  if (!shared && !inst_->generic) return;
  inst_->inner = inst_->run;
  inst_->run = AccessCluster;
  if (instruction_->opcode != Opcode::kLd) return;
  inst_->run = LoadFromCluster;
  inst_->commit = CommitClusterLoad;
  inst_->wide_second = shape_.wide_destination;
}

void Decoder::SelectMbarrierAccess() {
  const ptx::MbarrierOp op = instruction_->modifiers.mbarrier_op;
  const bool waits = op == ptx::MbarrierOp::kTestWait || op == ptx::MbarrierOp::kTryWait;
  const MemoryHandler handler = SelectMbarrier(*instruction_);
  inst_->action = Action::kMemory;
  if (!inst_->generic) inst_->space = MemorySpace::kShared;
  inst_->element_bytes = inst_->access_bytes = sizeof(uint64_t);
  inst_->writes_memory = !waits;
  info_->is_load = waits;
  info_->is_atomic = !waits;
  inst_->run = handler.run;
  inst_->commit = handler.commit;
  ReachCluster();
}

// The account of the heap is what they access.
void Decoder::SelectHeapAccess() {
  if (launch_.heap == 0) Refuse("the launch has no heap");
  const MemoryHandler handler = SelectHeap(*instruction_);
  inst_->action = Action::kMemory;
  inst_->space = MemorySpace::kGlobal;
  inst_->source[1] = inst_->source[0];
  inst_->source[0] = slots_.Constant(launch_.heap, true);
  inst_->element_bytes = inst_->access_bytes = sizeof(uint64_t);
  inst_->writes_memory = true;
  info_->is_atomic = true;
  inst_->run = handler.run;
  inst_->commit = handler.commit;
}

void Decoder::SelectBulkCopy() {
  inst_->action = Action::kBulk;
  Bulk().reducer = ReducerOf(*instruction_);
  info_->is_load = !instruction_->modifiers.to;
  info_->is_store = instruction_->modifiers.to;
  inst_->access_bytes = 16;  // of a word of shared memory, for its banks
  const bool tensor = instruction_->modifiers.async_op == ptx::AsyncOp::kTensorCopy;
  inst_->commit = tensor ? CommitTensor : CommitBulk;
  if (inst_->modifiers.to) inst_->space = MemorySpace::kShared;
}

void Decoder::SelectClusterBarrier() {
  inst_->action = Action::kClusterBarrier;
  inst_->barrier = instruction_->modifiers.barrier_op;
  inst_->commit = CommitClusterArrival;
}

// Nobody needs what the instruction computes, reads or writes: it issues, and an access still has
// its addresses. Arguments are there already, and a fetch finds its address on the way to its
// value.
void Decoder::LeaveOutValue() {
  if (inst_->action == Action::kCompute) {
    inst_->action = Action::kNothing;
  } else if (inst_->action == Action::kMemory && argument_ == nullptr &&
             instruction_->opcode != Opcode::kTex && instruction_->opcode != Opcode::kSuld &&
             instruction_->opcode != Opcode::kSust && inst_->inner == nullptr && !IsWarpAccess()) {
    inst_->run = handlers_.touch();
  }
}

void Decoder::SelectHandler() {
  const ptx::Instruction& i = *instruction_;
  inst_->action = Action::kCompute;
  switch (i.opcode) {
    case Opcode::kBra:
      inst_->action = Action::kBranch;
      return;
    case Opcode::kRet:
    case Opcode::kExit:
      inst_->action = Action::kExit;
      inst_->commit = CommitClusterArrival;  // used in clusters alone
      return;
    case Opcode::kTrap:
      inst_->action = Action::kTrap;
      return;
    case Opcode::kCall:
    // Stores become visible in the order of their commits, and all lanes of a warp move together.
    case Opcode::kMembar:
    case Opcode::kFence:
    case Opcode::kNanosleep:
    case Opcode::kPrefetch:
    case Opcode::kBrkpt:
    // Launches follow one another here, and registers stay with their warps.
    case Opcode::kGriddepcontrol:
    case Opcode::kSetmaxnreg:
      inst_->action = Action::kNothing;
      return;
    case Opcode::kBar:
      if (i.modifiers.barrier_op >= ptx::BarrierOp::kClusterArrive) return SelectClusterBarrier();
      inst_->barrier = i.modifiers.barrier_op;
      if (inst_->barrier == ptx::BarrierOp::kRed && inst_->source[2] == kNoSlot) {
        std::swap(inst_->source[1], inst_->source[2]);  // without a count
        std::swap(inst_->source_flip[1], inst_->source_flip[2]);
      }
      inst_->action =
          i.modifiers.barrier_op == ptx::BarrierOp::kWarpSync ? Action::kNothing : Action::kBarrier;
      return;
    case Opcode::kLd:
    case Opcode::kSt:
    case Opcode::kAtom:
    case Opcode::kRed:
      SelectMemoryHandler();
      break;
    case Opcode::kSet:
      if (ptx::IsPacked(i.source_type)) {
        inst_->run = SelectHalf(i);
        break;
      }
      inst_->source[3] = slots_.Constant(TrueValueOf(i.type), false);
      inst_->elements[0] = inst_->destination;
      inst_->destination = slots_.HiddenPredicate();
      inst_->inner = handlers_.compare(i);
      if (inst_->inner == nullptr) inst_->inner = SelectHalf(i);
      inst_->run = inst_->inner != nullptr ? handlers_.set() : nullptr;
      break;
    case Opcode::kPrint:
      inst_->run = Print;
      info_->prints = true;
      break;
    case Opcode::kAssertFail:
      inst_->run = FailAssertion;
      break;
    case Opcode::kSetp:
      inst_->run = handlers_.compare(i);
      if (inst_->run == nullptr) inst_->run = SelectHalf(i);
      break;
    case Opcode::kLdmatrix:
    case Opcode::kStmatrix:
      SelectWarpMemory(i.opcode == Opcode::kLdmatrix);
      inst_->access_bytes = 16;  // a row
      break;
    case Opcode::kCpAsync:
      if (i.modifiers.async_op == ptx::AsyncOp::kCopy) {
        SelectWarpMemory(true);
        inst_->access_bytes = inst_->element_bytes;
        info_->destinations[info_->destination_count++] = slots_.AsyncNumber();
        break;
      }
      if (i.modifiers.async_op == ptx::AsyncOp::kBulkCopy ||
          i.modifiers.async_op == ptx::AsyncOp::kTensorCopy) {
        return SelectBulkCopy();
      }
      inst_->action = Action::kNothing;
      // The copies are made: what arrives for them only counts where the barrier reckons with it.
      if (i.modifiers.no_increment) SelectMbarrierAccess();
      return;
    case Opcode::kMbarrier:
      if (i.modifiers.mbarrier_op == ptx::MbarrierOp::kPendingCount) {
        inst_->run = SelectMbarrier(i).run;
      } else {
        SelectMbarrierAccess();
      }
      break;
    case Opcode::kAllocate:
    case Opcode::kFree:
      SelectHeapAccess();
      break;
    case Opcode::kSuld:
    case Opcode::kSust: {
      const MemoryHandler handler = SelectSurface(i);
      inst_->action = Action::kMemory;
      inst_->space = MemorySpace::kGlobal;
      inst_->access_bytes = static_cast<uint8_t>(inst_->element_bytes * inst_->vector);
      inst_->writes_memory = i.opcode == Opcode::kSust;
      info_->is_load = !inst_->writes_memory;
      info_->is_store = inst_->writes_memory;
      inst_->wide_second = inst_->writes_memory ? shape_.wide_source : shape_.wide_destination;
      inst_->run = handler.run;
      inst_->commit = handler.commit;
      break;
    }
    case Opcode::kMapa:
    case Opcode::kGetctarank:
      inst_->run = SelectClusterAddress(i);
      break;
    case Opcode::kMma:
      info_->tensor_work = TensorWorkOf(i);
      [[fallthrough]];
    case Opcode::kMovmatrix:
      inst_->run = SelectMatrix(i);
      break;
    case Opcode::kAddCarry:
    case Opcode::kSubCarry:
    case Opcode::kMadCarry:
      inst_->run = SelectCarry(i);
      break;
    case Opcode::kShfl:
    case Opcode::kVote:
    case Opcode::kMatch:
    case Opcode::kActivemask:
    case Opcode::kRedux:
    case Opcode::kElect:
      inst_->run = SelectLaneExchange(i);
      break;
    case Opcode::kCreatepolicy:
      inst_->space = MemorySpace::kNone;  // its address is a number
      inst_->run = SelectCachePolicy(i);
      break;
    case Opcode::kTex:
      inst_->action = Action::kMemory;
      inst_->space = MemorySpace::kGlobal;
      info_->is_load = true;
      info_->is_texture = true;
      inst_->run = SelectTexture();
      break;
    case Opcode::kIsspacep:
      inst_->run = SelectSpaceTest();
      break;
    case Opcode::kCvta:
      inst_->run = handlers_.cvta(i);
      break;
    default: {
      inst_->run = SelectHalf(i);
      if (inst_->run == nullptr) inst_->run = SelectPairs(i);
      if (inst_->run == nullptr) inst_->run = SelectNarrowConvert(i, shape_);
      if (inst_->run == nullptr) inst_->run = handlers_.predicate(i);
      if (inst_->run == nullptr) inst_->run = DirectedRounding(i, shape_);
      if (inst_->run == nullptr) inst_->run = handlers_.approximate(i);
      if (inst_->run == nullptr) inst_->run = handlers_.floating(i);
      if (inst_->run == nullptr) inst_->run = handlers_.convert(i, shape_);
      if (inst_->run == nullptr) inst_->run = handlers_.move(i, shape_);
      if (inst_->run == nullptr) inst_->run = handlers_.bits(i);
      if (inst_->run == nullptr) inst_->run = handlers_.integer(i);
      if (inst_->run == nullptr) inst_->run = SelectRare(i);
    }
  }
  if (inst_->run == nullptr) Refuse("this instruction is not supported");
}

}  // namespace flagstone::simt
