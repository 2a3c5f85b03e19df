// One tcgen05.mma on matrices that the host lays into shared and tensor memory, element by element
// (PTX ISA, sections 9.7.16.4 and 9.7.16.10).
#ifndef FLAGSTONE_TESTS_UNIT_CONFORMANCE_TENSOR_PRODUCT_RUN_H_
#define FLAGSTONE_TESTS_UNIT_CONFORMANCE_TENSOR_PRODUCT_RUN_H_

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "kernels/ptx/types.h"
#include "tests/unit/conformance/canonical_layout.h"
#include "tests/unit/conformance/tensor_memory_run.h"

namespace flagstone::conformance {

struct TensorProductCase {
  std::string kind = "f16";
  ptx::Type d = ptx::Type::kF32, a = ptx::Type::kF16, b = ptx::Type::kF16;
  uint32_t m = 128, n = 8;
  bool a_in_memory = false;
  uint32_t first_lane = 0;  // of 64 rows 0 or 16
  Layout a_layout, b_layout;
  bool saturates = false;
  bool keeps = true;
  bool negates_a = false, negates_b = false;
  int scale = 0;                          // 0: none is given
  std::array<uint32_t, 4> disabled = {};  // all 0: none is given
};

// Rows one after the other, each element as the bits of its type; B by rows of k.
using TensorMatrix = std::vector<uint64_t>;

uint32_t ElementBitsOf(ptx::Type type);
uint32_t DepthOf(const TensorProductCase& of);
std::string ShownProduct(const TensorProductCase& of);
uint32_t InstructionDescriptorOf(const TensorProductCase& of);

// What the cells of D hold: its elements, and -1 where another cell has changed. Those of the lanes
// that are disabled are checked to be as before.
TensorMatrix RunTensorProduct(const TensorProductCase& of, const TensorMatrix& a,
                              const TensorMatrix& b, const TensorMatrix& d);

}  // namespace flagstone::conformance

#endif  // FLAGSTONE_TESTS_UNIT_CONFORMANCE_TENSOR_PRODUCT_RUN_H_
