// What the assembler and debuggers read and Flagstone does not: line tables, debug sections.
#include "kernels/ptx/skip.h"

#include <string>

namespace flagstone::ptx {

bool SkipRemark(Lexer* lexer, const Token& directive) {
  if (directive.Is(".loc")) {
    lexer->ExpectInteger("a file number");
    lexer->ExpectInteger("a line number");
    lexer->ExpectInteger("a column number");
    // ", function_name $L__info_string1, inlined_at 1 65 3", the label also with "+ 16".
    while (lexer->TakeIf(",")) {
      const Token word =
          lexer->ExpectKind(Token::Kind::kIdentifier, "'function_name' or 'inlined_at'");
      if (word.Is("function_name")) {
        lexer->ExpectKind(Token::Kind::kIdentifier, "a label in .debug_str");
        if (lexer->TakeIf("+")) lexer->ExpectInteger("an offset in bytes");
      } else if (word.Is("inlined_at")) {
        for (const char* const what : {"a file number", "a line number", "a column number"}) {
          lexer->ExpectInteger(what);
        }
      } else {
        lexer->Fail(word.location, "expected 'function_name' or 'inlined_at', found {}",
                    Describe(word));
      }
    }
    return true;
  }
  if (directive.Is(".file")) {
    lexer->ExpectInteger("a file number");
    lexer->ExpectKind(Token::Kind::kString, "a file name in quotes");
    while (lexer->TakeIf(",")) lexer->ExpectInteger("the file's time and size");
    return true;
  }
  if (directive.Is(".pragma")) {
    do {
      lexer->ExpectKind(Token::Kind::kString, "a pragma in quotes");
    } while (lexer->TakeIf(","));
    lexer->Expect(";", "after a pragma");
    return true;
  }
  return false;
}

void SkipBank(Lexer* lexer) {
  if (!lexer->TakeIf("[")) return;
  lexer->ExpectInteger("the number of a bank");
  lexer->Expect("]", "after the number of a bank");
}

void SkipBraces(Lexer* lexer, std::string_view of_what) {
  const Token open = lexer->Expect("{", "before the body of " + std::string(of_what));
  for (uint64_t depth = 1; depth != 0;) {
    const Token token = lexer->Take();
    if (token.kind == Token::Kind::kEnd) {
      lexer->Fail(open.location, "expected '}}' after the body of {}, found the end of the file",
                  of_what);
    }
    if (token.Is("{")) ++depth;
    if (token.Is("}")) --depth;
  }
}

}  // namespace flagstone::ptx
