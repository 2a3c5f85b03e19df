// PTX text -> Module. The grammar is parsed whole; nothing is matched line by line.
#ifndef FLAGSTONE_KERNELS_PTX_PARSER_H_
#define FLAGSTONE_KERNELS_PTX_PARSER_H_

#include <memory>
#include <string>
#include <string_view>

#include "kernels/ptx/kernel.h"

namespace flagstone::ptx {

// `file` names the text in messages. Throws kBadInput with "file:line:column: ..." and what was
// expected; an instruction that Flagstone does not know is named whole.
std::unique_ptr<Module> Parse(std::string_view text, const std::string& file);
std::unique_ptr<Module> ParseFile(const std::string& path);

}  // namespace flagstone::ptx

#endif  // FLAGSTONE_KERNELS_PTX_PARSER_H_
