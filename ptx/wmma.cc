#include "ptx/wmma.h"

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "ptx/matrix_forms.h"

namespace flagstone::ptx {
namespace {

using enum Type;

Operand Reg(RegisterId reg) {
  Operand operand;
  operand.reg = reg;
  return operand;
}

Operand Number(uint64_t value) {
  Operand operand;
  operand.kind = Operand::Kind::kImmediate;
  operand.immediate_type = kS64;
  operand.bits = value;
  return operand;
}

Operand Vector(std::vector<Operand> elements) {
  Operand operand;
  operand.kind = Operand::Kind::kVector;
  operand.elements = std::move(elements);
  return operand;
}

// How a matrix lies in a warp: the lanes of a group of four share a place on one axis ("across"),
// where tiles have 8 places, and have `per` neighbours each on the other ("along").
struct Fragment {
  Type type = kNone;
  uint32_t across = 0;  // tiles
  uint32_t along = 0;
  uint32_t per = 0;
  uint32_t per_register = 0;
  uint32_t per_word = 1;    // elements of the matrix in one of these: more than one below a byte
  bool sum = false;         // C or D
  bool neighbours = false;  // those along stand side by side in memory

  uint32_t Bytes() const { return static_cast<uint32_t>(SizeInBytes(ElementType())); }
  Type ElementType() const { return type == kTf32 ? kB32 : type == kBf16 ? kF16 : type; }
  uint32_t RegistersOfTile() const { return per / per_register; }
  uint32_t Count() const { return across * along * RegistersOfTile(); }
  // The first register of a tile: as mma has it, in pairs of tiles one below the other; of B, the
  // tiles along come first.
  uint32_t FirstOf(uint32_t i, uint32_t j, bool is_b) const {
    const uint32_t pair = std::min(across, 2U);
    const uint32_t tile = is_b ? i * along + j : (i / pair * along + j) * pair + i % pair;
    return tile * RegistersOfTile();
  }
};

bool IsTransposed(const WmmaForm& form) { return form.m == 8 && form.n == 32; }

// Whether the matrix is mma's B in the product that is made.
bool IsB(const WmmaForm& form, char matrix) { return matrix == (IsTransposed(form) ? 'a' : 'b'); }

Fragment FragmentOf(const WmmaForm& form, char matrix, Type type) {
  Fragment f;
  f.type = type;
  f.per_register = MmaForm::PerRegister(type);
  f.sum = matrix == 'c' || matrix == 'd';
  if (f.sum) {
    const bool transposed = IsTransposed(form);
    f.per = 2;
    f.across = (transposed ? form.n : form.m) / 8U;
    f.along = (transposed ? form.m : form.n) / 8U;
    f.neighbours = form.by_rows != transposed;
    return f;
  }
  if (IsElementOnly(type)) {
    f.type = kB32;
    f.per_word = std::exchange(f.per_register, 1);
  }
  f.per = f.per_register;
  f.across = (matrix == 'a' ? form.m : form.n) / 8U;
  f.along = form.k / (4 * f.per * f.per_word);
  f.neighbours = form.by_rows == (matrix == 'a');
  return f;
}

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
    const Fragment f = FragmentOf(form_, form_.matrix, form_.d);
    const std::vector<Operand>& registers = operands[load ? 0 : 1].elements;
    const uint32_t columns = form_.matrix == 'a' ? form_.k : form_.n;
    const uint32_t rows = form_.matrix == 'b' ? form_.k : form_.m;
    const Operand stride =
        operands.size() > 2 ? operands[2] : Number(form_.by_rows ? columns : rows);
    FindLines(f, operands[load ? 1 : 0], InWords(stride, f.per_word));
    for (uint32_t i = 0; i < f.across; ++i) {
      for (uint32_t j = 0; j < f.along; ++j) {
        MoveTile(f, i, j, load, &registers[f.FirstOf(i, j, IsB(form_, form_.matrix))]);
      }
    }
    for (size_t copy = f.Count(); load && copy < registers.size(); ++copy) {
      Emit(Opcode::kMov, kB32, {registers[copy], registers[copy % f.Count()]});
    }
  }

