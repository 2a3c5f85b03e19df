// Declarations of variables (PTX ISA, section 5.4).
#include "kernels/ptx/variable_parser.h"

#include <algorithm>
#include <bit>

#include "kernels/ptx/skip.h"

namespace flagstone::ptx {

std::vector<std::unique_ptr<Variable>> VariableParser::ParseDeclaration(Space space,
                                                                        bool is_extern) {
  std::vector<std::unique_ptr<Variable>> variables;
  const Attributes attributes = ParseAttributes(false);
  do {
    variables.push_back(ParseDeclarator(attributes, space, is_extern));
  } while (lexer_.TakeIf(","));
  lexer_.Expect(";", "after a declaration");
  return variables;
}

std::unique_ptr<Variable> VariableParser::ParseParameter() {
  const Attributes attributes = ParseAttributes(true);
  return ParseDeclarator(attributes, Space::kParam, false);
}

VariableParser::Attributes VariableParser::ParseAttributes(bool parameter) {
  Attributes attributes;
  while (lexer_.Peek().kind == Token::Kind::kDirective) {
    const Token word = lexer_.Take();
    const std::string_view name = word.text.substr(1);
    if (name == "align") {
      attributes.alignment = ParseAlignment();
    } else if (name == "v2" || name == "v4") {
      attributes.vector = name == "v2" ? 2 : 4;
    } else if (name == "ptr" && parameter) {
      // What the pointer points to: a promise to the assembler, not a property of the parameter.
      if (lexer_.Peek().kind == Token::Kind::kDirective && !lexer_.Peek().Is(".align") &&
          !ParseSpace(lexer_.Take().text.substr(1))) {
        lexer_.Fail(word.location, "expected a state space or '.align' after '.ptr'");
      }
      if (lexer_.TakeIf(".align")) ParseAlignment();
    } else if (name == "attribute" && !parameter) {
      lexer_.Expect("(", "after '.attribute'");
      lexer_.Expect(".managed", "as the attribute");
      lexer_.Expect(")", "after the attribute");
    } else if (const auto type = ParseType(name);
               type && *type != Type::kPred && !IsElementOnly(*type)) {
      if (attributes.type != Type::kNone) {
        lexer_.Fail(word.location, "expected a name after the type, found {}", Describe(word));
      }
      attributes.type = *type;
    } else {
      lexer_.Fail(word.location, "expected '.align' or a type such as '.f32', found {}",
                  Describe(word));
    }
  }
  if (attributes.type == Type::kNone) lexer_.FailExpected("a type such as '.f32'");
  return attributes;
}

uint32_t VariableParser::ParseAlignment() {
  const Location at = lexer_.Peek().location;
  const uint64_t bytes = lexer_.ExpectInteger("an alignment in bytes");
  if (!std::has_single_bit(bytes) || bytes > 65536) {
    lexer_.Fail(at, "expected an alignment that is a power of two of at most 65536, found {}",
                bytes);
  }
  return static_cast<uint32_t>(bytes);
}

std::unique_ptr<Variable> VariableParser::ParseDeclarator(const Attributes& attributes, Space space,
                                                          bool is_extern) {
  const Token name = lexer_.ExpectKind(Token::Kind::kIdentifier, "a variable's name");
  auto variable = std::make_unique<Variable>();
  variable->name = name.text;
  variable->space = space;
  variable->type = attributes.type;
  variable->is_extern = is_extern;
  variable->location = name.location;
  const auto natural = static_cast<uint32_t>(std::max(1, SizeInBytes(attributes.type)));
  variable->alignment =
      attributes.alignment != 0 ? attributes.alignment : natural * attributes.vector;

  std::vector<uint64_t> dimensions = ParseDimensions();
  SetCount(dimensions, attributes.vector, variable.get());
  // Before the initialiser: a variable may hold its own address.
  const Symbol symbol{.kind = Symbol::Kind::kVariable, .variable = variable.get()};
  context_.Define(name.text, symbol, name.location);
  if (lexer_.Peek().Is("=")) {
    if (space != Space::kGlobal && space != Space::kConst) {
      lexer_.Fail(lexer_.Peek().location, "expected no initialiser on a .{} variable",
                  ToString(space));
    }
    lexer_.Take();
    if (IsOpaque(variable->type)) {
      // "{ addr_mode_0 = wrap, filter_mode = linear }": the launch says how textures are read.
      SkipBraces(&lexer_, "the initialiser");
      return variable;
    }
    const uint64_t first = ParseInitializer(dimensions, attributes.vector, variable.get());
    if (!dimensions.empty() && dimensions[0] == 0) {
      dimensions[0] = first;
      SetCount(dimensions, attributes.vector, variable.get());
    }
  }
  // A parameter without a size is its function's refusal.
  const bool sized = variable->count != 0 || space == Space::kParam;
  if (!sized && !IsOpaque(variable->type) && !is_extern) {
    lexer_.Fail(name.location, "expected a size for {}: only .extern arrays go without",
                Quote(name.text));
  }
  return variable;
}

std::vector<uint64_t> VariableParser::ParseDimensions() {
  std::vector<uint64_t> dimensions;
  while (lexer_.TakeIf("[")) {
    const Location at = lexer_.Peek().location;
    if (dimensions.size() == 8) lexer_.Fail(at, "expected at most 8 dimensions");
    if (dimensions.empty() && lexer_.TakeIf("]")) {
      dimensions.push_back(0);
      continue;
    }
    const uint64_t length = lexer_.ExpectInteger("the number of elements");
    if (length == 0 && !dimensions.empty()) lexer_.Fail(at, "expected at least 1 element, found 0");
    dimensions.push_back(length);
    lexer_.Expect("]", "after the number of elements");
  }
  return dimensions;
}

void VariableParser::SetCount(const std::vector<uint64_t>& dimensions, uint32_t vector,
                              Variable* variable) {
  const bool in_block = variable->space == Space::kShared || variable->space == Space::kLocal;
  const uint64_t limit = variable->space == Space::kParam ? kMaxParameterBytes
                         : in_block                       ? kMaxBlockVariableBytes
                                                          : kMaxVariableBytes;
  uint64_t count = vector;
  const auto element = static_cast<uint64_t>(std::max(1, SizeInBytes(variable->type)));
  for (const uint64_t length : dimensions) {
    if (length != 0 && count > limit / element / length) {
      lexer_.Fail(variable->location, "expected at most {} bytes in {}", limit,
                  Quote(variable->name));
    }
    count *= length;
  }
  variable->count = count;
}

}  // namespace flagstone::ptx
