// A Verilated TB scheduler driven through the seam's plain structs.
//
// This header and tb_scheduler_abi.h are also compiled into the shared libraries that are Verilated
// on first use, so they depend on nothing but the port structs and Verilator's own headers.
#ifndef FLAGSTONE_SYSTEMC_BODIES_VERILATED_TB_SCHEDULER_H_
#define FLAGSTONE_SYSTEMC_BODIES_VERILATED_TB_SCHEDULER_H_

#include <verilated.h>
#include <verilated_fst_c.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>

#include "gpu_model/blocks/tb_scheduler/ports.h"

namespace flagstone {

// Verilator gives a port the narrowest type that holds it: an integer up to 64 bits, else an array
// of 32-bit words. These three hide the difference.
template <class Port>
uint32_t PortWord(const Port& port, uint32_t word) {
  if constexpr (std::is_integral_v<Port>) {
    return static_cast<uint32_t>(static_cast<uint64_t>(port) >> (32 * word));
  } else {
    return port[word];
  }
}

template <uint32_t kBits, class Port>
void SetPort(Port& port, const std::array<uint64_t, 2>& value) {
  // Verilator expects the bits above a port's width to be zero.
  if constexpr (std::is_integral_v<Port>) {
    constexpr uint64_t kMask = kBits >= 64 ? ~uint64_t{0} : (uint64_t{1} << (kBits % 64)) - 1;
    port = static_cast<Port>(value[0] & kMask);
  } else {
    constexpr uint32_t kWords = (kBits + 31) / 32;
    constexpr uint32_t kTopBits = kBits - 32 * (kWords - 1);
    constexpr uint32_t kTopMask =
        kTopBits == 32 ? ~uint32_t{0} : (uint32_t{1} << (kTopBits % 32)) - 1;
    for (uint32_t word = 0; word < kWords; ++word) {
      const auto bits = static_cast<uint32_t>(value[word / 2] >> (32 * (word % 2)));
      port[word] = word == kWords - 1 ? bits & kTopMask : bits;
    }
  }
}

template <uint32_t kBits, class Port>
void GetMask(const Port& port, SmMask* mask) {
  if constexpr (std::is_integral_v<Port>) {
    (*mask)[0] = static_cast<uint64_t>(port);
  } else {
    for (uint32_t word = 0; word < (kBits + 31) / 32; word += 2) {
      const uint64_t high = word + 1 < (kBits + 31) / 32 ? port[word + 1] : 0;
      (*mask)[word / 2] = uint64_t{port[word]} | (high << 32);
    }
  }
}

// VModel: the class that Verilator made of a dispatcher's RTL (rtl/*/*_tb_scheduler.sv) with NumSm
// = kNumSms and IdWidth = kIdBits.
template <class VModel, uint32_t kNumSms, uint32_t kIdBits>
class VerilatedTbScheduler {
 public:
  // `scope`: where waves show the ports, one scope per word ("gpu tb_scheduler"). `traced` must be
  // true if a wave is ever to be opened; it costs some speed. `reset_seed` other than 0 fills all
  // registers with random bits before reset, so that a register that reset forgets shows.
  VerilatedTbScheduler(const char* scope, bool traced, uint64_t reset_seed) {
    context_.fatalOnError(false);  // a failed assertion fails the run, not the process
    context_.randReset(reset_seed == 0 ? 0 : 2);
    if (reset_seed != 0) context_.randSeed(static_cast<int>(reset_seed & 0x7fffffff));
    context_.traceEverOn(traced);
    model_ = std::make_unique<VModel>(&context_, scope);
    Reset();
  }

  ~VerilatedTbScheduler() {
    Enter();
    wave_.reset();
    model_->final();
    model_.reset();
    Verilated::threadContextp(nullptr);
  }

  VerilatedTbScheduler(const VerilatedTbScheduler&) = delete;
  VerilatedTbScheduler& operator=(const VerilatedTbScheduler&) = delete;

  void Reset() {
    Enter();
    Drive(TbSchedulerIn{});
    model_->rst_ni = 0;
    Edge();
    model_->rst_ni = 1;
    Read();
  }

  // False when an assertion in the RTL has failed at this edge (Verilator has printed which).
  bool Tick(const TbSchedulerIn& in) {
    Enter();
    Drive(in);
    Edge();
    Read();
    return !context_.gotError();
  }

