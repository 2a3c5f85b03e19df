#include "systemc/dram_socket.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/error.h"
#include "systemc/dram_body.h"
#include "systemc/scoped_kernel.h"
#include "tests/unit/systemc/simulation_fixture.h"

namespace flagstone {
namespace dram_socket_test {

// Takes requests and answers when the test says so.
class ManualTarget final : public DramTargetPort {
 public:
  ManualTarget() : DramTargetPort("target") {}
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time&) override {
    EXPECT_EQ(phase, tlm::BEGIN_REQ);
    payloads.push_back(&payload);
    if (hold) return tlm::TLM_ACCEPTED;
    phase = tlm::END_REQ;
    return tlm::TLM_UPDATED;
  }
  using DramTargetPort::Send;

  bool hold = false;
  std::vector<tlm::tlm_generic_payload*> payloads;
};

class Channel final : public sc_core::sc_module {
 public:
  explicit Channel(sc_core::sc_module_name name) : sc_core::sc_module(name) {}
  ManualTarget target;
};

class RecordingSlice final : public DramClient, public Clocked {
 public:
  void DramReply(uint16_t tag, SectorMask sectors) override { replies.emplace_back(tag, sectors); }
  void Sample(uint64_t) override {}
  void Commit(uint64_t) override {}
  uint64_t NextWork(uint64_t) const override { return kNever; }
  bool Drained() const override { return true; }
  std::string Leftover() const override { return ""; }

  std::vector<std::pair<uint16_t, SectorMask>> replies;
};

class DramSocketTest : public testing::Test {
 protected:
  DramSocketTest() {
    socket_.socket.bind(target_.socket);
    socket_.Connect(&slice_, &slice_);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }

  // A response from outside of any update phase, which the slice sees after the next one.
  void Send(tlm::tlm_generic_payload* payload, tlm::tlm_phase phase) {
    target_.Send(payload, phase);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }

