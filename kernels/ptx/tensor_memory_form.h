// The forms of tcgen05 (PTX ISA, section 9.7.16): what its dotted words say of an access to tensor
// memory, of a product in it, and of how it is allocated.
#ifndef FLAGSTONE_KERNELS_PTX_TENSOR_MEMORY_FORM_H_
#define FLAGSTONE_KERNELS_PTX_TENSOR_MEMORY_FORM_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/ptx/opcode.h"
#include "kernels/ptx/types.h"

namespace flagstone::ptx {

enum class TensorMemoryOp : uint8_t {
  kNone,
  kAlloc,
  kDealloc,
  kRelinquish,
  kLoad,
  kStore,
  kWaitLoad,
  kWaitStore,
  kCopy,
  kShift,
  kMma,
  kCommit,
  kFenceBefore,
  kFenceAfter,
};
// Lanes and bits of a load or store, then of a copy. Of 64 lanes warps 0 and 2, or 0 and 1, get the
// same; of 32 all four.
enum class TensorMemoryShape : uint8_t {
  kNone,
  k32x32,
  k16x64,
  k16x128,
  k16x256,
  k16x32x2,
  k128x256,
  k4x256,
  k128x128,
  k64x128By02,
  k64x128By01,
  k32x128,
};
enum class TensorMemoryKind : uint8_t { kNone, kF16, kTf32, kF8f6f4, kI8 };

struct TensorMemoryForm {
  static constexpr uint32_t kMostRegisters = 128;

  TensorMemoryOp op = TensorMemoryOp::kNone;
  TensorMemoryShape shape = TensorMemoryShape::kNone;
  TensorMemoryKind kind = TensorMemoryKind::kNone;
  uint8_t count = 0;        // .x1 to .x128
  bool packed = false;      // .pack::16b, .unpack::16b: columns of 16 bits
  uint8_t packed_bits = 0;  // of a copy: 4 or 6 bits that become bytes; 0: it copies
  bool multicast = false;   // of a commit
  bool shared = false;      // the address names no generic memory
  // Of tcgen05.ld.red: kMin or kMax over the columns.
  AtomicOp reduction = AtomicOp::kNone;
  Type type = Type::kNone;
  bool absolute = false, nan = false;

  bool Moves() const { return op == TensorMemoryOp::kLoad || op == TensorMemoryOp::kStore; }
  // Of a lane; more than kMostRegisters where there is no such form.
  uint32_t Registers() const;
  // In two halves, of which the second one has an offset of its own.
  bool InHalves() const { return shape == TensorMemoryShape::k16x32x2; }
};

// Reads what stands behind "tcgen05": {"ld", "sync", "aligned", "32x32b", "x2", "b32"}; the words
// stand in any order. Empty, or why it is not executed. `feature` is then what the program asks
// for, where the form is good and not executed.
std::string ReadTensorMemoryForm(const std::vector<std::string_view>& words, TensorMemoryForm* form,
                                 std::string_view* feature);
// "tcgen05.ld.32x32b.x2"
std::string NameOf(const TensorMemoryForm& form);

}  // namespace flagstone::ptx

#endif  // FLAGSTONE_KERNELS_PTX_TENSOR_MEMORY_FORM_H_
