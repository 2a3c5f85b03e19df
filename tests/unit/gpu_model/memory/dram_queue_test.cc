// Which requests of a DRAM channel's queue count: against a look at all of them.
#include "gpu_model/memory/dram_queue.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "base/random.h"

namespace flagstone {
namespace dram_queue_test {

constexpr uint32_t kBanks = 4;
constexpr size_t kPlaces = 16;

// The same queue as a list in order of arrival; a tag tells who is who.
class Reference {
 public:
  Reference() : rows(kBanks, DramQueue::kClosed) {}

  // The oldest of a bank and direction, of any row or of the open one; its tag, or -1.
  int Oldest(uint32_t bank, bool write, bool open) const {
    for (const ChannelRequest& request : list) {
      if (request.bank == bank && request.write == write && (!open || request.row == rows[bank])) {
        return request.tag;
      }
    }
    return -1;
  }

  std::vector<ChannelRequest> list;
  std::vector<uint32_t> rows;
};

void ExpectSame(DramQueue* queue, const Reference& reference) {
  ASSERT_EQ(queue->size(), reference.list.size());
  for (uint32_t bank = 0; bank < kBanks; ++bank) {
    ASSERT_EQ(queue->row(bank), reference.rows[bank]);
    for (const DramQueue::Way way : {DramQueue::kReads, DramQueue::kWrites}) {
      const auto tag = [&](uint32_t index) {
        return index == DramQueue::kNone ? -1 : int{queue->entry(index).request.tag};
      };
      const bool write = way == DramQueue::kWrites;
      ASSERT_EQ(tag(queue->oldest(bank, way)), reference.Oldest(bank, write, false));
      ASSERT_EQ(tag(queue->open(bank, way)), reference.Oldest(bank, write, true));
      ASSERT_EQ((queue->banks(way) >> bank & 1) != 0, reference.Oldest(bank, write, false) != -1);
      ASSERT_EQ((queue->open_banks(way) >> bank & 1) != 0,
                reference.Oldest(bank, write, true) != -1);
    }
  }
}

TEST(DramQueue, KnowsTheOldestOfEachBankAndDirection) {
  SplitMix64 random(1);
  DramQueue queue(kBanks, kPlaces);
  Reference reference;
  uint16_t tag = 0;
  for (int step = 0; step < 20'000; ++step) {
    const auto bank = static_cast<uint32_t>(random.Below(kBanks));
    const uint64_t what = random.Below(8);
    if (what < 4 && queue.size() < kPlaces) {
      const ChannelRequest request = {.bank = bank,
                                      .row = static_cast<uint32_t>(random.Below(3)),
                                      .tag = tag++,
                                      .write = random.Below(3) == 0};
      queue.Push(request, static_cast<uint64_t>(step));
      reference.list.push_back(request);
    } else if (what < 6) {
      // Some request of the bank, not only one that counts.
      for (size_t i = 0; i < reference.list.size(); ++i) {
        const ChannelRequest wanted = reference.list[i];
        if (wanted.bank != bank) continue;
        const DramQueue::Way way = wanted.write ? DramQueue::kWrites : DramQueue::kReads;
        const bool open = wanted.row == reference.rows[bank] && random.Below(2) == 0;
        const uint32_t index = open ? queue.open(bank, way) : queue.oldest(bank, way);
        const uint16_t taken = queue.entry(index).request.tag;
        EXPECT_EQ(queue.Take(index).request.tag, taken);
        std::erase_if(reference.list, [&](const ChannelRequest& r) { return r.tag == taken; });
        break;
      }
    } else {
      const auto row = static_cast<uint32_t>(random.Below(4));
      reference.rows[bank] = row == 3 ? DramQueue::kClosed : row;
      queue.SetRow(bank, reference.rows[bank]);
    }
    ExpectSame(&queue, reference);
    if (testing::Test::HasFatalFailure()) return;
  }
}

TEST(DramQueue, OfTwoRequestsTheOneThatCameFirstIsOlder) {
  DramQueue queue(kBanks, kPlaces);
  queue.Push({.bank = 3, .tag = 1}, 10);
  queue.Push({.bank = 0, .tag = 2}, 11);
  const uint32_t first = queue.oldest(3, DramQueue::kReads);
  const uint32_t second = queue.oldest(0, DramQueue::kReads);
  EXPECT_EQ(queue.Older(second, first), first);
  EXPECT_EQ(queue.Older(first, DramQueue::kNone), first);
  EXPECT_EQ(queue.Older(DramQueue::kNone, second), second);
  EXPECT_EQ(queue.Older(DramQueue::kNone, DramQueue::kNone), DramQueue::kNone);
}

}  // namespace dram_queue_test
}  // namespace flagstone
