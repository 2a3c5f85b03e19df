// One wgmma on matrices that the host lays into shared memory and registers, element by element, as
// the figures and canonical layouts of the PTX ISA have it (sections 9.7.15.4 and 9.7.15.5).
#ifndef FLAGSTONE_TESTS_UNIT_CONFORMANCE_WGMMA_RUN_H_
#define FLAGSTONE_TESTS_UNIT_CONFORMANCE_WGMMA_RUN_H_

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/ptx/types.h"
#include "tests/unit/conformance/canonical_layout.h"

namespace flagstone::conformance {

struct WgmmaCase {
  ptx::Type d = ptx::Type::kF32, a = ptx::Type::kF16, b = ptx::Type::kF16;
  uint32_t n = 8, k = 16;
  bool a_in_registers = false;
  Layout a_layout, b_layout;
  bool saturates = false;
  bool keeps = true;  // scale-d
  int sign_a = 1, sign_b = 1;
};

// Rows one after the other, each element as the bits of its type; B by rows of k.
using WgmmaMatrix = std::vector<uint64_t>;

uint32_t BitsOf(ptx::Type type);
std::string NameOf(const WgmmaCase& of);

// D. Notes that the form is covered.
WgmmaMatrix RunWgmma(const WgmmaCase& of, const WgmmaMatrix& a, const WgmmaMatrix& b,
                     const WgmmaMatrix& d);

}  // namespace flagstone::conformance

#endif  // FLAGSTONE_TESTS_UNIT_CONFORMANCE_WGMMA_RUN_H_
