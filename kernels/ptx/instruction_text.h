// An instruction's text: its parts, for those that are kept by their text alone, and a short form.
#ifndef FLAGSTONE_KERNELS_PTX_INSTRUCTION_TEXT_H_
#define FLAGSTONE_KERNELS_PTX_INSTRUCTION_TEXT_H_

#include <string>
#include <string_view>

namespace flagstone::ptx {

struct InstructionText {
  std::string_view opcode;    // "wgmma.fence.sync.aligned"
  std::string_view operands;  // to the semicolon, which may be there
};

// Of "@!%p wgmma.fence.sync.aligned;", white space folded. Views of `text`.
InstructionText PartsOf(std::string_view text);

// For messages: of a list of more than eight elements the first and the last one, as in "{%f1, ...,
// %f128}".
std::string Shortened(std::string_view text);

}  // namespace flagstone::ptx

#endif  // FLAGSTONE_KERNELS_PTX_INSTRUCTION_TEXT_H_