  // As Tick, and the cycle goes into the open wave: cycle c begins at c ns with the clock's rise.
  bool TickTraced(const TbSchedulerIn& in, uint64_t cycle) {
    Enter();
    Drive(in);
    model_->eval();
    wave_->dump(cycle * 1000);
    model_->clk_i = 0;
    model_->eval();
    wave_->dump(cycle * 1000 + 500);
    model_->clk_i = 1;
    model_->eval();
    Read();
    return !context_.gotError();
  }

  const TbSchedulerOut* outputs() const { return &out_; }

  // False when the file cannot be written.
  bool OpenWave(const char* file) {
    if (!wave_) {
      wave_ = std::make_unique<VerilatedFstC>();
      model_->trace(wave_.get(), 99);
    }
    wave_->open(file);
    return wave_->isOpen();
  }

  void CloseWave() {
    if (wave_ && wave_->isOpen()) wave_->close();
  }

 private:
  static constexpr uint32_t kIdWords = (kNumSms * kIdBits + 31) / 32;
  static constexpr uint32_t kIdsPerWord = 32 / kIdBits;

  // Verilator's runtime reports assertions to, and destroys scopes in, the calling thread's
  // context.
  void Enter() {
    if (Verilated::threadContextp() != &context_) Verilated::threadContextp(&context_);
  }

  void Drive(const TbSchedulerIn& in) {
    VModel& m = *model_;
    m.start_i = in.start;
    m.queue_base_i = in.queue_base;
    m.queue_count_i = in.queue_count;
    m.steal_enable_i = in.steal_enable;
    if (in.start) {  // sampled only then
      for (uint32_t word = 0; word < in.settings.size(); ++word) {
        m.settings_i[word] = in.settings[word];
      }
    }
    SetPort<kNumSms>(m.tb_ready_i, in.tb_ready);
    SetPort<kNumSms>(m.tb_done_i, in.tb_done);
    m.mem_req_ready_i = in.mem_req_ready;
    m.mem_rsp_valid_i = in.mem_rsp_valid;
    SetPort<128>(m.mem_rsp_data_i, in.mem_rsp_data);
  }

  // The rising edge. The falling one comes just before, so that between calls the clock is high, as
  // in the first half of a cycle.
  void Edge() {
    model_->clk_i = 0;
    model_->eval();
    model_->clk_i = 1;
    model_->eval();
  }

  void Read() {
    const VModel& m = *model_;
    GetMask<kNumSms>(m.tb_valid_o, &out_.tb_valid);
    // Few of the ids change from one cycle to the next.
    for (uint32_t word = 0; word < kIdWords; ++word) {
      const uint32_t bits = PortWord(m.tb_id_o, word);
      if (bits != id_words_[word]) UnpackIds(word, bits);
    }
    out_.busy = m.busy_o != 0;
    out_.quiescent = m.quiescent_o != 0;
    GetMask<kNumSms>(m.wants_context_o, &out_.wants_context);
    out_.mem_req_valid = m.mem_req_valid_o != 0;
    out_.mem_req_addr = m.mem_req_addr_o;
    out_.mem_req_size = m.mem_req_size_o;
    out_.steal_valid = m.steal_valid_o != 0;
    out_.steal_count = m.steal_count_o;
    out_.steal_donor = m.steal_donor_o;
    out_.steal_thief = m.steal_thief_o;
  }

  void UnpackIds(uint32_t word, uint32_t bits) {
    id_words_[word] = bits;
    for (uint32_t i = 0; i < kIdsPerWord; ++i) {
      const uint32_t sm = word * kIdsPerWord + i;
      if (sm >= kNumSms) return;
      out_.tb_id[sm] = kIdBits == 32 ? bits : (bits >> (kIdBits * i)) & 0xffffu;
    }
  }

  VerilatedContext context_;
  std::unique_ptr<VModel> model_;
  std::unique_ptr<VerilatedFstC> wave_;
  TbSchedulerOut out_;
  std::array<uint32_t, kIdWords> id_words_ = {};
};

}  // namespace flagstone

#endif  // FLAGSTONE_SYSTEMC_BODIES_VERILATED_TB_SCHEDULER_H_
