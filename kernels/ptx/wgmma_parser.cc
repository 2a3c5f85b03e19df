// "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {...}, %rd1, %rd2, %p1, 1, 1, 0, 0;" and
// wgmma.fence, .commit_group and .wait_group.
#include <utility>

#include "kernels/ptx/foreign.h"
#include "kernels/ptx/instruction_parser.h"
#include "kernels/ptx/wgmma_form.h"

namespace flagstone::ptx {
namespace {

bool IsNumber(const Operand& operand) {
  return operand.kind == Operand::Kind::kImmediate && !IsFloat(operand.immediate_type);
}

bool IsOneOf(const Operand& operand, int64_t a, int64_t b) {
  const auto value = static_cast<int64_t>(operand.bits);
  return IsNumber(operand) && (value == a || value == b);
}

// "fence" of {"fence", "sync", "aligned"}.
WarpgroupOp OrderOf(const std::vector<std::string_view>& words) {
  const bool synced = words.size() >= 2 && words[1] == "sync";
  if (!synced || words.size() > 3 || (words.size() == 3 && words[2] != "aligned")) {
    return WarpgroupOp::kNone;
  }
  if (words[0] == "fence") return WarpgroupOp::kFence;
  if (words[0] == "commit_group") return WarpgroupOp::kCommitGroup;
  return words[0] == "wait_group" ? WarpgroupOp::kWaitGroup : WarpgroupOp::kNone;
}

}  // namespace

void InstructionParser::ParseWgmma(const Token& begin, Instruction* instruction) {
  std::vector<std::string_view> words;
  while (lexer_.Peek().kind == Token::Kind::kDirective) {
    words.push_back(lexer_.Take().text.substr(1));
  }
  const std::optional<WgmmaForm> form = FindWgmma(words);
  const WarpgroupOp op = form ? WarpgroupOp::kMmaAsync : OrderOf(words);
  if (op == WarpgroupOp::kNone) {
    return SkipForeign(begin, FeatureOfInstruction("wgmma"), instruction);
  }
  instruction->opcode = Opcode::kWgmma;
  instruction->modifiers.warpgroup_op = op;
  instruction->modifiers.lane_sync = true;
  operand_parser_.AllowElements(WgmmaForm::kMostColumns / 2);
  while (!lexer_.Peek().Is(";")) {
    operand_parser_.Parse(&operands_);
    if (!lexer_.TakeIf(",") && !lexer_.Peek().Is(";")) {
      lexer_.FailExpected("',' or ';' after an operand");
    }
  }
  instruction->text = lexer_.FoldedText(begin);
  lexer_.Take();
  const std::string name = "wgmma." + std::string(words[0]);
  if (form) {
    CheckWgmma(*form, name);
  } else {
    const bool waits = op == WarpgroupOp::kWaitGroup;
    const size_t wanted = waits ? 1 : 0;
    if (operands_.size() != wanted) {
      lexer_.Fail(instruction->location, "expected {} operand{} of {}, found {}", wanted,
                  waits ? "" : "s", Quote(name), operands_.size());
    }
    const bool number = !waits || (IsNumber(operands_[0].operand) &&
                                   static_cast<int64_t>(operands_[0].operand.bits) >= 0);
    if (!number) lexer_.Fail(operands_[0].location, "expected a number of groups, 0 or more");
  }
  for (ParsedOperand& operand : operands_) {
    instruction->operands.push_back(std::move(operand.operand));
  }
  if (!form) return;
  instruction->type = form->d;
  instruction->source_type = form->a;
  instruction->third_type = form->b;
  instruction->space = Space::kShared;
  instruction->modifiers.columns = static_cast<uint16_t>(form->n);
  instruction->modifiers.finite = form->saturates;
  instruction->destinations = 1;
  // The sums are read where they count: all who look for reads find them as the last operand.
  const Operand& scale = instruction->operands[3];
  const bool from_zero = scale.kind == Operand::Kind::kImmediate && scale.bits == 0;
  if (!from_zero) instruction->operands.push_back(Operand(instruction->operands[0]));
}

// D, A, B's descriptor, the predicate, and as the types have them: the signs of A and B, and
// whether their columns lie together.
void InstructionParser::CheckWgmma(const WgmmaForm& form, std::string_view name) {
  const auto fail = [&](size_t place, std::string_view what) {
    lexer_.Fail(operands_[place].location, "expected {} in {}", what, Quote(name));
  };
  const bool in_registers =
      operands_.size() > 1 && operands_[1].operand.kind == Operand::Kind::kVector;
  const size_t signs = form.Negates() ? 2 : 0;
  const size_t transposes = !form.Transposes() ? 0 : in_registers ? 1 : 2;
  const size_t wanted = 4 + signs + transposes;
  if (operands_.size() != wanted) {
    lexer_.Fail(operands_.empty() ? lexer_.Peek().location : operands_[0].location,
                "expected {} operands of {}, found {}", wanted, Quote(name), operands_.size());
  }
  const auto check_vector = [&](size_t place, size_t count, bool floats) {
    const Operand& operand = operands_[place].operand;
    bool good = operand.kind == Operand::Kind::kVector && operand.elements.size() == count;
    for (const Operand& element : operand.elements) {
      good = good && element.kind == Operand::Kind::kRegister;
      const Type has = good ? kernel_.registers[element.reg].type : Type::kNone;
      good = good && SizeInBytes(has) == 4 && (floats || has != Type::kF32);
    }
    if (!good) {
      fail(place,
           fmt::format("a vector of {} {}registers of 32 bits", count, floats ? "" : "'.b32' "));
    }
  };
  const auto is_descriptor = [&](const Operand& operand) {
    if (operand.kind != Operand::Kind::kRegister) return IsNumber(operand);
    const Type type = kernel_.registers[operand.reg].type;
    return SizeInBytes(type) == 8 && !IsFloat(type);
  };
  check_vector(0, form.RegistersOfD(), form.d == Type::kF32);
  if (in_registers) {
    check_vector(1, WgmmaForm::kRegistersOfA, false);
  } else if (!is_descriptor(operands_[1].operand)) {
    fail(1, "a matrix descriptor of 64 bits, or four registers,");
  }
  if (!is_descriptor(operands_[2].operand)) fail(2, "a matrix descriptor of 64 bits");
  const Operand& scale = operands_[3].operand;
  const bool predicate =
      scale.kind == Operand::Kind::kRegister && kernel_.registers[scale.reg].type == Type::kPred;
  if (!predicate && !IsOneOf(scale, 0, 1)) fail(3, "a predicate, 0 or 1");
  for (size_t i = 4; i < wanted; ++i) {
    const bool sign = i < 4 + signs;
    if (!IsOneOf(operands_[i].operand, sign ? -1 : 0, 1)) {
      fail(i, sign ? "-1 or 1 as a sign" : "0 or 1 as a transpose");
    }
  }
  for (size_t i = 0; i < wanted; ++i) {
    const bool negated = operands_[i].operand.negated && (i != 3 || !predicate);
    if (negated || operands_[i].pair || !operands_[i].refusal.empty()) {
      fail(i, "a plain operand");
    }
  }
}

}  // namespace flagstone::ptx
