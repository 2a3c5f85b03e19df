#include "kernels/ptx/variable_parser.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "tests/unit/kernels/ptx/ptx_text.h"

namespace flagstone::ptx {
namespace variable_parser_test {

constexpr const char* kHead = ".version 7.5 .target sm_75 .address_size 64\n";

std::unique_ptr<Module> WithGlobals(const std::string& declarations) {
  return Parse(kHead + declarations, "k.ptx");
}

template <class T>
T ElementAt(const Variable& variable, size_t index) {
  T value;
  EXPECT_GE(variable.initial.size(), (index + 1) * sizeof(T)) << variable.name;
  std::memcpy(&value, variable.initial.data() + index * sizeof(T), sizeof(T));
  return value;
}

TEST(Variables, TakeTypeCountAndAlignmentFromTheirDeclaration) {
  const auto module = WithGlobals(
      ".global .align 16 .b8 bytes[100]; .const .f64 one; .global .v4 .f32 quads[3], quad;\n"
      ".global .u16 matrix[4][5]; .extern .global .u32 there[]; .global .texref image;");
  const auto& globals = module->globals;
  ASSERT_EQ(globals.size(), 7U);
  EXPECT_EQ(globals[0]->alignment, 16U);
  EXPECT_EQ(globals[0]->SizeInBytes(), 100U);
  EXPECT_EQ(globals[1]->space, Space::kConst);
  EXPECT_EQ(globals[1]->alignment, 8U);
  EXPECT_EQ(globals[2]->count, 12U);
  EXPECT_EQ(globals[2]->alignment, 16U);
  EXPECT_EQ(globals[3]->count, 4U);
  EXPECT_EQ(globals[4]->SizeInBytes(), 40U);
  EXPECT_EQ(globals[5]->count, 0U);
  EXPECT_TRUE(globals[5]->is_extern);
  EXPECT_EQ(globals[6]->type, Type::kTexref);
}

TEST(Variables, KeepInitialValuesOfEachTypeInMemoryOrder) {
  const auto module = WithGlobals(
      ".const .align 4 .b8 bytes[8] = {0, 128, 0xFF, -1};\n"
      ".const .f32 floats[3] = {0f3F800000, 2.5, -3};\n"
      ".const .f64 doubles[2] = {0d3FF8000000000000, 0f3FC00000};\n"
      ".global .s32 scalar = -5; .global .u64 big = 0xFFFFFFFFFFFFFFFF;\n"
      ".global .b32 bits = 0f40000000;");
  const auto& globals = module->globals;
  EXPECT_EQ(globals[0]->initial.size(), 4U);  // zeros follow
  EXPECT_EQ(ElementAt<uint32_t>(*globals[0], 0), 0xFFFF8000U);
  EXPECT_EQ(ElementAt<float>(*globals[1], 0), 1.0F);
  EXPECT_EQ(ElementAt<float>(*globals[1], 1), 2.5F);
  EXPECT_EQ(ElementAt<float>(*globals[1], 2), -3.0F);
  EXPECT_EQ(ElementAt<double>(*globals[2], 0), 1.5);
  EXPECT_EQ(ElementAt<double>(*globals[2], 1), 1.5);
  EXPECT_EQ(ElementAt<int32_t>(*globals[3], 0), -5);
  EXPECT_EQ(ElementAt<uint64_t>(*globals[4], 0), UINT64_MAX);
  EXPECT_EQ(ElementAt<float>(*globals[5], 0), 2.0F);
}

TEST(Variables, PlaceValuesOfInnerBracesAtTheirRow) {
  const auto module = WithGlobals(".global .s32 pairs[][3] = { {-1}, {4, 5, 6}, {} , {7, 8} };");
  const Variable& pairs = *module->globals[0];
  EXPECT_EQ(pairs.count, 12U);
  EXPECT_EQ(ElementAt<int32_t>(pairs, 0), -1);
  EXPECT_EQ(ElementAt<int32_t>(pairs, 1), 0);
  EXPECT_EQ(ElementAt<int32_t>(pairs, 4), 5);
  EXPECT_EQ(ElementAt<int32_t>(pairs, 8), 0);
  EXPECT_EQ(ElementAt<int32_t>(pairs, 10), 8);
}

TEST(Variables, RememberAddressesInInitialValues) {
  const auto module = WithGlobals(
      ".global .u32 a; .const .b8 c[4];\n"
      ".global .u64 p[4] = {a, 7, generic(c)+2, a-4};");
  const Variable& p = *module->globals[2];
  ASSERT_EQ(p.addresses.size(), 3U);
  EXPECT_EQ(p.addresses[0].target, "a");
  EXPECT_EQ(p.addresses[0].at, 0U);
  EXPECT_FALSE(p.addresses[0].generic);
  EXPECT_EQ(p.addresses[1].target, "c");
  EXPECT_EQ(p.addresses[1].at, 16U);
  EXPECT_EQ(p.addresses[1].addend, 2);
  EXPECT_TRUE(p.addresses[1].generic);
  EXPECT_EQ(p.addresses[2].addend, -4);
  EXPECT_EQ(ElementAt<uint64_t>(p, 1), 7U);
}

TEST(Variables, RefuseWhatCannotBeDeclared) {
  const auto error = [](const std::string& text) { return ErrorOf(kHead + text); };
  EXPECT_EQ(error(".global .u32 a;\n.global .f32 a;"),
            "k.ptx:3:14: duplicate definition of 'a': the first is in line 2");
  EXPECT_EQ(error(".global .align 3 .u32 a;"),
            "k.ptx:2:16: expected an alignment that is a power of two of at most 65536, found 3");
  EXPECT_EQ(error(".global a;"), "k.ptx:2:9: expected a type such as '.f32', found 'a'");
  EXPECT_EQ(error(".global .pred a;"),
            "k.ptx:2:9: expected '.align' or a type such as '.f32', found '.pred'");
  EXPECT_EQ(error(".global .u32 a[];"),
            "k.ptx:2:14: expected a size for 'a': only .extern arrays go without");
  EXPECT_EQ(error(".global .u32 a[2] = {1, 2, 3};"),
            "k.ptx:2:28: expected at most 2 values in 'a'");
  EXPECT_EQ(error(".shared .u32 a = 4;"),
            "k.ptx:2:16: expected no initialiser on a .shared variable");
  EXPECT_EQ(error(".global .u32 a = 1.5;"),
            "k.ptx:2:18: expected an integer in 'a' of type u32, found '1.5'");
  EXPECT_EQ(error(".global .u32 a = b;"), "k.ptx:2:18: unknown variable 'b'");
  EXPECT_EQ(error(".global .b64 a[99999999999999];"),
            "k.ptx:2:14: expected at most 1099511627776 bytes in 'a'");
  EXPECT_EQ(error(".global .b64 a[2][9999999999] = { {}, {1} };"),
            "k.ptx:2:14: expected at most 268435456 bytes of initial values in a module");
  EXPECT_EQ(error(".global .u8 a = 0xFF0(b);"),
            "k.ptx:2:17: expected a mask of one byte, such as 0xFF00, in an array of bytes, found "
            "'0xFF0' in 'a' of type u8");
  EXPECT_EQ(error(".global .u32 b; .global .u32 a = 0xFF(b);"),
            "k.ptx:2:34: expected a mask of one byte, such as 0xFF00, in an array of bytes, found "
            "'0xFF' in 'a' of type u32");
  EXPECT_EQ(error(".global .u32 a[99999999999999999999];"),
            "k.ptx:2:16: expected the number of elements of at most 64 bits, found "
            "'99999999999999999999'");
  EXPECT_EQ(error(".entry k() { .shared .b8 a[1073741824]; .shared .b8 b; }"),
            "k.ptx:2:53: expected at most 1073741824 bytes of .shared variables in the kernel 'k'");
}

}  // namespace variable_parser_test
}  // namespace flagstone::ptx
