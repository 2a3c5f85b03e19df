// What the executor keeps of a kernel with wgmma.mma_async: the operands of each, and which
// instructions touch a register that a product may still use (PTX ISA, section 9.7.15.1).
#ifndef FLAGSTONE_GPU_MODEL_SIMT_WARPGROUP_H_
#define FLAGSTONE_GPU_MODEL_SIMT_WARPGROUP_H_

#include <array>
#include <cstdint>
#include <deque>
#include <vector>

#include "gpu_model/simt/code.h"
#include "kernels/ptx/wgmma_form.h"

namespace flagstone::simt {

// A register that is the sum or, in registers, the factor A of some product; or a copy of a sum.
using WatchedId = uint16_t;

// The operands of a wgmma.mma_async.
struct WarpgroupSlots {
  ptx::WgmmaForm form;
  std::array<SlotId, ptx::WgmmaForm::kMostColumns / 2> d = {};
  bool a_in_registers = false;
  std::array<SlotId, ptx::WgmmaForm::kRegistersOfA> a = {};
  SlotId a_descriptor = kNoSlot, b_descriptor = kNoSlot;
  SlotId scale = kNoSlot;  // a lane mask: whether D is added
  LaneMask scale_flip = 0;
  bool negates_a = false, negates_b = false;
  bool transposes_a = false, transposes_b = false;
  std::vector<WatchedId> sums, factors;
};

// An instruction other than wgmma that reads or writes watched registers.
struct RegisterWatch {
  Handler run = nullptr;  // what executes it
  std::vector<WatchedId> reads, writes;
  bool copies = false;  // a move: its result is what its source is, sum of a product under way too
};

struct WarpgroupCode {
  std::deque<WarpgroupSlots> products;        // instructions point into it
  std::vector<ptx::RegisterId> watched;       // by WatchedId
  std::vector<const RegisterWatch*> watches;  // by pc; null for most
  std::deque<RegisterWatch> all_watches;
};

// Finds the watched registers, and lets the instructions that touch them look first whether a
// product is under way. After all else of the kernel has been decoded.
void WatchRegisters(const KernelLaunch& launch, Program::Code* code);

// The factors and sums of a warp's 16 rows of a product: element (row, k) of A, (k, column) of B.
template <class T>
struct ProductTile {
  static constexpr uint32_t kRows = ptx::WgmmaForm::kRowsOfWarp;
  static constexpr uint32_t kColumns = ptx::WgmmaForm::kMostColumns;
  static constexpr uint32_t kDepth = ptx::WgmmaForm::kRowBytes;
  uint32_t columns = 0, depth = 0;
  std::array<std::array<T, kDepth>, kRows> a;
  alignas(64) std::array<std::array<T, kColumns>, kDepth> b;
  alignas(64) std::array<std::array<T, kColumns>, kRows> sums;
};

// The addresses in shared memory of the units of a matrix that a product reads.
struct MatrixUnits {
  std::array<uint32_t, 2 * ptx::WgmmaForm::kMostColumns> at = {};
  uint32_t count = 0;
};

// The sums of the warp's 16 rows; `keeps`: those there are count.
void MultiplyWarp(Context& c, const WarpgroupSlots& slots, const MatrixUnits& a,
                  const MatrixUnits& b, bool keeps);

}  // namespace flagstone::simt

#endif  // FLAGSTONE_GPU_MODEL_SIMT_WARPGROUP_H_
