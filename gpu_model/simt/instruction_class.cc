#include "gpu_model/simt/instruction_class.h"

#include "kernels/ptx/matrix_forms.h"

namespace flagstone::simt {
namespace {

using ptx::Opcode;
using ptx::Type;

Pipe FloatPipe(const ptx::Instruction& instruction, Type type) {
  const bool is_double = type == Type::kF64;
  switch (instruction.opcode) {
    case Opcode::kAdd:
    case Opcode::kSub:
    case Opcode::kMul:
      return is_double ? Pipe::kF64 : Pipe::kF32;
    case Opcode::kMad:
    case Opcode::kFma:
      return is_double ? Pipe::kF64 : Pipe::kF32Fma;
    case Opcode::kMin:
    case Opcode::kMax:
      return is_double ? Pipe::kF64MinMax : Pipe::kF32MinMax;
    case Opcode::kDiv:
    case Opcode::kRcp:
    case Opcode::kSqrt:
      if (is_double) return Pipe::kF64Div;
      return instruction.modifiers.approximate || instruction.modifiers.full ? Pipe::kSfu
                                                                             : Pipe::kF32Div;
    case Opcode::kRsqrt:
      return is_double ? Pipe::kF64Div : Pipe::kSfu;
    case Opcode::kTanh:
    case Opcode::kSin:
    case Opcode::kCos:
    case Opcode::kEx2:
    case Opcode::kLg2:
      return Pipe::kSfu;
    default:
      return Pipe::kLogic;  // compares, signs, classes of numbers
  }
}

Pipe IntegerPipe(Opcode opcode) {
  switch (opcode) {
    case Opcode::kAdd:
    case Opcode::kAddCarry:
    case Opcode::kSub:
    case Opcode::kSubCarry:
    case Opcode::kSad:
    case Opcode::kRedux:
      return Pipe::kIntAdd;
    case Opcode::kMin:
    case Opcode::kMax:
      return Pipe::kIntMinMax;
    case Opcode::kMul:
    case Opcode::kMul24:
      return Pipe::kIntMul;
    case Opcode::kMad:
    case Opcode::kMadCarry:
    case Opcode::kMad24:
    case Opcode::kDp2a:
    case Opcode::kDp4a:
      return Pipe::kIntMad;
    case Opcode::kDiv:
    case Opcode::kRem:
      return Pipe::kIntDiv;
    case Opcode::kShfl:
      return Pipe::kShuffle;
    default:
      return Pipe::kLogic;
  }
}

// Half as many products a cycle of tf32 as of f16, twice as many of 8 bits, four times of 4,
// sixteen times of one, and a sixteenth of f64: so the white papers of A100 and H100 have it.
uint16_t WorkOfProducts(uint32_t products, Type type) {
  const uint32_t per = ptx::MmaForm::PerRegister(type);
  const uint32_t weight = type == Type::kF64 ? 256 : per == 32 ? 1 : 32 / per;
  return static_cast<uint16_t>(products * weight / 2048);
}

}  // namespace

Type DestinationType(const ptx::Instruction& instruction) {
  if (instruction.modifiers.mul_part != ptx::MulPart::kWide) return instruction.type;
  switch (instruction.type) {
    case Type::kU16:
      return Type::kU32;
    case Type::kS16:
      return Type::kS32;
    case Type::kU32:
      return Type::kU64;
    case Type::kS32:
      return Type::kS64;
    default:
      return instruction.type;
  }
}

uint16_t TensorWorkOf(const ptx::Instruction& instruction) {
  const ptx::MmaForm* const form = ptx::FindMma(instruction);
  if (form == nullptr) return 0;
  return WorkOfProducts(form->ElementsOfA() * form->n, form->a);
}

uint16_t TensorWorkOf(const ptx::WgmmaForm& form) {
  return WorkOfProducts(ptx::WgmmaForm::kRowsOfWarp * form.n * form.Depth(), form.a);
}

Pipe PipeOf(const ptx::Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::kCpAsync:
      return instruction.modifiers.async_op == ptx::AsyncOp::kCopy ||
                     instruction.modifiers.async_op == ptx::AsyncOp::kBulkCopy ||
                     instruction.modifiers.async_op == ptx::AsyncOp::kTensorCopy ||
                     instruction.modifiers.no_increment
                 ? Pipe::kLoadStore
                 : Pipe::kControl;
    case Opcode::kMbarrier:
      return instruction.modifiers.mbarrier_op == ptx::MbarrierOp::kPendingCount ? Pipe::kLogic
                                                                                 : Pipe::kLoadStore;
    case Opcode::kMma:
      return Pipe::kTensor;
    case Opcode::kMovmatrix:
      return Pipe::kShuffle;
    case Opcode::kLdmatrix:
    case Opcode::kStmatrix:
    case Opcode::kTex:
    case Opcode::kSuld:
    case Opcode::kSust:
    case Opcode::kAllocate:
    case Opcode::kFree:
    case Opcode::kLd:
    case Opcode::kSt:
    case Opcode::kAtom:
    case Opcode::kRed:
    case Opcode::kTensormap:
      return Pipe::kLoadStore;
    case Opcode::kAssertFail:
    case Opcode::kStackOverflow:
    case Opcode::kBra:
    case Opcode::kCall:
    case Opcode::kPrint:
    case Opcode::kRet:
    case Opcode::kExit:
    case Opcode::kTrap:
    case Opcode::kBrkpt:
    case Opcode::kGriddepcontrol:
    case Opcode::kSetmaxnreg:
    case Opcode::kNanosleep:
      return Pipe::kControl;
    case Opcode::kBar:
    case Opcode::kMembar:
    case Opcode::kFence:
      return Pipe::kBarrier;
    default:
      break;
  }
  return ptx::IsFloat(instruction.type) ? FloatPipe(instruction, instruction.type)
                                        : IntegerPipe(instruction.opcode);
}

}  // namespace flagstone::simt