  ScopedKernel kernel_;
  DramSocket socket_{"socket"};
  Channel channel_{"channel"};
  ManualTarget& target_ = channel_.target;
  RecordingSlice slice_;
};

TEST_F(DramSocketTest, ARequestIsOneRunOfBytesAndItsReplyHasTheSlicesTag) {
  socket_.Request({.line = 10, .tag = 7, .sectors = 0b0110, .write = false});
  ASSERT_EQ(target_.payloads.size(), 1U);
  tlm::tlm_generic_payload* payload = target_.payloads[0];
  EXPECT_TRUE(payload->is_read());
  EXPECT_EQ(payload->get_address(), 10U * 128 + 32);
  EXPECT_EQ(payload->get_data_length(), 64U);
  EXPECT_FALSE(socket_.Drained());
  target_.Send(payload, tlm::BEGIN_RESP);
  EXPECT_TRUE(slice_.replies.empty());  // not before the update phase
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  ASSERT_EQ(slice_.replies.size(), 1U);
  EXPECT_EQ(slice_.replies[0], (std::pair<uint16_t, SectorMask>{7, 0b0110}));
  EXPECT_TRUE(socket_.Drained());
}

TEST_F(DramSocketTest, TheSliceHoldsBackUntilTheRequestIsTaken) {
  target_.hold = true;
  socket_.Request({.line = 1, .tag = 1, .sectors = 1, .write = false});
  EXPECT_FALSE(socket_.CanRequest());
  Send(target_.payloads[0], tlm::END_REQ);
  EXPECT_TRUE(socket_.CanRequest());
  socket_.Request({.line = 2, .tag = 2, .sectors = 1, .write = true});
  EXPECT_FALSE(socket_.CanRequest());
  Send(target_.payloads[1], tlm::BEGIN_RESP);  // says END_REQ too
  EXPECT_TRUE(socket_.CanRequest());
  EXPECT_TRUE(slice_.replies.empty());  // a write has no reply
  EXPECT_FALSE(socket_.Drained());      // the read is still under way
}

TEST_F(DramSocketTest, ResponsesMayComeInAnyOrderAndPayloadsAreUsedAgain) {
  for (uint16_t tag = 0; tag < 3; ++tag) {
    socket_.Request({.line = tag, .tag = tag, .sectors = 1, .write = false});
  }
  const std::vector<tlm::tlm_generic_payload*> first = target_.payloads;
  for (const size_t i : {2U, 0U, 1U}) Send(first[i], tlm::BEGIN_RESP);
  EXPECT_EQ(slice_.replies[0].first, 2);
  EXPECT_EQ(slice_.replies[1].first, 0);
  EXPECT_EQ(slice_.replies[2].first, 1);
  socket_.Request({.line = 9, .tag = 9, .sectors = 1, .write = false});
  EXPECT_EQ(target_.payloads[3], first[1]);
}

TEST_F(DramSocketTest, AnAnnotatedDelayOrAnErrorResponseIsRefused) {
  socket_.Request({.line = 1, .tag = 1, .sectors = 1, .write = false});
  tlm::tlm_phase phase = tlm::BEGIN_RESP;
  sc_core::sc_time delay(1, sc_core::SC_NS);
  tlm::tlm_generic_payload* payload = target_.payloads[0];
  payload->set_response_status(tlm::TLM_OK_RESPONSE);
  EXPECT_THROW(target_.socket->nb_transport_bw(*payload, phase, delay), Error);
  delay = sc_core::SC_ZERO_TIME;
  payload->set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_THROW(target_.socket->nb_transport_bw(*payload, phase, delay), Error);
}

RunOutcome RunCold(const std::string& workload, std::vector<std::string> settings) {
  TestOptions options;
  options.settings = std::move(settings);
  options.cold_l2 = true;
  return RunOn(workload, options);
}

// The second body keeps time by itself: its replies come from a process of its own.
TEST(DramBody, AFixedBodyTakesItsLatencyAndItsBandwidth) {
  for (const char* workload : {"vecadd", "spmv", "histo"}) {
    const RunOutcome fixed = RunCold(workload, {"dram.model=fixed", "dram.fixed_latency=500"});
    for (const CheckResult& check : fixed.checks) EXPECT_TRUE(check.passed) << workload;
    const DramStatistics& dram = fixed.statistics.dram;
    EXPECT_GT(dram.reads, 0U);
    EXPECT_EQ(dram.activations, 0U);
    EXPECT_GE(dram.latency.cycles, dram.latency.count * (500 * 924 / 700));
  }
  const std::vector<std::string> narrow = {"dram.model=fixed", "dram.bus_bytes=1"};
  const RunOutcome slow = RunCold("vecadd", narrow);
  // A byte a cycle: nothing but the bus counts.
  EXPECT_GE(slow.statistics.cycles * 924 / 700, 32 * slow.statistics.dram.reads);
}

TEST(DramBody, SkippingChangesNothingUnderEitherBody) {
  for (const char* model : {"dram.model=fr-fcfs", "dram.model=fixed"}) {
    TestOptions options;
    options.settings = {model};
    options.cold_l2 = true;
    const RunOutcome skipping = RunOn("vecadd", options);
    options.force_every_tick = true;
    const RunOutcome ticking = RunOn("vecadd", options);
    for (const StatisticsField& field : StatisticsTable()) {
      const auto values = field.Get(skipping.statistics);
      const auto ticked = field.Get(ticking.statistics);
      EXPECT_TRUE(std::equal(values.begin(), values.end(), ticked.begin()))
          << model << ": " << field.name << " is " << values[0] << ", not " << ticked[0];
    }
  }
}

TEST(DramBody, AcknowledgedStoresHoldTheirTbsLonger) {
  TestOptions options;
  const RunOutcome sent = RunOn("vecadd", options);
  options.settings = {"l2.write_reply=acknowledge"};
  const RunOutcome acknowledged = RunOn("vecadd", options);
  EXPECT_GT(acknowledged.statistics.cycles, sent.statistics.cycles);
  EXPECT_EQ(acknowledged.statistics.l2.accesses, sent.statistics.l2.accesses);
  EXPECT_GT(acknowledged.statistics.noc.reply.packets, sent.statistics.noc.reply.packets);
}

}  // namespace dram_socket_test
}  // namespace flagstone
