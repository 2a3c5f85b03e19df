// Which L2 slice, DRAM channel, bank and row a line lives in.
#ifndef FLAGSTONE_GPU_MODEL_MEMORY_ADDRESS_MAP_H_
#define FLAGSTONE_GPU_MODEL_MEMORY_ADDRESS_MAP_H_

#include <array>
#include <cstdint>

#include "gpu_model/machines/machine.h"
#include "gpu_model/memory/packet.h"

namespace flagstone {

// Slices take turns every 256 bytes, in an order that the machine's hash says. Each slice has local
// numbers for its lines, which are dense where the hash is even (assumptions: the 256 bytes, and
// rows that run over the slices of one channel).
//
// Of a machine of several nodes it is that of each node, whose lines have physical numbers
// (physical_line.h): a line's slice is that of its place in its home's memory, so it has the same
// number in every node, and local numbers tell lines of different homes apart.
class AddressMap {
 public:
  explicit AddressMap(const MachineConfig& machine);

  uint32_t slices() const { return slices_; }
  struct SliceLine {
    uint32_t slice = 0;
    LineNumber local = 0;  // no other line of the slice has it
  };
  SliceLine Slice(LineNumber line) const;

  struct DramPlace {
    uint32_t bank = 0;
    uint32_t row = 0;
  };
  uint32_t Channel(uint32_t slice) const { return slice / slices_per_channel_; }
  // Counts the channel's own lines. Where an uneven hash brings two pieces of one turn to a
  // channel, they share their place in its rows, as in GPGPU-Sim.
  LineNumber DramLine(uint32_t slice, LineNumber local) const;
  DramPlace Place(LineNumber dram_line) const;
  DramPlace Dram(uint32_t slice, LineNumber local) const { return Place(DramLine(slice, local)); }

 private:
  SliceLine OfNode(LineNumber line) const;
  SliceLine NodeSlice(LineNumber line) const;

  uint32_t nodes_;
  LineNumber first_private_;  // local number
  uint32_t slices_;
  uint32_t slices_per_channel_;
  uint32_t channels_;
  SliceHash hash_;
  uint32_t banks_;
  uint32_t lines_per_row_;
  static constexpr uint32_t kHalf = 1024;  // values of half of the bits that ipoly takes
  // The permutation of a sum is the sum of the permutations: two small tables hold it.
  struct IpolyTables {
    explicit IpolyTables(uint32_t slices);
    std::array<uint8_t, kHalf> low, high;
  };
  static const IpolyTables* TablesOf(uint32_t slices);  // made once
  const IpolyTables* ipoly_ = nullptr;                  // where the hash needs them
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_MEMORY_ADDRESS_MAP_H_
