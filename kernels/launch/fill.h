// A buffer's initial contents, from its fill: the same bytes on every machine.
#ifndef FLAGSTONE_KERNELS_LAUNCH_FILL_H_
#define FLAGSTONE_KERNELS_LAUNCH_FILL_H_

#include <cstddef>
#include <span>

#include "kernels/launch/workload.h"

namespace flagstone {

// Writes all of `bytes`, which are spec.Bytes() long. Element i is
//   zero: 0; constant: value, but element 0 first; iota: start + i * step;
//   uniform: the i-th number of SplitMix64(seed), as min + (max - min) * Unit() for floats
//     (computed in f64, rounded to the type) and min + Below(max - min + 1) for integers;
//   sorted: the i-th smallest of the same numbers, or with `run` each so many of them in order;
//   permutation: a shuffle of 0 to count - 1; file: the file's bytes;
//   sphere: kernels/inputs/sphere.h; btree: kernels/inputs/btree.h; suffix-tree, reads:
//   kernels/inputs/suffix_tree.h; csr-*, jds-*: kernels/launch/input_fill.cc.
// Throws kBadInput when a file cannot be read or has another size.
void FillBuffer(const BufferSpec& spec, std::span<std::byte> bytes);

// The fills that take an input.
void FillFromInput(const BufferSpec& spec, std::span<std::byte> bytes);

}  // namespace flagstone

#endif  // FLAGSTONE_KERNELS_LAUNCH_FILL_H_
