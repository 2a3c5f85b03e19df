#include "tests/unit/conformance/coverage.h"

#include <fmt/core.h>

#include <algorithm>
#include <string_view>

#include "gpu_model/simt/program.h"
#include "kernels/ptx/instruction_table.h"
#include "kernels/ptx/matrix_forms.h"
#include "kernels/ptx/parser.h"
#include "tests/unit/conformance/spelled_forms.h"
#include "tests/unit/gpu_model/simt/kernel_run.h"

namespace flagstone::conformance {
namespace {

using ptx::Instruction;
using ptx::InstructionRule;
using ptx::ModifierClass;
using ptx::Opcode;
using ptx::Type;

// The words that change values, by group; the order is that of a form's name.
struct Group {
  ModifierClass group;
  std::vector<std::string_view> words;
};
const std::vector<Group>& Groups() {
  static const std::vector<Group> groups = {
      {ModifierClass::kGeometry, {"1d", "2d", "3d", "a1d", "a2d", "cube"}},
      {ModifierClass::kLevel, {"level"}},
      {ModifierClass::kBarrier, {"sync", "arrive", "red"}},
      {ModifierClass::kLaneSync, {"sync"}},
      {ModifierClass::kLaneOp, {"up", "down", "bfly", "idx", "all", "any", "uni", "ballot"}},
      {ModifierClass::kAtomic,
       {"add", "and", "or", "xor", "exch", "cas", "min", "max", "inc", "dec", "popc"}},
      {ModifierClass::kComparison,
       {"eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi", "hs", "equ", "neu", "ltu", "leu",
        "gtu", "geu", "num", "nan"}},
      {ModifierClass::kBoolean, {"and", "or", "xor"}},
      {ModifierClass::kNumberClass,
       {"finite", "infinite", "number", "notanumber", "normal", "subnormal"}},
      {ModifierClass::kShiftDirection, {"l", "r"}},
      {ModifierClass::kShiftMode, {"clamp", "wrap"}},
      {ModifierClass::kShiftAmount, {"shiftamt"}},
      {ModifierClass::kPermute, {"f4e", "b4e", "rc8", "ecl", "ecr", "rc16"}},
      {ModifierClass::kMulPart, {"lo", "hi", "wide"}},
      {ModifierClass::kMbarrier,
       {"init", "inval", "arrive", "expect_tx", "complete_tx", "test_wait", "try_wait",
        "pending_count"}},
      {ModifierClass::kParity, {"parity"}},
      {ModifierClass::kSurface, {"trap", "clamp", "zero"}},
      {ModifierClass::kAsync, {"async"}},
      {ModifierClass::kShape,
       {"m8n8", "m8n8k4", "m8n8k16", "m8n8k32", "m8n8k128", "m16n8k4", "m16n8k8", "m16n8k16",
        "m16n8k32", "m16n8k64", "m16n8k128", "m16n8k256"}},
      {ModifierClass::kVector, {"v2", "v4", "v8"}},
      {ModifierClass::kMatrices, {"x1", "x2", "x4"}},
      {ModifierClass::kTranspose, {"trans"}},
      {ModifierClass::kRounding, {"rn", "rz", "rm", "rp", "rni", "rzi", "rmi", "rpi", "rna", "rs"}},
      {ModifierClass::kRelu, {"relu"}},
      {ModifierClass::kNan, {"NaN"}},
      {ModifierClass::kXorSign, {"xorsign"}},
      {ModifierClass::kFinite, {"satfinite"}},
      {ModifierClass::kCarry, {"cc"}},
      {ModifierClass::kApproximate, {"approx"}},
      {ModifierClass::kFull, {"full"}},
      {ModifierClass::kFlush, {"ftz"}},
      {ModifierClass::kSaturate, {"sat"}},
      {ModifierClass::kAccumulate, {"add"}},
      {ModifierClass::kTo, {"to"}},
  };
  return groups;
}

std::vector<Type> TypesIn(uint64_t set) {
  std::vector<Type> types;
  if (set == 0) return {Type::kNone};
  for (int i = 0; i <= static_cast<int>(Type::kTexref); ++i) {
    if ((set & ptx::Bit(static_cast<Type>(i))) != 0) types.push_back(static_cast<Type>(i));
  }
  return types;
}

std::string Dotted(Type type) {
  return type == Type::kNone ? "" : "." + std::string(ptx::ToString(type));
}

// A register that holds the type, as KernelText declares it.
std::string RegisterFor(Type type, int number) {
  if (type == Type::kPred) return fmt::format("%p{}", number);
  const int bytes = ptx::SizeInBytes(type);
  const bool is_float = type == Type::kF32 || type == Type::kF64;
  const char* name = is_float                ? (bytes == 8 ? "%fd" : "%f")
                     : bytes == 8            ? "%rd"
                     : bytes == 4            ? "%r"
                     : type == Type::kE2m1x2 ? "%b"
                                             : "%rs";
  return fmt::format("{}{}", name, number);
}

Type Doubled(Type type) {
  switch (type) {
    case Type::kU16:
      return Type::kU32;
    case Type::kS16:
      return Type::kS32;
    case Type::kU32:
      return Type::kU64;
    default:
      return Type::kS64;
  }
}

std::string TextureOperand(const Instruction& instruction) {
  const bool surface = instruction.modifiers.surface_mode != ptx::SurfaceMode::kNone;
  const std::string c = RegisterFor(surface ? Type::kU32 : instruction.source_type, 5);
  switch (instruction.modifiers.geometry) {
    case ptx::Geometry::k1d:
      return fmt::format("[%rd1, {{{}}}]", c);
    case ptx::Geometry::k2d:
      return fmt::format("[%rd1, {{{0}, {0}}}]", c);
    case ptx::Geometry::kA1d:
      return fmt::format("[%rd1, {{%r1, {}}}]", c);
    case ptx::Geometry::kA2d:
      return fmt::format("[%rd1, {{%r1, {0}, {0}, {0}}}]", c);
    default:
      return fmt::format("[%rd1, {{{0}, {0}, {0}, {0}}}]", c);
  }
}

// A vector of as many registers as the matrices take.
std::string MatrixOperand(const Instruction& instruction, int number) {
  size_t count = instruction.modifiers.matrices;
  Type type = Type::kB32;
  if (const ptx::MmaForm* const form = ptx::FindMma(instruction)) {
    const bool is_sum = number == 1 || number == 4;
    const Type of = is_sum ? form->d : number == 2 ? form->a : form->b;
    count = ptx::MmaForm::Registers(of, is_sum        ? form->ElementsOfC()
                                        : number == 2 ? form->ElementsOfA()
                                                      : form->ElementsOfB());
    if (of == Type::kF64 || (is_sum && of == Type::kF32)) type = of;
  }
  std::string text = "{";
  for (size_t i = 0; i < count; ++i) {
    text += (i == 0 ? "" : ", ") + RegisterFor(type, 4 * number + static_cast<int>(i));
  }
  return text + "}";
}

// Of an atomic on a vector.
std::string VectorOperand(const Instruction& instruction, int number) {
  std::string text = "{";
  for (int i = 0; i < instruction.modifiers.vector; ++i) {
    text += (i == 0 ? "" : ", ") + RegisterFor(instruction.type, 8 * number + i);
  }
  return text + "}";
}

std::string OperandFor(char letter, const Instruction& instruction, int number) {
  const bool vector = instruction.modifiers.vector > 1 && instruction.opcode != Opcode::kTex;
  if (vector && (letter == 'v' || letter == 'w')) return VectorOperand(instruction, number);
  const bool pair = letter == 'R' && instruction.opcode == Opcode::kLop3;
  if (pair) return fmt::format("%r{0}|%p{0}", number);
  const Type type = instruction.type;
  const Type source = instruction.source_type == Type::kNone ? type : instruction.source_type;
  const bool wide = instruction.modifiers.mul_part == ptx::MulPart::kWide;
  switch (letter) {
    case 'W':
    case 'C':
      return RegisterFor(wide ? Doubled(type) : type, number);
    case 'N':
    case 'R':
    case 'U':
    case 'Y':
      return RegisterFor(Type::kU32, number);
    case '1':
      return "1";
    case '2':
      return "64";
    case 'I':
      return "150";
    case 'P':
    case 'B':
    case 'Q':
      return RegisterFor(Type::kPred, number);
    case 'S':
    case 's':
      return RegisterFor(source, number);
    case 'O':
      return RegisterFor(source, number);
    case 'f':
      return "{%f4, %f5, %f6, %f7}";
    case 'J':
      return "16";
    case 'm':
      return "[%rd2]";
    case 'Z':
    case 'z':
    case 't':
      return MatrixOperand(instruction, number);
    case 'M':
    case 'E':
    case 'H':
      return letter == 'M' ? "[%rd1]" : "%rd1";
    case 'L':
      return "END";
    case 'V':
      return fmt::format("{{{}, {}, {}, {}}}", RegisterFor(type, 1), RegisterFor(type, 2),
                         RegisterFor(type, 3), RegisterFor(type, 4));
    case 'X':
      return TextureOperand(instruction);
    default:
      return RegisterFor(type, number);
  }
}

// Adds the forms of one rule with the words chosen so far and those of the groups from `next` on.
void Extend(const InstructionRule& rule, size_t next, const std::string& words,
            const Instruction& so_far, uint64_t seen, std::vector<Form>* forms) {
  const std::vector<Group>& groups = Groups();
  // Of ld and st, a vector's length changes no value; those of 32 bytes are spelled.
  const bool vectors = rule.opcode == Opcode::kAtom || rule.opcode == Opcode::kRed;
  const auto varies = [&](ModifierClass group) {
    return (rule.modifiers & ptx::Bit(group)) != 0 && (group != ModifierClass::kVector || vectors);
  };
  while (next < groups.size() && !varies(groups[next].group)) ++next;
  if (next < groups.size()) {
    Extend(rule, next + 1, words, so_far, seen, forms);
    for (const std::string_view word : groups[next].words) {
      Instruction with = so_far;
      uint64_t seen_with = seen;
      // A word of two groups goes to the first that the rule takes.
      if (!ptx::ApplyModifier(rule, word, &with.modifiers, &with.space, &seen_with)) continue;
      Extend(rule, next + 1, words + "." + std::string(word), with, seen_with, forms);
    }
    return;
  }
  for (const Type type : TypesIn(rule.types)) {
    for (const Type source : TypesIn(rule.source_types)) {
      for (const Type third : TypesIn(rule.third_type ? rule.source_types : 0)) {
        Instruction instruction = so_far;
        instruction.opcode = rule.opcode;
        instruction.type = type;
        instruction.source_type = source;
        instruction.third_type = third;
        if ((rule.modifiers & ptx::Bit(ModifierClass::kSpace)) != 0) {
          instruction.space = ptx::Space::kGlobal;
        }
        if (rule.opcode == Opcode::kTex) instruction.modifiers.vector = 4;
        if (rule.opcode == Opcode::kMma) {
          instruction.fourth_type = type;  // C is as D
          instruction.modifiers.a_layout = ptx::MatrixLayout::kRow;
          instruction.modifiers.b_layout = ptx::MatrixLayout::kColumn;
        }
        const bool in_shared = rule.opcode == Opcode::kLdmatrix ||
                               rule.opcode == Opcode::kStmatrix ||
                               rule.opcode == Opcode::kMbarrier || rule.opcode == Opcode::kMapa ||
                               rule.opcode == Opcode::kGetctarank;
        if (in_shared) instruction.space = ptx::Space::kShared;
        const std::string fourth = Dotted(instruction.fourth_type);
        ptx::FindCarries(&instruction);
        if (rule.opcode == Opcode::kCpAsync) instruction.modifiers.cache_op = ptx::CacheOp::kCa;
        if (!ptx::MissingPart(instruction).empty()) continue;
        const std::string types = Dotted(type) + Dotted(source) + Dotted(third) + fourth;
        const std::string letters = ptx::OperandLetters(rule, instruction, rule.operands.size());
        std::string operands;
        for (size_t k = 0; k < letters.size(); ++k) {
          operands += k == 0 ? " " : ", ";
          // The text of cp.async has its two addresses in the other order.
          const bool swapped = rule.opcode == Opcode::kCpAsync && k < 2;
          operands +=
              OperandFor(letters[swapped ? 1 - k : k], instruction, static_cast<int>(k) + 1);
        }
        std::string space;
        if ((rule.modifiers & ptx::Bit(ModifierClass::kSpace)) != 0) {
          space = "." + std::string(ptx::ToString(instruction.space));
        }
        if (rule.opcode == Opcode::kCpAsync) space = ".ca.shared.global";
        if (rule.opcode == Opcode::kMapa || rule.opcode == Opcode::kGetctarank) {
          space = ".shared::cluster";
        }
        if (rule.opcode == Opcode::kSuld || rule.opcode == Opcode::kSust) space = "";
        const char* vector = rule.opcode == Opcode::kTex ? ".v4" : "";
        const std::string abs = instruction.modifiers.xor_sign ? ".abs" : "";
        const std::string bytes =
            rule.opcode == Opcode::kSuld || rule.opcode == Opcode::kSust ? ".b" : "";
        const char* const layouts = rule.opcode == Opcode::kMma ? ".row.col" : "";
        const std::string head =
            std::string(rule.name) + bytes + words + layouts + abs + space + vector + types;
        const std::string call = CallText(rule.name, type);
        const std::string whole = call.empty() ? head + operands + ";" : call;
        forms->push_back({FormOf(instruction), head, whole, instruction});
      }
    }
  }
}

// What stands in the kernel for a text of OtherForms.
Form SpelledForm(const std::string& text) {
  const auto module = ptx::Parse(ModuleText("", text + "\nret;", Type::kU64), "form.ptx");
  const Instruction& instruction = module->kernels[0]->instructions.front();
  return {FormOf(instruction), text.substr(0, text.find(' ')), text, instruction};
}

std::set<std::string>& CoveredForms() {
  static std::set<std::string> covered;
  return covered;
}

}  // namespace

std::string FormOf(const ptx::Instruction& instruction) {
  if (instruction.opcode == Opcode::kTcgen05) {
    const bool in_memory = instruction.tensor_memory.op == ptx::TensorMemoryOp::kMma &&
                           instruction.operands[1].kind == ptx::Operand::Kind::kMemory;
    return NameOf(instruction.tensor_memory) + (in_memory ? ".tmem" : "");
  }
  const ptx::Modifiers& m = instruction.modifiers;
  std::string name(ptx::ToString(instruction.opcode));
  const bool atomic = instruction.opcode == Opcode::kAtom || instruction.opcode == Opcode::kRed;
  const bool accesses = instruction.opcode == Opcode::kLd || instruction.opcode == Opcode::kSt;
  const bool wide = accesses && m.vector * ptx::SizeInBytes(instruction.type) > 16;
  if ((atomic && m.vector > 1) || wide) name += fmt::format(".v{}", m.vector);
  if (m.carry_out && !m.carry_in) name.pop_back();  // add.cc is an addc that reads no carry
  const auto add = [&](ModifierClass group, auto value) {
    if (static_cast<int>(value) == 0) return;
    for (const Group& known : Groups()) {
      if (known.group != group) continue;
      const auto index = static_cast<size_t>(value) - 1;
      if (index < known.words.size()) name += "." + std::string(known.words[index]);
    }
  };
  add(ModifierClass::kGeometry, m.geometry);
  add(ModifierClass::kLevel, m.level);
  add(ModifierClass::kBarrier, m.barrier_op);
  if (m.warpgroup_op != ptx::WarpgroupOp::kNone) {
    constexpr const char* kOps[] = {"", ".mma_async", ".fence", ".commit_group", ".wait_group"};
    name += kOps[static_cast<size_t>(m.warpgroup_op)];
  }
  add(ModifierClass::kLaneSync, m.lane_sync);
  add(ModifierClass::kLaneOp, m.lane_op);
  add(ModifierClass::kAtomic, m.atomic_op);
  add(ModifierClass::kComparison, m.comparison);
  add(ModifierClass::kBoolean, m.boolean_op);
  add(ModifierClass::kNumberClass, m.number_class);
  add(ModifierClass::kShiftDirection, m.shift_direction);
  add(ModifierClass::kShiftMode, m.shift_mode);
  add(ModifierClass::kShiftAmount, m.shift_amount);
  add(ModifierClass::kPermute, m.permute_mode);
  add(ModifierClass::kMulPart, m.mul_part);
  add(ModifierClass::kMbarrier, m.mbarrier_op);
  add(ModifierClass::kParity, m.parity);
  add(ModifierClass::kSurface, m.surface_mode);
  if (m.async_op != ptx::AsyncOp::kNone) {
    constexpr const char* kOps[] = {"",
                                    ".async",
                                    ".async.commit_group",
                                    ".async.wait_group",
                                    ".async.wait_all",
                                    ".async.mbarrier.arrive",
                                    ".async.bulk",
                                    ".async.bulk.tensor",
                                    ".async.bulk.commit_group",
                                    ".async.bulk.wait_group"};
    name += kOps[static_cast<size_t>(m.async_op)];
  }
  constexpr const char* kQueries[] = {"",
                                      ".width",
                                      ".height",
                                      ".depth",
                                      ".array_size",
                                      ".channel_data_type",
                                      ".channel_order",
                                      ".normalized_coords",
                                      ".num_mipmap_levels",
                                      ".num_samples",
                                      ".memory_layout",
                                      ".filter_mode",
                                      ".addr_mode_0",
                                      ".addr_mode_1",
                                      ".addr_mode_2",
                                      ".force_unnormalized_coords"};
  name += kQueries[static_cast<size_t>(m.query)];
  if (m.sampler) name += ".sampler";
  if (m.dimensions != 0) name += fmt::format(".{}d", m.dimensions);
  constexpr const char* kModes[] = {"",          ".im2col",   ".im2col_no_offs", ".gather4",
                                    ".scatter4", ".im2col_w", ".im2col_w_128"};
  name += kModes[static_cast<size_t>(m.tensor_mode)];
  if (m.prefetch) name += ".prefetch";
  constexpr const char* kFields[] = {"",
                                     ".global_address",
                                     ".rank",
                                     ".box_dim",
                                     ".global_dim",
                                     ".global_stride",
                                     ".element_stride",
                                     ".elemtype",
                                     ".interleave_layout",
                                     ".swizzle_mode",
                                     ".swizzle_atomicity",
                                     ".fill_mode"};
  name += kFields[static_cast<size_t>(m.tensor_field)];
  if (m.multicast) name += ".multicast";
  if (m.transaction) name += ".transaction";
  if (m.drop) name += ".drop";
  if (m.no_increment) name += ".noinc";
  if (m.async_op >= ptx::AsyncOp::kBulkCopy && instruction.space == ptx::Space::kShared && !m.to) {
    name += ".from_shared";
  }
  constexpr const char* kPolicies[] = {"", ".fractional", ".range", ".cvt"};
  constexpr const char* kPriorities[] = {"", ".unchanged", ".first", ".last", ".normal"};
  name += kPolicies[static_cast<size_t>(m.policy_kind)];
  name += kPriorities[static_cast<size_t>(m.primary)];
  name += kPriorities[static_cast<size_t>(m.secondary)];
  add(ModifierClass::kShape, m.shape);
  for (const ptx::MatrixLayout layout : {m.a_layout, m.b_layout}) {
    if (layout != ptx::MatrixLayout::kNone) {
      name += layout == ptx::MatrixLayout::kRow ? ".row" : ".col";
    }
  }
  if (m.sparse) name += m.ordered_metadata ? ".sp_ordered" : ".sp";
  constexpr const char* kKinds[] = {"", ".f8f6f4", ".mxf8f6f4", ".mxf4", ".mxf4nvf4"};
  constexpr const char* kScales[] = {"", ".ue8m0", ".ue4m3"};
  name += kKinds[static_cast<size_t>(m.kind)];
  name += kScales[static_cast<size_t>(m.scale_type)];
  if (m.block_scale) name += fmt::format(".{}x", ptx::ScalesOfRow(m));
  if (m.matrices > 1) name += m.matrices == 2 ? ".x2" : ".x4";
  add(ModifierClass::kTranspose, m.transposed);
  add(ModifierClass::kRounding, m.rounding);
  add(ModifierClass::kRelu, m.relu);
  add(ModifierClass::kNan, m.nan);
  add(ModifierClass::kXorSign, m.xor_sign);
  add(ModifierClass::kFinite, m.finite);
  add(ModifierClass::kCarry, m.carry_out);
  add(ModifierClass::kApproximate, m.approximate);
  add(ModifierClass::kFull, m.full);
  add(ModifierClass::kFlush, m.flush_to_zero);
  add(ModifierClass::kSaturate, m.saturate);
  add(ModifierClass::kAccumulate, m.accumulate);
  add(ModifierClass::kTo, m.to);
  return name + Dotted(instruction.type) + Dotted(instruction.source_type) +
         Dotted(instruction.third_type) + Dotted(instruction.fourth_type);
}

void Cover(const ptx::Instruction& instruction) { CoveredForms().insert(FormOf(instruction)); }

void CoverOpcodes(const ptx::Kernel& kernel, const std::vector<ptx::Opcode>& opcodes) {
  for (const Instruction& instruction : kernel.instructions) {
    if (std::find(opcodes.begin(), opcodes.end(), instruction.opcode) != opcodes.end()) {
      Cover(instruction);
    }
  }
}

const std::set<std::string>& Covered() { return CoveredForms(); }

const std::vector<Form>& InstructionForms() {
  static const std::vector<Form> all = [] {
    std::vector<Form> forms;
    for (const InstructionRule& rule : ptx::InstructionRules()) {
      Extend(rule, 0, "", Instruction{}, 0, &forms);
    }
    for (const std::string& text : OtherForms()) forms.push_back(SpelledForm(text));
    return forms;
  }();
  return all;
}

std::vector<Form> FormsOf(const std::vector<ptx::Opcode>& opcodes) {
  std::vector<Form> forms;
  for (const Form& form : InstructionForms()) {
    const Opcode opcode = form.instruction.opcode;
    if (std::find(opcodes.begin(), opcodes.end(), opcode) != opcodes.end()) forms.push_back(form);
  }
  return forms;
}

std::string Refusal(const Form& form) {
  try {
    const std::string text = ModuleText("", form.text + "\nEND: ret;", form.instruction.type);
    const bool calls = !CallText(ptx::ToString(form.instruction.opcode), Type::kU64).empty();
    KernelRun run = KernelRun::FromText(calls ? text : KernelText("", form.text + "\nEND: ret;"),
                                        {1, 1, 1}, {64, 1, 1});
    run.WithExtras();
    const Program program(run.launch());
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace flagstone::conformance
