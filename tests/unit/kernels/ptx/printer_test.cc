#include "kernels/ptx/printer.h"

#include <gtest/gtest.h>

#include "tests/unit/kernels/ptx/ptx_text.h"

namespace flagstone::ptx {
namespace printer_test {

TEST(Printer, GivesEachInstructionItsPcBlockAndMeetingPoint) {
  const auto module = Parse(
      ".version 7.5 .target sm_75 .address_size 64 .extern .shared .align 16 .b8 dynamic[];\n"
      ".entry k(.param .u64 buffer, .param .u32 n) .maxntid 64 {\n"
      ".reg .pred %p<2>; .reg .b32 %r<3>; .shared .b32 tile[8];\n"
      "mov.u32 %r1,  dynamic; @!%p1 ret;\n"
      "top: @%p1 bra top; bar.sync 0; bra end; end: ret; }",
      "k.ptx");
  EXPECT_EQ(Print(*module->kernels[0]),
            "kernel k: 6 instructions in 4 blocks, 5 registers\n"
            "  12 bytes of parameters, 32 of shared memory, 0 of local memory\n"
            "  at most 64 x 1 x 1\n"
            "  .param buffer: u64 x 1 (8 bytes) at 0, align 8\n"
            "  .param n: u32 x 1 (4 bytes) at 8, align 4\n"
            "  .shared tile: b32 x 8 (32 bytes) at 0, align 4\n"
            "  .shared dynamic: b8[] at 32, align 16, extern\n"
            "    pc  block instruction\n"
            "     0  b0    mov.u32 %r1, dynamic\n"
            "     1  b0    @!%p1 ret  reconverges at end\n"
            "     2  b1    @%p1 bra top  -> 2  reconverges at 3\n"
            "     3  b2    bar.sync 0\n"
            "     4  b2    bra end  -> 5\n"
            "     5  b3    ret\n");
}

TEST(Printer, ListsTheVariablesAndEntriesOfAModule) {
  const auto module = Parse(
      ".version 8.0 .target sm_90 .address_size 64 .const .f32 table[4]; .entry a() {} .entry b() "
      "{ bar.sync 0; }",
      "k.ptx");
  EXPECT_EQ(PrintModuleHeader(*module),
            "PTX 8.0 for sm_90, 64-bit addresses\n"
            "  .const table: f32 x 4 (16 bytes), align 4\n"
            "  entry a: 1 instructions\n"
            "  entry b: 2 instructions\n");
}

}  // namespace printer_test
}  // namespace flagstone::ptx
