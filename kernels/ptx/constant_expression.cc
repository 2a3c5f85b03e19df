#include "kernels/ptx/constant_expression.h"

#include <bit>

#include "kernels/ptx/literal.h"

namespace flagstone::ptx {
namespace {

constexpr int kMostNested = 64;  // parentheses, signs and choices within one another

// How tight a binary operator binds, as in C; 0: it is none.
constexpr int kProduct = 10;
int PrecedenceOf(const Token& token) {
  if (token.kind != Token::Kind::kPunctuation) return 0;
  const std::string_view text = token.text;
  if (text == "||") return 1;
  if (text == "&&") return 2;
  if (text == "|") return 3;
  if (text == "^") return 4;
  if (text == "&") return 5;
  if (text == "==" || text == "!=") return 6;
  if (text == "<" || text == ">" || text == "<=" || text == ">=") return 7;
  if (text == "<<" || text == ">>") return 8;
  if (text == "+" || text == "-") return 9;
  return text == "*" || text == "/" || text == "%" ? kProduct : 0;
}

bool IsTrue(const Constant& value) {
  if (value.type == Type::kF32) return (value.bits & 0x7fffffffU) != 0;
  return value.type == Type::kF64 ? value.bits << 1 != 0 : value.bits != 0;
}

Constant Truth(bool value) { return {Type::kS64, value ? uint64_t{1} : 0, false}; }

double AsDouble(const Constant& value) {
  return std::bit_cast<double>(ConvertFloat({value.type, value.bits, value.decimal}, Type::kF64));
}

bool Compare(std::string_view op, auto a, auto b) {
  if (op == "==") return a == b;
  if (op == "!=") return a != b;
  if (op == "<") return a < b;
  if (op == ">") return a > b;
  return op == "<=" ? a <= b : a >= b;
}

uint64_t Shift(bool left, const Constant& a, uint64_t count) {
  const bool is_signed = a.type == Type::kS64;
  const auto value = static_cast<int64_t>(a.bits);
  if (count > 63) return !left && is_signed && value < 0 ? ~uint64_t{0} : 0;
  if (left) return a.bits << count;
  return is_signed ? static_cast<uint64_t>(value >> count) : a.bits >> count;
}

class Evaluator {
 public:
  Evaluator(Lexer* lexer, std::string_view what) : lexer_(*lexer), what_(what) {}

  Constant Choice() { return Choose(Binary(1)); }
  // Behind a "!" that has been taken.
  Constant ChoiceAfterNot() { return Choose(Continue(Truth(!IsTrue(Unary())), 1)); }

  // Operators that bind at least as tight as `least`.
  Constant Binary(int least) { return Continue(Unary(), least); }

 private:
  Constant Choose(const Constant& condition) {
    if (!lexer_.Peek().Is("?")) return condition;
    Deeper();
    lexer_.Take();
    Constant yes = Choice();
    lexer_.Expect(":", "after the first value of '?'");
    Constant no = Choice();
    --depth_;
    if (IsFloat(yes.type) != IsFloat(no.type)) {
      lexer_.FailExpected("two integers or two floats after '?', before this");
    }
    if (yes.type == Type::kU64 || no.type == Type::kU64) yes.type = no.type = Type::kU64;
    return IsTrue(condition) ? yes : no;
  }

  Constant Continue(Constant left, int least) {
    while (true) {
      const int precedence = PrecedenceOf(lexer_.Peek());
      if (precedence < least || precedence == 0) return left;
      const Token op = lexer_.Take();
      left = Apply(op, left, Binary(precedence + 1));
    }
  }

  void Deeper() {
    if (++depth_ > kMostNested) {
      lexer_.Fail(lexer_.Peek().location, "expected at most {} parts of a constant in one another",
                  kMostNested);
    }
  }

  Constant Unary() {
    const Token next = lexer_.Peek();
    if (next.Is("(")) return Parenthesized();
    if (next.Is("-") || next.Is("+") || next.Is("!") || next.Is("~")) {
      Deeper();
      lexer_.Take();
      const Token operand = lexer_.Peek();
      Constant value = Unary();
      --depth_;
      return Signed(next, operand, value);
    }
    if (next.Is("WARP_SZ")) {
      lexer_.Take();
      return {Type::kS64, 32, false};
    }
    if (next.kind == Token::Kind::kFloat) {
      const FloatLiteral literal = ParseFloat(lexer_.Take().text);
      return {literal.type, literal.bits, literal.decimal};
    }
    const uint64_t value = lexer_.ExpectInteger(what_);
    const bool wide = value >> 63 != 0 || next.text.ends_with('U');
    return {wide ? Type::kU64 : Type::kS64, value, false};
  }

  // "(expression)", "(.s64)value", "(.u64)value"
  Constant Parenthesized() {
    Deeper();
    lexer_.Take();
    Constant value;
    if (lexer_.Peek().kind == Token::Kind::kDirective) {
      const Token cast = lexer_.Take();
      if (!cast.Is(".s64") && !cast.Is(".u64")) {
        lexer_.Fail(cast.location, "expected '.s64' or '.u64' as a cast, found {}", Describe(cast));
      }
      lexer_.Expect(")", "after a cast");
      value = Unary();
      if (IsFloat(value.type)) lexer_.Fail(cast.location, "expected an integer after a cast");
      value.type = cast.Is(".s64") ? Type::kS64 : Type::kU64;
    } else {
      value = Choice();
      lexer_.Expect(")", "after a constant expression");
    }
    --depth_;
    return value;
  }

