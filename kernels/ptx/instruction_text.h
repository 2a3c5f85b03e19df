// The parts of an instruction's text, for those that are kept by their text alone.
#ifndef FLAGSTONE_KERNELS_PTX_INSTRUCTION_TEXT_H_
#define FLAGSTONE_KERNELS_PTX_INSTRUCTION_TEXT_H_

#include <string_view>

namespace flagstone::ptx {

struct InstructionText {
  std::string_view opcode;    // "wgmma.fence.sync.aligned"
  std::string_view operands;  // to the semicolon, which may be there
};

// Of "@!%p wgmma.fence.sync.aligned;", white space folded. Views of `text`.
InstructionText PartsOf(std::string_view text);

}  // namespace flagstone::ptx

#endif  // FLAGSTONE_KERNELS_PTX_INSTRUCTION_TEXT_H_
