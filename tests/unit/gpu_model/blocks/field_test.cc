#include "gpu_model/blocks/field.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "gpu_model/blocks/field_rows.h"
#include "gpu_model/blocks/tb_scheduler/fields.h"

namespace flagstone {
namespace field_test {

// A table that forgets a port, or reads another port's member, fails here.
template <class Ports>
void ExpectEachFieldHasAMemberOfItsOwn(const FieldTable<Ports>& table) {
  for (const auto& field : table) {
    for (uint32_t lane = 0; lane < field.lanes; ++lane) {
      Ports ports;
      const uint64_t before = field.get(ports, lane)[0];
      field.set(&ports, lane, {before ^ 1, 0});
      for (const auto& other : table) {
        for (uint32_t other_lane = 0; other_lane < other.lanes; ++other_lane) {
          const bool same = &other == &field && other_lane == lane;
          const bool changed = other.get(ports, other_lane) != other.get(Ports{}, other_lane);
          EXPECT_EQ(changed, same) << FieldName(field, lane) << " " << FieldName(other, other_lane);
        }
      }
    }
  }
}

TEST(TbSchedulerFields, EachHaveAMemberOfTheirOwn) {
  for (const TbSchedulerDescriptor* kind : AllTbSchedulers()) {
    SCOPED_TRACE(kind->name);
    ExpectEachFieldHasAMemberOfItsOwn(TbSchedulerInputs(*kind, 3, 16));
    ExpectEachFieldHasAMemberOfItsOwn(TbSchedulerOutputs(*kind, 3, 16));
  }
}

std::vector<std::string_view> NamesOf(const auto& table) {
  std::vector<std::string_view> names;
  for (const auto& field : table) names.push_back(field.name);
  return names;
}

// PAVER alone reads a queue in memory, steals, and shows the steals.
TEST(TbSchedulerFields, AreThoseThatMeanSomethingToTheTbScheduler) {
  using testing::ElementsAre;
  EXPECT_THAT(NamesOf(TbSchedulerInputs(*FindTbScheduler("lrr"), 3, 16)),
              ElementsAre("start", "tb_count", "abort", "tb_ready", "tb_done"));
  EXPECT_THAT(
      NamesOf(TbSchedulerInputs(*FindTbScheduler("swizzle"), 3, 16)),
      ElementsAre("start", "tb_count", "row_tbs", "band_rows", "abort", "tb_ready", "tb_done"));
  EXPECT_THAT(NamesOf(TbSchedulerInputs(*FindTbScheduler("chunk"), 3, 16)),
              ElementsAre("start", "share_tbs", "extra_sms", "abort", "tb_ready", "tb_done"));
  EXPECT_THAT(NamesOf(TbSchedulerOutputs(*FindTbScheduler("lrr"), 3, 16)),
              ElementsAre("tb_valid", "tb_id", "busy", "quiescent", "wants_context"));
  for (const TbSchedulerDescriptor* kind : AllTbSchedulers()) {
    const bool memory = kind->has_queue;
    const auto inputs = NamesOf(TbSchedulerInputs(*kind, 3, 16));
    const auto outputs = NamesOf(TbSchedulerOutputs(*kind, 3, 16));
    for (const char* name : {"queue_base", "steal_rule", "mem_rsp_data"}) {
      EXPECT_EQ(std::count(inputs.begin(), inputs.end(), name), memory) << name;
    }
    EXPECT_EQ(std::count(outputs.begin(), outputs.end(), "steal_valid"), memory);
  }
}

TEST(TbSchedulerFields, CountTbsInOneBitMoreThanTheirIds) {
  const auto width = [](uint32_t id_bits) {
    return TbSchedulerInputs(*FindTbScheduler("lrr"), 3, id_bits).at(1).width;
  };
  EXPECT_EQ(width(16), 17u);
  EXPECT_EQ(width(32), 32u);
}

TEST(TbSchedulerFields, HaveTheGoverningValidOfTheProtocol) {
  const auto valid_of = [](const auto& table, std::string_view name) -> std::string_view {
    for (const auto& field : table) {
      if (field.name != name) continue;
      return field.valid.empty() ? "" : table[field.valid_row].name;
    }
    return "no such field";
  };
  const auto inputs = TbSchedulerInputs(*FindTbScheduler("paver"), 2, 16);
  EXPECT_EQ(valid_of(inputs, "start"), "");
  EXPECT_EQ(valid_of(inputs, "queue_base"), "start");
  EXPECT_EQ(valid_of(inputs, "queue_count"), "start");
  EXPECT_EQ(valid_of(inputs, "steal_rule"), "start");
  EXPECT_EQ(valid_of(inputs, "mem_rsp_data"), "mem_rsp_valid");
  const auto outputs = TbSchedulerOutputs(*FindTbScheduler("paver"), 2, 16);
  EXPECT_EQ(valid_of(outputs, "tb_id"), "tb_valid");
  EXPECT_EQ(valid_of(outputs, "mem_req_addr"), "mem_req_valid");
  EXPECT_EQ(valid_of(outputs, "mem_req_size"), "mem_req_valid");
  EXPECT_EQ(valid_of(outputs, "steal_count"), "steal_valid");
  EXPECT_EQ(valid_of(outputs, "steal_donor"), "steal_valid");
  EXPECT_EQ(valid_of(outputs, "steal_thief"), "steal_valid");
}

TEST(FieldTable, FindsAValidByItsNameWhereverItStands) {
  using Out = TbSchedulerOut;
  const FieldTable<Out> table = {Scalar<&Out::busy>("busy", 1),
                                 Scalar<&Out::quiescent>("quiescent", 1),
                                 Scalar<&Out::mem_req_valid>("mem_req_valid", 1),
                                 Scalar<&Out::mem_req_addr>("mem_req_addr", 64, "mem_req_valid")};
  EXPECT_EQ(table["mem_req_addr"].valid_row, 2U);
  Out out;
  out.busy = true;  // which a wrong row would take for the valid
  EXPECT_FALSE(IsGoverned(table, table["mem_req_addr"], out, 0));
  out.mem_req_valid = true;
  EXPECT_TRUE(IsGoverned(table, table["mem_req_addr"], out, 0));
}

TEST(FieldTable, RefusesAValidThatDoesNotStandAboveItsField) {
  using Out = TbSchedulerOut;
  FieldTable<Out> table;
  EXPECT_THROW(table.push_back(Scalar<&Out::mem_req_addr>("mem_req_addr", 64, "mem_req_valid")),
               Error);
  EXPECT_THROW(table["mem_req_addr"], Error);
}

TEST(TbSchedulerFields, TheSizeOfARequestSaysAllBytesOfAnAnswer) {
  for (const TbSchedulerDescriptor* kind : AllTbSchedulers()) {
    if (!kind->has_queue) continue;
    const auto& answer = TbSchedulerInputs(*kind, 3, 16)["mem_rsp_data"];
    const uint32_t bytes = answer.width * answer.lanes / 8;
    const uint32_t bits = TbSchedulerOutputs(*kind, 3, 16)["mem_req_size"].width;
    EXPECT_GT(uint32_t{1} << bits, bytes) << kind->name;
    EXPECT_LE(uint32_t{1} << (bits - 1), bytes) << kind->name;
  }
}

TEST(FirstDifference, ListensToAPayloadOnlyWhereBothValidsAreSet) {
  const auto table = TbSchedulerOutputs(*FindTbScheduler("paver"), 2, 16);
  TbSchedulerOut a;
  TbSchedulerOut b;
  b.tb_id[1] = 5;
  EXPECT_FALSE(FirstDifference(table, a, b).has_value());
  SetBit(&a.tb_valid, 1);
  SetBit(&b.tb_valid, 1);
  const auto difference = FirstDifference(table, a, b);
  ASSERT_TRUE(difference.has_value());
  EXPECT_EQ(FieldName(*difference->field, difference->lane), "tb_id[1]");
  EXPECT_EQ(difference->a[0], 0u);
  EXPECT_EQ(difference->b[0], 5u);
}

TEST(FirstDifference, NamesTheValidThatDiffersBeforeItsPayload) {
  const auto table = TbSchedulerOutputs(*FindTbScheduler("paver"), 2, 16);
  TbSchedulerOut a;
  TbSchedulerOut b;
  SetBit(&b.tb_valid, 0);
  b.tb_id[0] = 9;
  const auto difference = FirstDifference(table, a, b);
  ASSERT_TRUE(difference.has_value());
  EXPECT_EQ(FieldName(*difference->field, difference->lane), "tb_valid[0]");
}

TEST(FieldText, IsABitOrHexadecimal) {
  EXPECT_EQ(FieldText({1, 0}, 1), "1");
  EXPECT_EQ(FieldText({0, 0}, 1), "0");
  EXPECT_EQ(FieldText({0x2f, 0}, 16), "0x2f");
  EXPECT_EQ(FieldText({0x2f, 0x1}, 128), "0x1000000000000002f");
}

}  // namespace field_test
}  // namespace flagstone