  Constant Signed(const Token& op, const Token& operand, Constant value) const {
    if (op.Is("!")) return Truth(!IsTrue(value));
    if (op.Is("+")) return value;
    if (IsFloat(value.type)) {
      if (op.Is("~")) lexer_.Fail(op.location, "expected an integer after '~'");
      value.bits ^= uint64_t{1} << (8 * SizeInBytes(value.type) - 1);
      return value;
    }
    if (op.Is("~")) return {Type::kU64, ~value.bits, false};
    constexpr uint64_t kSignBit = uint64_t{1} << 63;
    if (operand.kind == Token::Kind::kInteger && value.bits > kSignBit) {
      lexer_.Fail(operand.location, "expected a number of at most 64 bits, found '-{}'",
                  value.bits);
    }
    if (value.bits == kSignBit) value.type = Type::kS64;
    value.bits = ~value.bits + 1;
    return value;
  }

  Constant Apply(const Token& op, const Constant& a, const Constant& b) const {
    if (op.Is("&&")) return Truth(IsTrue(a) && IsTrue(b));
    if (op.Is("||")) return Truth(IsTrue(a) || IsTrue(b));
    if (IsFloat(a.type) != IsFloat(b.type)) {
      lexer_.Fail(op.location, "expected two integers or two floats at {}", Describe(op));
    }
    return IsFloat(a.type) ? ApplyToFloats(op, AsDouble(a), AsDouble(b)) : ApplyToInts(op, a, b);
  }

  Constant ApplyToFloats(const Token& op, double a, double b) const {
    const int precedence = PrecedenceOf(op);
    if (precedence == 6 || precedence == 7) return Truth(Compare(op.text, a, b));
    double value = 0;
    switch (op.text[0]) {
      case '+':
        value = a + b;
        break;
      case '-':
        value = a - b;
        break;
      case '*':
        value = a * b;
        break;
      case '/':
        value = a / b;
        break;
      default:
        lexer_.Fail(op.location, "expected integers at {}", Describe(op));
    }
    return {Type::kF64, std::bit_cast<uint64_t>(value), true};
  }

  Constant ApplyToInts(const Token& op, const Constant& a, const Constant& b) const {
    const bool is_signed = a.type == Type::kS64 && b.type == Type::kS64;
    const Type type = is_signed ? Type::kS64 : Type::kU64;
    const auto sa = static_cast<int64_t>(a.bits);
    const auto sb = static_cast<int64_t>(b.bits);
    switch (PrecedenceOf(op)) {
      case 6:
      case 7:
        return Truth(is_signed ? Compare(op.text, sa, sb) : Compare(op.text, a.bits, b.bits));
      case 8:
        return {a.type, Shift(op.Is("<<"), a, b.bits), false};
      default:
        break;
    }
    switch (op.text[0]) {
      case '+':
        return {type, a.bits + b.bits, false};
      case '-':
        return {type, a.bits - b.bits, false};
      case '*':
        return {type, a.bits * b.bits, false};
      case '&':
        return {Type::kU64, a.bits & b.bits, false};
      case '|':
        return {Type::kU64, a.bits | b.bits, false};
      case '^':
        return {Type::kU64, a.bits ^ b.bits, false};
      default:
        break;
    }
    if (b.bits == 0) lexer_.Fail(op.location, "expected a divisor other than 0");
    const bool quotient = op.Is("/");
    if (!is_signed) return {type, quotient ? a.bits / b.bits : a.bits % b.bits, false};
    if (sb == -1) return {type, quotient ? ~a.bits + 1 : 0, false};  // no overflow
    return {type, static_cast<uint64_t>(quotient ? sa / sb : sa % sb), false};
  }

  Lexer& lexer_;
  std::string_view what_;
  int depth_ = 0;
};

uint64_t WithoutFloat(Lexer* lexer, Location at, const Constant& value, std::string_view what) {
  if (IsFloat(value.type)) lexer->Fail(at, "expected {}, found a float", what);
  return value.bits;
}

}  // namespace

bool BeginsConstant(const Token& token) {
  return token.kind == Token::Kind::kInteger || token.kind == Token::Kind::kFloat ||
         token.Is("-") || token.Is("+") || token.Is("~") || token.Is("(") || token.Is("WARP_SZ");
}

Constant ParseConstant(Lexer* lexer, std::string_view what) {
  return Evaluator(lexer, what).Choice();
}

Constant ParseConstantAfterNot(Lexer* lexer, std::string_view what) {
  return Evaluator(lexer, what).ChoiceAfterNot();
}

Constant ParseIntegerConstant(Lexer* lexer, std::string_view what) {
  const Location at = lexer->Peek().location;
  const Constant value = ParseConstant(lexer, what);
  WithoutFloat(lexer, at, value, what);
  return value;
}

uint64_t ParseOffsetTerm(Lexer* lexer, std::string_view what) {
  const Location at = lexer->Peek().location;
  return WithoutFloat(lexer, at, Evaluator(lexer, what).Binary(kProduct), what);
}

int64_t ParseOffsets(Lexer* lexer) {
  uint64_t offset = 0;
  while (lexer->Peek().Is("+") || lexer->Peek().Is("-")) {
    const bool negative = lexer->Take().Is("-");
    const uint64_t value = ParseOffsetTerm(lexer, "an offset in bytes");
    offset += negative ? ~value + 1 : value;
  }
  return static_cast<int64_t>(offset);
}

}  // namespace flagstone::ptx
