// Heads of kernels and device functions: names, parameters, performance directives.
#ifndef FLAGSTONE_KERNELS_PTX_ENTRY_PARSER_H_
#define FLAGSTONE_KERNELS_PTX_ENTRY_PARSER_H_

#include "kernels/ptx/function.h"
#include "kernels/ptx/parse_context.h"

namespace flagstone::ptx {

// After ".entry". The entry's calls are left to the inliner. False where it is a prototype.
bool ParseEntry(ParseContext* context, Body* body);
// After ".func": a prototype or a definition.
void ParseFunction(ParseContext* context);
// After ".alias": "name, target;"
void ParseAlias(ParseContext* context);

// ".maxntid 256" and its like, up to '{' or ';'.
void ParsePerformanceDirectives(Lexer* lexer, Kernel* kernel);

}  // namespace flagstone::ptx

#endif  // FLAGSTONE_KERNELS_PTX_ENTRY_PARSER_H_
