// The instructions of a slice, decoded for evaluation: a compact program per block of the kernel.
#ifndef FLAGSTONE_ANALYZER_ADDRESS_SLICE_PROGRAM_H_
#define FLAGSTONE_ANALYZER_ADDRESS_SLICE_PROGRAM_H_

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "analyzer/address/slice.h"
#include "gpu_model/simt/lane_functions.h"
#include "kernels/launch/kernel_launch.h"

namespace flagstone {

inline constexpr uint32_t kSliceLanes = 32;  // threads that run a slice together: a warp
inline constexpr uint32_t kAllSliceLanes = ~uint32_t{0};  // as a mask

// Up to three operands and the result, each of kSliceLanes values, and the lanes that are wanted,
// lane 0 in bit 0. The result may be one of the operands.
struct SliceOperands {
  uint64_t* result;
  const uint64_t* a;
  const uint64_t* b;
  const uint64_t* c;
  uint32_t lanes;
};

// A frequent instruction in the lanes of a warp; see slice_operations.cc. False where the result of
// one of them is undefined.
using SliceOperation = bool (*)(const SliceOperands& operands);

struct SliceStep {
  SliceOperation operation = nullptr;   // null: EvaluateInteger() has it, but for what follows
  bool by_executor = false;             // simt::LaneFunctions has it
  ptx::Type loaded = ptx::Type::kNone;  // from .const memory, at the first source and the offset
  const ptx::Instruction* instruction = nullptr;
  uint32_t pc = 0;
  bool is_access = false;
  uint32_t destination = 0;              // slot
  uint32_t second = 0;                   // slot of setp's second predicate; 0 if none
  std::array<uint32_t, 4> sources = {};  // slots; of accesses: the base
  std::array<bool, 4> negated = {};
  uint8_t source_count = 0;
  int64_t offset = 0;  // of accesses and loads
};

// Of an instruction whose operands have no negation; null for what is seldom.
SliceOperation OperationOf(const ptx::Instruction& instruction);

struct SliceBlock {
  std::vector<SliceStep> steps;
  uint32_t terminator = 0;  // pc
  bool follows_branch = false;
};

// What the slices of these accesses compute with but integers; null where they do not, or where the
// executor does not know the kernel.
std::unique_ptr<simt::LaneFunctions> FunctionsFor(const KernelLaunch& launch,
                                                  const KernelStructure& structure,
                                                  std::span<const uint32_t> accesses);

class SliceProgram {
 public:
  // `functions`: for what is no integer instruction; null: there are none.
  SliceProgram(const KernelLaunch& launch, const KernelStructure& structure,
               simt::LaneFunctions* functions);

  // Decodes the slice and the accesses in it. Returns what cannot be evaluated; empty if all can.
  std::string Decode(const Slice& slice, std::span<const uint32_t> accesses);

  const std::vector<SliceBlock>& blocks() const { return blocks_; }
  // Registers, then special registers, then constants: the values at a thread's start.
  const std::vector<uint64_t>& slots() const { return slots_; }
  uint32_t SlotOf(ptx::SpecialRegister special) const {
    return first_special_ + static_cast<uint32_t>(special);
  }

 private:
  std::string DecodeStep(uint32_t pc, bool is_access, SliceStep& step);
  bool DecodeSource(const ptx::Operand& operand, uint32_t& slot);
  uint32_t ConstantSlot(uint64_t bits);
  bool LoadsParameter(uint32_t pc, std::vector<SliceStep>& steps);
  bool LoadsConstant(uint32_t pc, std::vector<SliceStep>& steps);

  const KernelLaunch* launch_;
  const KernelStructure* structure_;
  simt::LaneFunctions* functions_;
  std::vector<SliceBlock> blocks_;
  std::vector<uint64_t> slots_;
  uint32_t first_special_ = 0;
};

}  // namespace flagstone

#endif  // FLAGSTONE_ANALYZER_ADDRESS_SLICE_PROGRAM_H_
