// PAVER's wide TB scheduler as a SystemC module, behind signals that are named as the RTL's ports.
#ifndef PAVER_WIDE_MODULE_H_
#define PAVER_WIDE_MODULE_H_

#include <flagstone/blocks.h>

#include <array>
#include <cstdint>
#include <systemc>
#include <type_traits>

constexpr int kSms = 15, kIdWidth = 16;

inline void Check(flagstone_status status) {
  if (status != FLAGSTONE_OK) SC_REPORT_FATAL("flagstone", flagstone_error());
}

struct PaverWide : sc_core::sc_module {
  sc_core::sc_in<bool> clk_i{"clk_i"}, rst_ni{"rst_ni"}, start_i{"start_i"};
  sc_core::sc_in<sc_dt::sc_bv<64>> queue_base_i{"queue_base_i"};
  sc_core::sc_in<sc_dt::sc_bv<32>> queue_count_i{"queue_count_i"};
  sc_core::sc_in<sc_dt::sc_bv<2>> steal_rule_i{"steal_rule_i"};
  sc_core::sc_in<sc_dt::sc_bv<kSms>> tb_ready_i{"tb_ready_i"}, tb_done_i{"tb_done_i"};
  sc_core::sc_in<bool> mem_req_ready_i{"mem_req_ready_i"}, mem_rsp_valid_i{"mem_rsp_valid_i"};
  sc_core::sc_in<sc_dt::sc_bv<256>> mem_rsp_data_i{"mem_rsp_data_i"};
  sc_core::sc_out<sc_dt::sc_bv<kSms>> tb_valid_o{"tb_valid_o"};
  sc_core::sc_out<sc_dt::sc_bv<kSms * kIdWidth>> tb_id_o{"tb_id_o"};
  sc_core::sc_out<bool> busy_o{"busy_o"}, mem_req_valid_o{"mem_req_valid_o"};
  sc_core::sc_out<sc_dt::sc_bv<64>> mem_req_addr_o{"mem_req_addr_o"};
  sc_core::sc_out<sc_dt::sc_bv<6>> mem_req_size_o{"mem_req_size_o"};

  SC_HAS_PROCESS(PaverWide);
  PaverWide(sc_core::sc_module_name name, flagstone_body body) : sc_core::sc_module(name) {
    Check(flagstone_create("paver_wide_tb_scheduler", "NumSm=15 IdWidth=16", body, &block_));
    SC_METHOD(Edge);
    sensitive << clk_i.pos();
    dont_initialize();
  }
  ~PaverWide() override { flagstone_destroy(block_); }

 private:
  void Edge() {
    if (rst_ni.read()) {
      Drive(start_i, queue_base_i, queue_count_i, steal_rule_i, tb_ready_i, tb_done_i,
            mem_req_ready_i, mem_rsp_valid_i, mem_rsp_data_i);
      Check(flagstone_tick(block_));
    } else {
      Check(flagstone_reset(block_));
    }
    Show(tb_valid_o, tb_id_o, busy_o, mem_req_valid_o, mem_req_addr_o, mem_req_size_o);
  }

  template <class... Ports>
  void Drive(const Ports&... ports) {
    (Set(flagstone_input(block_, ports.basename()), ports.read()), ...);
  }
  template <class... Ports>
  void Show(Ports&... ports) {
    (ports.write(Get<typename Ports::data_type>(flagstone_output(block_, ports.basename()))), ...);
  }

  void Set(int port, bool value) { Check(flagstone_set_lane(block_, port, 0, value)); }
  template <int kWidth>
  void Set(int port, const sc_dt::sc_bv<kWidth>& value) {
    std::array<uint64_t, (kWidth + 63) / 64> words = {};
    for (int word = 0; word < (kWidth + 31) / 32; ++word) {
      words[word / 2] |= uint64_t{value.get_word(word)} << (word % 2 * 32);
    }
    Check(flagstone_set(block_, port, words.data()));
  }
  template <class Value>
  Value Get(int port) const {
    if constexpr (std::is_same_v<Value, bool>) {
      return flagstone_lane(block_, port, 0) != 0;
    } else {
      Value value;
      std::array<uint64_t, 8> words = {};
      Check(flagstone_get(block_, port, words.data()));
      for (int word = 0; word < value.size(); ++word) {
        value.set_word(word, static_cast<uint32_t>(words[word / 2] >> (word % 2 * 32)));
      }
      return value;
    }
  }

  flagstone_block* block_ = nullptr;
};

#endif  // PAVER_WIDE_MODULE_H_
