// Kernel and launch -> Program::Code and what the timing model knows of each instruction.
#ifndef FLAGSTONE_GPU_MODEL_SIMT_DECODER_H_
#define FLAGSTONE_GPU_MODEL_SIMT_DECODER_H_

#include <string_view>
#include <unordered_map>
#include <vector>

#include "gpu_model/simt/code.h"
#include "gpu_model/simt/handlers/handlers.h"
#include "gpu_model/simt/slots.h"
#include "kernels/ptx/control_flow.h"
#include "kernels/ptx/kernel.h"

namespace flagstone::simt {

class Decoder {
 public:
  Decoder(const KernelLaunch& launch, Program::Code* code, std::vector<InstructionInfo>* infos);

  // Throws kBadInput with file, line and instruction for what the executor does not support.
  void Run();
  uint32_t scoreboard_registers() const { return slots_.scoreboard_registers(); }

 private:
  void Decode(uint32_t pc);
  void WaitForCopies(uint32_t pc);
  static void WaitFor(const std::vector<uint16_t>& numbers, InstructionInfo* info);
  void LeaveOutValue();
  void DecodeUnexecuted();
  [[noreturn]] void Refuse(std::string_view reason) const;

  // Operands (decode_operands.cc).
  void DecodeOperand(char letter, const ptx::Operand& operand);
  void DecodeDestination(const ptx::Operand& operand, ptx::Type type, char letter);
  // The slot that a source is read from, for lanes of the given type.
  SizedSlot SourceOf(const ptx::Operand& operand, ptx::Type type);
  uint64_t ImmediateBits(const ptx::Operand& operand, ptx::Type type) const;
  ptx::Type TypeOf(char letter) const;
  void AddSource(SlotId slot, bool negated);
  void NoteSource(ptx::RegisterId reg);
  void NoteDestination(ptx::RegisterId reg);
  void NoteTouched(ptx::RegisterId reg);

  // Operands of several registers (decode_vectors.cc).
  void DecodeVector(const ptx::Operand& operand, bool is_destination);
  void DecodeAtomicVector(const ptx::Operand& operand, bool is_destination);
  void DecodeMatrixExtra(const ptx::Operand& operand, bool selects);
  void DecodeMatrix(const ptx::Operand& operand, bool is_destination);

  // Addresses (decode_addresses.cc).
  void DecodeSharedAddress(const ptx::Operand& operand);
  void DecodeTensorMap(const ptx::Operand& operand);
  simt::BulkSlots& Bulk();
  void DecodeBulkAddress(const ptx::Operand& operand);
  void DecodeMemory(const ptx::Operand& operand);
  void DecodeArgument(const ptx::Operand& operand);
  void DecodeTexture(const ptx::Operand& operand);
  void DecodeSampler(const ptx::Operand& operand);
  uint64_t HandleOf(const ptx::Variable& variable) const;

  // What executes the instruction (select_handler.cc).
  void SelectHandler();
  void SelectClusterBarrier();

  // Products of warpgroups (decode_warpgroup.cc).
  void DecodeWarpgroup();
  void DecodeProduct();
  void WaitForProducts(uint32_t pc);

  // Tensor memory (decode_tensor_memory.cc).
  void DecodeTensorMemory();
  void DecodeTensorProduct(TensorMemorySlots* slots);
  void DecodeRegisters(const ptx::Operand& operand, TensorMemorySlots* slots);
  BulkSlots::Address DecodePlainAddress(const ptx::Operand& operand);
  void WaitForTensorMemory(uint32_t pc);
  void WaitForTensorLoads(uint32_t pc);

  // Accesses (select_access.cc).
  void SelectMemoryHandler();
  void SelectWarpMemory(bool is_load);
  void SelectMbarrierAccess();
  void SelectHeapAccess();
  void SelectBulkCopy();
  void SelectMapChange();
  void ReachCluster();
  // An access whose addresses are not those of one register in each lane.
  bool IsWarpAccess() const {
    return instruction_->opcode == ptx::Opcode::kLdmatrix ||
           instruction_->opcode == ptx::Opcode::kStmatrix ||
           instruction_->opcode == ptx::Opcode::kCpAsync;
  }

  const KernelLaunch& launch_;
  Program::Code* code_;
  std::vector<InstructionInfo>* infos_;
  ptx::ControlFlow flow_;
  Slots slots_;
  const HandlerSet& handlers_;
  const bool lanes_progress_;  // by themselves (lane_progress.cc)
  struct Product {
    uint32_t pc = 0;
    uint16_t number = 0;  // of the scoreboard
  };
  std::vector<Product> products_;             // of wgmma
  std::vector<uint32_t> waits_for_products_;  // their pcs
  std::vector<uint32_t> waits_for_tensor_memory_;
  std::unordered_map<ptx::RegisterId, std::vector<uint16_t>> tensor_loads_;  // that write it

  // Of the instruction at hand.
  const ptx::Instruction* instruction_ = nullptr;
  Inst* inst_ = nullptr;
  InstructionInfo* info_ = nullptr;
  Shape shape_;
  size_t sources_ = 0;
  const ptx::Operand* argument_ = nullptr;  // a load of the parameter block at a known address
};

}  // namespace flagstone::simt

#endif  // FLAGSTONE_GPU_MODEL_SIMT_DECODER_H_
