#include "gpu_model/memory/fabric.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>

#include "gpu_model/memory/physical_line.h"

namespace flagstone {
namespace {

constexpr Channel kBoth[] = {Channel::kRequest, Channel::kReply};
constexpr uint64_t kEndsEarly = 2;  // a wire's end is seen in Commit, and sampled a cycle later

}  // namespace

Fabric::Fabric(const NumaConfig& numa, uint32_t slices, const FabricQueues& queues)
    : chiplets_(numa.chiplets),
      nodes_(numa.Nodes()),
      slices_(slices),
      ports_(size_t{nodes_} * slices),
      sinks_(ports_.size(), nullptr),
      waiting_(ports_.size() * kChannels, Ring<Packet>(queues.slice)),
      sending_(nodes_),
      first_slice_(nodes_) {
  for (uint32_t node = 0; node < nodes_; ++node) {
    for (uint32_t slice = 0; slice < slices; ++slice) {
      ports_[node * slices + slice].Attach(this, node, slice);
    }
  }
  const auto add = [&](uint32_t bytes, uint64_t latency, bool ring) {
    Link& link = links_.emplace_back();
    link.bytes = bytes;
    link.latency = latency;
    link.ring = ring;
    // The wire holds what comes in at full speed, in the smallest packets.
    const size_t places = queues.link + latency * bytes / kHeaderBytes;
    for (size_t channel = 0; channel < kChannels; ++channel) {
      link.ways.emplace_back(places, queues.link);
    }
  };
  for (uint32_t i = 0; i < 2 * nodes_; ++i) add(numa.ring_bytes, numa.ring_hop_latency, true);
  const uint64_t out = numa.switch_latency / 2;
  for (uint32_t i = 0; i < numa.gpus; ++i) add(numa.switch_bytes, out, false);
  for (uint32_t i = 0; i < numa.gpus; ++i) add(numa.switch_bytes, numa.switch_latency - out, false);
}

uint32_t Fabric::TargetOf(Channel channel, const Packet& packet) {
  return channel == Channel::kRequest ? HomeOf(packet.line) : packet.origin;
}

uint32_t Fabric::BytesOf(Channel channel, const Packet& packet) {
  return channel == Channel::kRequest ? RequestBytes(packet) : ReplyBytes(packet);
}

uint32_t Fabric::FirstLink(uint32_t node, uint32_t target) const {
  if (GpuOf(node) != GpuOf(target)) return 2 * nodes_ + GpuOf(node);
  const uint32_t clockwise = (target + chiplets_ - node) % chiplets_;
  const bool tie = 2 * clockwise == chiplets_;
  const bool goes_clockwise = tie ? node % chiplets_ % 2 == 0 : 2 * clockwise < chiplets_;
  return 2 * node + (goes_clockwise ? 0 : 1);
}

uint32_t Fabric::NextLink(uint32_t link, uint32_t target) const {
  const uint32_t gpus = nodes_ / chiplets_;
  if (link >= 2 * nodes_ + gpus) return kEnd;  // into the GPU
  if (link >= 2 * nodes_) return 2 * nodes_ + gpus + GpuOf(target);
  const uint32_t node = link / 2;
  const uint32_t step = link % 2 == 0 ? 1 : chiplets_ - 1;
  const uint32_t end = GpuOf(node) * chiplets_ + (node % chiplets_ + step) % chiplets_;
  return end == target ? kEnd : 2 * end + link % 2;
}

void Fabric::Push(uint32_t node, uint32_t slice, Channel channel, const Packet& packet) {
  Waiting(node, slice, channel).Push(packet);
  sending_[node][static_cast<size_t>(channel)] |= uint64_t{1} << slice;
  ++in_flight_;
  ++at_slices_;
  Wake();
}

void Fabric::Sample(uint64_t now) {
  // The cycles that were skipped had the same packets on their wires.
  const uint64_t skipped = now - counted_until_ - (now == 0 ? 0 : 1);
  ring_.packet_cycles += on_links_[1] * skipped;
  switch_.packet_cycles += on_links_[0] * skipped;
  counted_until_ = now;
  PassOn(now);
  if (at_slices_ != 0) Enter();
  if (at_links_ != 0) {
    for (Link& link : links_) SendOn(&link, now);
  }
  ring_.packet_cycles += on_links_[1];
  switch_.packet_cycles += on_links_[0];
}

// From link to link. Those that pass go before those that enter; who is first changes from cycle to
// cycle.
void Fabric::PassOn(uint64_t now) {
  const uint64_t first = now % links_.size();
  for (uint64_t i = 0; i < links_.size(); ++i) {
    const auto from = static_cast<uint32_t>((first + i) % links_.size());
    for (const Channel channel : kBoth) {
      Ring<Flying>& wire = links_[from].ways[static_cast<size_t>(channel)].wire;
      while (!wire.empty() && wire.front().ready <= now) {
        const uint32_t next = NextLink(from, TargetOf(channel, wire.front().packet));
        if (next == kEnd) break;
        Way& way = links_[next].ways[static_cast<size_t>(channel)];
        if (way.room() == 0) {
          ++StatisticsOf(links_[next]).backpressure;
          break;
        }
        way.waiting.Push(wire.front().packet);
        ++at_links_;
        wire.Pop();
      }
    }
  }
}

// Which chiplet is first changes from cycle to cycle: those of a GPU share its link.
void Fabric::Enter() {
  const auto first = static_cast<uint32_t>(counted_until_ % chiplets_);
  for (uint32_t i = 0; i < nodes_; ++i) {
    const uint32_t chiplet = i % chiplets_ + first;
    const uint32_t node = i - i % chiplets_ + (chiplet < chiplets_ ? chiplet : chiplet - chiplets_);
    for (const Channel channel : kBoth) {
      if (sending_[node][static_cast<size_t>(channel)] != 0) EnterFrom(node, channel);
    }
  }
}

// A packet of each slice that waits, where there is room.
void Fabric::EnterFrom(uint32_t node, Channel channel) {
  const auto index = static_cast<size_t>(channel);
  uint32_t& first = first_slice_[node][index];
  const uint32_t start = first;
  for (uint32_t i = 0; i < slices_; ++i) {
    const uint32_t slice = start + i < slices_ ? start + i : start + i - slices_;
    const uint64_t bit = uint64_t{1} << slice;
    if ((sending_[node][index] & bit) == 0) continue;
    Ring<Packet>& queue = Waiting(node, slice, channel);
    Link& link = links_[FirstLink(node, TargetOf(channel, queue.front()))];
    Way& way = link.ways[index];
    const bool room = way.room() >= (link.ring ? 2U : 1U);
    if (!room || way.waiting.size() >= way.most_waiting) {
      ++StatisticsOf(link).backpressure;
      continue;
    }
    way.waiting.Push(queue.front());
    queue.Pop();
    if (queue.empty()) sending_[node][index] &= ~bit;
    --at_slices_;
    ++at_links_;
    ++on_links_[link.ring ? 1 : 0];
    first = slice + 1 == slices_ ? 0 : slice + 1;
  }
}

void Fabric::SendOn(Link* link, uint64_t now) {
  for (;;) {
    Way* way = &link->ways[link->turn];
    auto channel = static_cast<Channel>(link->turn);
    if (way->waiting.empty()) {
      channel = static_cast<Channel>(1 - link->turn);
      way = &link->ways[1U - link->turn];
      if (way->waiting.empty()) return;
    }
    if (link->free >= (now + 1) * link->bytes) return;
    const uint32_t bytes = BytesOf(channel, way->waiting.front());
    link->free = std::max(link->free, now * link->bytes) + bytes;
    link->turn = channel == Channel::kRequest ? 1 : 0;
    LinkStatistics& statistics = StatisticsOf(*link);
    ++statistics.packets;
    statistics.bytes += bytes;
    ++link->packets;
    link->moved += bytes;
    way->wire.Push({way->waiting.front(), now + link->latency});
    way->waiting.Pop();
    --at_links_;
  }
}

bool Fabric::Deliver(Channel channel, const Packet& packet) {
  FabricSink* sink = sinks_[TargetOf(channel, packet) * slices_ + packet.port];
  if (!sink->CanAccept(channel)) return false;
  sink->Accept(channel, packet);
  return true;
}

void Fabric::Commit(uint64_t now) {
  for (uint32_t from = 0; from < links_.size(); ++from) {
    for (const Channel channel : kBoth) {
      Ring<Flying>& wire = links_[from].ways[static_cast<size_t>(channel)].wire;
      while (!wire.empty() && wire.front().ready <= now + kEndsEarly) {
        const Packet& packet = wire.front().packet;
        if (NextLink(from, TargetOf(channel, packet)) != kEnd || !Deliver(channel, packet)) break;
        wire.Pop();
        --in_flight_;
        --on_links_[links_[from].ring ? 1 : 0];
      }
    }
  }
}

uint64_t Fabric::NextWork(uint64_t now) const {
  if (in_flight_ == 0) return kNever;
  if (at_slices_ != 0 || at_links_ != 0) return now + 1;
  uint64_t next = kNever;
  for (const Link& link : links_) {
    for (const Way& way : link.ways) {
      if (way.wire.empty()) continue;
      next = std::min(next, std::max(now + 1 + kEndsEarly, way.wire.front().ready) - kEndsEarly);
    }
  }
  return next;
}

std::string Fabric::Leftover() const { return fmt::format("{} packets", in_flight_); }

// Of one chiplet there is no ring, of one GPU no switch.
bool Fabric::InUse(const Link& link) const {
  return link.ring ? chiplets_ > 1 : nodes_ > chiplets_;
}

LinkStatistics Fabric::WithCapacity(LinkStatistics statistics, bool ring, uint64_t cycles) const {
  for (const Link& link : links_) {
    if (link.ring == ring && InUse(link)) statistics.capacity += link.bytes * cycles;
  }
  return statistics;
}

LinkStatistics Fabric::RingStatistics(uint64_t cycles) const {
  return WithCapacity(ring_, true, cycles);
}
LinkStatistics Fabric::SwitchStatistics(uint64_t cycles) const {
  return WithCapacity(switch_, false, cycles);
}

std::vector<LinkLoad> Fabric::Loads(uint64_t cycles) const {
  const uint32_t gpus = nodes_ / chiplets_;
  std::vector<LinkLoad> loads;
  for (uint32_t i = 0; i < links_.size(); ++i) {
    const Link& link = links_[i];
    if (!InUse(link)) continue;
    LinkLoad& load = loads.emplace_back();
    load.packets = link.packets;
    load.bytes = link.moved;
    load.capacity = link.bytes * cycles;
    if (link.ring) {
      const uint32_t node = i / 2, chiplet = node % chiplets_;
      const uint32_t step = i % 2 == 0 ? 1 : chiplets_ - 1;
      load.kind = i % 2 == 0 ? LinkLoad::Kind::kClockwise : LinkLoad::Kind::kCounterclockwise;
      load.from = node;
      load.to = node - chiplet + (chiplet + step) % chiplets_;
    } else {
      const uint32_t place = i - 2 * nodes_;
      load.kind = place < gpus ? LinkLoad::Kind::kOut : LinkLoad::Kind::kIn;
      load.from = load.to = place % gpus;
    }
  }
  return loads;
}

void Fabric::BytesSoFar(std::vector<uint64_t>* bytes) const {
  size_t place = 0;
  for (const Link& link : links_) {
    if (InUse(link)) bytes->at(place++) = link.moved;
  }
}

}  // namespace flagstone
