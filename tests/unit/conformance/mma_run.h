// One mma on matrices that the host lays into the registers of a warp, element by element as the
// figures of the PTX ISA have it (section 9.7.14.5).
#ifndef FLAGSTONE_TESTS_UNIT_CONFORMANCE_MMA_RUN_H_
#define FLAGSTONE_TESTS_UNIT_CONFORMANCE_MMA_RUN_H_

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/ptx/matrix_forms.h"

namespace flagstone::conformance {

// Rows one after the other, each element as the bits of its type; of m8n8k4 of f16 four matrices,
// one after the other.
using BitMatrix = std::vector<uint64_t>;

// What stands behind C: a word of each lane for A's metadata, for the scales of A and of B, and the
// text of the operands, in which these are %r5, %r6 and %r7: ", %r5, 0".
struct MmaExtras {
  std::vector<uint32_t> metadata, scales_a, scales_b;
  std::string operands;
};

// D, of an instruction with this text before its operands. Notes that the form is covered.
BitMatrix RunMma(const std::string& head, const ptx::MmaForm& form, const BitMatrix& a,
                 const BitMatrix& b, const BitMatrix& c, const MmaExtras& extras = {});

}  // namespace flagstone::conformance

#endif  // FLAGSTONE_TESTS_UNIT_CONFORMANCE_MMA_RUN_H_
