// "wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {...}, [%rd1], %r1;"
#include <utility>

#include "kernels/ptx/foreign.h"
#include "kernels/ptx/instruction_parser.h"
#include "kernels/ptx/wmma.h"

namespace flagstone::ptx {

void InstructionParser::ParseWmma(const Token& begin, Parsed* parsed) {
  Instruction& instruction = parsed->instruction;
  std::vector<std::string_view> words;
  while (lexer_.Peek().kind == Token::Kind::kDirective) {
    words.push_back(lexer_.Take().text.substr(1));
  }
  const std::optional<WmmaForm> form = FindWmma(words);
  if (!form) return SkipForeign(begin, FeatureOfInstruction("wmma"), &instruction);
  instruction.opcode = Opcode::kMma;  // PTX, whatever its operands are
  do {
    operand_parser_.Parse(&operands_);
  } while (lexer_.TakeIf(","));
  if (!lexer_.Peek().Is(";")) lexer_.FailExpected("',' or ';' after an operand");
  instruction.text = lexer_.FoldedText(begin);
  lexer_.Take();
  CheckWmma(*form, instruction);
  std::vector<Operand> operands;
  for (ParsedOperand& operand : operands_) {
    // One register needs no braces.
    const bool single = operand.operand.kind == Operand::Kind::kRegister;
    const bool stride = form->op != WmmaForm::Op::kMma && operands.size() == 2;
    if (single && !stride) {
      Operand vector;
      vector.kind = Operand::Kind::kVector;
      vector.elements.push_back(std::move(operand.operand));
      operand.operand = std::move(vector);
    }
    operands.push_back(std::move(operand.operand));
  }
  constexpr uint64_t kMostRegisters = 96;
  context_.CountRegisters(kMostRegisters, instruction.location);
  parsed->lowered = LowerWmma(*form, operands, instruction, &kernel_);
}

void InstructionParser::CheckWmma(const WmmaForm& form, const Instruction& instruction) const {
  const bool product = form.op == WmmaForm::Op::kMma;
  const bool load = form.op == WmmaForm::Op::kLoad;
  const size_t found = operands_.size();
  if (product ? found != 4 : found != 2 && found != 3) {
    lexer_.Fail(instruction.location, "expected {} operands in {}, found {}",
                product ? "4" : "2 or 3", Quote(instruction.text), found);
  }
  const auto is_register = [this](const Operand& operand, Type type) {
    if (operand.kind != Operand::Kind::kRegister || operand.negated) return false;
    const Type has = kernel_.registers[operand.reg].type;
    return SizeInBytes(has) == SizeInBytes(type);
  };
  for (size_t place = 0; place < found; ++place) {
    const Operand& operand = operands_[place].operand;
    if (!operands_[place].refusal.empty() || operands_[place].pair) {
      lexer_.Fail(operands_[place].location, "expected a matrix, an address or a stride");
    }
    if (!product && place == 2) {
      const bool number = operand.kind == Operand::Kind::kImmediate &&
                          !IsFloat(operand.immediate_type) && operand.bits <= UINT32_MAX;
      if (number || is_register(operand, Type::kU32)) continue;
      lexer_.Fail(operands_[place].location, "expected a number of 32 bits as the stride");
    }
    if (!product && place == (load ? 1U : 0U)) {
      const bool good =
          operand.kind == Operand::Kind::kMemory &&
          (!operand.has_register_base || SizeInBytes(kernel_.registers[operand.reg].type) >= 4);
      if (good) continue;
      lexer_.Fail(operands_[place].location, "expected '[address]' in {}", Quote(instruction.text));
    }
    const char matrix = product ? "dabc"[place] : form.matrix;
    const uint32_t wanted = form.Registers(matrix);
    const bool single = operand.kind != Operand::Kind::kVector;
    bool good = single ? wanted == 1 && is_register(operand, form.RegisterType(matrix))
                       : operand.elements.size() == wanted;
    for (const Operand& element : operand.elements) {
      good = good && is_register(element, form.RegisterType(matrix));
    }
    if (good) continue;
    lexer_.Fail(operands_[place].location, "expected {} register{} of {} bits in {}", wanted,
                wanted == 1 ? "" : "s", 8 * SizeInBytes(form.RegisterType(matrix)),
                Quote(instruction.text));
  }
}

}  // namespace flagstone::ptx
