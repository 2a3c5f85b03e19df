// The seam between C++ and RTL: a clocked hardware block with interchangeable bodies.
#ifndef FLAGSTONE_GPU_MODEL_BLOCKS_BLOCK_H_
#define FLAGSTONE_GPU_MODEL_BLOCKS_BLOCK_H_

namespace flagstone {

// `In` and `Out` are plain structs of fixed size with the RTL's port names less `_i` and `_o`.
// A transfer happens when valid and ready were both sampled in the same cycle; valid and payload
// hold until taken. A whole block has no path from an input to an output within a cycle; a part of
// one may (see Settle).
template <class In, class Out>
class Block {
 public:
  Block() = default;
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;
  virtual ~Block() = default;

  // One rising edge with rst_ni = 0 and zero inputs. It takes no simulated cycle.
  virtual void Reset() = 0;
  // Functions of the block's registers only, valid for the current cycle.
  virtual const Out& Outputs() const = 0;
  // The outputs in a cycle with these inputs: of a part of a block, where they may follow the
  // inputs within the cycle. No register changes.
  virtual const Out& Settle(const In& /*in*/) { return Outputs(); }
  // The rising edge that ends the current cycle, with this cycle's inputs.
  virtual void Tick(const In& in) = 0;
  // True when Tick(in) would change nothing now, so that it may be skipped.
  virtual bool Idle(const In& in) const = 0;
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_BLOCKS_BLOCK_H_
