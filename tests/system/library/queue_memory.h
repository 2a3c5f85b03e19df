// The memory of a TB scheduler's queue: a TLM-2.0 target, and the initiator at the block's memory
// port.
#ifndef QUEUE_MEMORY_H_
#define QUEUE_MEMORY_H_

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <deque>
#include <systemc>
#include <tlm>
#include <vector>

constexpr uint64_t kBase = 0x10000;  // of the queue

struct Memory : sc_core::sc_module {
  tlm_utils::simple_target_socket<Memory> socket{"socket"};
  std::vector<unsigned char> bytes;  // from kBase on

  explicit Memory(sc_core::sc_module_name name) : sc_core::sc_module(name) {
    socket.register_b_transport(this, &Memory::Transport);
  }

 private:
  void Transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    const uint64_t offset = payload.get_address() - kBase;
    if (offset + payload.get_data_length() > bytes.size()) {
      return payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    }
    std::memcpy(payload.get_data_ptr(), &bytes[offset], payload.get_data_length());
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    delay += sc_core::sc_time(20, sc_core::SC_NS);
  }
};

// From the block's memory port to a TLM-2.0 socket: answers come in the order of the requests.
struct QueueReader : sc_core::sc_module {
  tlm_utils::simple_initiator_socket<QueueReader> socket{"socket"};
  sc_core::sc_in<bool> clk_i{"clk_i"}, mem_req_valid_o{"mem_req_valid_o"};
  sc_core::sc_in<sc_dt::sc_bv<64>> mem_req_addr_o{"mem_req_addr_o"};
  sc_core::sc_in<sc_dt::sc_bv<6>> mem_req_size_o{"mem_req_size_o"};
  sc_core::sc_out<bool> mem_req_ready_i{"mem_req_ready_i"}, mem_rsp_valid_i{"mem_rsp_valid_i"};
  sc_core::sc_out<sc_dt::sc_bv<256>> mem_rsp_data_i{"mem_rsp_data_i"};

  SC_HAS_PROCESS(QueueReader);
  explicit QueueReader(sc_core::sc_module_name name) : sc_core::sc_module(name) {
    SC_METHOD(Edge);
    sensitive << clk_i.pos();
    dont_initialize();
    SC_THREAD(Read);
  }

 private:
  struct Request {
    uint64_t address;
    uint32_t bytes;
  };

  void Edge() {
    mem_req_ready_i.write(true);
    if (mem_req_ready_i.read() && mem_req_valid_o.read()) {
      requests_.push_back({mem_req_addr_o.read().to_uint64(), mem_req_size_o.read().to_uint()});
      asked_.notify();
    }
    mem_rsp_valid_i.write(!answers_.empty());
    if (answers_.empty()) return;
    mem_rsp_data_i.write(answers_.front());
    answers_.pop_front();
  }

  void Read() {
    for (;;) {
      while (requests_.empty()) wait(asked_);
      std::array<unsigned char, 32> sector = {};
      tlm::tlm_generic_payload payload;
      payload.set_read();
      payload.set_address(requests_.front().address);
      payload.set_data_ptr(sector.data());
      payload.set_data_length(requests_.front().bytes);
      payload.set_streaming_width(requests_.front().bytes);
      sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
      socket->b_transport(payload, delay);
      if (payload.is_response_error()) SC_REPORT_FATAL("memory", "a read outside the queue");
      wait(delay);
      sc_dt::sc_bv<256> answer;
      for (int byte = 0; byte < 32; ++byte) answer.range(8 * byte + 7, 8 * byte) = sector[byte];
      answers_.push_back(answer);
      requests_.pop_front();
    }
  }

  sc_core::sc_event asked_;
  std::deque<Request> requests_;
  std::deque<sc_dt::sc_bv<256>> answers_;
};

#endif  // QUEUE_MEMORY_H_
