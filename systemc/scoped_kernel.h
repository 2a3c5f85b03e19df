// A SystemC kernel of its own for one simulation.
#ifndef FLAGSTONE_SYSTEMC_SCOPED_KERNEL_H_
#define FLAGSTONE_SYSTEMC_SCOPED_KERNEL_H_

#include <memory>
#include <systemc>

namespace flagstone {

// SystemC keeps its kernel in a global. While this object lives, a fresh one stands there, so that
// one process can elaborate and run any number of simulations, one after the other. Modules must
// be destroyed before it.
class ScopedKernel {
 public:
  ScopedKernel()
      : context_(std::make_unique<sc_core::sc_simcontext>()),
        previous_current_(sc_core::sc_curr_simcontext),
        previous_default_(sc_core::sc_default_global_context) {
    sc_core::sc_curr_simcontext = context_.get();
    sc_core::sc_default_global_context = context_.get();
  }
  ~ScopedKernel() {
    context_.reset();
    sc_core::sc_curr_simcontext = previous_current_;
    sc_core::sc_default_global_context = previous_default_;
  }
  ScopedKernel(const ScopedKernel&) = delete;
  ScopedKernel& operator=(const ScopedKernel&) = delete;

 private:
  std::unique_ptr<sc_core::sc_simcontext> context_;
  sc_core::sc_simcontext* previous_current_;
  sc_core::sc_simcontext* previous_default_;
};

}  // namespace flagstone

#endif  // FLAGSTONE_SYSTEMC_SCOPED_KERNEL_H_
