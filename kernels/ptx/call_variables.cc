#include "kernels/ptx/call_variables.h"

#include <algorithm>
#include <bit>
#include <map>
#include <unordered_map>
#include <utility>

namespace flagstone::ptx {
namespace {

struct Access {
  int64_t offset = 0;
  uint32_t bytes = 0;
  bool load = false;
  bool is_float = false;
};

struct Piece {
  uint32_t bytes = 0;
  RegisterId reg = 0;
};

struct Lowered {
  std::vector<Access> accesses;
  bool in_memory = false;
  uint32_t alignment = 1;
  std::map<int64_t, Piece> pieces;  // by offset
  const Variable* local = nullptr;
};

bool IsDirect(const Instruction& instruction, const Operand& operand) {
  return operand.kind == Operand::Kind::kMemory && instruction.space == Space::kParam &&
         (instruction.opcode == Opcode::kLd || instruction.opcode == Opcode::kSt);
}

Type IntegerOf(uint32_t bytes, bool is_signed) {
  switch (bytes) {
    case 1:
      return is_signed ? Type::kS8 : Type::kU8;
    case 2:
      return is_signed ? Type::kS16 : Type::kU16;
    case 4:
      return is_signed ? Type::kS32 : Type::kU32;
    default:
      return is_signed ? Type::kS64 : Type::kU64;
  }
}

class CallLowering {
 public:
  explicit CallLowering(Body* body) : body_(*body), kernel_(*body->code) {
    for (const auto& variable : body_.call_variables) found_[variable.get()];
  }

  void Run() {
    for (const Instruction& instruction : kernel_.instructions) Note(instruction);
    for (const auto& variable : body_.call_variables) Decide(*variable);
    Rewrite();
  }

 private:
  Lowered* Find(const Variable* variable) {
    if (variable == nullptr || variable->space != Space::kParam) return nullptr;
    const auto it = found_.find(variable);
    return it == found_.end() ? nullptr : &it->second;
  }

  void Note(const Instruction& instruction);
  void Decide(const Variable& variable);
  void Rewrite();
  void AddMoves(const Instruction& access, const Operand& memory, const Lowered& lowered);
  Instruction MoveOf(const Instruction& access, const Piece& piece, const Operand& value) const;

