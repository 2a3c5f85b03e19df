// A SystemC platform: PAVER's TB scheduler as a module with the RTL's ports, SMs at its signals,
// and its queue in a TLM-2.0 memory. usage: systemc_client KERNEL.ptx model|rtl|lockstep
#include <flagstone/blocks.h>

#include <array>
#include <cstdio>
#include <deque>
#include <fstream>
#include <iterator>
#include <string>
#include <systemc>

#include "paver_wide_module.h"
#include "queue_memory.h"

namespace {

using namespace sc_core;  // NOLINT
using sc_dt::sc_bv;

constexpr uint32_t kTbsPerSm = 6, kTbs = 256;

struct Sms : sc_module {
  sc_in<bool> clk_i{"clk_i"};
  sc_in<sc_bv<kSms>> tb_valid_o{"tb_valid_o"};
  sc_in<sc_bv<kSms * kIdWidth>> tb_id_o{"tb_id_o"};
  sc_out<sc_bv<kSms>> tb_ready_i{"tb_ready_i"}, tb_done_i{"tb_done_i"};
  std::array<int, kTbs> issued = {};

  SC_HAS_PROCESS(Sms);
  explicit Sms(sc_module_name name) : sc_module(name) {
    SC_METHOD(Edge);
    sensitive << clk_i.pos();
    dont_initialize();
  }

 private:
  void Edge() {
    ++cycle_;
    sc_bv<kSms> ready, done;
    for (int sm = 0; sm < kSms; ++sm) {
      std::deque<uint64_t>& ends = ends_[sm];
      if (tb_ready_i.read()[sm].to_bool() && tb_valid_o.read()[sm].to_bool()) {
        const int first = sm * kIdWidth;
        ++issued.at(tb_id_o.read().range(first + kIdWidth - 1, first).to_uint());
        ends.push_back(cycle_ + 120);
      }
      done[sm] = !ends.empty() && ends.front() <= cycle_;
      if (done[sm].to_bool()) ends.pop_front();
      ready[sm] = ends.size() < kTbsPerSm;
    }
    tb_ready_i.write(ready);
    tb_done_i.write(done);
  }

  uint64_t cycle_ = 0;
  std::array<std::deque<uint64_t>, kSms> ends_;
};

// C += A * A^T of 256 x 256.
flagstone_groups* GroupsOf(const char* file) {
  std::ifstream stream(file);
  const std::string ptx{std::istreambuf_iterator<char>(stream), {}};
  const uint64_t a = 0x200000000, c = 0x200100000;
  const float alpha = 1.5F, beta = 0.5F;
  const uint32_t n = 256, m = 256;
  const void* arguments[] = {&a, &c, &alpha, &beta, &n, &m};
  const flagstone_launch launch = {ptx.c_str(), "syrk", {8, 32, 1}, {32, 8, 1}, 0, arguments, 6};
  flagstone_groups* groups = nullptr;
  Check(flagstone_group(&launch, "rb", kSms, kTbsPerSm, &groups));
  return groups;
}

}  // namespace

int sc_main(int argc, char** argv) {
  if (argc != 3) return 2;
  const std::string body = argv[2];
  PaverWide scheduler("tb_scheduler", body == "rtl"        ? FLAGSTONE_RTL
                                      : body == "lockstep" ? FLAGSTONE_LOCKSTEP
                                                           : FLAGSTONE_MODEL);
  Memory memory("memory");
  QueueReader reader("reader");
  Sms sms("sms");
  reader.socket.bind(memory.socket);
  flagstone_groups* groups = GroupsOf(argv[1]);
  memory.bytes.resize(flagstone_image_bytes(groups, kIdWidth, FLAGSTONE_SECTORS));
  Check(flagstone_image(groups, kBase, kIdWidth, FLAGSTONE_SECTORS, memory.bytes.data(),
                        memory.bytes.size()));

  sc_clock clk_i("clk_i", 2, SC_NS);
  sc_signal<bool> rst_ni, start_i, busy_o, mem_req_ready_i, mem_req_valid_o, mem_rsp_valid_i;
  sc_signal<sc_bv<64>> queue_base_i, mem_req_addr_o;
  sc_signal<sc_bv<32>> queue_count_i;
  sc_signal<sc_bv<2>> steal_rule_i;
  sc_signal<sc_bv<kSms>> tb_ready_i, tb_done_i, tb_valid_o;
  sc_signal<sc_bv<kSms * kIdWidth>> tb_id_o;
  sc_signal<sc_bv<256>> mem_rsp_data_i;
  sc_signal<sc_bv<6>> mem_req_size_o;
  scheduler.clk_i(clk_i), reader.clk_i(clk_i), sms.clk_i(clk_i);
  scheduler.rst_ni(rst_ni), scheduler.start_i(start_i), scheduler.busy_o(busy_o);
  scheduler.queue_base_i(queue_base_i), scheduler.queue_count_i(queue_count_i);
  scheduler.steal_rule_i(steal_rule_i);
  scheduler.tb_ready_i(tb_ready_i), sms.tb_ready_i(tb_ready_i);
  scheduler.tb_done_i(tb_done_i), sms.tb_done_i(tb_done_i);
  scheduler.tb_valid_o(tb_valid_o), sms.tb_valid_o(tb_valid_o);
  scheduler.tb_id_o(tb_id_o), sms.tb_id_o(tb_id_o);
  scheduler.mem_req_ready_i(mem_req_ready_i), reader.mem_req_ready_i(mem_req_ready_i);
  scheduler.mem_rsp_valid_i(mem_rsp_valid_i), reader.mem_rsp_valid_i(mem_rsp_valid_i);
  scheduler.mem_rsp_data_i(mem_rsp_data_i), reader.mem_rsp_data_i(mem_rsp_data_i);
  scheduler.mem_req_valid_o(mem_req_valid_o), reader.mem_req_valid_o(mem_req_valid_o);
  scheduler.mem_req_addr_o(mem_req_addr_o), reader.mem_req_addr_o(mem_req_addr_o);
  scheduler.mem_req_size_o(mem_req_size_o), reader.mem_req_size_o(mem_req_size_o);

  sc_start(4, SC_NS);
  rst_ni.write(true);
  start_i.write(true);
  queue_base_i.write(kBase);
  queue_count_i.write(flagstone_groups_count(groups));
  steal_rule_i.write(flagstone_groups_steal_rule(groups));
  flagstone_groups_destroy(groups);
  sc_start(2, SC_NS);
  start_i.write(false);
  uint64_t cycles = 0;
  do {
    sc_start(2, SC_NS);
  } while (busy_o.read() && ++cycles < 100000);
  for (uint32_t tb = 0; tb < kTbs; ++tb) {
    if (sms.issued[tb] == 1) continue;
    std::fprintf(stderr, "TB %u was issued %d times\n", tb, sms.issued[tb]);
    return 1;
  }
  std::printf("256 TBs, each once, in %llu cycles\n", static_cast<unsigned long long>(cycles));
  return 0;
}
