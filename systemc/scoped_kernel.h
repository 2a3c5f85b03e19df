// A SystemC kernel of its own for a simulation, or for several, one after the other.
#ifndef FLAGSTONE_SYSTEMC_SCOPED_KERNEL_H_
#define FLAGSTONE_SYSTEMC_SCOPED_KERNEL_H_

#include <memory>
#include <systemc>

namespace flagstone {

// SystemC keeps its kernel in a global. From its construction on, and between Enter() and Leave(),
// a fresh one stands there, so that one process can elaborate and run any number of simulations.
// Modules must be destroyed before it, while it stands there.
class ScopedKernel {
 public:
  ScopedKernel() : context_(std::make_unique<sc_core::sc_simcontext>()) { Enter(); }
  ~ScopedKernel() {
    context_.reset();
    Leave();
  }
  ScopedKernel(const ScopedKernel&) = delete;
  ScopedKernel& operator=(const ScopedKernel&) = delete;

  void Enter() {
    previous_current_ = sc_core::sc_curr_simcontext;
    previous_default_ = sc_core::sc_default_global_context;
    sc_core::sc_curr_simcontext = context_.get();
    sc_core::sc_default_global_context = context_.get();
  }
  void Leave() {
    sc_core::sc_curr_simcontext = previous_current_;
    sc_core::sc_default_global_context = previous_default_;
  }

 private:
  std::unique_ptr<sc_core::sc_simcontext> context_;
  sc_core::sc_simcontext* previous_current_ = nullptr;
  sc_core::sc_simcontext* previous_default_ = nullptr;
};

}  // namespace flagstone

#endif  // FLAGSTONE_SYSTEMC_SCOPED_KERNEL_H_
