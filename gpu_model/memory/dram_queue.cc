#include "gpu_model/memory/dram_queue.h"

namespace flagstone {

DramQueue::DramQueue(uint32_t banks, size_t capacity) : banks_(banks), entries_(capacity) {
  for (size_t i = capacity; i-- > 0;) {
    entries_[i].next = free_;
    free_ = static_cast<uint32_t>(i);
  }
}

void DramQueue::Push(const ChannelRequest& request, uint64_t now) {
  const uint32_t index = free_;
  Entry& entry = entries_[index];
  free_ = entry.next;
  entry = {.request = request, .since = now, .number = pushed_++};
  Bank& bank = banks_[request.bank];
  (bank.last == kNone ? bank.first : entries_[bank.last].next) = index;
  bank.last = index;
  const Way way = WayOf(request);
  if (bank.oldest[way] == kNone) SetOldest(request.bank, way, index);
  if (bank.open[way] == kNone && bank.row == request.row) SetOpen(request.bank, way, index);
  ++size_;
  if (request.write) ++writes_;
}

DramQueue::Entry DramQueue::Take(uint32_t index) {
  const Entry entry = entries_[index];
  Bank& bank = banks_[entry.request.bank];
  uint32_t before = kNone;
  for (uint32_t i = bank.first; i != index; i = entries_[i].next) before = i;
  (before == kNone ? bank.first : entries_[before].next) = entry.next;
  if (bank.last == index) bank.last = before;
  const Way way = WayOf(entry.request);
  if (bank.oldest[way] == index) SetOldest(entry.request.bank, way, Next(entry.next, way));
  if (bank.open[way] == index) {
    SetOpen(entry.request.bank, way, NextOfRow(entry.next, way, bank.row));
  }
  entries_[index].next = free_;
  free_ = index;
  --size_;
  if (entry.request.write) --writes_;
  return entry;
}

void DramQueue::SetRow(uint32_t bank, uint32_t row) {
  banks_[bank].row = row;
  for (const Way way : {kReads, kWrites}) {
    SetOpen(bank, way, row == kClosed ? kNone : NextOfRow(banks_[bank].first, way, row));
  }
}

uint32_t DramQueue::Next(uint32_t index, Way way) const {
  while (index != kNone && WayOf(entries_[index].request) != way) index = entries_[index].next;
  return index;
}

uint32_t DramQueue::NextOfRow(uint32_t index, Way way, uint32_t row) const {
  index = Next(index, way);
  while (index != kNone && entries_[index].request.row != row) {
    index = Next(entries_[index].next, way);
  }
  return index;
}

void DramQueue::SetOpen(uint32_t bank, Way way, uint32_t index) {
  banks_[bank].open[way] = index;
  const uint32_t bit = 1U << bank;
  open_banks_[way] = index == kNone ? open_banks_[way] & ~bit : open_banks_[way] | bit;
}

void DramQueue::SetOldest(uint32_t bank, Way way, uint32_t index) {
  banks_[bank].oldest[way] = index;
  const uint32_t bit = 1U << bank;
  any_banks_[way] = index == kNone ? any_banks_[way] & ~bit : any_banks_[way] | bit;
}

}  // namespace flagstone
