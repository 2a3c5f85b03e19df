// Constant expressions: literals, WARP_SZ and the operators of C over them, evaluated where they
// stand (PTX ISA, sections 4.5.3 to 4.5.6).
#ifndef FLAGSTONE_KERNELS_PTX_CONSTANT_EXPRESSION_H_
#define FLAGSTONE_KERNELS_PTX_CONSTANT_EXPRESSION_H_

#include <cstdint>
#include <string_view>

#include "kernels/ptx/lexer.h"
#include "kernels/ptx/types.h"

namespace flagstone::ptx {

struct Constant {
  Type type = Type::kS64;  // kS64, kU64, kF32 ("0f3F800000") or kF64
  uint64_t bits = 0;       // two's complement, or IEEE
  bool decimal = false;    // a float whose width the place sets where it stands: 1.5, 1.0+2.0
};

// Whether the next token begins a constant expression: not of "!", which a predicate may follow.
bool BeginsConstant(const Token& token);

// A whole expression, from "?:" on. `what` is what messages expect: "a number".
Constant ParseConstant(Lexer* lexer, std::string_view what);
// The rest of one that began with "!", which has been taken.
Constant ParseConstantAfterNot(Lexer* lexer, std::string_view what);
// As ParseConstant; a float is an error.
Constant ParseIntegerConstant(Lexer* lexer, std::string_view what);
// What may follow a sign in "[%rd1+4*2-8]": products and what binds tighter. Integers only.
uint64_t ParseOffsetTerm(Lexer* lexer, std::string_view what);
// "+4", "+-4", "-4*2", any number of them; 0 for none.
int64_t ParseOffsets(Lexer* lexer);

}  // namespace flagstone::ptx

#endif  // FLAGSTONE_KERNELS_PTX_CONSTANT_EXPRESSION_H_
