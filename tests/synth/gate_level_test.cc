// Mapped netlists against their RTL: by simulation in Icarus, and by proof.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "base/error.h"
#include "base/file.h"
#include "synth/cell_models.h"
#include "synth/equivalence.h"
#include "synth/power.h"
#include "synth/replay.h"
#include "synth/synth.h"
#include "synth/treemap.h"
#include "synth/yosys.h"

namespace flagstone {
namespace {

class GateLevel : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    cache_ = new ScratchFolder;
    setenv("XDG_CACHE_HOME", cache_->path().c_str(), 1);
  }
  static void TearDownTestSuite() {
    unsetenv("XDG_CACHE_HOME");
    delete cache_;
  }
  static SynthResult One(const SynthBlock& block) { return Synthesize({block}, library_).at(0); }
  static Replay Random(const SynthBlock& block, const MappedBlock& mapped, size_t cycles) {
    const ScratchFolder folder;
    return ReplayNetlist(block, mapped, library_, RandomStimulus(mapped.netlist, cycles, 1),
                         /*count_changes=*/true, folder.path());
  }

  inline static ScratchFolder* cache_ = nullptr;
  inline static const CellLibrary library_ = ReadCellLibrary("");
};

TEST_F(GateLevel, DoesWhatTheRtlDoes) {
  for (SynthBlock block : SelectSynthBlocks(
           {"fifo", "round_robin_pick", "round_robin_arbiter", "outstanding_tbs", "tb_sequence",
            "tb_limiter", "tb_offer_bank", "paver_tb_queue", "paver_group_dispatcher",
            "paver_fetch_port", "table_storage", "age_order"})) {
    const SynthResult result = One(block);
    const Replay replay = Random(block, ReadMapped(block, library_, result.folder), 300);
    EXPECT_EQ(replay.cycles, 302u) << block.name;
    EXPECT_GT(replay.compared, 300u) << block.name;
    EXPECT_EQ(replay.differences, 0u) << block.name << ": " << replay.first;
  }
}

TEST_F(GateLevel, DoesWhatTheRtlDoesWithEachOfAbcsScripts) {
  const SynthBlock block = SelectSynthBlocks({"outstanding_tbs"}).at(0);
  const ScratchFolder folder;
  constexpr double kPeriodNs = 0.33;  // which it misses
  MapBlock(block, library_, kPeriodNs, folder.path());
  for (const AbcScript& abc : kAbcScripts) {
    const Replay replay = Random(block, RemapBlock(block, abc, library_, folder.path()), 300);
    EXPECT_GT(replay.compared, 300u) << abc.file;
    EXPECT_EQ(replay.differences, 0u) << abc.file << ": " << replay.first;
  }
}

TEST_F(GateLevel, ShowsAWrongGate) {
  const SynthBlock block = SelectSynthBlocks({"fifo"}).at(0);
  MappedBlock mapped = ReadMapped(block, library_, One(block).folder);
  const LibraryCell* wrong = library_.Find("NOR2_X1");
  for (NetlistCell& cell : mapped.netlist.cells) {
    if (cell.type_name != "NAND2_X1") continue;
    cell.type = wrong;
    cell.type_name = wrong->name;
    break;
  }
  const Replay replay = Random(block, mapped, 300);
  EXPECT_GT(replay.differences, 0u);
  EXPECT_THAT(replay.first, testing::HasSubstr("expected"));
}

TEST_F(GateLevel, IsProvenEqual) {
  for (const char* name : {"fifo", "round_robin_pick", "age_order"}) {
    const SynthBlock block = SelectSynthBlocks({name}).at(0);
    const ScratchFolder folder;
    const Equivalence result = ProveEquivalence(block, library_, One(block).folder, folder.path());
    EXPECT_GT(result.points, 5u) << name;
    EXPECT_EQ(result.unproven, 0u) << name;
  }
}

TEST_F(GateLevel, IsNotProvenEqualWithAWrongGate) {
  const SynthBlock block = SelectSynthBlocks({"fifo"}).at(0);
  std::string netlist = ReadFile(One(block).folder / "netlist.json");
  constexpr std::string_view kGate = "\"type\": \"NAND2_X1\"";
  netlist.replace(netlist.find(kGate), kGate.size(), "\"type\": \"NOR2_X1\"");
  const ScratchFolder wrong, folder;
  WriteFileAtomically(wrong.path() / "netlist.json", netlist);
  EXPECT_GT(ProveEquivalence(block, library_, wrong.path(), folder.path()).unproven, 0u);
}

TEST_F(GateLevel, SpendsEnergyWhereItMoves) {
  const SynthBlock block = SelectSynthBlocks({"fifo"}).at(0);
  const MappedBlock mapped = ReadMapped(block, library_, One(block).folder);
  Stimulus idle = RandomStimulus(mapped.netlist, 100, 1);
  for (size_t cycle = 3; cycle < idle.rows.size(); ++cycle) idle.rows[cycle] = idle.rows[2];
  const ScratchFolder folder;
  const Energy rest = MeasureEnergy(
      mapped, library_, ReplayNetlist(block, mapped, library_, idle, true, folder.path()));
  const Energy busy = MeasureEnergy(mapped, library_, Random(block, mapped, 100));
  EXPECT_GT(busy.total_pj(), rest.total_pj());
  // The clock of the registers without a gate: both edges of 7 flip-flops and 4 gates, at least.
  EXPECT_GT(rest.clock_pj, 100 * 7 * 2 * 2.8 / 1000);
}

TEST(CellModels, TakeLibertysExpressions) {
  EXPECT_EQ(ToVerilogExpression("!(A1 & A2)"), "~(A1 & A2)");
  EXPECT_EQ(ToVerilogExpression("(!((A B)+C))"), "~((A & B) | C)");
  EXPECT_EQ(ToVerilogExpression("A^B'"), "(A ^ ~B)");
  EXPECT_EQ(ToVerilogExpression("A*B+!C D"), "((A & B) | (~C & D))");
  EXPECT_THROW(ToVerilogExpression("(A & "), Error);
}

TEST(Treemap, DrawsEachTileToScale) {
  const std::string svg = TreemapSvg("a < b", {{"small", 25}, {"large", 75}, {"none", 0}});
  EXPECT_THAT(svg, testing::HasSubstr("a &lt; b: 100 um2"));
  EXPECT_THAT(svg, testing::HasSubstr("width=\"720.00\" height=\"600.00\""));
  EXPECT_THAT(svg, testing::HasSubstr("width=\"240.00\" height=\"600.00\""));
  EXPECT_THAT(svg, testing::Not(testing::HasSubstr("none")));
}

}  // namespace
}  // namespace flagstone
