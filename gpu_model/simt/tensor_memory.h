// The tensor memory of a TB (PTX ISA, section 9.7.16.1): 512 columns of 128 lanes of 32 bits, which
// warps allocate by columns; and which of them hold what is not ready yet. Values are there at
// once: what is kept of uses only tells whether a program may touch a column.
#ifndef FLAGSTONE_GPU_MODEL_SIMT_TENSOR_MEMORY_H_
#define FLAGSTONE_GPU_MODEL_SIMT_TENSOR_MEMORY_H_

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "gpu_model/simt/code.h"
#include "kernels/ptx/tensor_memory_form.h"

namespace flagstone::simt {

// The operands of a tcgen05.
struct TensorMemorySlots {
  ptx::TensorMemoryForm form;
  BulkSlots::Address address;       // in tensor memory; of an alloc or a commit in shared memory
  BulkSlots::Address factor;        // A in tensor memory, or none
  std::vector<SlotId> registers;    // of a load or store; kNoSlot: the element is not kept
  SlotId reduced = kNoSlot;         // of a load that reduces
  SlotId columns = kNoSlot;         // of an alloc or dealloc
  SlotId a = kNoSlot, b = kNoSlot;  // descriptors; of a copy: a
  SlotId instruction = kNoSlot;     // the instruction descriptor
  SlotId keeps = kNoSlot;           // a lane mask: whether D counts
  LaneMask keeps_flip = 0;
  std::array<SlotId, 4> disabled = {kNoSlot, kNoSlot, kNoSlot, kNoSlot};  // lanes of D that stay
  uint32_t half_offset = 0;                                               // columns
  int scale = 0;            // D counts times 2 to the power of -scale
  SlotId freed = kNoSlot;   // the address that a dealloc gives
  bool only_timed = false;  // of a slice: nobody needs the values
};

struct TensorMemoryCode {
  std::deque<TensorMemorySlots> slots;  // instructions point into it
};

class TensorMemory {
 public:
  static constexpr uint32_t kLanes = 128, kColumns = 512, kUnit = 32;
  static constexpr uint32_t kLanesOfWarp = 32, kQuarters = kLanes / kLanesOfWarp;
  static constexpr uint32_t kLanesOfGroup = 16, kGroups = kLanes / kLanesOfGroup;

  struct Allocation {
    uint32_t first = 0, columns = 0, pc = 0, warp = 0;
  };
  // An operation that the column may still wait for.
  struct Use {
    uint32_t pc = 0;
    uint32_t warp = 0;
    bool there = false;
  };

  TensorMemory();
  void Start();

  // `column`: lane after lane.
  uint32_t* Column(uint32_t column) { return cells_.get() + size_t{column} * kLanes; }

  // Zeros; nothing where no such run of columns is free.
  std::optional<uint32_t> Allocate(uint32_t columns, uint32_t pc, uint32_t warp);
  bool Free(uint32_t first, uint32_t columns);  // false: no such allocation
  uint32_t allocated() const { return allocated_; }
  const std::vector<Allocation>& allocations() const { return allocations_; }
  bool IsAllocated(uint32_t column) const;

  bool relinquished = false;
  uint32_t last_columns = kColumns;  // of the last allocation
  // By 16 lanes and column: what a product, copy or shift writes that no commit has followed; what
  // a store writes, and a load reads, that no wait has followed.
  using Uses = std::array<std::array<Use, kColumns>, kGroups>;
  Uses written, stored, loaded;

  // A commit or wait of the warp.
  static void End(uint32_t warp, Uses* uses);

 private:
  std::unique_ptr<uint32_t[]> cells_;
  std::vector<Allocation> allocations_;
  uint32_t allocated_ = 0;
};

// A cell, from the address that a load or store has.
struct TensorMemoryPlace {
  uint32_t lane = 0, column = 0;
};
// Of a thread's register (the ISA has figures; CUTLASS's copy_traits_sm100.hpp has it so).
TensorMemoryPlace PlaceInTensorMemory(ptx::TensorMemoryShape shape, uint32_t thread, uint32_t reg);
// How many columns all registers take, of a half where there are two.
uint32_t ColumnsOf(const ptx::TensorMemoryForm& form);

}  // namespace flagstone::simt

#endif  // FLAGSTONE_GPU_MODEL_SIMT_TENSOR_MEMORY_H_
