// Gives registers, immediates, special registers and addresses their slots while a kernel is
// decoded.
#ifndef FLAGSTONE_GPU_MODEL_SIMT_SLOTS_H_
#define FLAGSTONE_GPU_MODEL_SIMT_SLOTS_H_

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "gpu_model/simt/code.h"
#include "gpu_model/simt/register_rows.h"
#include "kernels/launch/kernel_launch.h"
#include "kernels/ptx/kernel.h"

namespace flagstone::simt {

// A slot and the width of its lanes.
struct SizedSlot {
  SlotId slot = kNoSlot;
  bool wide = false;  // 64 bits
};

class Slots {
 public:
  Slots(const KernelLaunch& launch, const ptx::ControlFlow& flow);

  // Registers get their slot, and a dense number for the scoreboard, at first use.
  SizedSlot OfRegister(ptx::RegisterId reg);
  SlotId HiddenPredicate() const { return MakeSlot(Base::kRegisters, hidden_predicate_); }
  uint16_t ScoreboardNumber(ptx::RegisterId reg);
  // Numbers for asynchronous copies: the next of up to twelve, in turns.
  uint16_t AsyncNumber() { return NextOf(&async_copies_); }
  const std::vector<uint16_t>& async_numbers() const { return async_copies_.numbers; }
  // The same for the products of warpgroups.
  uint16_t ProductNumber() { return NextOf(&products_); }
  const std::vector<uint16_t>& product_numbers() const { return products_.numbers; }
  // And for loads and stores of tensor memory.
  uint16_t TensorLoadNumber() { return NextOf(&tensor_loads_); }
  uint16_t TensorStoreNumber() { return NextOf(&tensor_stores_); }
  const std::vector<uint16_t>& tensor_load_numbers() const { return tensor_loads_.numbers; }
  const std::vector<uint16_t>& tensor_store_numbers() const { return tensor_stores_.numbers; }
  uint32_t scoreboard_registers() const { return scoreboard_registers_; }
  uint32_t register_bytes() const;  // of a warp, a multiple of 64

  SlotId Constant(uint64_t value, bool wide);
  SlotId Mask(LaneMask mask);  // a constant predicate
  // `wide`: read as 64 bits, where the ISA leaves the choice.
  SizedSlot OfSpecial(ptx::SpecialRegister special, bool wide);
  SizedSlot OfCluster(ptx::SpecialRegister special);

  // The address of a variable in its own state space; of .global and .const: on the device.
  // Throws kBadInput for a symbol that the launch does not place.
  uint64_t AddressOf(const ptx::Variable& variable) const;

  LaneStorage TakeConstants() { return std::move(constants_); }
  bool uses_clock() const { return uses_clock_; }

 private:
  struct Place {
    SlotId slot = kNoSlot;
    uint16_t scoreboard = 0;
  };
  struct Turns {
    std::vector<uint16_t> numbers;
    size_t taken = 0;
  };
  uint16_t NextOf(Turns* turns);
  Place& PlaceOf(ptx::RegisterId reg);
  SlotId AppendConstant(const void* bytes, size_t size);
  SlotId LaneVector(ptx::SpecialRegister special);

  const KernelLaunch* launch_;
  std::vector<Place> places_;  // by RegisterId
  const RegisterRows rows_;
  uint32_t narrow_ = 0;  // where the rows begin, from the start of the registers
  uint32_t wide_ = 0;
  uint32_t predicates_ = 0;
  uint32_t hidden_predicate_ = 0;  // for set: no instruction names it
  uint32_t scoreboard_registers_ = 0;
  Turns async_copies_, products_, tensor_loads_, tensor_stores_;
  LaneStorage constants_;
  std::map<std::pair<uint64_t, bool>, SlotId> constant_slots_;
  std::map<LaneMask, SlotId> mask_slots_;
  std::map<ptx::SpecialRegister, SlotId> vector_slots_;
  bool uses_clock_ = false;
};

}  // namespace flagstone::simt

#endif  // FLAGSTONE_GPU_MODEL_SIMT_SLOTS_H_
