#include "gpu_model/sm/coalescer.h"

#include <algorithm>
#include <bit>

namespace flagstone {
namespace {

constexpr uint32_t kBanks = 32;
constexpr uint32_t kWordBytes = 4;
constexpr uint32_t kAll = ~uint32_t{0};

uint32_t LowestLane(uint32_t lanes) { return static_cast<uint32_t>(std::countr_zero(lanes)); }

// Most accesses stay within as many neighbouring words as there are banks, from the first lane's
// on: no bank has two of the words then. An aligned access of several words stays there if it
// begins there.
bool WithinARow(const LaneAddresses& addresses, uint32_t lanes) {
  const auto first = static_cast<uint32_t>(addresses[LowestLane(lanes)]) & ~(kWordBytes - 1);
  uint32_t distances = 0;
  if (lanes == kAll) {
    for (const uint64_t address : addresses) distances |= static_cast<uint32_t>(address) - first;
  } else {
    for (uint32_t left = lanes; left != 0; left &= left - 1) {
      distances |= static_cast<uint32_t>(addresses[LowestLane(left)]) - first;
    }
  }
  return distances < kBanks * kWordBytes;
}

}  // namespace

void Coalesce(const LaneAddresses& addresses, uint32_t lanes, CoalescedRequests* requests) {
  uint32_t count = 0;
  uint64_t filter = 0;  // a bit per hash of a line seen: most new lines need no search
  for (uint32_t left = lanes; left != 0; left &= left - 1) {
    const uint64_t address = addresses[LowestLane(left)];
    const LineNumber line = LineOf(address);
    const auto sector = static_cast<SectorMask>(1U << (address % kLineBytes / kSectorBytes));
    if (count > 0 && requests->lines[count - 1] == line) {
      requests->sectors[count - 1] |= sector;
      continue;
    }
    const uint64_t bit = uint64_t{1} << ((line * 0x9e3779b1U) >> 26);
    uint32_t found = count;
    if ((filter & bit) != 0) {
      found = 0;
      while (found < count && requests->lines[found] != line) ++found;
    }
    filter |= bit;
    if (found == count) {
      requests->lines[count] = line;
      requests->sectors[count] = sector;
      ++count;
    } else {
      requests->sectors[found] |= sector;
    }
  }
  requests->count = count;
}

void CountConflicts(const LaneAddresses& addresses, uint32_t lanes,
                    const CoalescedRequests& requests, AtomicConflicts* conflicts) {
  for (uint32_t i = 0; i < requests.count; ++i) (*conflicts)[i] = 0;
  uint32_t request = 0;
  while (lanes != 0) {
    const uint64_t address = addresses[LowestLane(lanes)];
    uint8_t others = 0;
    lanes &= lanes - 1;
    for (uint32_t left = lanes; left != 0; left &= left - 1) {
      if (addresses[LowestLane(left)] != address) continue;
      ++others;
      lanes &= ~(uint32_t{1} << LowestLane(left));
    }
    if (requests.lines[request] != LineOf(address)) {
      request = 0;
      while (requests.lines[request] != LineOf(address)) ++request;
    }
    (*conflicts)[request] = std::max((*conflicts)[request], others);
  }
}

uint32_t BankCycles(const LaneAddresses& addresses, uint32_t lanes, uint32_t bytes,
                    bool serialize) {
  if (!serialize && WithinARow(addresses, lanes)) return 1;
  // Words of each bank so far; a lane brings at most 4.
  constexpr uint32_t kMost = 4 * 32;
  std::array<std::array<uint32_t, kMost>, kBanks> words;
  std::array<uint32_t, kBanks> count = {};
  const uint32_t words_per_lane = std::max(1U, bytes / kWordBytes);
  uint32_t cycles = 1;
  for (uint32_t i = 0; i < words_per_lane; ++i) {
    for (uint32_t left = lanes; left != 0; left &= left - 1) {
      const auto word = static_cast<uint32_t>(addresses[LowestLane(left)] / kWordBytes) + i;
      const uint32_t bank = word % kBanks;
      auto& seen = words[bank];
      const uint32_t* begin = seen.data();
      const uint32_t* end = begin + count[bank];
      if (!serialize && std::find(begin, end, word) != end) continue;
      seen[count[bank]] = word;
      cycles = std::max(cycles, ++count[bank]);
    }
  }
  return cycles;
}

}  // namespace flagstone
