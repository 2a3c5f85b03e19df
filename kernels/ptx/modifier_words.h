// The dotted words that mean the same in all instructions that have them: which group each belongs
// to and what it sets.
#ifndef FLAGSTONE_KERNELS_PTX_MODIFIER_WORDS_H_
#define FLAGSTONE_KERNELS_PTX_MODIFIER_WORDS_H_

#include <cstdint>
#include <string_view>

#include "kernels/ptx/instruction_table.h"

namespace flagstone::ptx {

// As ApplyModifier.
bool ApplyWord(const InstructionRule& rule, std::string_view name, Modifiers* modifiers,
               Space* space, uint64_t* seen);

}  // namespace flagstone::ptx

#endif  // FLAGSTONE_KERNELS_PTX_MODIFIER_WORDS_H_