  void Multiply(const std::vector<Operand>& operands) {
    const size_t a_place = IsTransposed(form_) ? 2 : 1;
    const char a_name = IsTransposed(form_) ? 'b' : 'a';
    const char b_name = IsTransposed(form_) ? 'a' : 'b';
    const Fragment a = FragmentOf(form_, a_name, form_.a);
    const Fragment b = FragmentOf(form_, b_name, form_.a);
    const std::vector<Operand>& a_registers = operands[a_place].elements;
    const std::vector<Operand>& b_registers = operands[3 - a_place].elements;
    const bool widens = form_.c == kF16 && form_.d == kF32;
    const bool narrows = form_.c == kF32 && form_.d == kF16;
    const Type sum = narrows ? kF32 : form_.d;
    const std::vector<Operand> c = widens ? Widened(operands[3].elements) : operands[3].elements;
    const bool apart = narrows || Overlap(operands);
    const Fragment whole = FragmentOf(form_, 'd', sum);
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
          return n == 1 ? *begin : Vector({begin, begin + n});
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
    return Reg(static_cast<RegisterId>(kernel_.registers.size() - 1));
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
    Emit(Opcode::kMad, kU32, {result, a, Number(b), c}).modifiers.mul_part =
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
      Emit(Opcode::kMov, kB32, {Vector(halves), pair});
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
    if (stride.kind == Operand::Kind::kImmediate) return Number(stride.bits / per_word);
    return Compute(Opcode::kShr, kU32, stride, Number(per_word == 8 ? 3 : 5));
  }

  // The addresses of the lane's first element, and of those lines (rows or columns, as they lie in
  // memory) further on that it has elements of.
  void FindLines(const Fragment& f, const Operand& memory, const Operand& stride) {
    Operand base;
    space_ = form_.space;
    if (memory.has_register_base) {
      base = Reg(memory.reg);
      wide_ = SizeInBytes(kernel_.registers[memory.reg].type) == 8;
    } else {
      wide_ = true;
      Operand from = Number(static_cast<uint64_t>(memory.offset));
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
    const Operand across = Compute(Opcode::kShr, kU32, number, Number(2));
    Operand along = Compute(Opcode::kAnd, kB32, number, Number(3));
    if (f.per > 1) along = Compute(Opcode::kShl, kB32, along, Number(f.per == 2 ? 1 : 2));
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

  void MoveTile(const Fragment& f, uint32_t i, uint32_t j, bool load, const Operand* registers) {
    const Type word = f.type == kF64 ? kB64 : kB32;
    const int64_t bytes = f.Bytes();
    if (f.neighbours) {
      const int64_t further = int64_t{j} * 4 * f.per * bytes;
      const bool pair = f.RegistersOfTile() == 2;
      Access(load, word, lines_[i], further,
             pair ? Vector({registers[0], registers[1]}) : *registers);
      return;
    }
    const int64_t further = int64_t{i} * 8 * bytes;
    const Line* const lines = &lines_[size_t{j} * f.per];
    if (f.per_register == 1) {
      for (uint32_t p = 0; p < f.per; ++p) Access(load, word, lines[p], further, registers[p]);
    } else if (f.per_register == 2) {
      const std::vector<Operand> halves = NewRegisters(2, kB16);
      if (!load) Emit(Opcode::kMov, kB32, {Vector(halves), *registers});
      for (uint32_t p = 0; p < 2; ++p) Access(load, kB16, lines[p], further, halves[p]);
      if (load) Emit(Opcode::kMov, kB32, {*registers, Vector(halves)});
    } else {  // bytes, of A and B only: these are loaded
      Operand whole = New(kB32);
      Access(true, kU8, lines[0], further, whole);
      for (uint32_t p = 1; p < 4; ++p) {
        const Operand byte = New(kB32);
        Access(true, kU8, lines[p], further, byte);
        const Operand next = p == 3 ? *registers : New(kB32);
        Emit(Opcode::kBfi, kB32, {next, byte, whole, Number(8 * p), Number(8)});
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
