// Addresses taken apart into subscripts.
#include "analyzer/cta_mapping/subscripts.h"

#include <gtest/gtest.h>

#include "analyzer/address/address_dump.h"
#include "tests/unit/analyzer/cta_mapping/accesses.h"

namespace flagstone {
namespace subscripts_test {

using accesses::kBase;
using accesses::Load;
using accesses::Loop;

// The subscripts of each access as text, "[row][bytes]".
std::vector<std::string> TextOf(const std::vector<AddressForm>& accesses, const Dim3& grid,
                                const Dim3& block, std::vector<CountedLoop> loops = {}) {
  AddressAnalysis analysis;
  analysis.loops = std::move(loops);
  KernelLaunch launch;
  launch.grid = grid;
  launch.block = block;
  std::vector<const AddressForm*> pointers;
  for (const AddressForm& access : accesses) pointers.push_back(&access);
  std::vector<std::string> texts;
  for (const Subscripts& subscripts : Delinearise(pointers, kBase, analysis, launch, 128)) {
    std::string text;
    for (const AffineForm& form : subscripts) text += "[" + ToString(form) + "]";
    texts.push_back(text);
  }
  return texts;
}

TEST(Delinearise, FindsTheRowsOfAMatrix) {
  // a[16 * by + ty][k] and b[k][16 * bx + tx] of 64 columns, 4 x 4 TBs of 16 x 16 threads.
  EXPECT_EQ(TextOf({Load(0, {0, 256, 0}, {0, 4096, 0}, {4})}, {4, 4, 1}, {16, 16, 1}, {Loop(64)}),
            (std::vector<std::string>{"[0 + tid.y + 16*ctaid.y][0 + 4*L0]"}));
  EXPECT_EQ(TextOf({Load(0, {4, 0, 0}, {64, 0, 0}, {256})}, {4, 4, 1}, {16, 16, 1}, {Loop(64)}),
            (std::vector<std::string>{"[0 + L0][0 + 4*tid.x + 64*ctaid.x]"}));
}

TEST(Delinearise, LetsUnguardedNeighboursStickOutOfTheirRow) {
  // a[y][x], a[y][x + 1] and a[y - 1][x] of 1024 columns: not a[y + 1][0] for the last x.
  EXPECT_EQ(TextOf({Load(0, {4, 4096, 0}, {64, 65536, 0}), Load(4, {4, 4096, 0}, {64, 65536, 0}),
                    Load(-4096, {4, 4096, 0}, {64, 65536, 0})},
                   {64, 64, 1}, {16, 16, 1}),
            (std::vector<std::string>{"[0 + tid.y + 16*ctaid.y][0 + 4*tid.x + 64*ctaid.x]",
                                      "[0 + tid.y + 16*ctaid.y][4 + 4*tid.x + 64*ctaid.x]",
                                      "[-1 + tid.y + 16*ctaid.y][0 + 4*tid.x + 64*ctaid.x]"}));
}

TEST(Delinearise, FindsThreeDimensions) {
  // a[k][8 * by + ty][64 * bx + tx] of 32 x 256.
  EXPECT_EQ(
      TextOf({Load(0, {4, 1024, 0}, {256, 8192, 0}, {32768})}, {4, 4, 1}, {64, 8, 1}, {Loop(10)}),
      (std::vector<std::string>{"[0 + L0][0 + tid.y + 8*ctaid.y][0 + 4*tid.x + 256*ctaid.x]"}));
}

TEST(Delinearise, LeavesAVectorAlone) {
  EXPECT_EQ(TextOf({Load(0, {4, 0, 0}, {1024, 0, 0})}, {64, 1, 1}, {256, 1, 1}),
            (std::vector<std::string>{"[0 + 4*tid.x + 1024*ctaid.x]"}));
}

}  // namespace subscripts_test
}  // namespace flagstone
