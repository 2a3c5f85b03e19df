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
namespace gate_level_test {

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
            "paver_fetch_port", "table_storage", "age_order", "lru_of_4"})) {
    // Its 64-bit addresses would take longer than all else; gate_level_contract_test has them.
    if (block.name == "paver_group_dispatcher") block.parameters.push_back({"AddrWidth", 32});
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

TEST_F(GateLevel, CountsOperations) {
  std::vector<SynthBlock> blocks = SelectSynthBlocks({"lrr_tb_scheduler"});
  SetParameter(&blocks, "NumSm", 2);
  const MappedBlock mapped = ReadMapped(blocks[0], library_, One(blocks[0]).folder);
  // Reset, then a kernel of three TBs on SMs that are always free.
  NetStimulus stimulus = RandomStimulus(mapped.netlist, 20, 1);
  for (size_t cycle = 0; cycle < stimulus.rows.size(); ++cycle) {
    for (size_t i = 0; i < stimulus.inputs.size(); ++i) {
      const std::string& name = stimulus.inputs[i];
      const bool high = name == "rst_ni"                  ? cycle >= 2
                        : name == "start_i"               ? cycle == 3
                        : name.starts_with("tb_ready_i")  ? true
                        : name.starts_with("tb_count_i[") ? name.size() == 13 && name[11] < '2'
                                                          : false;
      stimulus.rows[cycle][i] = high ? '1' : '0';
    }
  }
  const ScratchFolder folder;
  const Replay replay = ReplayNetlist(blocks[0], mapped, library_, stimulus, false, folder.path());
  EXPECT_EQ(replay.differences, 0u) << replay.first;
  EXPECT_EQ(replay.operations, 3u);
}

class GateLevelProof : public GateLevel {
 protected:
  static Equivalence Prove(const SynthBlock& block, const MappedBlock& mapped) {
    const ScratchFolder folder;
    return ProveEquivalence(block, library_, mapped, folder.path());
  }
  static MappedBlock Mapped(const SynthBlock& block) {
    return ReadMapped(block, library_, One(block).folder);
  }
  // The first gate of this type becomes one of another with the same pins.
  static void Replace(const char* type, const char* wrong, MappedBlock* mapped) {
    for (NetlistCell& cell : mapped->netlist.cells) {
      if (cell.type_name != type) continue;
      cell.type = library_.Find(wrong);
      cell.type_name = wrong;
      return;
    }
    FAIL() << mapped->netlist.top << " has no " << type;
  }
};

// With flip-flops, clock gates, latches, a RAM; constants and sums. All blocks: synth --prove.
TEST_F(GateLevelProof, ShowsThatNetlistsAreEqual) {
  for (const SynthBlock& block : SelectSynthBlocks(
           {"fifo", "round_robin_pick", "round_robin_arbiter", "age_order", "lru_of_4",
            "tb_sequence", "outstanding_tbs", "paver_tb_queue", "table_storage"})) {
    const Equivalence result = Prove(block, Mapped(block));
    EXPECT_GT(result.points, 5u) << block.name;
    EXPECT_TRUE(result.proven) << block.name << ": " << result.different;
  }
}

TEST_F(GateLevelProof, FindsAWrongGate) {
  for (const SynthBlock& block : SelectSynthBlocks({"fifo", "outstanding_tbs", "table_storage"})) {
    if (block.parameters.back().name == "Style" && block.parameters.back().value == 2) continue;
    MappedBlock mapped = Mapped(block);
    Replace("NAND2_X1", "NOR2_X1", &mapped);
    EXPECT_FALSE(Prove(block, mapped).proven) << block.name;
  }
}

// The upper bits of a group's count are never 1: no flip-flop holds them.
class GateLevelProofWith3Sms : public GateLevelProof {
 protected:
  static SynthBlock Block() {
    std::vector<SynthBlock> blocks = SelectSynthBlocks({"outstanding_tbs"});
    SetParameter(&blocks, "NumSm", 3);
    return blocks[0];
  }
  // `nets`: of the cell's pins, inputs first.
  static void Add(const char* type, const std::vector<uint32_t>& nets, Netlist* netlist) {
    NetlistCell& cell = netlist->cells.emplace_back();
    cell.name = cell.type_name = type;
    cell.type = library_.Find(type);
    for (size_t i = 0; i < nets.size(); ++i) {
      const CellPin& pin = cell.type->pins[i];
      cell.pins.push_back({.pin = &pin, .name = pin.name, .net = nets[i], .input = pin.input});
    }
  }
  const SynthBlock block_ = Block();
  MappedBlock mapped_ = Mapped(block_);
  Netlist& netlist_ = mapped_.netlist;
};

TEST_F(GateLevelProofWith3Sms, TakesThemAs0WhereNothingDrivesThem) {
  for (const NetlistCell& cell : netlist_.cells) EXPECT_NE(cell.name, "parts_q[3]");
  const Equivalence result = Prove(block_, mapped_);
  EXPECT_TRUE(result.proven) << result.different;
}

TEST_F(GateLevelProofWith3Sms, TakesTieCells) {
  Add("LOGIC0_X1", {netlist_.net_of_name.at("parts_q[3]")}, &netlist_);
  const Equivalence result = Prove(block_, mapped_);
  EXPECT_TRUE(result.proven) << result.different;
}

TEST_F(GateLevelProofWith3Sms, FindsABitThatIsStuckAt1) {
  Add("LOGIC1_X1", {netlist_.net_of_name.at("parts_q[3]")}, &netlist_);
  EXPECT_FALSE(Prove(block_, mapped_).proven);
}

TEST_F(GateLevelProofWith3Sms, FindsABitThatIsStuckAt0) {
  const auto flip_flop =
      std::find_if(netlist_.cells.begin(), netlist_.cells.end(),
                   [](const NetlistCell& cell) { return cell.name == "parts_q[0]"; });
  ASSERT_NE(flip_flop, netlist_.cells.end());
  const uint32_t state = flip_flop->Net("Q"), inverse = flip_flop->Net("QN");
  netlist_.cells.erase(flip_flop);
  EXPECT_THROW(Prove(block_, mapped_), Error) << "what read it floats";
  for (NetlistCell& cell : netlist_.cells) {
    for (NetlistPin& pin : cell.pins) {
      if (pin.net == state) pin.net = 0;
      if (pin.net == inverse) pin.net = 1;
    }
  }
  const Equivalence result = Prove(block_, mapped_);
  EXPECT_FALSE(result.proven);
  EXPECT_THAT(result.different, testing::HasSubstr("parts[0].next"));
}

TEST_F(GateLevelProofWith3Sms, FindsAnOutputThatIsInverted) {
  const auto port = std::find_if(netlist_.ports.begin(), netlist_.ports.end(),
                                 [](const NetlistPort& each) { return each.name == "none_o"; });
  ASSERT_NE(port, netlist_.ports.end());
  const auto inverted = static_cast<uint32_t>(netlist_.nets.size());
  netlist_.nets.push_back("inverted");
  Add("INV_X1", {port->net, inverted}, &netlist_);
  port->net = inverted;
  const Equivalence result = Prove(block_, mapped_);
  EXPECT_FALSE(result.proven);
  EXPECT_THAT(result.different, testing::HasSubstr("none_o"));
}

TEST_F(GateLevelProof, FindsARegisterThatFollowsAnothersEnable) {
  const SynthBlock block = SelectSynthBlocks({"fifo"}).at(0);
  MappedBlock mapped = Mapped(block);
  std::vector<NetlistCell*> gates;
  for (NetlistCell& cell : mapped.netlist.cells) {
    if (cell.type != nullptr && cell.type->kind == CellKind::kClockGate) gates.push_back(&cell);
  }
  ASSERT_GE(gates.size(), 2u);
  std::swap(gates[0]->pins, gates[1]->pins);  // twice the same change: nothing differs
  EXPECT_TRUE(Prove(block, mapped).proven);
  for (NetlistPin& pin : gates[0]->pins) {
    if (pin.name == gates[0]->type->data) pin.net = gates[1]->Net(gates[1]->type->data);
  }
  EXPECT_FALSE(Prove(block, mapped).proven);
}

TEST_F(GateLevel, SpendsEnergyWhereItMoves) {
  const SynthBlock block = SelectSynthBlocks({"fifo"}).at(0);
  const MappedBlock mapped = ReadMapped(block, library_, One(block).folder);
  NetStimulus idle = RandomStimulus(mapped.netlist, 100, 1);
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

}  // namespace gate_level_test
}  // namespace flagstone
