// A set of bytes that grows access by access: long ones as ranges, which seldom repeat, and short
// ones, which mostly touch what is there already, as a mask of bytes for each sector, found by
// hashing.
#ifndef FLAGSTONE_ANALYZER_LOCALITY_BYTE_SET_H_
#define FLAGSTONE_ANALYZER_LOCALITY_BYTE_SET_H_

#include <cstdint>
#include <vector>

#include "analyzer/locality/strided_box.h"
#include "base/hash_index.h"

namespace flagstone {

class ByteSet {
 public:
  // Adds the bytes [address, address + bytes), below 2^63.
  void Add(uint64_t address, uint64_t bytes);
  // What was added, as Normalize() leaves it. The set is empty then.
  std::vector<Range> Take();

 private:
  struct Sector {
    uint64_t number = 0;  // address / 32
    uint32_t bytes = 0;   // the lowest one in bit 0
  };

  uint32_t& MaskOf(uint64_t sector);
  void AddRange(uint64_t address, uint64_t bytes);

  std::vector<Sector> sectors_;
  HashIndex index_;  // of sectors_
  size_t last_ = 0;  // the sector that was asked for last
  std::vector<Range> ranges_;
  size_t joined_ = 0;  // of them, at the front, when they were last joined
};

}  // namespace flagstone

#endif  // FLAGSTONE_ANALYZER_LOCALITY_BYTE_SET_H_
