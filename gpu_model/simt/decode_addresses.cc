// Operands that are addresses: of memory, of what is copied in bulk, of textures.
#include <cstring>

#include "gpu_model/simt/decoder.h"

namespace flagstone::simt {
namespace {

using ptx::Opcode;
using ptx::Operand;
using ptx::Type;

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

// What a variable names a texture by: a parameter holds its handle.
uint64_t Decoder::HandleOf(const ptx::Variable& variable) const {
  if (variable.space != ptx::Space::kParam) return slots_.AddressOf(variable);
  uint64_t handle = 0;
  const std::vector<std::byte>& block = launch_.parameters;
  if (variable.offset + sizeof handle > block.size()) {
    Refuse("the parameter block has no such element");
  }
  std::memcpy(&handle, block.data() + variable.offset, sizeof handle);
  return handle;
}

// A handle too, in the slot of a second destination.
void Decoder::DecodeSampler(const Operand& operand) {
  if (operand.kind == Operand::Kind::kRegister) {
    NoteSource(operand.reg);
    inst_->destination2 = slots_.OfRegister(operand.reg).slot;
  } else {
    inst_->destination2 = slots_.Constant(HandleOf(*operand.variable), true);
  }
}

// The handle first, then a layer and the coordinates. What stands fourth in a vector is not read.
void Decoder::DecodeTexture(const Operand& operand) {
  if (operand.has_register_base) {
    NoteSource(operand.reg);
    AddSource(slots_.OfRegister(operand.reg).slot, false);
  } else {
    AddSource(slots_.Constant(HandleOf(*operand.variable), true), false);
  }
  for (size_t i = 0; i < operand.elements.size() && i < 3; ++i) {
    AddSource(SourceOf(operand.elements[i], Type::kB32).slot, false);
  }
}

}  // namespace flagstone::simt