  Body& body_;
  Kernel& kernel_;
  std::unordered_map<const Variable*, Lowered> found_;
  std::vector<Instruction> code_;
};

void CallLowering::Note(const Instruction& instruction) {
  for (const Operand& operand : instruction.operands) {
    Lowered* const lowered = Find(operand.variable);
    if (lowered == nullptr) continue;
    const auto bytes = static_cast<uint32_t>(SizeInBytes(instruction.type));
    lowered->alignment = std::max(
        lowered->alignment, std::bit_floor(std::max(1U, bytes * instruction.modifiers.vector)));
    if (!IsDirect(instruction, operand)) {
      lowered->in_memory = true;
      continue;
    }
    for (int64_t e = 0; e < instruction.modifiers.vector; ++e) {
      lowered->accesses.push_back({operand.offset + e * bytes, bytes,
                                   instruction.opcode == Opcode::kLd, IsFloat(instruction.type)});
    }
  }
}

void CallLowering::Decide(const Variable& variable) {
  Lowered& lowered = found_.at(&variable);
  std::vector<Access>& accesses = lowered.accesses;
  // The widest of those at one offset comes first: it is the piece.
  std::sort(accesses.begin(), accesses.end(), [](const Access& a, const Access& b) {
    return a.offset != b.offset ? a.offset < b.offset : a.bytes > b.bytes;
  });
  const Access* piece = nullptr;
  for (const Access& access : accesses) {
    // In memory the executor says what is wrong with it.
    const bool outside = access.offset < 0 || static_cast<uint64_t>(access.offset) + access.bytes >
                                                  variable.SizeInBytes();
    if (!outside && (piece == nullptr || access.offset >= piece->offset + piece->bytes)) {
      piece = &access;
    } else if (outside || access.offset != piece->offset ||
               (access.bytes != piece->bytes && (!access.load || access.is_float))) {
      lowered.in_memory = true;
    }
    if (piece == &access) lowered.pieces[access.offset].bytes = access.bytes;
  }
  if (lowered.in_memory) {
    auto local = std::make_unique<Variable>(variable);
    local->space = Space::kLocal;
    local->alignment = std::max(local->alignment, lowered.alignment);
    lowered.local = local.get();
    kernel_.locals.push_back(std::move(local));
    return;
  }
  for (auto& [offset, one] : lowered.pieces) {
    one.reg = static_cast<RegisterId>(kernel_.registers.size());
    const Type type = one.bytes == 8 ? Type::kB64 : one.bytes == 4 ? Type::kB32 : Type::kB16;
    kernel_.registers.push_back({variable.name, type});
  }
}

void CallLowering::Rewrite() {
  std::vector<uint32_t> moved(kernel_.instructions.size() + 1);
  code_.reserve(kernel_.instructions.size());
  for (size_t pc = 0; pc < kernel_.instructions.size(); ++pc) {
    moved[pc] = static_cast<uint32_t>(code_.size());
    Instruction& instruction = kernel_.instructions[pc];
    bool replaced = false;
    for (Operand& operand : instruction.operands) {
      const Lowered* const lowered = Find(operand.variable);
      if (lowered == nullptr) continue;
      if (!lowered->in_memory) {
        AddMoves(instruction, operand, *lowered);
        replaced = true;
        break;
      }
      operand.variable = lowered->local;
      if (instruction.space == Space::kParam) instruction.space = Space::kLocal;
    }
    if (!replaced) code_.push_back(std::move(instruction));
  }
  moved.back() = static_cast<uint32_t>(code_.size());
  for (Instruction& instruction : code_) {
    if (instruction.opcode != Opcode::kBra) continue;
    uint32_t& target = instruction.operands[0].target;
    target = moved[target];
  }
  kernel_.instructions = std::move(code_);
}

void CallLowering::AddMoves(const Instruction& access, const Operand& memory,
                            const Lowered& lowered) {
  const Operand& value = access.operands[access.opcode == Opcode::kLd ? 0 : 1];
  const int64_t bytes = SizeInBytes(access.type);
  if (value.kind != Operand::Kind::kVector) {
    code_.push_back(MoveOf(access, lowered.pieces.at(memory.offset), value));
    return;
  }
  for (size_t e = 0; e < value.elements.size(); ++e) {
    const int64_t offset = memory.offset + static_cast<int64_t>(e) * bytes;
    const Operand& element = value.elements[e];
    if (element.kind == Operand::Kind::kSink) continue;
    code_.push_back(MoveOf(access, lowered.pieces.at(offset), element));
  }
}

Instruction CallLowering::MoveOf(const Instruction& access, const Piece& piece,
                                 const Operand& value) const {
  const bool load = access.opcode == Opcode::kLd;
  const auto bytes = static_cast<uint32_t>(SizeInBytes(access.type));
  Operand own;
  own.reg = piece.reg;
  Instruction move;
  move.opcode = Opcode::kMov;
  move.type = access.type;
  move.guard = access.guard;
  move.guard_negated = access.guard_negated;
  move.destinations = 1;
  move.location = access.location;
  move.text = access.text;
  move.procedure = access.procedure;
  move.operands = load ? std::vector{value, own} : std::vector{own, value};

  const bool immediate = value.kind == Operand::Kind::kImmediate;
  const uint32_t other =
      immediate ? bytes : static_cast<uint32_t>(SizeInBytes(kernel_.registers[value.reg].type));
  if (immediate && bytes == 1) {
    move.type = Type::kB16;
    move.operands[1].bits &= 0xFF;
  } else if (bytes == 1 || other != bytes || piece.bytes != bytes) {
    // Extends from, or cuts to, the type in memory.
    move.opcode = Opcode::kCvt;
    const bool is_signed = load && IsSigned(access.type);
    move.type = IntegerOf(load ? other : std::max(2U, piece.bytes), is_signed);
    move.source_type = IntegerOf(bytes, is_signed);
  }
  return move;
}

}  // namespace

void LowerCallVariables(Body* body) {
  if (!body->call_variables.empty()) CallLowering(body).Run();
}

}  // namespace flagstone::ptx
