#include "kernels/ptx/wmma.h"

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "kernels/ptx/make_operand.h"
#include "kernels/ptx/wmma_fragment.h"

namespace flagstone::ptx {
namespace {

using enum Type;

MatrixShape ShapeOfMma(uint32_t k) {
  switch (k) {
    case 4:
      return MatrixShape::kM8n8k4;
    case 8:
      return MatrixShape::kM16n8k8;
    case 32:
      return MatrixShape::kM8n8k32;
    case 128:
      return MatrixShape::kM8n8k128;
    default:
      return MatrixShape::kM16n8k16;
  }
}

class WmmaLowering {
 public:
  WmmaLowering(const WmmaForm& form, const Instruction& like, Kernel* kernel)
      : form_(form), like_(like), kernel_(*kernel) {
    constexpr size_t kLongestText = 200;  // each part has it
    like_.text.resize(std::min(like_.text.size(), kLongestText));
  }

  void Move(const std::vector<Operand>& operands) {
    const bool load = form_.op == WmmaForm::Op::kLoad;
    const WmmaFragment f = WmmaFragmentOf(form_, form_.matrix, form_.d);
    const std::vector<Operand>& registers = operands[load ? 0 : 1].elements;
    const uint32_t columns = form_.matrix == 'a' ? form_.k : form_.n;
    const uint32_t rows = form_.matrix == 'b' ? form_.k : form_.m;
    const Operand stride =
        operands.size() > 2 ? operands[2] : NumberOperand(form_.by_rows ? columns : rows);
    FindLines(f, operands[load ? 1 : 0], InWords(stride, f.per_word));
    for (uint32_t i = 0; i < f.across; ++i) {
      for (uint32_t j = 0; j < f.along; ++j) {
        MoveTile(f, i, j, load, &registers[f.FirstOf(i, j, IsB(form_, form_.matrix))]);
      }
    }
    size_t original = 0;
    for (size_t copy = f.Count(); load && copy < registers.size(); ++copy) {
      Emit(Opcode::kMov, kB32, {registers[copy], registers[original]});
      original = original + 1 == f.Count() ? 0 : original + 1;
    }
  }

  void Multiply(const std::vector<Operand>& operands) {
    const size_t a_place = IsTransposed(form_) ? 2 : 1;
    const char a_name = IsTransposed(form_) ? 'b' : 'a';
    const char b_name = IsTransposed(form_) ? 'a' : 'b';
    const WmmaFragment a = WmmaFragmentOf(form_, a_name, form_.a);
    const WmmaFragment b = WmmaFragmentOf(form_, b_name, form_.a);
    const std::vector<Operand>& a_registers = operands[a_place].elements;
    const std::vector<Operand>& b_registers = operands[3 - a_place].elements;
    const bool widens = form_.c == kF16 && form_.d == kF32;
    const bool narrows = form_.c == kF32 && form_.d == kF16;
    const Type sum = narrows ? kF32 : form_.d;
    const std::vector<Operand> c = widens ? Widened(operands[3].elements) : operands[3].elements;
    const bool apart = narrows || Overlap(operands);
    const WmmaFragment whole = WmmaFragmentOf(form_, 'd', sum);
    const std::vector<Operand> d = apart ? NewRegisters(whole.Count(), sum == kF64   ? kF64
                                                                       : sum == kF32 ? kF32
                                                                                     : kB32)
                                         : operands[0].elements;
    const uint32_t tall = std::min(a.across, 2U);  // tiles of 8 rows in one product
    for (uint32_t i = 0; i < a.across; i += tall) {
      for (uint32_t j = 0; j < b.across; ++j) {
        const uint32_t at = whole.FirstOf(i, j, false);
        const uint32_t count = tall * whole.RegistersOfTile();
        const auto part = [](const std::vector<Operand>& of, uint32_t first, uint32_t n) {
          const auto begin = of.begin() + first;
          return n == 1 ? *begin : VectorOperand({begin, begin + n});
        };
        Instruction& mma =
            Emit(Opcode::kMma, sum,
                 {part(d, at, count), part(a_registers, a.FirstOf(i, 0, false), tall * a.along),
                  part(b_registers, b.FirstOf(j, 0, true), b.along), part(c, at, count)});
        mma.source_type = mma.third_type = form_.a;
        mma.fourth_type = sum;
        mma.modifiers.lane_sync = true;
        mma.modifiers.a_layout = MatrixLayout::kRow;
        mma.modifiers.b_layout = MatrixLayout::kColumn;
        mma.modifiers.finite = form_.finite;
        mma.modifiers.boolean_op = form_.bits_by;
        mma.modifiers.shape = ShapeOfMma(form_.k);
      }
    }
    if (!apart) return;
    for (size_t i = 0; i < operands[0].elements.size(); ++i) {
      const Operand& into = operands[0].elements[i];
      if (narrows) {
        Instruction& cvt = Emit(Opcode::kCvt, kF16x2, {into, d[2 * i + 1], d[2 * i]});
        cvt.source_type = kF32;
        cvt.modifiers.rounding = Rounding::kRn;
      } else {
        Emit(Opcode::kMov, form_.d == kF64 ? kB64 : kB32, {into, d[i]});
      }
    }
  }

