// The analysis as text.
#include "analyzer/address/address_dump.h"

#include <gtest/gtest.h>

#include <string>

#include "analyzer/address/affine.h"
#include "tests/unit/analyzer/address/kernel_under_analysis.h"

namespace flagstone {
namespace address_dump_test {

// Without the addresses of buffers.
std::string DumpOf(const std::string& body, uint32_t n = 0) {
  const KernelUnderAnalysis kernel(body, {4, 2, 1}, {16, 4, 1}, n);
  AddressAnalysis analysis = kernel.Analyze();
  for (AddressForm& access : analysis.accesses) {
    if (access.pattern != AddressClass::kAffine) continue;
    access.form.constant -= static_cast<int64_t>(access.array == "b" ? kernel.b() : kernel.a());
  }
  return Dump(analysis);
}

TEST(AddressDump, WritesFormsWithTheirSigns) {
  AffineForm form = Constant(-3);
  form.tid = {1, -1, 0};
  form.ctaid = {-20, 0, 7};
  form.loops = {0, 2};
  EXPECT_EQ(ToString(form), "-3 + tid.x - tid.y - 20*ctaid.x + 7*ctaid.z + 2*L1");
}

TEST(AddressDump, WritesAccessesWithTheirGuardsReasonsAndLoops) {
  EXPECT_EQ(DumpOf("mul.wide.s32 %rd10, %r3, 4; add.s64 %rd11, %rd2, %rd10;\n"
                   "setp.lt.s32 %p1, %r3, 5; @!%p1 st.global.v2.f32 [%rd11], {%f1, %f2};\n"
                   "min.s32 %r10, %r3, 7; mul.wide.s32 %rd12, %r10, 4;\n"
                   "add.s64 %rd13, %rd1, %rd12; ld.global.f32 %f3, [%rd13];\n"
                   "ld.global.u32 %r11, [%rd1];\n"
                   "mul.wide.s32 %rd14, %r11, 4; add.s64 %rd15, %rd2, %rd14;\n"
                   "atom.global.add.u32 %r12, [%rd15], 1; ret;"),
            "store pc 15 line 24 8 bytes of b: affine, 0 + 4*tid.x\n"
            "  where -5 + tid.x >= 0\n"
            "load pc 19 line 26 4 bytes of a: deterministic (min (line 25))\n"
            "load pc 20 line 27 4 bytes of a: affine, uniform, 0\n"
            "atomic pc 23 line 29 4 bytes of b: indirect (a loaded value (line 27))\n"
            "  through a (line 27, global memory)\n");
}

TEST(AddressDump, WritesLoopsWithTheirTripCounts) {
  EXPECT_EQ(DumpOf("mov.u32 %r10, 0; OUTER: mov.u32 %r11, %r3;\n"
                   "INNER: setp.ge.s32 %p1, %r11, 9; @%p1 bra NEXT; add.s32 %r11, %r11, 4;\n"
                   "bra INNER; NEXT: mul.wide.s32 %rd10, %r10, 4; add.s64 %rd11, %rd1, %rd10;\n"
                   "ld.global.f32 %f1, [%rd11]; add.s32 %r10, %r10, 1;\n"
                   "setp.lt.s32 %p2, %r10, 6; @%p2 bra OUTER;\n"
                   "LAST: ld.shared.u32 %r12, [tile]; setp.ne.s32 %p3, %r12, 0; @%p3 bra LAST;\n"
                   "ret;"),
            "loop L0 at pc 13: 6 iterations\n"
            "loop L1 at pc 14 in L0: at most 4 iterations\n"
            "loop L2 at pc 24: unknown (a loaded value (line 28))\n"
            "load pc 20 line 26 4 bytes of a: affine, uniform, 0 + 4*L0, in L0\n");
}

}  // namespace address_dump_test
}  // namespace flagstone
