#include "gpu_model/simt/instruction_class.h"

namespace flagstone::simt {
namespace {

using ptx::Opcode;
using ptx::Type;

Pipe FloatPipe(const ptx::Instruction& instruction, Type type) {
  const bool is_double = type == Type::kF64;
  switch (instruction.opcode) {
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
      return is_double ? Pipe::kF64 : Pipe::kF32;
  }
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

Pipe PipeOf(const ptx::Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::kTex:
    case Opcode::kLd:
    case Opcode::kSt:
    case Opcode::kAtom:
    case Opcode::kRed:
      return Pipe::kLoadStore;
    case Opcode::kAssertFail:
    case Opcode::kBra:
    case Opcode::kCall:
    case Opcode::kPrint:
    case Opcode::kRet:
    case Opcode::kExit:
    case Opcode::kTrap:
    case Opcode::kBrkpt:
    case Opcode::kNanosleep:
      return Pipe::kControl;
    case Opcode::kBar:
    case Opcode::kMembar:
    case Opcode::kFence:
      return Pipe::kBarrier;
    case Opcode::kMov:
    case Opcode::kSelp:
    case Opcode::kCvta:
    case Opcode::kSlct:
    case Opcode::kCopysign:
    case Opcode::kPrefetch:  // takes its slot; it fetches nothing
      return Pipe::kIntAdd;
    case Opcode::kCvt: {
      // Conversions that touch f64 run in its unit.
      const bool is_double =
          instruction.type == Type::kF64 || instruction.source_type == Type::kF64;
      return is_double ? Pipe::kF64 : Pipe::kIntAdd;
    }
    default:
      break;
  }
  const Type type = instruction.opcode == Opcode::kSet ? instruction.source_type : instruction.type;
  if (ptx::IsFloat(type)) return FloatPipe(instruction, type);
  switch (instruction.opcode) {
    case Opcode::kMul:
    case Opcode::kMad:
    case Opcode::kMul24:
    case Opcode::kMad24:
    case Opcode::kDp2a:
    case Opcode::kDp4a:
      return Pipe::kIntMul;
    case Opcode::kDiv:
    case Opcode::kRem:
      return Pipe::kIntDiv;
    default:
      return Pipe::kIntAdd;
  }
}

}  // namespace flagstone::simt