  std::vector<Instruction> Take() { return std::move(code_); }

 private:
  // An address and the bytes after it that each lane has for itself.
  struct Line {
    Operand base;
    int64_t offset = 0;
  };

  Instruction& Emit(Opcode opcode, Type type, std::vector<Operand> operands,
                    uint8_t destinations = 1) {
    Instruction& instruction = code_.emplace_back(like_);
    instruction.opcode = opcode;
    instruction.type = type;
    instruction.operands = std::move(operands);
    instruction.destinations = destinations;
    return instruction;
  }
  Operand New(Type type) {
    kernel_.registers.push_back({"%wmma", type});
    return RegisterOperand(static_cast<RegisterId>(kernel_.registers.size() - 1));
  }
  std::vector<Operand> NewRegisters(uint32_t count, Type type) {
    std::vector<Operand> registers;
    for (uint32_t i = 0; i < count; ++i) registers.push_back(New(type));
    return registers;
  }
  Operand Compute(Opcode opcode, Type type, Operand a, Operand b) {
    const Operand result = New(kU32);
    Emit(opcode, type, {result, std::move(a), std::move(b)});
    return result;
  }
  // a * b + c, where c and the sum are addresses.
  Operand AddressSum(const Operand& a, uint64_t b, const Operand& c) {
    const Operand result = New(wide_ ? kU64 : kU32);
    Emit(Opcode::kMad, kU32, {result, a, NumberOperand(b), c}).modifiers.mul_part =
        wide_ ? MulPart::kWide : MulPart::kLo;
    return result;
  }

  // Whether a register of D is one that a product after the first reads.
  static bool Overlap(const std::vector<Operand>& operands) {
    const auto holds = [](const std::vector<Operand>& list, const Operand& reg) {
      return std::any_of(list.begin(), list.end(),
                         [&](const Operand& o) { return o.reg == reg.reg; });
    };
    const std::vector<Operand>& d = operands[0].elements;
    for (size_t i = 0; i < d.size(); ++i) {
      if (holds(operands[1].elements, d[i]) || holds(operands[2].elements, d[i])) return true;
      const std::vector<Operand>& c = operands[3].elements;
      for (size_t k = 0; k < c.size(); ++k) {
        if (k != i && c[k].reg == d[i].reg) return true;
      }
    }
    return false;
  }

  // Pairs of f16 as registers of f32.
  std::vector<Operand> Widened(const std::vector<Operand>& pairs) {
    std::vector<Operand> wide;
    for (const Operand& pair : pairs) {
      const std::vector<Operand> halves = NewRegisters(2, kB16);
      Emit(Opcode::kMov, kB32, {VectorOperand(halves), pair});
      for (const Operand& half : halves) {
        wide.push_back(New(kF32));
        Emit(Opcode::kCvt, kF32, {wide.back(), half}).source_type = kF16;
      }
    }
    return wide;
  }

  // A stride in elements, of which each line of memory has whole words.
  Operand InWords(const Operand& stride, uint32_t per_word) {
    if (per_word == 1) return stride;
    if (stride.kind == Operand::Kind::kImmediate) return NumberOperand(stride.bits / per_word);
    return Compute(Opcode::kShr, kU32, stride, NumberOperand(per_word == 8 ? 3 : 5));
  }

