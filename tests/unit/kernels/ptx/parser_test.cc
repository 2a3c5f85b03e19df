#include "kernels/ptx/parser.h"

#include <gtest/gtest.h>

#include <bit>
#include <set>
#include <sstream>
#include <string>

#include "base/file.h"
#include "tests/unit/kernels/ptx/ptx_text.h"

namespace flagstone::ptx {
namespace parser_test {

using Kind = Operand::Kind;

constexpr const char* kData = "tests/unit/kernels/ptx/data/";

RegisterId Named(const Kernel& kernel, const std::string& name) {
  for (RegisterId reg = 0; reg < kernel.registers.size(); ++reg) {
    if (kernel.registers[reg].name == name) return reg;
  }
  ADD_FAILURE() << "no register " << name;
  return 0;
}

TEST(Parser, ReadsVersionTargetAndAddressSize) {
  const auto module = Parse(".version 8.15 .target sm_90a, debug .address_size 64", "m.ptx");
  EXPECT_EQ(module->file, "m.ptx");
  EXPECT_EQ(module->version_major, 8);
  EXPECT_EQ(module->version_minor, 15);
  EXPECT_EQ(module->target, "sm_90a");
  EXPECT_EQ(module->address_size, 64);
  EXPECT_EQ(Parse(".version 1.4 .target sm_13", "m.ptx")->address_size, 32);
}

TEST(Parser, GivesAnAddTypedOperandsAndItsText) {
  const auto module = ParseBody("add.s32 \t%r3, %r1,   -7;");
  const Kernel& kernel = *module->kernels[0];
  const Instruction& add = kernel.instructions[0];
  EXPECT_EQ(add.opcode, Opcode::kAdd);
  EXPECT_EQ(add.type, Type::kS32);
  EXPECT_EQ(add.source_type, Type::kNone);
  EXPECT_EQ(add.destinations, 1);
  EXPECT_FALSE(add.guard.has_value());
  EXPECT_EQ(add.text, "add.s32 %r3, %r1, -7");
  EXPECT_EQ(add.location.line, 2);
  EXPECT_EQ(add.location.column, 1);
  ASSERT_EQ(add.operands.size(), 3U);
  EXPECT_EQ(add.operands[0].kind, Kind::kRegister);
  EXPECT_EQ(add.operands[0].reg, Named(kernel, "%r3"));
  EXPECT_EQ(add.operands[1].reg, Named(kernel, "%r1"));
  EXPECT_EQ(add.operands[2].kind, Kind::kImmediate);
  EXPECT_EQ(add.operands[2].immediate_type, Type::kS64);
  EXPECT_EQ(static_cast<int64_t>(add.operands[2].bits), -7);
}

TEST(Parser, ReadsGuards) {
  const auto module = ParseBody("@!%p2 mov.u32 %r1, 5; @%p3 ret;");
  const Kernel& kernel = *module->kernels[0];
  EXPECT_EQ(kernel.instructions[0].guard, Named(kernel, "%p2"));
  EXPECT_TRUE(kernel.instructions[0].guard_negated);
  EXPECT_EQ(kernel.instructions[0].text, "@!%p2 mov.u32 %r1, 5");
  EXPECT_EQ(kernel.instructions[1].guard, Named(kernel, "%p3"));
  EXPECT_FALSE(kernel.instructions[1].guard_negated);
}

TEST(Parser, ReadsTheThreeFormsOfSetp) {
  const Instruction plain = ParseInstruction("setp.ge.s32 %p1, %r1, %r2;");
  EXPECT_EQ(plain.modifiers.comparison, Comparison::kGe);
  EXPECT_EQ(plain.type, Type::kS32);
  EXPECT_EQ(plain.destinations, 1);
  EXPECT_EQ(plain.operands.size(), 3U);

  const Instruction combined = ParseInstruction("setp.ltu.and.ftz.f32 %p1, %f1, 0f40000000, !%p3;");
  EXPECT_EQ(combined.modifiers.comparison, Comparison::kLtu);
  EXPECT_EQ(combined.modifiers.boolean_op, BooleanOp::kAnd);
  EXPECT_TRUE(combined.modifiers.flush_to_zero);
  EXPECT_EQ(combined.operands[2].immediate_type, Type::kF32);
  EXPECT_EQ(std::bit_cast<float>(static_cast<uint32_t>(combined.operands[2].bits)), 2.0F);
  EXPECT_TRUE(combined.operands[3].negated);

  const Instruction pair = ParseInstruction("setp.lo.xor.u64 %p1|%p2, %rd1, %rd2, %p3;");
  EXPECT_EQ(pair.modifiers.comparison, Comparison::kLo);
  EXPECT_EQ(pair.modifiers.boolean_op, BooleanOp::kXor);
  EXPECT_EQ(pair.destinations, 2);
  ASSERT_EQ(pair.operands.size(), 5U);
  EXPECT_EQ(pair.operands[1].reg, pair.operands[0].reg + 1);
  EXPECT_EQ(ParseInstruction("setp.eq.b32 %p1|_, %r1, 0;").operands[1].kind, Kind::kSink);
}

TEST(Parser, ReadsMemoryOperandsWithEveryBase) {
  const Instruction plus = ParseInstruction("ld.global.nc.v2.f32 {%f1, _}, [%rd4+16];");
  EXPECT_EQ(plus.space, Space::kGlobal);
  EXPECT_EQ(plus.modifiers.vector, 2);
  EXPECT_TRUE(plus.modifiers.non_coherent);
  ASSERT_EQ(plus.operands[0].kind, Kind::kVector);
  EXPECT_EQ(plus.operands[0].elements[1].kind, Kind::kSink);
  EXPECT_EQ(plus.destinations, 1);
  EXPECT_TRUE(plus.operands[1].has_register_base);
  EXPECT_EQ(plus.operands[1].offset, 16);

  const Instruction minus = ParseInstruction("st.volatile.shared.u8 [%r1+-4], %rs1;");
  EXPECT_EQ(minus.destinations, 0);
  EXPECT_TRUE(minus.modifiers.volatile_access);
  EXPECT_EQ(minus.operands[0].offset, -4);
  EXPECT_EQ(ParseInstruction("ld.f32 %f1, [%rd1-8];").operands[1].offset, -8);
  EXPECT_EQ(ParseInstruction("ld.f32 %f1, [%rd1-8];").space, Space::kGeneric);

  const Instruction symbol = ParseInstruction("ld.param.u64 %rd1, [buffer+0];");
  EXPECT_EQ(symbol.operands[1].variable->name, "buffer");
  EXPECT_FALSE(symbol.operands[1].has_register_base);

  const Instruction absolute = ParseInstruction("ld.shared.u32 %r1, [48];");
  EXPECT_EQ(absolute.operands[1].variable, nullptr);
  EXPECT_FALSE(absolute.operands[1].has_register_base);
  EXPECT_EQ(absolute.operands[1].offset, 48);
}

TEST(Parser, ReadsMovesOfAddressesSpecialRegistersAndPacks) {
  const Instruction address = ParseInstruction("mov.u32 %r1, tile+8;");
  EXPECT_EQ(address.operands[1].kind, Kind::kAddress);
  EXPECT_EQ(address.operands[1].variable->name, "tile");
  EXPECT_EQ(address.operands[1].offset, 8);

  const Instruction special = ParseInstruction("mov.u32 %r1, %nctaid.z;");
  EXPECT_EQ(special.operands[1].kind, Kind::kSpecial);
  EXPECT_EQ(special.operands[1].special, SpecialRegister::kNctaidZ);
  EXPECT_EQ(ParseInstruction("mov.u64 %rd1, %clock64;").operands[1].special,
            SpecialRegister::kClock64);
  EXPECT_EQ(ParseInstruction("mov.u32 %r1, %tid.y;").operands[1].special, SpecialRegister::kTidY);

  const Instruction pack = ParseInstruction("mov.b64 %rd1, {%r1, %r2};");
  ASSERT_EQ(pack.operands[1].elements.size(), 2U);
  const Instruction unpack = ParseInstruction("mov.b32 {%rs1, %rs2}, %r1;");
  EXPECT_EQ(unpack.destinations, 1);
  ASSERT_EQ(unpack.operands[0].elements.size(), 2U);
  EXPECT_EQ(unpack.operands[0].elements[1].reg, unpack.operands[0].elements[0].reg + 1);
}

TEST(Parser, KeepsFloatLiteralsInTheWidthOfTheInstruction) {
  const auto bits = [](const std::string& text) {
    return ParseInstruction(text).operands.back().bits;
  };
  EXPECT_EQ(bits("mov.f32 %f1, 0f3F800000;"), 0x3F800000U);
  EXPECT_EQ(bits("mov.f32 %f1, 1.5;"), std::bit_cast<uint32_t>(1.5F));
  EXPECT_EQ(bits("mov.f32 %f1, -1.5;"), std::bit_cast<uint32_t>(-1.5F));
  EXPECT_EQ(bits("mov.f32 %f1, 0d3FF8000000000000;"), std::bit_cast<uint32_t>(1.5F));
  EXPECT_EQ(bits("mov.f64 %fd1, 0d3FF8000000000000;"), std::bit_cast<uint64_t>(1.5));
  EXPECT_EQ(bits("mov.f64 %fd1, 0f3FC00000;"), std::bit_cast<uint64_t>(1.5));
  EXPECT_EQ(bits("mov.b32 %r1, 0f3FC00000;"), 0x3FC00000U);
  const Operand pred = ParseInstruction("mov.pred %p1, -1;").operands[1];
  EXPECT_EQ(pred.immediate_type, Type::kPred);
  EXPECT_EQ(pred.bits, 1U);
  EXPECT_EQ(bits("mov.b64 %rd1, 1.5;"), std::bit_cast<uint64_t>(1.5));
  EXPECT_EQ(ParseInstruction("and.b64 %rd1, %rd2, 0xFFFFFFFFFFFFFFFF;").operands[2].immediate_type,
            Type::kU64);
}

TEST(Parser, TellsTheTwoMeaningsOfLoAndHiApart) {
  EXPECT_EQ(ParseInstruction("mul.hi.u32 %r1, %r2, %r3;").modifiers.mul_part, MulPart::kHi);
  EXPECT_EQ(ParseInstruction("setp.hi.u32 %p1, %r2, %r3;").modifiers.comparison, Comparison::kHi);
  const Instruction wide = ParseInstruction("mad.wide.s32 %rd1, %r2, 4, %rd2;");
  EXPECT_EQ(wide.modifiers.mul_part, MulPart::kWide);
  EXPECT_EQ(wide.type, Type::kS32);
}

TEST(Parser, ReadsConversionsWithBothTypesAndTheirRounding) {
  const Instruction cvt = ParseInstruction("cvt.rzi.ftz.sat.s32.f32 %r1, %f1;");
  EXPECT_EQ(cvt.type, Type::kS32);
  EXPECT_EQ(cvt.source_type, Type::kF32);
  EXPECT_EQ(cvt.modifiers.rounding, Rounding::kRzi);
  EXPECT_TRUE(cvt.modifiers.flush_to_zero);
  EXPECT_TRUE(cvt.modifiers.saturate);
  const Instruction cvta = ParseInstruction("cvta.to.global.u64 %rd1, %rd2;");
  EXPECT_TRUE(cvta.modifiers.to);
  EXPECT_EQ(cvta.space, Space::kGlobal);
  EXPECT_FALSE(ParseInstruction("cvta.shared.u64 %rd1, tile;").modifiers.to);
}

TEST(Parser, ReadsAtomicsAndReductions) {
  const Instruction add = ParseInstruction("atom.global.add.u32 %r1, [%rd1], 1;");
  EXPECT_EQ(add.modifiers.atomic_op, AtomicOp::kAdd);
  EXPECT_EQ(add.operands.size(), 3U);
  EXPECT_EQ(add.destinations, 1);
  const Instruction cas =
      ParseInstruction("atom.acq_rel.gpu.shared.cas.b64 _, [tile], %rd1, %rd2;");
  EXPECT_EQ(cas.modifiers.atomic_op, AtomicOp::kCas);
  EXPECT_EQ(cas.modifiers.order, MemoryOrder::kAcqRel);
  EXPECT_EQ(cas.modifiers.scope, MemoryScope::kGpu);
  EXPECT_EQ(cas.operands[0].kind, Kind::kSink);
  const Instruction red = ParseInstruction("red.shared.or.b32 [tile+4], %r1;");
  EXPECT_EQ(red.modifiers.atomic_op, AtomicOp::kOr);
  EXPECT_EQ(red.destinations, 0);
}

TEST(Parser, ReadsMemoryOrdersAndCacheOperators) {
  const Modifiers relaxed = ParseInstruction("ld.relaxed.gpu.global.u32 %r1, [%rd1];").modifiers;
  EXPECT_EQ(relaxed.order, MemoryOrder::kRelaxed);
  EXPECT_EQ(relaxed.scope, MemoryScope::kGpu);
  EXPECT_EQ(ParseInstruction("ld.global.cg.f32 %f1, [%rd1];").modifiers.cache_op, CacheOp::kCg);
  EXPECT_EQ(ParseInstruction("st.global.wt.f32 [%rd1], %f1;").modifiers.cache_op, CacheOp::kWt);
  EXPECT_EQ(ParseInstruction("st.release.sys.u32 [%rd1], 1;").modifiers.order,
            MemoryOrder::kRelease);
}

TEST(Parser, ReadsBarriersAndFences) {
  EXPECT_EQ(ParseInstruction("bar.sync 0;").modifiers.barrier_op, BarrierOp::kSync);
  EXPECT_EQ(ParseInstruction("barrier.sync.aligned 1, 64;").operands.size(), 2U);
  EXPECT_EQ(ParseInstruction("barrier.cta.sync 3;").opcode, Opcode::kBar);
  EXPECT_EQ(ParseInstruction("bar.arrive 1, 64;").modifiers.barrier_op, BarrierOp::kArrive);
  EXPECT_EQ(ParseInstruction("bar.warp.sync -1;").modifiers.barrier_op, BarrierOp::kWarpSync);
  EXPECT_EQ(ParseInstruction("membar.gl;").modifiers.scope, MemoryScope::kGpu);
  EXPECT_EQ(ParseInstruction("membar.cta;").modifiers.scope, MemoryScope::kCta);
}

TEST(Parser, ResolvesLabelsForwardsBackwardsAndByScope) {
  const auto module = ParseBody(
      "top: bra.uni bottom; { loop: bra loop; bra bottom; bra top; }\n"
      "{ loop: @%p1 bra loop; } bottom: ret;");
  const std::vector<Instruction>& code = module->kernels[0]->instructions;
  EXPECT_TRUE(code[0].modifiers.uniform);
  EXPECT_EQ(code[0].operands[0].kind, Kind::kLabel);
  EXPECT_EQ(code[0].operands[0].target, 5U);
  EXPECT_EQ(code[1].operands[0].target, 1U);
  EXPECT_EQ(code[2].operands[0].target, 5U);
  EXPECT_EQ(code[3].operands[0].target, 0U);
  EXPECT_EQ(code[4].operands[0].target, 4U);
}

TEST(Parser, EndsAKernelThatWouldRunOffItsEndWithAReturn) {
  const auto last = [](const std::string& body) {
    const auto module = ParseBody(body);
    return module->kernels[0]->instructions.back().opcode;
  };
  const auto count = [](const std::string& body) {
    return ParseBody(body)->kernels[0]->instructions.size();
  };
  EXPECT_EQ(last(""), Opcode::kRet);
  EXPECT_EQ(last("mov.u32 %r1, 0;"), Opcode::kRet);
  EXPECT_EQ(last("@%p1 ret;"), Opcode::kRet);
  EXPECT_EQ(count("@%p1 ret;"), 2U);
  EXPECT_EQ(count("bra end; end:"), 2U);
  EXPECT_EQ(count("ret;"), 1U);
  EXPECT_EQ(count("ret; $L__func_end0:"), 1U);
  EXPECT_EQ(count("exit;"), 1U);
  EXPECT_EQ(count("top: bra top;"), 1U);
}

TEST(Parser, LaysOutParametersByTheirAlignment) {
  const auto module = Parse(
      ".version 7.5 .target sm_75 .address_size 64 .entry k(.param .u8 a, .param .u64 .ptr .global "
      ".align 16 b, .param .align 8 .b8 c[12], .param .u32 .ptr d, .param .f64 e) { ret; }",
      "k.ptx");
  const Kernel& kernel = module->FindKernel("k");
  const std::vector<uint64_t> offsets = {0, 8, 16, 28, 32};
  ASSERT_EQ(kernel.parameters.size(), offsets.size());
  for (size_t i = 0; i < offsets.size(); ++i) EXPECT_EQ(kernel.parameters[i]->offset, offsets[i]);
  EXPECT_EQ(kernel.parameters[2]->SizeInBytes(), 12U);
  EXPECT_EQ(kernel.parameters[1]->alignment, 8U);
  EXPECT_EQ(kernel.parameter_bytes, 40U);
}

TEST(Parser, ReadsTheHandWrittenFormsOfThe32BitModule) {
  const auto module = ParseFile(std::string(kData) + "hand_written.ptx");
  EXPECT_EQ(module->address_size, 32);
  ASSERT_EQ(module->kernels.size(), 3U);
  const Kernel& first = module->FindKernel("first");
  EXPECT_EQ(first.max_threads, (std::array<uint32_t, 3>{16, 16, 1}));
  EXPECT_EQ(first.min_tbs_per_sm, 4U);
  EXPECT_EQ(first.max_registers, 32U);
  EXPECT_EQ(first.parameter_bytes, 40U);
  EXPECT_EQ(module->FindKernel("third").required_threads, (std::array<uint32_t, 3>{8, 4, 2}));

  // The kernel's own, then those of the module that it uses, then the extern one behind them.
  ASSERT_EQ(first.shared.size(), 4U);
  EXPECT_EQ(first.shared[1]->name, "also_mine");
  EXPECT_EQ(first.shared[1]->offset, 2U);
  EXPECT_EQ(first.shared[2]->name, "scratch");
  EXPECT_EQ(first.shared[2]->offset, 8U);
  EXPECT_EQ(first.shared[3]->name, "dynamic");
  EXPECT_TRUE(first.shared[3]->is_extern);
  EXPECT_EQ(first.shared[3]->offset, 48U);
  EXPECT_EQ(first.shared_bytes, 48U);
  EXPECT_EQ(module->FindKernel("second").shared_bytes, 0U);
  EXPECT_EQ(module->FindKernel("third").shared_bytes, 40U);

  // Inside the braces %a is the f32 register.
  const Instruction& load = first.instructions[1];
  EXPECT_EQ(first.registers[load.operands[0].reg].type, Type::kF32);
  EXPECT_EQ(load.operands[1].variable, first.shared[2].get());
  EXPECT_EQ(load.operands[1].offset, 4);
  EXPECT_EQ(first.instructions[8].operands[3].bits, 32U);  // WARP_SZ
}

// Compilers print one instruction a line: the line ends with ';' and begins with no dot.
std::vector<size_t> CountInstructionLines(const std::string& text) {
  std::vector<size_t> counts;
  std::istringstream lines(text);
  bool in_entry = false;
  for (std::string line; std::getline(lines, line);) {
    line = line.substr(0, line.find("//"));
    line.erase(0, line.find_first_not_of(" \t"));
    line.erase(line.find_last_not_of(" \t") + 1);
    if (line.find(".entry") != std::string::npos) counts.push_back(0);
    if (line.find(".entry") != std::string::npos) in_entry = true;
    if (line == "}") in_entry = false;
    if (in_entry && line.ends_with(';') && line[0] != '.') ++counts.back();
  }
  return counts;
}

TEST(Parser, ReadsWhatClangAndNvccPrint) {
  for (const std::string file : {"features.clang14.ptx", "features.clang14_debug.ptx",
                                 "features.nvcc13.ptx", "features.nvcc13_lineinfo.ptx",
                                 "ops.clang14.ptx", "ops.clang14_32bit.ptx", "ops.nvcc13.ptx"}) {
    const auto module = ParseFile(kData + file);
    const std::vector<size_t> counts = CountInstructionLines(ReadFile(kData + file));
    ASSERT_EQ(module->kernels.size(), file.starts_with("ops") ? 4U : 7U) << file;
    ASSERT_EQ(module->kernels.size(), counts.size()) << file;
    for (size_t i = 0; i < counts.size(); ++i) {
      EXPECT_EQ(module->kernels[i]->instructions.size(), counts[i])
          << file << " " << module->kernels[i]->name;
    }
  }
  for (const char* const file : {"cuda_only.nvcc13.ptx", "cuda_only.nvcc13_sm100.ptx"}) {
    EXPECT_EQ(ParseFile(std::string(kData) + file)->kernels.size(), 3U) << file;
  }
}

TEST(Parser, ReadsTheSameMemoriesFromBothCompilers) {
  for (const std::string file : {"features.clang14.ptx", "features.nvcc13.ptx"}) {
    const auto module = ParseFile(kData + file);
    const Kernel& shared = module->FindKernel("shared_memory");
    EXPECT_EQ(shared.max_threads[0], 256U);
    EXPECT_EQ(shared.min_tbs_per_sm, 2U);
    EXPECT_EQ(shared.shared_bytes, 1024U);
    ASSERT_EQ(shared.shared.size(), 2U);
    EXPECT_EQ(shared.shared[0]->offset, 0U);
    EXPECT_TRUE(shared.shared[1]->is_extern);
    EXPECT_EQ(shared.shared[1]->offset, 1024U);
    EXPECT_EQ(module->FindKernel("local_array").local_bytes, 128U);
    EXPECT_EQ(module->FindKernel("by_value").parameter_bytes, 32U);
    EXPECT_EQ(module->FindKernel("by_value").parameters[0]->SizeInBytes(), 16U);
    ASSERT_EQ(module->globals.size(), 3U);
    EXPECT_EQ(module->globals[0]->name, "kTable");
    EXPECT_EQ(module->globals[0]->SizeInBytes(), 64U);
    EXPECT_EQ(module->globals[2]->addresses.size(), 2U);
  }
}

TEST(Parser, GivesEveryInstructionOfTheSuitesItsTypedForm) {
  const auto module = ParseFile(std::string(kData) + "every_instruction.ptx");
  const Kernel& kernel = *module->kernels[0];
  EXPECT_EQ(kernel.instructions.size(), 473U);
  std::set<Opcode> seen;
  for (const Instruction& instruction : kernel.instructions) {
    seen.insert(instruction.opcode);
    std::string name = instruction.text.substr(0, instruction.text.find(' '));
    if (name[0] == '@') continue;
    const std::string opcode = name.substr(0, name.find('.'));
    EXPECT_EQ(ParseOpcode(opcode), instruction.opcode);
    // The type is the last dotted word, the first of two for conversions.
    if (instruction.type == Type::kNone || instruction.modifiers.accumulate) continue;
    const Type last =
        instruction.source_type == Type::kNone ? instruction.type : instruction.source_type;
    const std::string ending = "." + std::string(ToString(last));
    EXPECT_TRUE(name.ends_with(ending)) << instruction.text;
  }
  EXPECT_EQ(seen.size(), 59U);  // each opcode that the suites use
}

TEST(Parser, ReadsCarriageReturnsAsBlanks) {
  std::string text = ReadFile(std::string(kData) + "features.nvcc13.ptx");
  std::string dos;
  for (const char c : text) dos += c == '\n' ? "\r\n" : std::string(1, c);
  const auto unix_module = Parse(text, "a.ptx");
  const auto dos_module = Parse(dos, "a.ptx");
  const std::vector<Instruction>& code = unix_module->kernels[1]->instructions;
  const std::vector<Instruction>& dos_code = dos_module->kernels[1]->instructions;
  ASSERT_EQ(code.size(), dos_code.size());
  for (size_t i = 0; i < code.size(); ++i) {
    EXPECT_EQ(code[i].text, dos_code[i].text);
    EXPECT_EQ(code[i].location.line, dos_code[i].location.line);
  }
}

TEST(Module, NamesItsEntriesWhereOneIsNotFound) {
  const auto module = Parse(".version 7.5 .target sm_75 .entry a() {} .entry b() {}", "k.ptx");
  EXPECT_EQ(module->FindKernel("b").name, "b");
  try {
    module->FindKernel("c");
    FAIL() << "found a kernel that is not there";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "k.ptx: no entry 'c'; there are: a, b");
    EXPECT_EQ(error.kind(), ErrorKind::kBadInput);
  }
}

TEST(Opcode, IsReadAndPrintedByTheSameName) {
  for (int i = static_cast<int>(Opcode::kAbs); i <= static_cast<int>(Opcode::kXor); ++i) {
    const auto opcode = static_cast<Opcode>(i);
    if (opcode == Opcode::kProcedureCall || opcode == Opcode::kProcedureReturn) continue;
    EXPECT_EQ(ParseOpcode(ToString(opcode)), opcode) << ToString(opcode);
  }
  EXPECT_EQ(ParseOpcode("barrier"), Opcode::kBar);
  EXPECT_EQ(ParseOpcode("wmma"), std::nullopt);
}

TEST(Types, AreReadAndPrintedByTheSameName) {
  for (int i = 1; i <= static_cast<int>(Type::kSurfref); ++i) {
    const auto type = static_cast<Type>(i);
    EXPECT_EQ(ParseType(ToString(type)), type) << ToString(type);
  }
  EXPECT_EQ(SizeInBytes(Type::kU16), 2);
  EXPECT_EQ(SizeInBytes(Type::kF64), 8);
  EXPECT_TRUE(IsSigned(Type::kS8));
  EXPECT_FALSE(IsSigned(Type::kU64));
  EXPECT_TRUE(IsFloat(Type::kF32));
  EXPECT_FALSE(IsFloat(Type::kB32));
  EXPECT_EQ(ParseSpace("shared::cta"), Space::kShared);
  EXPECT_EQ(ParseSpace("generic"), std::nullopt);
}

}  // namespace parser_test
}  // namespace flagstone::ptx
