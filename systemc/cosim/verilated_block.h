// What a Verilated class needs to stand behind a BlockAbi: context, clock, reset, wave.
//
// Included by the one file per library that verilator_build.cc writes. That file derives a class
// from Verilator's: a constructor that takes context and name; ListPorts, whose body is the port
// declarations of Verilator's header themselves, taken as calls by the macros of verilated_ports.h;
// SetClock and SetReset, which do nothing where there is no such port; and kForgetsClock, with
// ForgetClock where it is true. C++17, whose headers take the compiler two thirds of C++20's time.
#ifndef FLAGSTONE_SYSTEMC_COSIM_VERILATED_BLOCK_H_
#define FLAGSTONE_SYSTEMC_COSIM_VERILATED_BLOCK_H_

#include <verilated.h>
#if VM_TRACE_FST
#include <verilated_fst_c.h>
#endif
#if VM_COVERAGE
#include <verilated_cov.h>
#endif

#include <cstring>
#include <memory>
#include <vector>

#include "systemc/cosim/block_abi.h"

namespace flagstone {

class PortList {
 public:
  // `reference`: "&clk_i", as Verilator writes it.
  void Add(const char* reference, bool output, void* data, uint32_t msb, uint32_t lsb) {
    ports_.push_back({reference + 1, msb - lsb + 1, output, data});
  }
  const std::vector<BlockPort>& ports() const { return ports_; }

 private:
  std::vector<BlockPort> ports_;
};

template <class Model>
class VerilatedBlock {
 public:
  VerilatedBlock(const char* scope, uint64_t reset_seed) {
    context_.fatalOnError(false);  // a failed assertion fails the run, not the process
    context_.randReset(reset_seed == 0 ? 0 : 2);
    if (reset_seed != 0) context_.randSeed(static_cast<int>(reset_seed & 0x7fffffff));
    context_.traceEverOn(VM_TRACE_FST);
    model_ = std::make_unique<Model>(&context_, scope);
    model_->ListPorts(&list_);
    Reset();
  }

  ~VerilatedBlock() {
    Enter();
#if VM_TRACE_FST
    wave_.reset();
#endif
    model_->final();
    model_.reset();
    Verilated::threadContextp(nullptr);
  }

  VerilatedBlock(const VerilatedBlock&) = delete;
  VerilatedBlock& operator=(const VerilatedBlock&) = delete;

  const std::vector<BlockPort>& ports() const { return list_.ports(); }

  void Reset() {
    Enter();
    for (const BlockPort& port : ports()) {
      if (!port.output) std::memset(port.data, 0, StorageBytes(port.bits));
    }
    model_->SetReset(0);
    model_->SetClock(0);
    model_->eval();
    model_->SetClock(1);
    model_->eval();
    model_->SetReset(1);
  }

  void Settle() {
    Enter();
    model_->eval();
  }

  // The falling edge comes just before the rising one, so that between calls the clock is high, as
  // in the first half of a cycle. A body whose registers all take the rising edge, and that has no
  // latches, can forget that the clock was high: the fall, in which it does nothing, is saved.
  bool Edge() {
    Enter();
    if constexpr (Model::kForgetsClock) {
      model_->ForgetClock();
    } else {
      model_->SetClock(0);
      model_->eval();
      model_->SetClock(1);
    }
    model_->eval();
    return !context_.gotError();
  }

#if VM_TRACE_FST
  // Cycle c begins at c ns with the clock's rise.
  bool EdgeTraced(uint64_t cycle) {
    Enter();
    model_->eval();
    wave_->dump(cycle * 1000);
    model_->SetClock(0);
    model_->eval();
    wave_->dump(cycle * 1000 + 500);
    model_->SetClock(1);
    model_->eval();
    return !context_.gotError();
  }

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
#endif

#if VM_COVERAGE
  void WriteCoverage(const char* file) { context_.coveragep()->write(file); }
#endif

 private:
  // Verilator's runtime reports assertions to, and destroys scopes in, the calling thread's
  // context.
  void Enter() {
    if (Verilated::threadContextp() != &context_) Verilated::threadContextp(&context_);
  }

  VerilatedContext context_;
  std::unique_ptr<Model> model_;
#if VM_TRACE_FST
  std::unique_ptr<VerilatedFstC> wave_;
#endif
  PortList list_;
};

template <class Model>
constexpr BlockAbi MakeBlockAbi() {
  using Body = VerilatedBlock<Model>;
  BlockAbi abi = {};
  abi.version = kBlockAbiVersion;
  abi.create = [](const char* scope, uint64_t reset_seed) -> void* {
    return new Body(scope, reset_seed);
  };
  abi.destroy = [](void* body) { delete static_cast<Body*>(body); };
  abi.ports = [](void* body, uint32_t* count) {
    const auto& ports = static_cast<const Body*>(body)->ports();
    *count = static_cast<uint32_t>(ports.size());
    return ports.data();
  };
  abi.reset = [](void* body) { static_cast<Body*>(body)->Reset(); };
  abi.settle = [](void* body) { static_cast<Body*>(body)->Settle(); };
  abi.edge = [](void* body) { return static_cast<Body*>(body)->Edge(); };
#if VM_TRACE_FST
  abi.edge_traced = [](void* body, uint64_t cycle) {
    return static_cast<Body*>(body)->EdgeTraced(cycle);
  };
  abi.open_wave = [](void* body, const char* file) {
    return static_cast<Body*>(body)->OpenWave(file);
  };
  abi.close_wave = [](void* body) { static_cast<Body*>(body)->CloseWave(); };
#endif
#if VM_COVERAGE
  abi.write_coverage = [](void* body, const char* file) {
    static_cast<Body*>(body)->WriteCoverage(file);
  };
#endif
  return abi;
}

}  // namespace flagstone

#endif  // FLAGSTONE_SYSTEMC_COSIM_VERILATED_BLOCK_H_
