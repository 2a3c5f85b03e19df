#include "gpu_model/memory/network.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <numeric>

namespace flagstone {
namespace {

constexpr uint32_t kNoSource = ~uint32_t{0};

template <class Mask, class Visit>
void ForEachBit(const Mask& mask, Visit&& visit) {
  for (uint32_t word = 0; word < mask.size(); ++word) {
    for (uint64_t bits = mask[word]; bits != 0; bits &= bits - 1) {
      visit(word * 64 + static_cast<uint32_t>(std::countr_zero(bits)));
    }
  }
}

}  // namespace

Network::Network(const Router& router, Direction direction, const InterconnectConfig& config)
    : router_(&router),
      direction_(direction),
      sources_(router.Sources(direction)),
      latency_(config.latency),
      flit_bytes_(config.flit_bytes),
      ports_(sources_),
      waiting_(sources_, Ring<Waiting>(config.source_queue)),
      arriving_(router.Destinations(direction), Ring<Arriving>(config.destination_queue)),
      sinks_(arriving_.size(), nullptr),
      source_port_(Shared(sources_, direction == Direction::kRequest, config.sms_per_port)),
      destination_port_(Shared(router.Destinations(direction), direction == Direction::kReply,
                               config.sms_per_port)),
      shared_(config.sms_per_port > 1),
      source_free_(sources_, 0),
      destination_free_(arriving_.size(), 0),
      next_source_(arriving_.size(), 0),
      chosen_(arriving_.size(), kNoSource),
      sending_((sources_ + 63) / 64, 0),
      receiving_((arriving_.size() + 63) / 64, 0) {
  asked_.reserve(arriving_.size());
  for (uint32_t source = 0; source < sources_; ++source) ports_[source].Attach(this, source);
}

std::vector<uint32_t> Network::Shared(uint32_t count, bool askers, uint32_t sms_per_port) const {
  std::vector<uint32_t> ports(count);
  std::iota(ports.begin(), ports.end(), 0U);
  const uint32_t sms = askers ? router_->sms() : 0;
  for (uint32_t sm = 0; sm < sms; ++sm) {
    ports[router_->Sm(sm)] = router_->Sm(sm - sm % sms_per_port);
  }
  return ports;
}

void Network::Push(uint32_t source, const Packet& packet, uint32_t bytes) {
  Waiting waiting{packet, 0, (bytes + flit_bytes_ - 1) / flit_bytes_};
  waiting.destination = router_->Route(direction_, source, &waiting.packet);
  waiting_[source].Push(waiting);
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
    if (chosen == kNoSource) {
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
    chosen_[destination] = kNoSource;
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
