#include "gpu_model/memory/dram_channel.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>

namespace flagstone {
namespace {

// Reads whose data is on its way: enough that the data bus never waits for room.
constexpr size_t kReturns = 1024;

}  // namespace

DramChannel::DramChannel(const DramConfig& config, uint32_t clients, uint32_t fixed_latency)
    : config_(config),
      fixed_latency_(fixed_latency),
      group_distance_(config.bank_groups > 1 ? config.t_ccdl : config.t_ccd),
      clients_(clients),
      queue_(config.banks, size_t{config.queue} + config.write_queue),
      banks_(config.banks),
      returns_(kReturns),
      next_group_column_(config.bank_groups, 0) {}

void DramChannel::Request(const ChannelRequest& request) {
  clients_[request.client].input.Push(request);
  ++waiting_;
  Wake();
}

bool DramChannel::HasRoom(const ChannelRequest& request) const {
  if (config_.write_queue == 0) return queue_.size() < config_.queue;
  return request.write ? queue_.writes() < config_.write_queue
                       : queue_.size() - queue_.writes() < config_.queue;
}

void DramChannel::TakeInput(uint64_t now) {
  const auto count = static_cast<uint32_t>(clients_.size());
  for (uint32_t i = 0; i < count; ++i) {
    Client& client = clients_[(next_client_ + i) % count];
    if (client.input.empty() || !HasRoom(client.input.front())) continue;
    queue_.Push(client.input.front(), now);
    client.input.Pop();
    next_client_ = (next_client_ + i + 1) % count;
    return;
  }
}

void DramChannel::Sample(uint64_t now) {
  CountWaiting(now);
  TakeInput(now);
  ChooseDirection();
  Schedule(now);
  counted_waiting_ = waiting_;
}

// A request wakes the channel, so the number cannot have changed in a cycle that was skipped.
void DramChannel::CountWaiting(uint64_t now) {
  statistics_.queue_cycles += counted_waiting_ * (now - counted_until_);
  counted_until_ = now;
}

void DramChannel::ChooseDirection() {
  if (config_.write_queue == 0) return;
  const size_t writes = queue_.writes();
  const bool reads = queue_.size() > writes;
  writing_ = writes > 0 &&
             (writes >= config_.write_high || !reads || (writing_ && writes > config_.write_low));
}

uint32_t DramChannel::BurstCycles(const ChannelRequest& request) const {
  const uint32_t bytes = SectorCount(request.sectors) * kSectorBytes;
  return (bytes + config_.bus_bytes - 1) / config_.bus_bytes;
}

uint64_t DramChannel::ColumnReady(uint32_t bank, DramQueue::Way way) const {
  const bool write = way == DramQueue::kWrites;
  const uint32_t to_data = write ? config_.t_wl : config_.t_cl;
  uint64_t ready = std::max(
      {banks_[bank].column_ready, next_column_, next_group_column_[bank % config_.bank_groups]});
  if (bus_free_ > to_data) ready = std::max(ready, bus_free_ - to_data);
  return write ? ready : std::max(ready, read_after_write_);
}

uint32_t DramChannel::FindColumn(uint64_t now, uint64_t* next) const {
  uint32_t found = DramQueue::kNone;
  for (const DramQueue::Way way : {DramQueue::kReads, DramQueue::kWrites}) {
    if (!Considers(way)) continue;
    for (uint32_t left = queue_.open_banks(way); left != 0; left &= left - 1) {
      const auto bank = static_cast<uint32_t>(std::countr_zero(left));
      const uint64_t ready = ColumnReady(bank, way);
      if (ready <= now && returns_.room() > 0) {
        found = queue_.Older(found, queue_.open(bank, way));
      } else {
        *next = std::min(*next, std::max(ready, now + 1));
      }
    }
  }
  return found;
}

uint32_t DramChannel::FindRow(uint64_t now, uint64_t* next) const {
  uint32_t wanted = 0, banks = 0;
  for (const DramQueue::Way way : {DramQueue::kReads, DramQueue::kWrites}) {
    if (!Considers(way)) continue;
    wanted |= queue_.open_banks(way);
    banks |= queue_.banks(way);
  }
  uint32_t found = DramQueue::kNone;
  for (uint32_t left = banks & ~wanted; left != 0; left &= left - 1) {
    const auto number = static_cast<uint32_t>(std::countr_zero(left));
    const Bank& bank = banks_[number];
    const uint64_t ready = queue_.row(number) != DramQueue::kClosed
                               ? bank.precharge_ready
                               : std::max(bank.activate_ready, next_activate_);
    if (ready > now) {
      *next = std::min(*next, ready);
      continue;
    }
    for (const DramQueue::Way way : {DramQueue::kReads, DramQueue::kWrites}) {
      if (Considers(way)) found = queue_.Older(found, queue_.oldest(number, way));
    }
  }
  return found;
}

void DramChannel::Schedule(uint64_t now) {
  uint64_t next = kNever;
  const uint32_t column = FindColumn(now, &next);
  const uint32_t row = FindRow(now, &next);
  if (row != DramQueue::kNone) IssueRow(row, now);
  if (column != DramQueue::kNone) IssueColumn(column, now);
  const bool issues = row != DramQueue::kNone || column != DramQueue::kNone;
  next_command_ = issues ? now + 1 : next;
}

void DramChannel::IssueRow(uint32_t index, uint64_t now) {
  DramQueue::Entry& entry = queue_.entry(index);
  Bank& bank = banks_[entry.request.bank];
  if (queue_.row(entry.request.bank) != DramQueue::kClosed) {
    queue_.SetRow(entry.request.bank, DramQueue::kClosed);
    entry.closed_other = true;
    bank.activate_ready = std::max(bank.activate_ready, now + config_.t_rp);
    return;
  }
  queue_.SetRow(entry.request.bank, entry.request.row);
  bank.column_ready = now + config_.t_rcd;
  bank.precharge_ready = now + config_.t_ras;
  bank.activate_ready = now + config_.t_rc;
  next_activate_ = now + config_.t_rrd;
  entry.activated = true;
  ++statistics_.activations;
}

void DramChannel::IssueColumn(uint32_t index, uint64_t now) {
  const DramQueue::Entry entry = queue_.Take(index);
  --waiting_;
  const ChannelRequest& request = entry.request;
  Bank& bank = banks_[request.bank];
  const uint32_t burst = BurstCycles(request);
  const uint32_t sectors = SectorCount(request.sectors);
  const uint64_t data_end = now + (request.write ? config_.t_wl : config_.t_cl) + burst;
  bus_free_ = data_end;
  next_column_ = now + std::max(config_.t_ccd, burst);
  next_group_column_[request.bank % config_.bank_groups] = now + std::max(group_distance_, burst);
  ++statistics_.requests;
  statistics_.bus_cycles += burst;
  if (request.write) {
    bank.precharge_ready = std::max(bank.precharge_ready, data_end + config_.t_wr);
    read_after_write_ = data_end + config_.t_cdlr;
    statistics_.writes += sectors;
  } else {
    bank.precharge_ready = std::max(bank.precharge_ready, now + burst + config_.t_rtpl);
    returns_.Push({data_end + fixed_latency_, request.client, request.tag, request.sectors});
    statistics_.latency.Add(data_end + fixed_latency_ - entry.since);
    statistics_.reads += sectors;
  }
  uint64_t& locality = !entry.activated     ? statistics_.row_hits
                       : entry.closed_other ? statistics_.row_conflicts
                                            : statistics_.row_misses;
  locality += sectors;
}

void DramChannel::Commit(uint64_t now) {
  while (!returns_.empty() && returns_.front().cycle <= now) {
    const Return& done = returns_.front();
    clients_[done.client].sink->DramReply(done.tag, done.sectors);
    returns_.Pop();
  }
}

uint64_t DramChannel::NextWork(uint64_t now) const {
  // A request that came between Sample and Commit has woken nobody, and counts from the next cycle.
  if (waiting_ != counted_waiting_) return now + 1;
  uint64_t next = queue_.size() == 0 ? kNever : next_command_;
  if (!returns_.empty()) next = std::min(next, std::max(now + 1, returns_.front().cycle));
  for (const Client& client : clients_) {
    if (!client.input.empty() && HasRoom(client.input.front())) return now + 1;
  }
  return next;
}

bool DramChannel::Drained() const {
  return queue_.size() == 0 && returns_.empty() &&
         std::all_of(clients_.begin(), clients_.end(),
                     [](const Client& client) { return client.input.empty(); });
}

std::string DramChannel::Leftover() const {
  return fmt::format("{} requests, {} replies", queue_.size(), returns_.size());
}

}  // namespace flagstone
