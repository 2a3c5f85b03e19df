// The requests that a DRAM channel's scheduler sees, by bank: which of them it has to look at.
#ifndef FLAGSTONE_GPU_MODEL_MEMORY_DRAM_QUEUE_H_
#define FLAGSTONE_GPU_MODEL_MEMORY_DRAM_QUEUE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "gpu_model/memory/packet.h"

namespace flagstone {

struct ChannelRequest {
  uint32_t bank = 0;
  uint32_t row = 0;
  uint16_t client = 0;  // which of the channel's L2 slices, from 0
  uint16_t tag = 0;     // comes back with the data
  SectorMask sectors = 0;
  bool write = false;  // no reply
};

// Requests of one bank and direction have the same timing: of those whose row is open, and of all,
// only the oldest counts. These are kept, so that a cycle looks at banks, not at requests.
class DramQueue {
 public:
  static constexpr uint32_t kClosed = ~uint32_t{0};  // in place of a row
  static constexpr uint32_t kNone = ~uint32_t{0};    // in place of a request
  enum Way : uint8_t { kReads, kWrites, kWays };

  struct Entry {
    ChannelRequest request;
    bool activated = false;     // its row was opened for it
    bool closed_other = false;  // and another one closed before
    uint32_t next = kNone;      // of its bank, in order of arrival; or the next free place
    uint64_t since = 0;         // in the queue
    uint64_t number = 0;        // rises from request to request
  };

  DramQueue(uint32_t banks, size_t capacity);

  size_t size() const { return size_; }
  size_t writes() const { return writes_; }
  void Push(const ChannelRequest& request, uint64_t now);
  Entry Take(uint32_t index);

  uint32_t row(uint32_t bank) const { return banks_[bank].row; }  // or kClosed
  void SetRow(uint32_t bank, uint32_t row);

  Entry& entry(uint32_t index) { return entries_[index]; }
  // Of two, either of which may be kNone, the one that came first.
  uint32_t Older(uint32_t a, uint32_t b) const {
    if (a == kNone || b == kNone) return a == kNone ? b : a;
    return entries_[a].number < entries_[b].number ? a : b;
  }
  // A bit for each bank that has such requests.
  uint32_t open_banks(Way way) const { return open_banks_[way]; }
  uint32_t banks(Way way) const { return any_banks_[way]; }
  // The oldest request of the bank whose row is open; the oldest of any row. kNone: there is none.
  uint32_t open(uint32_t bank, Way way) const { return banks_[bank].open[way]; }
  uint32_t oldest(uint32_t bank, Way way) const { return banks_[bank].oldest[way]; }

 private:
  struct Bank {
    uint32_t row = kClosed;
    uint32_t first = kNone, last = kNone;  // of its requests
    std::array<uint32_t, kWays> open = {kNone, kNone};
    std::array<uint32_t, kWays> oldest = {kNone, kNone};
  };

  static Way WayOf(const ChannelRequest& request) { return request.write ? kWrites : kReads; }
  // The first from `index` on, of the bank's list, that goes this way, and wants this row.
  uint32_t Next(uint32_t index, Way way) const;
  uint32_t NextOfRow(uint32_t index, Way way, uint32_t row) const;
  void SetOpen(uint32_t bank, Way way, uint32_t index);
  void SetOldest(uint32_t bank, Way way, uint32_t index);

  std::vector<Bank> banks_;
  std::vector<Entry> entries_;
  uint32_t free_ = kNone;
  size_t size_ = 0, writes_ = 0;
  uint64_t pushed_ = 0;
  std::array<uint32_t, kWays> open_banks_ = {}, any_banks_ = {};
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_MEMORY_DRAM_QUEUE_H_
