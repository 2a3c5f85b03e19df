#include "gpu_model/memory/dram_channel.h"

#include <fmt/core.h>

#include <algorithm>

namespace flagstone {
namespace {

constexpr size_t kNoRequest = ~size_t{0};
// Reads whose data is on its way: enough that the data bus never waits for room.
constexpr size_t kReturns = 1024;

}  // namespace

DramChannel::DramChannel(const DramConfig& config, uint32_t clients, uint32_t fixed_latency)
    : config_(config),
      fixed_latency_(fixed_latency),
      group_distance_(config.bank_groups > 1 ? config.t_ccdl : config.t_ccd),
      clients_(clients),
      banks_(config.banks),
      returns_(kReturns),
      next_group_column_(config.bank_groups, 0) {
  queue_.reserve(size_t{config.queue} + config.write_queue);
}

void DramChannel::Request(const ChannelRequest& request) {
  clients_[request.client].input.Push(request);
  ++waiting_;
  Wake();
}

bool DramChannel::HasRoom(const ChannelRequest& request) const {
  if (config_.write_queue == 0) return queue_.size() < config_.queue;
  return request.write ? writes_ < config_.write_queue : queue_.size() - writes_ < config_.queue;
}

void DramChannel::TakeInput(uint64_t now) {
  const auto count = static_cast<uint32_t>(clients_.size());
  for (uint32_t i = 0; i < count; ++i) {
    Client& client = clients_[(next_client_ + i) % count];
    if (client.input.empty() || !HasRoom(client.input.front())) continue;
    queue_.push_back({client.input.front(), now});
    if (queue_.back().request.write) ++writes_;
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
  const bool reads = queue_.size() > writes_;
  writing_ = writes_ > 0 &&
             (writes_ >= config_.write_high || !reads || (writing_ && writes_ > config_.write_low));
}

uint32_t DramChannel::BurstCycles(const ChannelRequest& request) const {
  const uint32_t bytes = SectorCount(request.sectors) * kSectorBytes;
  return (bytes + config_.bus_bytes - 1) / config_.bus_bytes;
}

uint64_t DramChannel::ColumnReady(const ChannelRequest& request) const {
  const uint32_t to_data = request.write ? config_.t_wl : config_.t_cl;
  uint64_t ready = std::max({banks_[request.bank].column_ready, next_column_,
                             next_group_column_[request.bank % config_.bank_groups]});
  if (bus_free_ > to_data) ready = std::max(ready, bus_free_ - to_data);
  return request.write ? ready : std::max(ready, read_after_write_);
}

void DramChannel::Schedule(uint64_t now) {
  size_t column = kNoRequest;
  size_t row = kNoRequest;
  uint64_t next = kNever;
  uint32_t wanted = 0;  // banks whose open row a request wants
  uint32_t seen_read = 0, seen_write = 0;
  for (size_t i = 0; i < queue_.size() && column == kNoRequest; ++i) {
    const ChannelRequest& request = queue_[i].request;
    if (banks_[request.bank].row != request.row || !Considered(queue_[i])) continue;
    const uint32_t bit = 1U << request.bank;
    wanted |= bit;
    uint32_t& seen = request.write ? seen_write : seen_read;
    if ((seen & bit) != 0) continue;  // the same timing as an older one
    seen |= bit;
    const uint64_t ready = ColumnReady(request);
    if (ready <= now && returns_.room() > 0) {
      column = i;
    } else {
      next = std::min(next, std::max(ready, now + 1));
    }
  }
  if (column != kNoRequest) {
    for (const Entry& entry : queue_) {
      if (banks_[entry.request.bank].row == entry.request.row && Considered(entry)) {
        wanted |= 1U << entry.request.bank;
      }
    }
  }
  uint32_t considered = wanted;
  for (size_t i = 0; i < queue_.size() && row == kNoRequest; ++i) {
    const ChannelRequest& request = queue_[i].request;
    const uint32_t bit = 1U << request.bank;
    if ((considered & bit) != 0 || !Considered(queue_[i])) continue;
    considered |= bit;
    const Bank& bank = banks_[request.bank];
    const uint64_t ready =
        bank.row != kClosed ? bank.precharge_ready : std::max(bank.activate_ready, next_activate_);
    if (ready <= now) {
      row = i;
    } else {
      next = std::min(next, ready);
    }
  }
  if (row != kNoRequest) IssueRow(row, now);
  if (column != kNoRequest) IssueColumn(column, now);
  next_command_ = row != kNoRequest || column != kNoRequest ? now + 1 : next;
}

void DramChannel::IssueRow(size_t index, uint64_t now) {
  Entry& entry = queue_[index];
  Bank& bank = banks_[entry.request.bank];
  if (bank.row != kClosed) {
    bank.row = kClosed;
    entry.closed_other = true;
    bank.activate_ready = std::max(bank.activate_ready, now + config_.t_rp);
    return;
  }
  bank.row = entry.request.row;
  bank.column_ready = now + config_.t_rcd;
  bank.precharge_ready = now + config_.t_ras;
  bank.activate_ready = now + config_.t_rc;
  next_activate_ = now + config_.t_rrd;
  entry.activated = true;
  ++statistics_.activations;
}

void DramChannel::IssueColumn(size_t index, uint64_t now) {
  const Entry entry = queue_[index];
  --waiting_;
  if (entry.request.write) --writes_;
  queue_.erase(queue_.begin() + static_cast<std::ptrdiff_t>(index));
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
  uint64_t next = queue_.empty() ? kNever : next_command_;
  if (!returns_.empty()) next = std::min(next, std::max(now + 1, returns_.front().cycle));
  for (const Client& client : clients_) {
    if (!client.input.empty() && HasRoom(client.input.front())) return now + 1;
  }
  return next;
}

bool DramChannel::Drained() const {
  return queue_.empty() && returns_.empty() &&
         std::all_of(clients_.begin(), clients_.end(),
                     [](const Client& client) { return client.input.empty(); });
}

std::string DramChannel::Leftover() const {
  return fmt::format("{} requests, {} replies", queue_.size(), returns_.size());
}

}  // namespace flagstone
