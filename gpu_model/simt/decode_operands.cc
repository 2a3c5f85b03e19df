// Operands of an instruction: their slots, immediates and scoreboard numbers. What addresses and
// vectors are made of, decode_addresses.cc and decode_vectors.cc know.
#include <algorithm>
#include <bit>

#include "gpu_model/simt/decoder.h"
#include "gpu_model/simt/instruction_class.h"

namespace flagstone::simt {
namespace {

using ptx::Opcode;
using ptx::Operand;
using ptx::Type;

bool IsWide(Type type) { return ptx::SizeInBytes(type) == 8; }

}  // namespace

// The letters of kernels/ptx/instruction_table.h.
Type Decoder::TypeOf(char letter) const {
  const Type type = instruction_->type;
  switch (letter) {
    case 'W':
    case 'C':
      return DestinationType(*instruction_);
    case 'N':
    case 'U':
    case 'j':
    case '1':
    case '2':
    case 'R':
    case 'Y':
    case 'I':
      return Type::kU32;
    case 'H':
      return Type::kB64;
    case 'F':
      return Type::kF32;
    case 'P':
    case 'B':
    case 'Q':
      return Type::kPred;
    case 'S':
    case 's':
      return instruction_->source_type != Type::kNone ? instruction_->source_type : type;
    default:
      return type;
  }
}

void Decoder::DecodeOperand(char letter, const Operand& operand) {
  switch (letter) {
    case 'L':
      inst_->target = operand.target;
      inst_->reconvergence = flow_.ReconvergencePc(inst_->pc);
      return;
    case 'M':
      DecodeMemory(operand);
      return;
    case 'X':
      DecodeTexture(operand);
      return;
    case 'n':
      DecodeTexture(operand);
      return;
    case 'k':
      DecodeSampler(operand);
      return;
    case 'O':  // there is one level of detail
    case 'H':  // changes nothing but when the register is free
      if (operand.kind == Operand::Kind::kRegister) NoteSource(operand.reg);
      return;
    case 'v':
    case 'V':
    case 'x':
      if (instruction_->opcode == Opcode::kAtom) return DecodeAtomicVector(operand, true);
      if (operand.kind == Operand::Kind::kVector || letter != 'x') {
        DecodeVector(operand, true);
        return;
      }
      [[fallthrough]];
    case 'D':
    case 'W':
    case 'N':
    case 'Q':
    case 'R':
    case 'd':
    case 'T':
      DecodeDestination(operand, TypeOf(letter), letter);
      return;
    case 'w':
      if (instruction_->opcode != Opcode::kSt && instruction_->opcode != Opcode::kSust) {
        return DecodeAtomicVector(operand, false);
      }
      DecodeVector(operand, false);
      return;
    case 'E':  // 32 or 64 bits
      inst_->wide_address = slots_.OfRegister(operand.reg).wide;
      NoteSource(operand.reg);
      AddSource(slots_.OfRegister(operand.reg).slot, false);
      return;
    case 'J':
      if (instruction_->opcode == Opcode::kCpAsync &&
          instruction_->modifiers.async_op == ptx::AsyncOp::kCopy) {
        inst_->element_bytes = static_cast<uint8_t>(operand.bits);
        return;
      }
      [[fallthrough]];
    case 'I':
      inst_->offset = operand.bits;
      return;
    case 'Z':
    case 'z':
    case 't':
      DecodeMatrix(operand, letter == 'Z');
      return;
    case 'f':
      for (size_t e = 0; e < operand.elements.size(); ++e) {
        inst_->elements[e] = SourceOf(operand.elements[e], instruction_->source_type).slot;
      }
      return;
    case 'U':
      if (instruction_->opcode != Opcode::kMma) break;
      [[fallthrough]];
    case 'e':
      DecodeMatrixExtra(operand, letter == 'e');
      return;
    case 'm':
      DecodeSharedAddress(operand);
      return;
    case 'q':
      DecodeBulkAddress(operand);
      return;
    case 'g':
      DecodeTensorMap(operand);
      return;
    case 'i':
      for (size_t d = 0; d < operand.elements.size(); ++d) {
        Bulk().offsets[d] = SourceOf(operand.elements[d], Type::kU16).slot;
      }
      return;
    case 'c':
      Bulk().tbs = SourceOf(operand, Type::kU16).slot;
      return;
    case 'y':
      if (operand.kind == Operand::Kind::kVector) {
        DecodeVector(operand, false);
        return;
      }
      break;
    default:
      break;
  }
  const Type type = TypeOf(letter);
  const SizedSlot slot = SourceOf(operand, type);
  if (letter == 's' ||
      (letter == 'y' && instruction_->operands[0].kind == Operand::Kind::kVector)) {
    shape_.wide_source = slot.wide;
  } else if (type != Type::kPred && slot.wide != IsWide(type)) {
    Refuse("a source has the wrong width");
  }
  AddSource(slot.slot, operand.negated);
}

void Decoder::AddSource(SlotId slot, bool negated) {
  if (sources_ == inst_->source.size()) Refuse("too many sources");
  inst_->source_flip[sources_] = negated ? kAllLanes : 0;
  inst_->source[sources_++] = slot;
}

void Decoder::DecodeDestination(const Operand& operand, Type type, char letter) {
  SizedSlot slot;
  if (operand.kind == Operand::Kind::kRegister) {
    slot = slots_.OfRegister(operand.reg);
    NoteDestination(operand.reg);
    if (letter != 'd' && type != Type::kPred && slot.wide != IsWide(type)) {
      Refuse("the destination has the wrong width");
    }
    shape_.wide_destination = slot.wide;
  } else if (operand.kind != Operand::Kind::kSink) {
    Refuse("the destination is not a register");
  } else if (letter != 'T' && letter != 'Q' && letter != 'R') {
    Refuse("a destination is missing");
  }
  const bool second = letter == 'Q' && &operand != instruction_->operands.data();
  (second ? inst_->destination2 : inst_->destination) = slot.slot;
}

SizedSlot Decoder::SourceOf(const Operand& operand, Type type) {
  const bool wide = IsWide(type);
  switch (operand.kind) {
    case Operand::Kind::kRegister:
      NoteSource(operand.reg);
      return slots_.OfRegister(operand.reg);
    case Operand::Kind::kSpecial:
      return slots_.OfSpecial(operand.special, wide);
    case Operand::Kind::kAddress: {
      const uint64_t address =
          slots_.AddressOf(*operand.variable) + static_cast<uint64_t>(operand.offset);
      return {slots_.Constant(wide ? address : address & 0xffffffffU, wide), wide};
    }
    case Operand::Kind::kImmediate:
      if (type == Type::kPred) return {slots_.Mask(operand.bits != 0 ? kAllLanes : 0), false};
      return {slots_.Constant(ImmediateBits(operand, type), wide), wide};
    default:
      Refuse("this operand is not supported");
  }
}

uint64_t Decoder::ImmediateBits(const Operand& operand, Type type) const {
  const int bytes = ptx::SizeInBytes(type);
  const bool float_literal = ptx::IsFloat(operand.immediate_type);
  const bool untyped = type == Type::kB32 || type == Type::kB64;
  if (ptx::IsFloat(type) || (float_literal && untyped)) {
    if (!float_literal) Refuse("expected a floating-point literal");
    const double value = operand.immediate_type == Type::kF32
                             ? std::bit_cast<float>(static_cast<uint32_t>(operand.bits))
                             : std::bit_cast<double>(operand.bits);
    const bool same = ptx::SizeInBytes(operand.immediate_type) == bytes;
    if (same) return operand.bits;
    return bytes == 4 ? std::bit_cast<uint32_t>(static_cast<float>(value))
                      : std::bit_cast<uint64_t>(value);
  }
  if (float_literal) Refuse("expected an integer literal");
  return bytes >= 8 ? operand.bits : operand.bits & ((uint64_t{1} << (8 * bytes)) - 1);
}

// The bytes and threads of an mma's scales are constants of the compiler: nobody waits long for
// them where there is no more room.
void Decoder::NoteSource(ptx::RegisterId reg) {
  const uint16_t number = slots_.ScoreboardNumber(reg);
  const auto end = info_->sources.begin() + info_->source_count;
  if (std::find(info_->sources.begin(), end, number) != end) return;
  NoteTouched(reg);
  if (info_->source_count == info_->sources.size()) {
    if (instruction_->modifiers.block_scale) return;
    Refuse("too many source registers");
  }
  info_->sources[info_->source_count++] = number;
}

void Decoder::NoteDestination(ptx::RegisterId reg) {
  if (info_->destination_count == info_->destinations.size()) Refuse("too many destinations");
  info_->destinations[info_->destination_count++] = slots_.ScoreboardNumber(reg);
  NoteTouched(reg);
}

void Decoder::NoteTouched(ptx::RegisterId reg) {
  const SizedSlot slot = slots_.OfRegister(reg);
  const bool predicate = launch_.kernel->registers[reg].type == Type::kPred;
  const uint32_t row = slot.wide ? 2 * Program::Code::kRow : Program::Code::kRow;
  code_->touched[inst_->pc].Add(slot.slot, predicate ? sizeof(LaneMask) : row);
}

}  // namespace flagstone::simt