  // The addresses of the lane's first element, and of those lines (rows or columns, as they lie in
  // memory) further on that it has elements of.
  void FindLines(const WmmaFragment& f, const Operand& memory, const Operand& stride) {
    Operand base;
    space_ = form_.space;
    if (memory.has_register_base) {
      base = RegisterOperand(memory.reg);
      wide_ = SizeInBytes(kernel_.registers[memory.reg].type) == 8;
    } else {
      wide_ = true;
      Operand from = NumberOperand(static_cast<uint64_t>(memory.offset));
      if (memory.variable != nullptr) {
        from = memory;
        from.kind = Operand::Kind::kAddress;
        if (space_ == Space::kGeneric) space_ = memory.variable->space;
      }
      base = New(kU64);
      Emit(Opcode::kMov, kU64, {base, from});
    }
    const int64_t offset = memory.has_register_base ? memory.offset : 0;
    Operand lane;
    lane.kind = Operand::Kind::kSpecial;
    lane.special = SpecialRegister::kLaneid;
    const Operand number = New(kU32);
    Emit(Opcode::kMov, kU32, {number, lane});
    const Operand across = Compute(Opcode::kShr, kU32, number, NumberOperand(2));
    Operand along = Compute(Opcode::kAnd, kB32, number, NumberOperand(3));
    if (f.per > 1) along = Compute(Opcode::kShl, kB32, along, NumberOperand(f.per == 2 ? 1 : 2));
    const Operand place = New(kU32);
    Emit(Opcode::kMad, kU32,
         {place, f.neighbours ? across : along, stride, f.neighbours ? along : across})
        .modifiers.mul_part = MulPart::kLo;
    const Operand first = AddressSum(place, f.Bytes(), base);
    const uint32_t count = f.neighbours ? f.across : f.along * f.per;
    for (uint32_t i = 0; i < count; ++i) {
      const uint32_t ahead = f.neighbours ? 8 * i : i / f.per * 4 * f.per + i % f.per;
      if (stride.kind == Operand::Kind::kImmediate) {
        const uint64_t bytes = ahead * stride.bits * f.Bytes();
        lines_.push_back({first, offset + static_cast<int64_t>(bytes)});
      } else {
        const Operand at =
            ahead == 0 ? first : AddressSum(stride, uint64_t{ahead} * f.Bytes(), first);
        lines_.push_back({at, offset});
      }
    }
  }

  void Access(bool load, Type type, const Line& line, int64_t further, Operand value) {
    Operand memory;
    memory.kind = Operand::Kind::kMemory;
    memory.has_register_base = true;
    memory.reg = line.base.reg;
    memory.offset = line.offset + further;
    const auto vector = value.elements.size();
    Instruction& access = load ? Emit(Opcode::kLd, type, {std::move(value), memory})
                               : Emit(Opcode::kSt, type, {memory, std::move(value)}, 0);
    access.space = space_;
    if (vector > 1) access.modifiers.vector = static_cast<uint8_t>(vector);
  }

  void MoveTile(const WmmaFragment& f, uint32_t i, uint32_t j, bool load,
                const Operand* registers) {
    const Type word = f.type == kF64 ? kB64 : kB32;
    const int64_t bytes = f.Bytes();
    if (f.neighbours) {
      const int64_t further = int64_t{j} * 4 * f.per * bytes;
      const bool pair = f.RegistersOfTile() == 2;
      Access(load, word, lines_[i], further,
             pair ? VectorOperand({registers[0], registers[1]}) : *registers);
      return;
    }
    const int64_t further = int64_t{i} * 8 * bytes;
    const Line* const lines = &lines_[size_t{j} * f.per];
    if (f.per_register == 1) {
      for (uint32_t p = 0; p < f.per; ++p) Access(load, word, lines[p], further, registers[p]);
    } else if (f.per_register == 2) {
      const std::vector<Operand> halves = NewRegisters(2, kB16);
      if (!load) Emit(Opcode::kMov, kB32, {VectorOperand(halves), *registers});
      for (uint32_t p = 0; p < 2; ++p) Access(load, kB16, lines[p], further, halves[p]);
      if (load) Emit(Opcode::kMov, kB32, {*registers, VectorOperand(halves)});
    } else {  // bytes, of A and B only: these are loaded
      Operand whole = New(kB32);
      Access(true, kU8, lines[0], further, whole);
      for (uint32_t p = 1; p < 4; ++p) {
        const Operand byte = New(kB32);
        Access(true, kU8, lines[p], further, byte);
        const Operand next = p == 3 ? *registers : New(kB32);
        Emit(Opcode::kBfi, kB32, {next, byte, whole, NumberOperand(8 * p), NumberOperand(8)});
        whole = next;
      }
    }
  }

  const WmmaForm& form_;
  Instruction like_;
  Kernel& kernel_;
  std::vector<Instruction> code_;
  Space space_ = Space::kGeneric;
  bool wide_ = true;  // addresses of 64 bits
  std::vector<Line> lines_;
};

}  // namespace

std::vector<Instruction> LowerWmma(const WmmaForm& form, const std::vector<Operand>& operands,
                                   const Instruction& like, Kernel* kernel) {
  WmmaLowering lowering(form, like, kernel);
  if (form.op == WmmaForm::Op::kMma) {
    lowering.Multiply(operands);
  } else {
    lowering.Move(operands);
  }
  return lowering.Take();
}

}  // namespace flagstone::ptx
