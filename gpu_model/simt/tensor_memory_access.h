// What the instructions of tcgen05 do to the tensor memory of a TB (PTX ISA, section 9.7.16), and
// the rules that they have to keep. All throw where one is broken, with line and warp or thread.
#ifndef FLAGSTONE_GPU_MODEL_SIMT_TENSOR_MEMORY_ACCESS_H_
#define FLAGSTONE_GPU_MODEL_SIMT_TENSOR_MEMORY_ACCESS_H_

#include <cstdint>
#include <string>

#include "gpu_model/simt/code.h"
#include "gpu_model/simt/race_check.h"
#include "gpu_model/simt/tensor_memory.h"
#include "gpu_model/simt/warpgroup.h"

namespace flagstone::simt {

// An instruction in a warp of a TB.
struct TensorMemoryAccess {
  Context& c;
  const Inst& inst;
  TensorMemory& memory;
  RaceCheck* races = nullptr;  // of shared memory, or none

  const TensorMemorySlots& slots() const { return *inst.tensor_memory; }
};

// tcgen05.ld and .st of a whole warp.
void MoveTensorMemory(const TensorMemoryAccess& of);
// tcgen05.cp, .shift and .mma of one lane; the last one gives the work of a tensor core.
void CopyToTensorMemory(const TensorMemoryAccess& of, uint32_t lane);
void ShiftTensorMemory(const TensorMemoryAccess& of, uint32_t lane);
uint32_t MultiplyInTensorMemory(const TensorMemoryAccess& of, uint32_t lane);
// The same of a product that is not made.
uint32_t WorkOfProduct(const TensorMemoryAccess& of, uint32_t lane);

// An address of tensor memory, as the lane's operand has it.
struct TensorMemoryAddress {
  uint32_t lane = 0, column = 0;
};
TensorMemoryAddress AddressOf(const Context& c, const BulkSlots::Address& address, uint32_t lane);

// The TB has allocated these columns.
void CheckColumns(const TensorMemoryAccess& of, uint32_t lane, uint32_t first, uint32_t columns);
// Cells of tensor memory: columns, and a bit for each 16 lanes.
struct TensorMemoryCells {
  static constexpr uint32_t kAll = (1U << TensorMemory::kGroups) - 1;
  static constexpr uint32_t kOfRows64 = 0x55;  // from lane 0; from lane 16 twice that

  uint32_t first = 0, columns = 0;
  uint32_t groups = kAll;
};
enum class TensorMemoryTouch : uint8_t { kRead, kWrite, kSum };
// Nothing that was issued before still uses these cells, but for what the hardware keeps in order;
// `verb`: "read".
void CheckUses(const TensorMemoryAccess& of, uint32_t lane, const TensorMemoryCells& cells,
               TensorMemoryTouch touch, const char* verb);
// The instruction uses them from now on.
void NoteUse(const TensorMemoryAccess& of, const TensorMemoryCells& cells,
             TensorMemory::Uses* uses);

// The units of a matrix in shared memory: `rows` of `halves` units each or, transposed, `rows` in
// groups of as many as a unit holds of them, at each k.
struct FactorShape {
  char matrix = 'A';
  uint32_t rows = 0, halves = 2;
  uint32_t bits = 16, depth = 16;  // of a transposed one
  bool transposed = false;
};
MatrixUnits FactorUnits(const TensorMemoryAccess& of, uint32_t lane, uint64_t bits,
                        const FactorShape& shape);

}  // namespace flagstone::simt

#endif  // FLAGSTONE_GPU_MODEL_SIMT_TENSOR_MEMORY_ACCESS_H_
