// "tcgen05.ld.sync.aligned.32x32b.x2.b32 {%r1, %r2}, [%r3];" and the rest of the family (PTX ISA,
// section 9.7.16).
#include <string>
#include <utility>
#include <vector>

#include "kernels/ptx/foreign.h"
#include "kernels/ptx/instruction_parser.h"
#include "kernels/ptx/tensor_memory_form.h"

namespace flagstone::ptx {
namespace {

// One letter per operand:
//   r  registers that are read or written    R  one register that is written
//   t  [address in tensor memory]            s  [address in shared memory]
//   a  descriptor, or [address]              d  descriptor of 64 bits
//   u  source of 32 bits                     h  source of 16 bits
//   p  predicate, 0 or 1                     v  vector of four words
//   n  number from 0 to 15                   o  number
std::string LettersOf(const TensorMemoryForm& form, const std::vector<ParsedOperand>& operands) {
  const bool has_mask = operands.size() > 4 && operands[4].operand.kind == Operand::Kind::kVector;
  switch (form.op) {
    case TensorMemoryOp::kAlloc:
      return "su";
    case TensorMemoryOp::kDealloc:
      return "uu";
    case TensorMemoryOp::kLoad:
      return std::string(form.reduction == AtomicOp::kNone ? "rt" : "rRt") +
             (form.InHalves() ? "o" : "");
    case TensorMemoryOp::kStore:
      return form.InHalves() ? "tor" : "tr";
    case TensorMemoryOp::kCopy:
      return "td";
    case TensorMemoryOp::kShift:
      return "t";
    case TensorMemoryOp::kMma:
      return std::string("tadu") + (has_mask ? "v" : "") + "p" +
             (operands.size() == (has_mask ? 7U : 6U) ? "n" : "");
    case TensorMemoryOp::kCommit:
      return form.multicast ? "sh" : "s";
    default:
      return "";
  }
}

bool IsWholeNumber(const Operand& operand) {
  return operand.kind == Operand::Kind::kImmediate && !IsFloat(operand.immediate_type);
}

}  // namespace

void InstructionParser::ParseTcgen05(const Token& begin, const Token& opcode,
                                     Instruction* instruction) {
  const Token next = lexer_.Peek();
  const bool dotted = next.kind == Token::Kind::kDirective;
  if (!dotted || !IsForeignInstruction("tcgen05", next.text.substr(1))) FailUnknown(begin, opcode);
  std::vector<std::string_view> words;
  while (lexer_.Peek().kind == Token::Kind::kDirective) {
    words.push_back(lexer_.Take().text.substr(1));
  }
  const std::string first(words[0]);
  TensorMemoryForm& form = instruction->tensor_memory;
  std::string_view feature;
  const std::string problem = ReadTensorMemoryForm(words, &form, &feature);
  if (!feature.empty()) return SkipForeign(begin, feature, instruction);
  instruction->opcode = Opcode::kTcgen05;
  if (!problem.empty()) lexer_.Fail(opcode.location, "{}", problem);
  operand_parser_.AllowElements(TensorMemoryForm::kMostRegisters);
  while (!lexer_.Peek().Is(";")) {
    operand_parser_.Parse(&operands_);
    if (!lexer_.TakeIf(",") && !lexer_.Peek().Is(";")) {
      lexer_.FailExpected("',' or ';' after an operand");
    }
  }
  instruction->text = lexer_.FoldedText(begin);
  lexer_.Take();
  CheckTcgen05(form, "tcgen05." + first, instruction->location);
  for (ParsedOperand& operand : operands_) {
    instruction->operands.push_back(std::move(operand.operand));
  }
  if (form.op == TensorMemoryOp::kLoad) {
    instruction->destinations = form.reduction == AtomicOp::kNone ? 1 : 2;
  }
  // Factors and what is copied lie there; an address of shared memory may be generic.
  instruction->space = Space::kShared;
}

void InstructionParser::CheckTcgen05(const TensorMemoryForm& form, std::string_view name,
                                     Location at) {
  const std::string letters = LettersOf(form, operands_);
  if (operands_.size() != letters.size()) {
    lexer_.Fail(at, "expected {} operand{} of {}, found {}", letters.size(),
                letters.size() == 1 ? "" : "s", Quote(name), operands_.size());
  }
  for (size_t i = 0; i < letters.size(); ++i) {
    const std::string what = WrongTcgen05(form, letters[i], operands_[i]);
    if (!what.empty()) lexer_.Fail(operands_[i].location, "expected {} in {}", what, Quote(name));
  }
}

// What is expected in place of the operand; empty: it is right.
std::string InstructionParser::WrongTcgen05(const TensorMemoryForm& form, char letter,
                                            const ParsedOperand& parsed) const {
  const Operand& operand = parsed.operand;
  const bool predicate = operand.kind == Operand::Kind::kRegister &&
                         kernel_.registers[operand.reg].type == Type::kPred;
  if (parsed.pair || !parsed.refusal.empty() ||
      (operand.negated && !(letter == 'p' && predicate))) {
    return "a plain operand";
  }
  const auto is_word = [&](const Operand& of, int bytes, bool floats) {
    if (of.kind != Operand::Kind::kRegister) return IsWholeNumber(of);
    const Type type = kernel_.registers[of.reg].type;
    return SizeInBytes(type) == bytes && (floats || !IsFloat(type));
  };
  const auto is_address = [&](bool wide) {
    if (operand.kind != Operand::Kind::kMemory || operand.variable != nullptr) return false;
    if (!operand.has_register_base) return false;
    const int bytes = SizeInBytes(kernel_.registers[operand.reg].type);
    return bytes == 4 || (wide && bytes == 8);
  };
  switch (letter) {
    case 'r': {
      bool good =
          operand.kind == Operand::Kind::kVector && operand.elements.size() == form.Registers();
      for (const Operand& element : operand.elements) {
        const bool sink = element.kind == Operand::Kind::kSink && form.op == TensorMemoryOp::kLoad;
        const bool source =
            element.kind == Operand::Kind::kRegister || form.op == TensorMemoryOp::kStore;
        good = good && (sink || (source && is_word(element, 4, true)));
      }
      const uint32_t count = form.Registers();
      return good ? ""
                  : fmt::format("a vector of {} register{} of 32 bits", count,
                                count == 1 ? "" : "s");
    }
    case 'R':
      return operand.kind == Operand::Kind::kRegister && is_word(operand, 4, true)
                 ? ""
                 : "a register of 32 bits";
    case 't':
      return is_address(false) ? "" : "'[address]' of tensor memory in a register of 32 bits";
    case 's': {
      const bool named = operand.kind == Operand::Kind::kMemory && operand.variable != nullptr &&
                         operand.variable->space == Space::kShared;
      return named || is_address(true) ? "" : "'[address]' of shared memory";
    }
    case 'a':
      if (is_address(false)) return "";
      [[fallthrough]];
    case 'd':
      return is_word(operand, 8, false) ? ""
             : letter == 'a' ? "a matrix descriptor of 64 bits, or '[address]' of tensor memory,"
                             : "a matrix descriptor of 64 bits";
    case 'u':
      return is_word(operand, 4, false) ? "" : "a register or number of 32 bits";
    case 'h':
      return is_word(operand, 2, false) ? "" : "a mask of 16 bits";
    case 'p':
      return predicate || (IsWholeNumber(operand) && operand.bits <= 1) ? ""
                                                                        : "a predicate, 0 or 1";
    case 'v': {
      bool good = operand.elements.size() == 4;
      for (const Operand& element : operand.elements) good = good && is_word(element, 4, false);
      return good ? "" : "a vector of four masks of 32 bits";
    }
    case 'n': {
      const bool scales =
          form.kind == TensorMemoryKind::kF16 || form.kind == TensorMemoryKind::kTf32;
      if (!scales) return "no scale but with '.kind::f16' or '.kind::tf32'";
      return IsWholeNumber(operand) && operand.bits <= 15 ? "" : "a number from 0 to 15";
    }
    default:
      return IsWholeNumber(operand) ? "" : "a number";
  }
}

}  // namespace flagstone::ptx
