// Operands of several registers: vectors of accesses and moves, and matrices.
#include <algorithm>
#include <array>

#include "gpu_model/simt/decoder.h"

namespace flagstone::simt {
namespace {

using ptx::Opcode;
using ptx::Operand;
using ptx::Type;

}  // namespace

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

// Behind the matrices of an mma: metadata of a sparse A; scales of A, then of B, each with the byte
// and the thread that have them.
void Decoder::DecodeMatrixExtra(const Operand& operand, bool selects) {
  MatrixSlots& matrices = code_->matrices.back();
  if (selects) {
    const size_t of = matrices.scales[1] == kNoSlot ? 0 : 1;
    for (size_t i = 0; i < 2; ++i) {
      matrices.selectors[of][i] = SourceOf(operand.elements[i], Type::kU16).slot;
    }
    return;
  }
  const SlotId slot = SourceOf(operand, Type::kU32).slot;
  if (instruction_->modifiers.sparse && matrices.metadata == kNoSlot) {
    matrices.metadata = slot;
  } else {
    matrices.scales[matrices.scales[0] == kNoSlot ? 0 : 1] = slot;
  }
}

// Of an mma the fourth operand is C; of ldmatrix and stmatrix there are up to four matrices.
void Decoder::DecodeMatrix(const Operand& operand, bool is_destination) {
  const bool is_mma = instruction_->opcode == Opcode::kMma;
  if (is_mma && inst_->matrices == nullptr) {
    inst_->matrices = &code_->matrices.emplace_back();
    code_->matrices.back().form = ptx::FindMma(*instruction_);
  }
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

}  // namespace flagstone::simt
