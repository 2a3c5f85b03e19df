// Declarations of variables (PTX ISA, section 5.4).
#include "kernels/ptx/variable_parser.h"

#include <algorithm>
#include <bit>

#include "kernels/ptx/constant_expression.h"
#include "kernels/ptx/skip.h"

namespace flagstone::ptx {

std::vector<std::unique_ptr<Variable>> VariableParser::ParseDeclaration(Space space,
                                                                        bool is_extern) {
  std::vector<std::unique_ptr<Variable>> variables;
  SkipBank(&lexer_);
  const Attributes attributes = ParseAttributes(false);
  do {
    const Token name = lexer_.ExpectKind(Token::Kind::kIdentifier, "a variable's name");
    if (lexer_.Peek().Is("<")) {
      ParseNumbered(name, attributes, space, is_extern, &variables);
    } else if (auto variable = ParseDeclarator(name, attributes, space, is_extern)) {
      variables.push_back(std::move(variable));
    }
  } while (lexer_.TakeIf(","));
  lexer_.Expect(";", "after a declaration");
  return variables;
}

std::unique_ptr<Variable> VariableParser::ParseParameter() {
  const Attributes attributes = ParseAttributes(true);
  const Token name = lexer_.ExpectKind(Token::Kind::kIdentifier, "a variable's name");
  return ParseDeclarator(name, attributes, Space::kParam, false);
}

// "p<2>" declares p0 and p1 (PTX ISA, section 5.4.6).
void VariableParser::ParseNumbered(const Token& prefix, const Attributes& attributes, Space space,
                                   bool is_extern,
                                   std::vector<std::unique_ptr<Variable>>* variables) {
  lexer_.Take();
  const uint64_t count = lexer_.ExpectInteger("the number of variables");
  lexer_.Expect(">", "after the number of variables");
  if (count > kMaxNumberedVariables - context_.numbered_variables) {
    lexer_.Fail(prefix.location,
                "expected at most {} numbered variables in a module, found {} more",
                kMaxNumberedVariables, count);
  }
  context_.numbered_variables += count;
  for (uint64_t i = 0; i < count; ++i) {
    auto variable = MakeVariable(prefix, attributes, space, is_extern);
    variable->name += std::to_string(i);
    SetCount({}, attributes.vector, variable.get());
    const std::string_view name = context_.Keep(variable->name);
    const Symbol symbol{.kind = Symbol::Kind::kVariable, .variable = variable.get()};
    context_.Define(name, symbol, prefix.location);
    variables->push_back(std::move(variable));
  }
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

std::unique_ptr<Variable> VariableParser::MakeVariable(const Token& name,
                                                       const Attributes& attributes, Space space,
                                                       bool is_extern) {
  auto variable = std::make_unique<Variable>();
  variable->name = name.text;
  // ".tex .u64 t" of PTX before 1.5 is ".global .texref t".
  variable->space = space == Space::kTex ? Space::kGlobal : space;
  variable->type = space == Space::kTex ? Type::kTexref : attributes.type;
  variable->is_extern = is_extern;
  variable->location = name.location;
  const auto natural = static_cast<uint32_t>(std::max(1, SizeInBytes(attributes.type)));
  variable->alignment =
      attributes.alignment != 0 ? attributes.alignment : natural * attributes.vector;
  return variable;
}

// The first declaration's variable, which the definition fills, if one of both is .extern.
Variable* VariableParser::FindEarlier(const Variable& variable) {
  if (context_.symbols.depth() != 1) return nullptr;
  const auto at = context_.declared.find(variable.name);
  if (at == context_.declared.end()) return nullptr;
  Variable* const earlier = at->second;
  if (!earlier->is_extern && !variable.is_extern) return nullptr;
  const bool same_size =
      earlier->count == variable.count || earlier->count == 0 || variable.count == 0;
  if (earlier->space != variable.space || earlier->type != variable.type || !same_size) {
    lexer_.Fail(variable.location, "expected {} as in line {}: .{}, {} elements of {}",
                Quote(variable.name), earlier->location.line, ToString(earlier->space),
                earlier->count, ToString(earlier->type));
  }
  earlier->alignment = std::max(earlier->alignment, variable.alignment);
  earlier->count = std::max(earlier->count, variable.count);
  if (!variable.is_extern) earlier->location = variable.location;
  earlier->is_extern &= variable.is_extern;
  return earlier;
}

// Null where an earlier declaration's variable is meant.
std::unique_ptr<Variable> VariableParser::ParseDeclarator(const Token& name,
                                                          const Attributes& attributes, Space space,
                                                          bool is_extern) {
  auto variable = MakeVariable(name, attributes, space, is_extern);
  std::vector<uint64_t> dimensions = ParseDimensions();
  SetCount(dimensions, attributes.vector, variable.get());
  if (Variable* const earlier = FindEarlier(*variable)) {
    ParseValue(dimensions, attributes.vector, earlier);
    return nullptr;
  }
  // Before the initialiser: a variable may hold its own address.
  const Symbol symbol{.kind = Symbol::Kind::kVariable, .variable = variable.get()};
  context_.Define(name.text, symbol, name.location);
  if (context_.symbols.depth() == 1) context_.declared[name.text] = variable.get();
  ParseValue(dimensions, attributes.vector, variable.get());
  return variable;
}

// "= ...", where it stands.
void VariableParser::ParseValue(std::vector<uint64_t> dimensions, uint32_t vector,
                                Variable* variable) {
  if (lexer_.Peek().Is("=")) {
    const Space space = variable->space;
    if (space != Space::kGlobal && space != Space::kConst) {
      lexer_.Fail(lexer_.Peek().location, "expected no initialiser on a .{} variable",
                  ToString(space));
    }
    lexer_.Take();
    if (variable->type == Type::kSamplerref) return ParseSampler(variable);
    if (IsOpaque(variable->type)) {
      // "{ addr_mode_0 = wrap, filter_mode = linear }": the launch says how textures are read.
      SkipBraces(&lexer_, "the initialiser");
      return;
    }
    const uint64_t first = ParseInitializer(dimensions, vector, variable);
    if (!dimensions.empty() && dimensions[0] == 0) {
      dimensions[0] = first;
      SetCount(dimensions, vector, variable);
    }
  }
  // A parameter without a size is that of a variadic function.
  const bool sized = variable->count != 0 || variable->space == Space::kParam;
  if (!sized && !IsOpaque(variable->type) && !variable->is_extern) {
    lexer_.Fail(variable->location, "expected a size for {}: only .extern arrays go without",
                Quote(variable->name));
  }
}

// "{ addr_mode_0 = wrap, filter_mode = linear, force_unnormalized_coords = 1 }" (PTX ISA, 5.3).
void VariableParser::ParseSampler(Variable* variable) {
  SamplerModes& modes = variable->sampler.emplace();
  std::optional<SamplerModes::Address> address;
  lexer_.Expect("{", "before what a sampler does");
  do {
    const Token key = lexer_.ExpectKind(Token::Kind::kIdentifier, "a key such as 'filter_mode'");
    lexer_.Expect("=", "after a key");
    const Token value = lexer_.Take();
    const auto fail = [&](std::string_view expected) {
      lexer_.Fail(value.location, "expected {} as {}, found {}", expected, Quote(key.text),
                  Describe(value));
    };
    if (key.Is("filter_mode")) {
      modes.linear = value.Is("linear");
      if (!modes.linear && !value.Is("nearest")) fail("'nearest' or 'linear'");
    } else if (key.Is("force_unnormalized_coords")) {
      modes.unnormalized = value.Is("1");
      if (!modes.unnormalized && !value.Is("0")) fail("0 or 1");
    } else if (key.Is("addr_mode_0") || key.Is("addr_mode_1") || key.Is("addr_mode_2")) {
      using enum SamplerModes::Address;
      const bool clamps = value.Is("clamp_to_edge") || value.Is("clamp_ogl");
      const bool known =
          clamps || value.Is("wrap") || value.Is("mirror") || value.Is("clamp_to_border");
      if (!known) fail("an address mode such as 'clamp_to_edge'");
      const auto mode = clamps               ? kClamp
                        : value.Is("wrap")   ? kWrap
                        : value.Is("mirror") ? kMirror
                                             : kBorder;
      if (address && *address != mode) fail("the same address mode along all axes");
      address = mode;
    } else {
      lexer_.Fail(key.location,
                  "expected 'addr_mode_0', 'filter_mode' or "
                  "'force_unnormalized_coords', found {}",
                  Describe(key));
    }
  } while (lexer_.TakeIf(","));
  lexer_.Expect("}", "after what a sampler does");
  if (address) modes.address = *address;
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
    const uint64_t length = ParseIntegerConstant(&lexer_, "the number of elements").bits;
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
