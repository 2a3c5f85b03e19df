#include "kernels/ptx/instruction_text.h"

#include <algorithm>

namespace flagstone::ptx {
namespace {

void Skip(std::string_view* text, std::string_view characters) {
  text->remove_prefix(std::min(text->find_first_not_of(characters), text->size()));
}

std::string_view TakeWord(std::string_view* text) {
  const std::string_view word = text->substr(0, text->find_first_of(" ;"));
  text->remove_prefix(word.size());
  Skip(text, " ");
  return word;
}

}  // namespace

InstructionText PartsOf(std::string_view text) {
  if (text.starts_with('@')) {
    Skip(&text, "@! ");
    TakeWord(&text);
  }
  const std::string_view opcode = TakeWord(&text);
  return {opcode, text};
}

}  // namespace flagstone::ptx
