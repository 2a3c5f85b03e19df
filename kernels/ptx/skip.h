// What the assembler and debuggers read and Flagstone does not: line tables, debug sections.
#ifndef FLAGSTONE_KERNELS_PTX_SKIP_H_
#define FLAGSTONE_KERNELS_PTX_SKIP_H_

#include <string_view>

#include "kernels/ptx/lexer.h"

namespace flagstone::ptx {

// Reads a .loc, .file or .pragma over. False if `directive`, taken already, is none of them.
bool SkipRemark(Lexer* lexer, const Token& directive);
// Reads "{ ... }" over, nested ones too.
// "[2]" after ".const": PTX before 2.2 told banks of constant memory apart, which all are one here.
void SkipBank(Lexer* lexer);
void SkipBraces(Lexer* lexer, std::string_view of_what);

}  // namespace flagstone::ptx

#endif  // FLAGSTONE_KERNELS_PTX_SKIP_H_
