#include "gpu_model/memory/address_map.h"

#include <bit>
#include <map>
#include <mutex>

#include "base/random.h"
#include "gpu_model/memory/physical_line.h"

namespace flagstone {
namespace {

constexpr uint32_t kLinesPerTurn = 2;  // 256 bytes

uint32_t Mix(uint32_t x) { return x ^ (x >> 3) ^ (x >> 7) ^ (x >> 13); }

// The turn's number times t^degree modulo an irreducible polynomial of that degree over GF(2):
// t^4 + t + 1, t^5 + t^2 + 1 or t^6 + t + 1. As in GPGPU-Sim the number's lowest 13, 15 or 19 bits
// count.
uint32_t Ipoly(uint32_t turn, uint32_t slices) {
  const auto degree = static_cast<uint32_t>(std::bit_width(slices - 1));
  const uint32_t polynomial = degree == 4 ? 0b10011 : degree == 5 ? 0b100101 : 0b1000011;
  const uint32_t bits = degree == 4 ? 13 : degree == 5 ? 15 : 19;
  uint64_t rest = uint64_t{turn & ((1U << bits) - 1)} << degree;
  for (uint32_t bit = bits + degree - 1; bit >= degree; --bit) {
    if ((rest >> bit & 1) != 0) rest ^= uint64_t{polynomial} << (bit - degree);
  }
  return static_cast<uint32_t>(rest);
}

}  // namespace

AddressMap::AddressMap(const MachineConfig& machine)
    : nodes_(machine.numa.Nodes()),
      // Slice() of kPrivateLines, or less, where local numbers are dense.
      first_private_(machine.l2.slice_hash == SliceHash::kIpoly ||
                             machine.l2.slice_hash == SliceHash::kScattered
                         ? kPrivateLines
                         : kPrivateLines / kLinesPerTurn / machine.l2.slices * kLinesPerTurn),
      slices_(machine.l2.slices),
      slices_per_channel_(machine.l2.slices / machine.dram.channels),
      channels_(machine.dram.channels),
      hash_(machine.l2.slice_hash),
      banks_(machine.dram.banks),
      lines_per_row_(machine.dram.row_bytes / kLineBytes) {
  if (hash_ == SliceHash::kIpoly) ipoly_ = TablesOf(slices_);
}

AddressMap::IpolyTables::IpolyTables(uint32_t slices) {
  for (uint32_t i = 0; i < kHalf; ++i) {
    low[i] = static_cast<uint8_t>(Ipoly(i, slices));
    high[i] = static_cast<uint8_t>(Ipoly(i * kHalf, slices));
  }
}

const AddressMap::IpolyTables* AddressMap::TablesOf(uint32_t slices) {
  static std::mutex mutex;
  static std::map<uint32_t, IpolyTables> tables;
  const std::lock_guard lock(mutex);
  return &tables.try_emplace(slices, slices).first->second;
}

AddressMap::SliceLine AddressMap::Slice(LineNumber line) const {
  return nodes_ == 1 ? OfNode(line) : NodeSlice(line);
}

AddressMap::SliceLine AddressMap::NodeSlice(LineNumber line) const {
  if (IsPrivate(line)) return OfNode(line);
  SliceLine place = OfNode(InHome(line));
  place.local = place.local * nodes_ + HomeOf(line);
  return place;
}

AddressMap::SliceLine AddressMap::OfNode(LineNumber line) const {
  const uint32_t piece = line / kLinesPerTurn;
  if (hash_ == SliceHash::kRotated) {
    const uint32_t round = piece / slices_;
    const uint32_t slice = (piece % slices_ + Mix(round) % slices_) % slices_;
    return {slice, round * kLinesPerTurn + line % kLinesPerTurn};
  }
  if (hash_ == SliceHash::kScattered) {
    return {static_cast<uint32_t>(SplitMix64(line).Below(slices_)), line};
  }
  const uint32_t round = piece / channels_;
  const uint32_t slice = piece % channels_ * slices_per_channel_ + round % slices_per_channel_;
  if (hash_ == SliceHash::kIpoly) {
    const uint32_t permuted = ipoly_->low[round % kHalf] ^ ipoly_->high[round / kHalf % kHalf];
    return {(permuted ^ slice) % slices_, line};
  }
  return {slice, round / slices_per_channel_ * kLinesPerTurn + line % kLinesPerTurn};
}

LineNumber AddressMap::DramLine(uint32_t slice, LineNumber local) const {
  if (nodes_ != 1 && local < first_private_) local /= nodes_;
  const LineNumber in_piece = local % kLinesPerTurn;
  if (hash_ == SliceHash::kIpoly || hash_ == SliceHash::kScattered) {
    return local / kLinesPerTurn / channels_ * kLinesPerTurn + in_piece;
  }
  const uint32_t round = local / kLinesPerTurn;
  return (round * slices_per_channel_ + slice % slices_per_channel_) * kLinesPerTurn + in_piece;
}

AddressMap::DramPlace AddressMap::Place(LineNumber dram_line) const {
  const uint32_t stripe = dram_line / lines_per_row_;
  const uint32_t row = stripe / banks_;
  return {(stripe + Mix(row)) % banks_, row};
}

}  // namespace flagstone
