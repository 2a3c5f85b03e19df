// Fails when an instruction that the parser takes and the executor runs has no conformance case. It
// runs after all other tests of this program, which note what they hold against an oracle.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "tests/unit/conformance/coverage.h"

namespace flagstone::conformance {
namespace completeness_test {

using ptx::Opcode;

// Instructions without a value; tests/unit/gpu_model/simt/ has them.
bool HasNoValue(const ptx::Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::kBra:
    case Opcode::kRet:
    case Opcode::kExit:
    case Opcode::kTrap:
    case Opcode::kBrkpt:
    case Opcode::kMembar:
    case Opcode::kFence:
    case Opcode::kNanosleep:
    case Opcode::kPrefetch:
    case Opcode::kGriddepcontrol:
    case Opcode::kSetmaxnreg:
      return true;
    case Opcode::kBar:
      return instruction.modifiers.barrier_op != ptx::BarrierOp::kRed;
    case Opcode::kCpAsync:
      return instruction.modifiers.prefetch;
    default:
      return false;
  }
}

TEST(Completeness, KnowsTheFormsOfTheTable) {
  std::set<std::string> names;
  for (const Form& form : InstructionForms()) names.insert(form.name);
  // "bar" and "barrier", "prefetch" and "prefetchu" are two names of the same.
  EXPECT_GT(names.size(), 2500U);
  EXPECT_TRUE(names.contains("add.rn.ftz.sat.f32"));
  EXPECT_TRUE(names.contains("setp.lt.and.s32"));
  EXPECT_TRUE(names.contains("cvt.rzi.u64.f32"));
  EXPECT_TRUE(names.contains("shfl.sync.bfly.b32"));
  EXPECT_TRUE(names.contains("tex.a2d.f32.f32"));
  EXPECT_FALSE(names.contains("add.sat.u32"));
}

TEST(Completeness, TheExecutorRunsAllThatTheParserTakes) {
  for (const Form& form : InstructionForms()) {
    EXPECT_EQ(Refusal(form), "") << form.text;
  }
}

class EveryFormHasACase : public testing::Environment {
 public:
  void TearDown() override {
    if (testing::GTEST_FLAG(filter) != "*") return;
    std::vector<std::string> missing;
    for (const Form& form : InstructionForms()) {
      if (HasNoValue(form.instruction)) continue;
      if (!Covered().contains(form.name)) missing.push_back(form.name);
    }
    std::string list;
    for (size_t i = 0; i < std::min<size_t>(missing.size(), 60); ++i) list += " " + missing[i];
    EXPECT_TRUE(missing.empty()) << missing.size() << " forms have no conformance case:" << list;
  }
};
const auto* const environment = testing::AddGlobalTestEnvironment(new EveryFormHasACase);

}  // namespace completeness_test
}  // namespace flagstone::conformance
