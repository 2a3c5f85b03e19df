// Operands of several registers: vectors of ld, st and mov, and matrices.
#include "kernels/ptx/matrix_forms.h"
#include "kernels/ptx/operand_check.h"
#include "kernels/ptx/operand_fit.h"
#include "kernels/ptx/special_register.h"

namespace flagstone::ptx {

void OperandCheck::CheckVectorOfMemory(ParsedOperand* parsed, bool source) const {
  const uint8_t wanted = instruction_.modifiers.vector;
  Operand& operand = parsed->operand;
  if (rule_.opcode == Opcode::kAtom && operand.kind == Operand::Kind::kSink) return;
  // "{%r1}", as surfaces have it and as Triton writes every access.
  const bool single = operand.kind == Operand::Kind::kVector && operand.elements.size() == 1;
  if (single && wanted == 1) operand = Operand(operand.elements[0]);
  if (wanted == 1) {
    if (source) return CheckSource(parsed, instruction_.type, true);
    return CheckDestination(*parsed, instruction_.type, true);
  }
  if (operand.kind != Operand::Kind::kVector || operand.elements.size() != wanted) {
    FailExpected(*parsed, fmt::format("a vector of {} elements", wanted));
  }
  for (Operand& element : operand.elements) {
    CheckElement(*parsed, &element, instruction_.type, source, true);
  }
}

void OperandCheck::CheckMove(ParsedOperand* parsed, bool source) const {
  Operand& operand = parsed->operand;
  const Type type = instruction_.type;
  if (const uint8_t wanted = instruction_.modifiers.vector; wanted > 1) {
    if (operand.kind != Operand::Kind::kVector || operand.elements.size() != wanted) {
      FailExpected(*parsed, fmt::format("a vector of {} elements", wanted));
    }
    for (Operand& element : operand.elements) {
      const bool special = element.kind == Operand::Kind::kSpecial;
      if (special && source && CanBeReadAs(element.special, SizeInBytes(type))) continue;
      CheckElement(*parsed, &element, type, source, false);
    }
    return;
  }
  if (operand.kind == Operand::Kind::kVector) {
    const auto count = static_cast<int>(operand.elements.size());
    const bool one_side = !source || instruction_.operands[0].kind != Operand::Kind::kVector;
    const int bytes = SizeInBytes(type) / count;
    if (!IsBits(type) || (count != 2 && count != 4) || bytes == 0 || !one_side) {
      FailExpected(*parsed, "a register");
    }
    const Type part = bytes == 1 ? Type::kB8 : bytes == 2 ? Type::kB16 : Type::kB32;
    for (Operand& element : operand.elements) {
      CheckElement(*parsed, &element, part, source, bytes == 1);
    }
    return;
  }
  if (!source) return CheckDestination(*parsed, type, false);
  if (operand.kind == Operand::Kind::kSpecial) {
    if (!IsFloat(type) && CanBeReadAs(operand.special, SizeInBytes(type))) return;
    lexer_.Fail(parsed->location, "expected a 'mov' of the width of the special register, found {}",
                Quote(name_));
  }
  const bool address_fits = !IsFloat(type) && SizeInBytes(type) >= 4;
  if (operand.kind == Operand::Kind::kAddress && address_fits) return;
  CheckSource(parsed, type, false);
}

// Two numbers of 16 bits.
void OperandCheck::CheckPair(ParsedOperand* parsed) const {
  Operand& operand = parsed->operand;
  if (operand.kind != Operand::Kind::kVector || operand.elements.size() != 2) {
    FailExpected(*parsed, "a vector of the number of a byte and that of a thread");
  }
  for (Operand& element : operand.elements) {
    CheckElement(*parsed, &element, Type::kU16, true, false);
  }
}

// What a cvt packs by four.
void OperandCheck::CheckFour(ParsedOperand* parsed) const {
  Operand& operand = parsed->operand;
  if (operand.kind != Operand::Kind::kVector || operand.elements.size() != 4) {
    FailExpected(*parsed, "a vector of 4 elements");
  }
  for (Operand& element : operand.elements) {
    CheckElement(*parsed, &element, instruction_.source_type, true, false);
  }
}

// A matrix, or four: as many registers as a lane has of it.
void OperandCheck::CheckMatrix(ParsedOperand* parsed, char letter) const {
  Type type = Type::kB32;
  size_t count = instruction_.modifiers.matrices;
  if (const MmaForm* const form = FindMma(instruction_)) {
    const size_t place = instruction_.operands.size();  // d, a, b, c
    const bool is_sum = place == 0 || place == 3;
    const Type of = place == 0 ? form->d : place == 1 ? form->a : place == 2 ? form->b : form->c;
    count = MmaForm::Registers(of, is_sum       ? form->ElementsOfC()
                                   : place == 1 ? form->ElementsOfA()
                                                : form->ElementsOfB());
    if (of == Type::kF64 || (is_sum && of == Type::kF32)) type = of;
  }
  const bool source = letter != 'Z';
  Operand& operand = parsed->operand;
  if (operand.kind != Operand::Kind::kVector && count == 1) {
    if (source) return CheckSource(parsed, type, false);
    return CheckDestination(*parsed, type, false);
  }
  if (operand.kind != Operand::Kind::kVector || operand.elements.size() != count) {
    FailExpected(*parsed, count == 1 ? std::string("a register")
                                     : fmt::format("a vector of {} elements", count));
  }
  for (Operand& element : operand.elements) {
    if (element.kind == Operand::Kind::kSink) FailExpected(*parsed, "a register for each element");
    CheckElement(*parsed, &element, type, source, false);
  }
}

}  // namespace flagstone::ptx
