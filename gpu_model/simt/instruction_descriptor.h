// What the instruction descriptor of a tcgen05.mma says (PTX ISA, section 9.7.16.4.2): the shape,
// the types, signs and transposes.
#ifndef FLAGSTONE_GPU_MODEL_SIMT_INSTRUCTION_DESCRIPTOR_H_
#define FLAGSTONE_GPU_MODEL_SIMT_INSTRUCTION_DESCRIPTOR_H_

#include <cstdint>
#include <string>

#include "kernels/ptx/tensor_memory_form.h"

namespace flagstone::simt {

struct InstructionDescriptor {
  static constexpr uint32_t kMostRows = 128, kMostColumns = 256;
  static constexpr uint32_t kParts = 4;
  static constexpr uint32_t kRowBytes = 32;  // k elements of A or B, each in a byte at least

  ptx::Type d = ptx::Type::kNone, a = ptx::Type::kNone, b = ptx::Type::kNone;
  uint32_t m = 0, n = 0;
  bool saturates = false;
  bool negates_a = false, negates_b = false;
  bool transposes_a = false, transposes_b = false;

  // The bits that an element of A takes in tensor memory: a byte at least.
  uint32_t ContainerBits() const;
  uint32_t Depth() const { return 8 * kRowBytes / ContainerBits(); }  // k
  // In sixteenths of the work of an m16n8k16 of f16: what each of an SM's four tensor cores does.
  uint32_t WorkOfPart() const { return m * n / 8 / kParts; }
};

// Of a type of 4 and 6 bits, 16 elements are packed into the first bytes of 16.
uint32_t ElementBits(ptx::Type type);

// Empty, or what is wrong with it: "rows 48, expected 64 or 128".
std::string ReadInstructionDescriptor(uint32_t bits, ptx::TensorMemoryKind kind,
                                      InstructionDescriptor* descriptor);

}  // namespace flagstone::simt

#endif  // FLAGSTONE_GPU_MODEL_SIMT_INSTRUCTION_DESCRIPTOR_H_
