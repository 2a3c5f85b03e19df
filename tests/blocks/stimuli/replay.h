// Random stimuli of one block, replayed fast on any Verilated netlist with the block's ports, and
// compared with the golden model's answers.
#ifndef FLAGSTONE_TESTS_BLOCKS_STIMULI_REPLAY_H_
#define FLAGSTONE_TESTS_BLOCKS_STIMULI_REPLAY_H_

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "systemc/cosim/block_abi.h"
#include "systemc/cosim/block_registry.h"
#include "tests/blocks/stimuli/stimuli.h"

namespace flagstone {

// All rows of a stimulus as the bytes that go to the netlist's input ports, the bytes that are to
// stand at its output ports, and which of these count.
struct GoldenRows {
  size_t count = 0;
  size_t before = 0;  // so many of them run before the reset that counts
  std::vector<uint8_t> in, out, mask;
};

class Replay {
 public:
  // `abi` must outlive the replay. Throws kInternal when the netlist lacks a port of the block.
  Replay(const BlockRow& row, const RtlParameters& parameters, const BlockAbi& abi,
         uint64_t reset_seed);

  // What the golden model is given and answers (RandomStimulus).
  GoldenRows Golden(uint64_t seed, uint64_t cycles, KernelSize size = KernelSize::kSmall) const;

  // Runs the rows from reset on; whether some output differs. `mutant` is set at the netlist's
  // input mut_sel, where there is one, before reset.
  bool Differs(const GoldenRows& rows, uint32_t mutant = 0);

  void* body() const { return body_.get(); }

 private:
  // A port of the netlist, and its place in a row of bytes.
  struct Placed {
    BlockPort port;
    size_t offset = 0;
    size_t bytes = 0;
  };
  static std::vector<Placed> Place(const std::vector<AnyPort>& ports, const char* suffix,
                                   std::span<const BlockPort> netlist, size_t* bytes);
  static void Put(const Placed& placed, uint32_t lane, uint32_t width, const FieldValue& value,
                  uint8_t* row);

  void Drive(const GoldenRows& rows, size_t t);  // inputs of row t, and what follows in its cycle
  void Reset();

  const BlockRow& row_;
  RtlParameters parameters_;
  const BlockAbi& abi_;
  std::unique_ptr<void, void (*)(void*)> body_;
  size_t in_bytes_ = 0, out_bytes_ = 0;
  std::vector<Placed> inputs_, outputs_;
  BlockPort select_ = {}, reset_ = {};
};

}  // namespace flagstone

#endif  // FLAGSTONE_TESTS_BLOCKS_STIMULI_REPLAY_H_
