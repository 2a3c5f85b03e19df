// PTX with an order applied: what is replaced, what stays, and what is refused.
#include "app/order/emit_ptx.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "kernels/ptx/parser.h"

namespace flagstone {
namespace emit_ptx_test {

using ::testing::HasSubstr;

constexpr OrderMachine kMachine = {.sms = 4, .tbs_per_sm = 2};

constexpr char kHead[] = ".version 6.0\n.target sm_35\n.address_size 64\n";

OrderCode Code(const char* name) { return MakeOrderCode(ParseTbOrder(name), kMachine, {4, 4, 1}); }

std::string Entry(const std::string& name, const std::string& body) {
  return ".visible .entry " + name + "(\n\t.param .u64 p\n)\n{\n" + body + "\tret;\n}\n";
}

TEST(EmitPtx, ReplacesEveryReadOfTheEntrysTbIds) {
  const std::string text =
      kHead + Entry("k",
                    "\t.reg .b32 %r<3>; // %ctaid.x in a comment\n\tmov.u32 %r1, %ctaid.x;\n"
                    "\tmov.u32 %r2, %ctaid.y;\n");
  const std::string result = ApplyOrder(text, "a.ptx", {{"k", Code("band:2")}});
  EXPECT_THAT(result, HasSubstr("mov.u32 %r1, %flagstone_x;"));
  EXPECT_THAT(result, HasSubstr("mov.u32 %r2, %flagstone_y;"));
  EXPECT_THAT(result, HasSubstr("// %ctaid.x in a comment"));
  EXPECT_NO_THROW(ptx::Parse(result, "a.ptx"));
}

TEST(EmitPtx, LeavesOtherEntriesAsTheyAre) {
  const std::string other = Entry("other", "\t.reg .b32 %r<2>;\n\tmov.u32 %r1, %ctaid.x;\n");
  const std::string text = kHead + Entry("k", "") + other;
  const std::string result = ApplyOrder(text, "a.ptx", {{"k", Code("band:2")}});
  EXPECT_EQ(result, text);  // k reads no id, and other is not asked for
}

TEST(EmitPtx, PutsATableBeforeTheFirstKernelThatReadsIt) {
  const std::string text = kHead + Entry("k", "\t.reg .b32 %r<2>;\n\tmov.u32 %r1, %ctaid.x;\n");
  const std::string result = ApplyOrder(text, "a.ptx", {{"k", Code("hilbert")}});
  EXPECT_THAT(result, HasSubstr(".global .align 4 .u32 flagstone_order_k[16] = {"));
  EXPECT_LT(result.find("flagstone_order_k[16]"), result.find(".visible .entry"));
  EXPECT_NO_THROW(ptx::Parse(result, "a.ptx"));
}

std::string ErrorOf(const std::string& text, const std::map<std::string, OrderCode>& orders) {
  try {
    ApplyOrder(text, "a.ptx", orders);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kBadInput);
    return error.what();
  }
  return "";
}

// A function that gives blockIdx.x, and an entry that calls it.
constexpr char kWhere[] =
    ".func (.param .b32 result) where()\n{\n\t.reg .b32 %r<2>;\n\tmov.u32 %r1, %ctaid.x;\n"
    "\tst.param.b32 [result], %r1;\n\tret;\n}\n";
std::string Caller(const std::string& name) {
  return Entry(name,
               "\t.reg .b32 %r<3>;\n\tmov.u32 %r1, %ctaid.y;\n\t{\n\t.param .b32 a;\n"
               "\tcall.uni (a), where, ();\n\tld.param.b32 %r2, [a];\n\t}\n");
}
size_t Count(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST(EmitPtx, AppliesToTheFunctionsThatAnEntryCallsAndToAllThatCallThem) {
  const std::string text = kHead + std::string(kWhere) + Caller("k") + Caller("l") +
                           Entry("alone", "\t.reg .b32 %r<2>;\n\tmov.u32 %r1, %ctaid.y;\n");
  const std::string result = ApplyOrder(text, "a.ptx", {{"k", Code("column")}});
  EXPECT_THAT(result, HasSubstr("mov.u32 %r1, %flagstone_x;"));
  EXPECT_EQ(Count(result, "mov.u32 %r1, %flagstone_y;"), 2U);  // k, and l with it
  EXPECT_EQ(Count(result, "mov.u32 %r1, %ctaid.y;"), 1U);      // alone
  EXPECT_NO_THROW(ptx::Parse(result, "a.ptx"));
}

TEST(EmitPtx, RefusesAFunctionOfEntriesWithDifferentOrders) {
  const std::string text = kHead + std::string(kWhere) + Caller("k") + Caller("l") + Entry("m", "");
  EXPECT_THAT(ErrorOf(text, {{"k", Code("column")}, {"l", Code("band:2")}}),
              HasSubstr("a.ptx:4: the function 'where' reads %ctaid, and the kernels"));
  EXPECT_EQ(ErrorOf(text, {{"k", Code("column")}, {"m", Code("band:2")}}), "");
}

TEST(EmitPtx, RefusesClustersAndNamesTheLine) {
  const std::string text =
      kHead + std::string(".visible .entry k()\n.explicitcluster\n{\n\tret;\n}\n");
  EXPECT_THAT(ErrorOf(text, {{"k", Code("column")}}), HasSubstr("a.ptx:5: '.explicitcluster'"));
}

TEST(EmitPtx, RefusesVectorReads) {
  const std::string text = kHead + Entry("k", "\tmov.v4.u32 {%r1, %r2, %r3, %r4}, %ctaid;\n");
  EXPECT_THAT(ErrorOf(text, {{"k", Code("column")}}),
              HasSubstr("a.ptx:8: %ctaid is read as a vector"));
}

}  // namespace emit_ptx_test
}  // namespace flagstone
