// The handlers of accesses to memory, and what the timing model knows of these.
#include "gpu_model/simt/bulk_copy.h"
#include "gpu_model/simt/bulk_reduce.h"
#include "gpu_model/simt/clusters.h"
#include "gpu_model/simt/decoder.h"
#include "gpu_model/simt/handlers/tensor_map_field.h"

namespace flagstone::simt {
namespace {

using ptx::Opcode;

}  // namespace

void Decoder::SelectWarpMemory(bool is_load) {
  inst_->action = Action::kMemory;
  info_->is_load = is_load;
  info_->is_store = !is_load;
  inst_->writes_memory = !is_load;
  inst_->run = SelectWarpAccess(*instruction_).run;
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
  const bool tensor = instruction_->modifiers.async_op == ptx::AsyncOp::kTensorCopy;
  if (instruction_->modifiers.reduce && !tensor) {
    Bulk().reducer = ReducerOf(instruction_->modifiers.atomic_op, instruction_->type);
  }
  info_->is_load = !instruction_->modifiers.to;
  info_->is_store = instruction_->modifiers.to;
  inst_->access_bytes = 16;  // of a word of shared memory, for its banks
  inst_->commit = tensor ? CommitTensor : CommitBulk;
  if (inst_->modifiers.to) inst_->space = MemorySpace::kShared;
}

void Decoder::SelectMapChange() {
  const MemoryHandler handler = SelectMapField(*instruction_);
  inst_->action = Action::kMemory;
  inst_->element_bytes = static_cast<uint8_t>(ptx::SizeInBytes(instruction_->type));
  inst_->access_bytes = kMapAlignment;
  inst_->writes_memory = true;
  info_->is_store = true;
  inst_->run = handler.run;
  inst_->commit = handler.commit;
}

}  // namespace flagstone::simt
