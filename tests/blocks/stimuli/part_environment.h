// What stands around a part of a block: it drives the inputs as the part's protocol allows, at
// random, and sees the outputs.
#ifndef FLAGSTONE_TESTS_BLOCKS_STIMULI_PART_ENVIRONMENT_H_
#define FLAGSTONE_TESTS_BLOCKS_STIMULI_PART_ENVIRONMENT_H_

#include <cstdint>
#include <memory>
#include <string_view>

#include "base/random.h"
#include "systemc/cosim/any_block.h"
#include "tests/blocks/contract/random_kernels.h"

namespace flagstone {

// Ports by name.
class Ports {
 public:
  explicit Ports(AnyBlock* block) : block_(block) {}
  void Set(std::string_view name, uint64_t value, uint32_t lane = 0) {
    SetWide(name, {value, 0}, lane);
  }
  void SetWide(std::string_view name, FieldValue value, uint32_t lane = 0) {
    block_->SetInput(Find(block_->inputs(), name), lane, value);
  }
  uint64_t Get(std::string_view name, uint32_t lane = 0) const {
    return block_->Output(Find(block_->outputs(), name), lane)[0];
  }

 private:
  static uint32_t Find(const std::vector<AnyPort>& ports, std::string_view name) {
    for (uint32_t port = 0; port < ports.size(); ++port) {
      if (ports[port].name == name) return port;
    }
    ThrowInternal("no port {}", name);
  }
  AnyBlock* block_;
};

class PartEnvironment {
 public:
  virtual ~PartEnvironment() = default;
  // Sets inputs, which are all zero; outputs that are registers may be read.
  virtual void Drive(SplitMix64* random, Ports* ports) = 0;
  // All outputs of the cycle.
  virtual void Observe(const Ports& /*ports*/) {}
};

// Throws kInternal for an unknown part.
std::unique_ptr<PartEnvironment> MakePartEnvironment(std::string_view name,
                                                     const RtlParameters& parameters,
                                                     KernelSize size);

}  // namespace flagstone

#endif  // FLAGSTONE_TESTS_BLOCKS_STIMULI_PART_ENVIRONMENT_H_
