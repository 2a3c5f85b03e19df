#include "gpu_model/memory/network.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <numeric>

namespace flagstone {
namespace {

constexpr uint32_t kNobody = ~uint32_t{0};

template <class Mask, class Visit>
void ForEachBit(const Mask& mask, Visit&& visit) {
  for (uint32_t word = 0; word < mask.size(); ++word) {
    for (uint64_t bits = mask[word]; bits != 0; bits &= bits - 1) {
      visit(word * 64 + static_cast<uint32_t>(std::countr_zero(bits)));
    }
  }
}

}  // namespace

Network::Network(uint32_t sources, uint32_t destinations, const InterconnectConfig& config)
    : sources_(sources),
      latency_(config.latency),
      flit_bytes_(config.flit_bytes),
      ports_(sources),
      waiting_(sources, Ring<Waiting>(config.source_queue)),
      arriving_(destinations, Ring<Arriving>(config.destination_queue)),
      sinks_(destinations, nullptr),
      source_port_(sources),
      destination_port_(destinations),
      source_free_(sources, 0),
      destination_free_(destinations, 0),
      next_source_(destinations, 0),
      chosen_(destinations, kNobody) {
  asked_.reserve(destinations);
  std::iota(source_port_.begin(), source_port_.end(), 0U);
  std::iota(destination_port_.begin(), destination_port_.end(), 0U);
  for (uint32_t source = 0; source < sources; ++source) ports_[source].Attach(this, source);
}

void Network::ShareSources(uint32_t count, uint32_t sharing) {
  for (uint32_t i = 0; i < count; ++i) source_port_[i] = i - i % sharing;
  shared_ = shared_ || sharing > 1;
}

void Network::ShareDestinations(uint32_t count, uint32_t sharing) {
  for (uint32_t i = 0; i < count; ++i) destination_port_[i] = i - i % sharing;
  shared_ = shared_ || sharing > 1;
}

void Network::Push(uint32_t source, const Packet& packet, uint32_t destination, uint32_t bytes) {
  waiting_[source].Push({packet, destination, (bytes + flit_bytes_ - 1) / flit_bytes_});
  sending_[source / 64] |= uint64_t{1} << (source % 64);
  ++in_flight_;
  Wake();
}

void Network::Sample(uint64_t now) {
  // By Little's law this gives the mean latency. A push wakes the network, so the number was what
  // the last Commit left in each cycle that was skipped.
  statistics_.packet_cycles += counted_in_flight_ * (now - counted_until_ - 1) + in_flight_;
  counted_until_ = now;
  ForEachBit(sending_, [&](uint32_t source) {
    const uint32_t destination = waiting_[source].front().destination;
    if (arriving_[destination].full()) {
      ++statistics_.backpressure;
      return;
    }
    if (source_free_[source_port_[source]] > now ||
        destination_free_[destination_port_[destination]] > now) {
      return;
    }
    // Round-robin: the first source at or after next_source_ wins. Sources come in rising order.
    uint32_t& chosen = chosen_[destination];
    if (chosen == kNobody) {
      chosen = source;
      asked_.push_back(destination);
    } else if (chosen < next_source_[destination] && source >= next_source_[destination]) {
      chosen = source;
    }
  });
  // Of neighbours that share a port the first one in `asked_` wins: it starts anywhere
  // (assumption).
  if (shared_ && asked_.size() > 1) {
    std::rotate(asked_.begin(),
                asked_.begin() + static_cast<std::ptrdiff_t>(statistics_.packets % asked_.size()),
                asked_.end());
  }
  for (const uint32_t destination : asked_) {
    Grant(chosen_[destination], destination, now);
    chosen_[destination] = kNobody;
  }
  asked_.clear();
}

void Network::Grant(uint32_t source, uint32_t destination, uint64_t now) {
  uint64_t& source_free = source_free_[source_port_[source]];
  uint64_t& destination_free = destination_free_[destination_port_[destination]];
  if (source_free > now || destination_free > now) return;  // taken in this cycle by a neighbour
  const Waiting& waiting = waiting_[source].front();
  source_free = destination_free = now + waiting.flits;
  // Sent in the Commit before `now`, and seen by the receiver in the cycle after its arrival.
  arriving_[destination].Push({waiting.packet, now + latency_ - 2 + waiting.flits - 1});
  receiving_[destination / 64] |= uint64_t{1} << (destination % 64);
  next_source_[destination] = source + 1 == sources_ ? 0 : source + 1;
  ++statistics_.packets;
  statistics_.flits += waiting.flits;
  waiting_[source].Pop();
  if (waiting_[source].empty()) sending_[source / 64] &= ~(uint64_t{1} << (source % 64));
}

void Network::Commit(uint64_t now) {
  ForEachBit(receiving_, [&](uint32_t destination) {
    Ring<Arriving>& queue = arriving_[destination];
    if (queue.front().cycle > now || !sinks_[destination]->CanAccept()) return;
    sinks_[destination]->Accept(queue.front().packet);
    queue.Pop();
    --in_flight_;
    if (queue.empty()) receiving_[destination / 64] &= ~(uint64_t{1} << (destination % 64));
  });
  counted_in_flight_ = in_flight_;
}

uint64_t Network::NextWork(uint64_t now) const {
  for (const uint64_t word : sending_) {
    if (word != 0) return now + 1;
  }
  uint64_t next = kNever;
  ForEachBit(receiving_, [&](uint32_t destination) {
    next = std::min(next, std::max(now + 1, arriving_[destination].front().cycle));
  });
  return next;
}

std::string Network::Leftover() const { return fmt::format("{} packets", in_flight_); }

}  // namespace flagstone
