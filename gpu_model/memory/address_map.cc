#include "gpu_model/memory/address_map.h"

namespace flagstone {
namespace {

constexpr uint32_t kLinesPerTurn = 2;  // 256 bytes

uint32_t Mix(uint32_t x) { return x ^ (x >> 3) ^ (x >> 7) ^ (x >> 13); }

}  // namespace

AddressMap::AddressMap(const MachineConfig& machine)
    : slices_(machine.l2.slices),
      slices_per_channel_(machine.l2.slices / machine.dram.channels),
      banks_(machine.dram.banks),
      lines_per_row_(machine.dram.row_bytes / kLineBytes) {}

AddressMap::SliceLine AddressMap::Slice(LineNumber line) const {
  const uint32_t turn = line / kLinesPerTurn;
  const uint32_t round = turn / slices_;
  const uint32_t slice = (turn % slices_ + Mix(round) % slices_) % slices_;
  return {slice, round * kLinesPerTurn + line % kLinesPerTurn};
}

LineNumber AddressMap::Global(uint32_t slice, LineNumber local) const {
  const uint32_t round = local / kLinesPerTurn;
  const uint32_t place = (slice + slices_ - Mix(round) % slices_) % slices_;
  return (round * slices_ + place) * kLinesPerTurn + local % kLinesPerTurn;
}

LineNumber AddressMap::DramLine(uint32_t slice, LineNumber local) const {
  const uint32_t round = local / kLinesPerTurn;
  return (round * slices_per_channel_ + slice % slices_per_channel_) * kLinesPerTurn +
         local % kLinesPerTurn;
}

AddressMap::DramPlace AddressMap::Place(LineNumber dram_line) const {
  const uint32_t stripe = dram_line / lines_per_row_;
  const uint32_t row = stripe / banks_;
  return {(stripe + Mix(row)) % banks_, row};
}

}  // namespace flagstone
