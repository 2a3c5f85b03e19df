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

// D, of an instruction with this text before its operands. Notes that the form is covered.
BitMatrix RunMma(const std::string& head, const ptx::MmaForm& form, const BitMatrix& a,
                 const BitMatrix& b, const BitMatrix& c);

}  // namespace flagstone::conformance

#endif  // FLAGSTONE_TESTS_UNIT_CONFORMANCE_MMA_RUN_H_
