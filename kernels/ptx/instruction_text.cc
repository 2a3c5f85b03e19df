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

std::string Shortened(std::string_view text) {
  constexpr std::ptrdiff_t kMostCommas = 7;
  std::string result;
  while (!text.empty()) {
    const size_t open = std::min(text.find('{'), text.size());
    const size_t close = std::min(text.find('}', open), text.size());
    const std::string_view list = text.substr(open, close - open);
    result += text.substr(0, open);
    if (std::count(list.begin(), list.end(), ',') > kMostCommas) {
      result += list.substr(0, list.find(','));
      result += ", ...,";
      result += list.substr(list.rfind(',') + 1);
    } else {
      result += list;
    }
    text.remove_prefix(close);
    if (text.empty()) break;
    result += text.front();
    text.remove_prefix(1);
  }
  return result;
}

}  // namespace flagstone::ptx
