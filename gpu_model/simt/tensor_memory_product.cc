// tcgen05.mma (PTX ISA, section 9.7.16.10): what a thread asks for, checked.
#include <fmt/core.h>

#include "gpu_model/simt/faults.h"
#include "gpu_model/simt/handlers/lanes.h"
#include "gpu_model/simt/matrix_descriptor.h"
#include "gpu_model/simt/tensor_memory_factors.h"

namespace flagstone::simt {
namespace {

using namespace baseline;  // NOLINT: this file belongs to the baseline set

constexpr uint32_t kFactorColumns = InstructionDescriptor::kRowBytes / sizeof(uint32_t);

InstructionDescriptor DescriptorOf(const TensorMemoryAccess& of, uint32_t lane) {
  const TensorMemorySlots& slots = of.slots();
  const uint32_t bits = Source<uint32_t>(of.c, slots.instruction)[lane];
  InstructionDescriptor descriptor;
  const std::string problem = ReadInstructionDescriptor(bits, slots.form.kind, &descriptor);
  if (!problem.empty()) {
    ThrowOfThread(of.c, of.inst, lane,
                  fmt::format("the instruction descriptor {:#x} has {},", bits, problem));
  }
  if (slots.factor.slot != kNoSlot && descriptor.transposes_a) {
    ThrowOfThread(
        of.c, of.inst, lane,
        fmt::format("the instruction descriptor {:#x} has a transpose of A, which lies in "
                    "tensor memory,",
                    bits));
  }
  return descriptor;
}

// Rows of 128 begin at lane 0, of 64 at 0 or 16.
void CheckFirstLane(const TensorMemoryAccess& of, uint32_t lane, const TensorProduct& product,
                    const TensorMemoryAddress& at, char matrix) {
  const bool good = at.lane == 0 || (product.of.m == 64 && at.lane == 16);
  if (good && (matrix == 'D' || at.lane == product.d.lane)) return;
  ThrowOfThread(of.c, of.inst, lane,
                fmt::format("{} from lane {} of tensor memory, expected {},", matrix, at.lane,
                            product.of.m != 64 ? "0"
                            : matrix == 'D'    ? "0 or 16"
                                               : "the lane of D"),
                FailureCause::kAddress);
}

FactorShape FactorShapeOf(const InstructionDescriptor& of, char matrix) {
  FactorShape shape;
  shape.matrix = matrix;
  shape.rows = matrix == 'A' ? of.m : of.n;
  shape.bits = of.ContainerBits();
  shape.depth = of.Depth();
  shape.transposed = matrix == 'A' ? of.transposes_a : of.transposes_b;
  return shape;
}

// Units of two go with transposed tf32, and with nothing else that is transposed.
void CheckTranspose(const TensorMemoryAccess& of, uint32_t lane, const FactorShape& shape,
                    uint64_t bits) {
  if (!shape.transposed) return;
  const bool pairs = MatrixDescriptor::OfTensorMemory(bits).by_pairs;
  if (pairs == (shape.bits == 32)) return;
  ThrowOfThread(
      of.c, of.inst, lane,
      fmt::format("the descriptor of {}, {:#x}, has swizzle {}, expected {} of a transposed "
                  "matrix of {} bits,",
                  shape.matrix, bits, bits >> 61, pairs ? "another one" : "1", shape.bits));
}

}  // namespace

uint32_t WorkOfProduct(const TensorMemoryAccess& of, uint32_t lane) {
  return DescriptorOf(of, lane).WorkOfPart();
}

uint32_t MultiplyInTensorMemory(const TensorMemoryAccess& of, uint32_t lane) {
  const TensorMemorySlots& slots = of.slots();
  TensorProduct product;
  product.of = DescriptorOf(of, lane);
  product.d = AddressOf(of.c, slots.address, lane);
  CheckFirstLane(of, lane, product, product.d, 'D');
  CheckColumns(of, lane, product.d.column, product.of.n);
  const uint32_t groups = product.of.m != 64
                              ? TensorMemoryCells::kAll
                              : TensorMemoryCells::kOfRows64 << (product.d.lane / 16);
  const TensorMemoryCells sums = {product.d.column, product.of.n, groups};
  CheckUses(of, lane, sums, TensorMemoryTouch::kSum, "sum");
  const auto units = [&](SlotId slot, char matrix) {
    const uint64_t bits = Source<uint64_t>(of.c, slot)[lane];
    const FactorShape shape = FactorShapeOf(product.of, matrix);
    CheckTranspose(of, lane, shape, bits);
    return FactorUnits(of, lane, bits, shape);
  };
  product.a_in_memory = slots.factor.slot != kNoSlot;
  if (product.a_in_memory) {
    product.a = AddressOf(of.c, slots.factor, lane);
    CheckFirstLane(of, lane, product, product.a, 'A');
    CheckColumns(of, lane, product.a.column, kFactorColumns);
    CheckUses(of, lane, {product.a.column, kFactorColumns, groups}, TensorMemoryTouch::kRead,
              "read");
  } else {
    product.a_units = units(slots.a, 'A');
  }
  product.b_units = units(slots.b, 'B');
  const auto* const keeps = reinterpret_cast<const LaneMask*>(of.c.base[slots.keeps >> kBaseShift] +
                                                              (slots.keeps & kOffsetMask));
  product.keeps = ((*keeps ^ slots.keeps_flip) >> lane & 1) != 0;
  product.scale = slots.scale;
  for (size_t i = 0; i < product.disabled.size() && slots.disabled[i] != kNoSlot; ++i) {
    product.disabled[i] = Source<uint32_t>(of.c, slots.disabled[i])[lane];
  }
  if (product.of.d == ptx::Type::kS32) {
    MultiplyWholeProduct(of, product);
  } else {
    MultiplyFloatProduct(of, product);
  }
  NoteUse(of, sums, &of.memory.written);
  return product.of.WorkOfPart();
}

}  // namespace flagstone::simt
