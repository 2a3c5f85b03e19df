// Operands of an instruction: their slots, immediates, addresses and scoreboard numbers.
#include <algorithm>
#include <bit>
#include <cstring>

#include "gpu_model/simt/decoder.h"
#include "gpu_model/simt/instruction_class.h"

namespace flagstone::simt {
namespace {

using ptx::Opcode;
using ptx::Operand;
using ptx::Type;

bool IsWide(Type type) { return ptx::SizeInBytes(type) == 8; }

MemorySpace ToMemorySpace(ptx::Space space) {
  switch (space) {
    case ptx::Space::kGlobal:
      return MemorySpace::kGlobal;
    case ptx::Space::kShared:
      return MemorySpace::kShared;
    case ptx::Space::kLocal:
      return MemorySpace::kLocal;
    case ptx::Space::kConst:
      return MemorySpace::kConst;
    case ptx::Space::kParam:
      return MemorySpace::kParam;
    default:
      return MemorySpace::kNone;
  }
}

}  // namespace

// The letters of ptx/instruction_table.h.
Type Decoder::TypeOf(char letter) const {
  const Type type = instruction_->type;
  switch (letter) {
    case 'W':
    case 'C':
      return DestinationType(*instruction_);
    case 'N':
    case 'U':
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
      if (instruction_->modifiers.async_op == ptx::AsyncOp::kCopy) {
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
    case 'm':
      DecodeSharedAddress(operand);
      return;
    case 'q':
      DecodeBulkAddress(operand);
      return;
    case 'g':
      DecodeTensorMap(operand);
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

// ld, st and the vectors of mov: the elements, or the one register.
void Decoder::DecodeVector(const Operand& operand, bool is_destination) {
  const bool is_vector = operand.kind == Operand::Kind::kVector;
  const size_t count = is_vector ? operand.elements.size() : 1;
  SlotId* elements = inst_->elements.data();
  if (count > inst_->elements.size()) {
    MatrixSlots& slots = code_->matrices.emplace_back();
    inst_->matrices = &slots;
    std::array<SlotId, 8>& row = is_destination ? slots.d : slots.a;
    if (count > row.size()) Refuse("the vector is too long");
    row.fill(kNoSlot);
    elements = row.data();
  }
  inst_->vector = static_cast<uint8_t>(count);
  const int bytes = ptx::SizeInBytes(instruction_->type);
  const bool is_move = instruction_->opcode == Opcode::kMov;
  inst_->element_bytes = static_cast<uint8_t>(is_move ? bytes / static_cast<int>(count) : bytes);
  const Type element_type = !is_move                    ? instruction_->type
                            : inst_->element_bytes == 4 ? Type::kB32
                                                        : Type::kB16;
  bool& wide = is_destination ? shape_.wide_destination : shape_.wide_source;
  bool first = true;
  for (size_t e = 0; e < count; ++e) {
    const Operand& element = is_vector ? operand.elements[e] : operand;
    if (element.kind == Operand::Kind::kSink && is_destination) continue;
    SizedSlot slot;
    if (is_destination) {
      if (element.kind != Operand::Kind::kRegister) Refuse("the destination is not a register");
      slot = slots_.OfRegister(element.reg);
      NoteDestination(element.reg);
    } else {
      slot = SourceOf(element, element_type);
    }
    if (is_move && slot.wide) Refuse("an element has the wrong width");
    if (!is_move && !first && slot.wide != wide) Refuse("the elements differ in width");
    if (!is_move) wide = slot.wide;
    first = false;
    elements[e] = slot.slot;
  }
}

void Decoder::DecodeAtomicVector(const Operand& operand, bool is_destination) {
  if (inst_->matrices == nullptr) inst_->matrices = &code_->matrices.emplace_back();
  MatrixSlots& slots = code_->matrices.back();
  inst_->vector = instruction_->modifiers.vector;
  if (is_destination || instruction_->destinations == 0) slots.d.fill(kNoSlot);
  for (size_t e = 0; e < operand.elements.size(); ++e) {
    const Operand& element = operand.elements[e];
    if (!is_destination) {
      slots.a[e] = SourceOf(element, instruction_->type).slot;
    } else if (element.kind == Operand::Kind::kRegister) {
      slots.d[e] = slots_.OfRegister(element.reg).slot;
      NoteDestination(element.reg);
    }
  }
}

// Of an mma the fourth operand is C; of ldmatrix and stmatrix there are up to four matrices.
void Decoder::DecodeMatrix(const Operand& operand, bool is_destination) {
  const bool is_mma = instruction_->opcode == Opcode::kMma;
  if (is_mma && inst_->matrices == nullptr) inst_->matrices = &code_->matrices.emplace_back();
  const bool is_vector = operand.kind == Operand::Kind::kVector;
  const size_t count = is_vector ? operand.elements.size() : 1;
  std::array<SlotId, 8> slots;
  slots.fill(kNoSlot);
  for (size_t e = 0; e < count; ++e) {
    const Operand& element = is_vector ? operand.elements[e] : operand;
    const bool wide = instruction_->type == Type::kF64;
    if (is_destination) {
      slots[e] = slots_.OfRegister(element.reg).slot;
      NoteDestination(element.reg);
    } else {
      slots[e] = SourceOf(element, wide ? Type::kF64 : Type::kB32).slot;
    }
  }
  if (!is_mma) {
    std::copy_n(slots.begin(), inst_->elements.size(), inst_->elements.begin());
    inst_->vector = static_cast<uint8_t>(count);
    return;
  }
  MatrixSlots& matrices = code_->matrices.back();
  const auto place = static_cast<size_t>(&operand - instruction_->operands.data());
  (place == 0   ? matrices.d
   : place == 1 ? matrices.a
   : place == 2 ? matrices.b
                : matrices.c) = slots;
}

// The second address of cp.async: its slot is source[1], and its offset stands in target.
void Decoder::DecodeSharedAddress(const Operand& operand) {
  if (operand.has_register_base) {
    const SizedSlot slot = slots_.OfRegister(operand.reg);
    NoteSource(operand.reg);
    inst_->wide_second = slot.wide;
    AddSource(slot.slot, false);
  } else {
    const bool named = operand.variable != nullptr;
    AddSource(slots_.Constant(named ? slots_.AddressOf(*operand.variable) : operand.bits, true),
              false);
  }
  inst_->target = static_cast<uint32_t>(operand.offset);
}

BulkSlots& Decoder::Bulk() {
  if (inst_->bulk == nullptr) inst_->bulk = &code_->bulk.emplace_back();
  return *inst_->bulk;
}

// The map's address, and where the box begins.
void Decoder::DecodeTensorMap(const Operand& operand) {
  inst_->wide_address = true;
  if (operand.has_register_base) {
    const SizedSlot slot = slots_.OfRegister(operand.reg);
    NoteSource(operand.reg);
    inst_->wide_address = slot.wide;
    AddSource(slot.slot, false);
  } else {
    AddSource(slots_.Constant(slots_.AddressOf(*operand.variable), true), false);
  }
  for (size_t i = 0; i < operand.elements.size(); ++i) {
    Bulk().coordinates[i] = SourceOf(operand.elements[i], Type::kB32).slot;
  }
}

// First where to, then the barrier.
void Decoder::DecodeBulkAddress(const Operand& operand) {
  BulkSlots& bulk = Bulk();
  BulkSlots::Address& into = bulk.to.slot == kNoSlot ? bulk.to : bulk.barrier;
  into.offset = static_cast<uint64_t>(operand.offset);
  if (operand.has_register_base) {
    const SizedSlot slot = slots_.OfRegister(operand.reg);
    NoteSource(operand.reg);
    into.slot = slot.slot;
    into.wide = slot.wide;
    return;
  }
  const bool named = operand.variable != nullptr;
  into.slot = slots_.Constant(named ? slots_.AddressOf(*operand.variable) : operand.bits, true);
}

void Decoder::DecodeMemory(const Operand& operand) {
  ptx::Space space = instruction_->space;
  const bool has_variable = !operand.has_register_base && operand.variable != nullptr;
  if (space == ptx::Space::kGeneric && has_variable) space = operand.variable->space;
  inst_->space = ToMemorySpace(space);
  inst_->generic = space == ptx::Space::kGeneric;
  inst_->offset = static_cast<uint64_t>(operand.offset);
  if (operand.has_register_base) {
    const SizedSlot slot = slots_.OfRegister(operand.reg);
    NoteSource(operand.reg);
    inst_->wide_address = slot.wide;
    AddSource(slot.slot, false);
    return;
  }
  if (space == ptx::Space::kParam && has_variable && instruction_->opcode == Opcode::kLd) {
    argument_ = &operand;
    return;
  }
  const uint64_t base = has_variable ? slots_.AddressOf(*operand.variable) : operand.bits;
  AddSource(slots_.Constant(base, true), false);
}

// The value is known: the load becomes a move of constants.
void Decoder::DecodeArgument(const Operand& operand) {
  const uint64_t at = operand.variable->offset + static_cast<uint64_t>(operand.offset);
  const std::vector<std::byte>& block = launch_.parameters;
  const uint64_t bytes = inst_->access_bytes;
  if (at > block.size() || bytes > block.size() - at || at % bytes != 0) {
    Refuse("the parameter block has no such element");
  }
  for (size_t e = 0; e < inst_->vector; ++e) {
    uint64_t value = 0;
    std::memcpy(&value, block.data() + at + e * inst_->element_bytes, inst_->element_bytes);
    if (ptx::IsSigned(instruction_->type)) {
      const int unused = 64 - 8 * inst_->element_bytes;
      value = static_cast<uint64_t>(static_cast<int64_t>(value << unused) >> unused);
    }
    inst_->source[e] = slots_.Constant(value, shape_.wide_destination);
  }
  code_->fixed_addresses.emplace_back().fill(at);
  inst_->fixed_addresses = &code_->fixed_addresses.back();
}

// The handle first, then a layer and the coordinates. What stands fourth in a vector is not read.
void Decoder::DecodeTexture(const Operand& operand) {
  if (operand.has_register_base) {
    NoteSource(operand.reg);
    AddSource(slots_.OfRegister(operand.reg).slot, false);
  } else {
    AddSource(slots_.Constant(slots_.AddressOf(*operand.variable), true), false);
  }
  for (size_t i = 0; i < operand.elements.size() && i < 3; ++i) {
    AddSource(SourceOf(operand.elements[i], Type::kB32).slot, false);
  }
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

void Decoder::NoteSource(ptx::RegisterId reg) {
  const uint16_t number = slots_.ScoreboardNumber(reg);
  const auto end = info_->sources.begin() + info_->source_count;
  if (std::find(info_->sources.begin(), end, number) != end) return;
  NoteTouched(reg);
  if (info_->source_count == info_->sources.size()) Refuse("too many source registers");
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
