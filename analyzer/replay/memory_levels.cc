#include "analyzer/replay/memory_levels.h"

#include <cmath>

namespace flagstone::replay {
namespace {

// As that of each node of a machine of several, whose lines have the numbers of the whole.
MachineConfig AsOneNode(MachineConfig machine) {
  if (machine.numa.Nodes() > 1) {
    machine.l2.slices /= machine.numa.Nodes();
    machine.dram.channels /= machine.numa.Nodes();
  }
  machine.numa = {};
  return machine;
}

double CoreCycles(const MachineConfig& machine, uint32_t clock) {
  return static_cast<double>(machine.clock.core) / clock;
}

}  // namespace

MemoryLevels::Slice::Slice(const CacheConfig& cache, uint32_t bytes)
    : tags(bytes, cache.ways, cache.set_hash),
      there(size_t{tags.sets()} * cache.ways, 0),
      touched(there.size(), 0) {}

MemoryLevels::MemoryLevels(const MachineConfig& machine, const DeviceMemory* warm)
    : map_(AsOneNode(machine)),
      nodes_(machine.numa.Nodes()),
      sms_(machine.sm.count),
      page_bytes_(machine.numa.page_bytes),
      sms_per_port_(machine.interconnect.sms_per_port),
      caches_remote_(machine.numa.remote_caching != 0),
      answers_stores_(machine.l2.write_reply == WriteReply::kAcknowledge),
      request_sectors_(machine.sm.request_sectors),
      reply_sectors_(machine.l2.reply_sectors),
      flit_bytes_(machine.interconnect.flit_bytes),
      flit_cycles_(CoreCycles(machine, machine.clock.interconnect)),
      port_queue_(machine.interconnect.source_queue * flit_cycles_),
      network_latency_(machine.interconnect.latency * flit_cycles_),
      l2_cycles_(CoreCycles(machine, machine.clock.l2)),
      l2_latency_(machine.l2.pipeline_latency * l2_cycles_),
      l2_queue_(machine.l2.input_queue * l2_cycles_) {
  const DramConfig& dram = machine.dram;
  const double cycle = CoreCycles(machine, machine.clock.dram);
  dram_sector_cycles_ = cycle * std::max(1.0, static_cast<double>(kSectorBytes) / dram.bus_bytes);
  dram_queue_ = std::max(dram.queue, dram.write_queue);
  dram_latency_ = dram.fixed_latency + cycle * dram.t_cl;
  dram_open_cycles_ = cycle * (dram.t_rp + dram.t_rcd);
  dram_row_cycles_ = cycle * dram.t_rc;
  const bool gpus = machine.numa.gpus > 1;
  link_cycles_ = flit_cycles_ / (gpus ? machine.numa.switch_bytes : 2 * machine.numa.ring_bytes);
  link_latency_ =
      flit_cycles_ * (gpus ? machine.numa.switch_latency : machine.numa.ring_hop_latency);
  const MachineConfig node = AsOneNode(machine);
  for (uint32_t i = 0; i < nodes_ * node.l2.slices; ++i) {
    slices_.emplace_back(node.l2.cache, node.l2.cache.size_kib * 1024);
  }
  channels_.resize(size_t{nodes_} * node.dram.channels);
  for (Channel& channel : channels_) channel.banks.resize(dram.banks);
  request_ports_.resize((sms_ + sms_per_port_ - 1) / sms_per_port_);
  reply_ports_.resize(request_ports_.size());
  links_.resize(nodes_);
  if (warm != nullptr && nodes_ == 1) Warm(*warm);
}

// As copies into device memory, one buffer after the other, have left the slices.
void MemoryLevels::Warm(const DeviceMemory& memory) {
  uint64_t lines = 0, ways = 0;
  for (const DeviceMemory::Region& region : memory.regions()) lines += region.size / kLineBytes + 1;
  for (const Slice& slice : slices_) ways += slice.there.size();
  // What comes much earlier than the last ones that fit leaves nothing.
  uint64_t skipped = lines > 4 * ways ? lines - 4 * ways : 0;
  for (const DeviceMemory::Region& region : memory.regions()) {
    if (region.size == 0) continue;
    const LineNumber first = LineOf(region.address);
    const LineNumber last = LineOf(region.address + region.size - 1);
    const auto skips = static_cast<LineNumber>(std::min<uint64_t>(skipped, last - first + 1));
    skipped -= skips;
    for (LineNumber line = first + skips; line <= last; ++line) {
      const AddressMap::SliceLine place = map_.Slice(line);
      TagArray& tags = SliceOf(0, place).tags;
      uint32_t way = tags.Find(place.local);
      if (way == TagArray::kNone) {
        way = tags.Victim(place.local);
        tags.Assign(way, place.local);
      }
      tags.way(way).valid = kAllSectors;
    }
  }
}

// Packets of so many sectors at most, in flits.
double MemoryLevels::Send(uint32_t sm, SectorMask sectors, bool data, double now) {
  const uint32_t count = SectorCount(sectors);
  const uint32_t packets = (count + request_sectors_ - 1) / request_sectors_;
  const double bytes = kHeaderBytes * packets + (data ? count * kSectorBytes : 0);
  const double flits = std::max<double>(packets, std::ceil(bytes / flit_bytes_));
  return request_ports_[sm / sms_per_port_].Serve(now, flits * flit_cycles_) + network_latency_;
}

double MemoryLevels::Reply(uint32_t sm, Slice* slice, SectorMask sectors, bool data, double now) {
  const uint32_t count = SectorCount(sectors);
  const uint32_t packets = (count + reply_sectors_ - 1) / reply_sectors_;
  const double of_packet =
      kHeaderBytes + (data ? std::min(count, reply_sectors_) * kSectorBytes : 0);
  const double cycles = packets * std::ceil(of_packet / flit_bytes_) * flit_cycles_;
  const double left = slice->replies.Serve(now, cycles) + network_latency_;
  return reply_ports_[sm / sms_per_port_].Serve(left, cycles);
}

double MemoryLevels::Load(uint32_t sm, LineNumber line, SectorMask sectors, double now) {
  moved_.l2_reads += SectorCount(sectors);
  const uint32_t node = NodeOf(sm);
  const double came = Send(sm, sectors, false, now) + l2_latency_;
  const Fetched fetched = Fetch(node, line, sectors, came);
  HoldUp(sm, came, fetched.served);
  return Reply(sm, &SliceOf(node, map_.Slice(line)), sectors, true, fetched.there);
}

double MemoryLevels::Store(uint32_t sm, LineNumber line, SectorMask sectors, double now) {
  moved_.l2_writes += SectorCount(sectors);
  const uint32_t node = NodeOf(sm);
  const double came = Send(sm, sectors, true, now) + l2_latency_;
  const double served = Write(HomeOf(line), line, sectors, came);
  HoldUp(sm, came, served);
  if (HomeOf(line) != node) moved_.remote += SectorCount(sectors);
  if (!answers_stores_) return now;
  return Reply(sm, &SliceOf(node, map_.Slice(line)), sectors, false, served);
}

double MemoryLevels::Atomic(uint32_t sm, LineNumber line, SectorMask sectors, double now) {
  moved_.l2_writes += SectorCount(sectors);
  const uint32_t home = HomeOf(line);
  if (home != NodeOf(sm)) moved_.remote += SectorCount(sectors);
  const double came = Send(sm, sectors, true, now) + l2_latency_;
  const Fetched fetched = Fetch(home, line, sectors, came);
  HoldUp(sm, came, fetched.served);
  const AddressMap::SliceLine place = map_.Slice(line);
  Slice& slice = SliceOf(home, place);
  const uint32_t way = slice.tags.Find(place.local);
  if (way != TagArray::kNone) MakeDirty(&slice.tags.way(way), sectors);
  return Reply(sm, &slice, sectors, true, fetched.there);
}

void MemoryLevels::HoldUp(uint32_t sm, double came, double served) {
  const double held = served - came - l2_queue_;
  if (held <= 0) return;
  request_ports_[sm / sms_per_port_].Serve(came - l2_latency_ - network_latency_ + held, 0);
}

// A way for a new line, whose old one is written back.
uint32_t MemoryLevels::TakeWay(Slice* slice, uint32_t node, AddressMap::SliceLine place,
                               double now) {
  const uint32_t way = slice->tags.Victim(place.local);
  const SectorMask dirty = slice->tags.way(way).dirty;
  if (dirty != 0 && !slice->tags.free(way)) {
    moved_.dram_writes += SectorCount(dirty);
    dirty_ -= SectorCount(dirty);
    Dram(node, place.slice, slice->tags.line(way), SectorCount(dirty), now);
  }
  slice->tags.Assign(way, place.local);
  slice->touched[way] = clock_;
  return way;
}

// The line's way. Where TBs are cut short, what their missing parts have brought since it was
// touched last may have taken its place.
uint32_t MemoryLevels::FindOrTake(Slice* slice, uint32_t node, AddressMap::SliceLine place,
                                  double now) {
  const uint32_t way = slice->tags.Find(place.local);
  if (way == TagArray::kNone) return TakeWay(slice, node, place, now);
  slice->tags.Touch(way);
  if (!whole_tbs_.empty()) {
    const double passed = clock_ - std::exchange(slice->touched[way], clock_);
    if (passed > static_cast<double>(sectors())) slice->tags.way(way).valid = 0;
  }
  return way;
}

MemoryLevels::Fetched MemoryLevels::Fetch(uint32_t node, LineNumber line, SectorMask sectors,
                                          double now) {
  const AddressMap::SliceLine place = map_.Slice(line);
  Slice& slice = SliceOf(node, place);
  const double served = slice.port.Serve(now, SectorCount(sectors) * l2_cycles_);
  const uint32_t way = FindOrTake(&slice, node, place, now);
  const SectorMask valid = slice.tags.way(way).valid;
  const auto missing = static_cast<SectorMask>(sectors & ~valid);
  slice.tags.way(way).valid |= sectors;
  const uint32_t count = SectorCount(missing);
  const bool others_have_it =
      most_misses_ && static_cast<double>(moved_.dram_reads + count) > *most_misses_ * asked_;
  if (missing == 0 || others_have_it) {
    return {served, std::max<double>(served, slice.there[way])};
  }
  double there = 0;
  if (const uint32_t home = HomeOf(line); home != node) {
    moved_.remote += count;
    const double asked = now + link_latency_ + l2_latency_;
    there = links_[home].Serve(Fetch(home, line, missing, asked).there,
                               count * kSectorBytes * link_cycles_);
    there += link_latency_;
    if (!caches_remote_) slice.tags.way(way).valid = valid;
  } else {
    moved_.dram_reads += count;
    clock_ += count;
    all_reads_ += WholeTbs() * count;
    if (!brought_.empty()) brought_[access_] += count;
    there = Dram(node, place.slice, place.local, count, now) + dram_latency_;
  }
  slice.there[way] = static_cast<float>(there);
  return {served, std::max(served, there)};
}

double MemoryLevels::Write(uint32_t node, LineNumber line, SectorMask sectors, double now) {
  const AddressMap::SliceLine place = map_.Slice(line);
  Slice& slice = SliceOf(node, place);
  const double served = slice.port.Serve(now, SectorCount(sectors) * l2_cycles_);
  const uint32_t way = FindOrTake(&slice, node, place, now);
  slice.tags.way(way).valid |= sectors;
  MakeDirty(&slice.tags.way(way), sectors);
  return served;
}

void MemoryLevels::MakeDirty(TagArray::Way* way, SectorMask sectors) {
  const uint32_t count = SectorCount(static_cast<SectorMask>(sectors & ~way->dirty));
  dirty_ += count;
  all_dirtied_ += WholeTbs() * count;
  way->dirty |= sectors;
}

double MemoryLevels::Dram(uint32_t node, uint32_t slice, LineNumber local, uint32_t sectors,
                          double now) {
  const uint32_t of_node = static_cast<uint32_t>(channels_.size()) / nodes_;
  Channel& channel = channels_[node * of_node + map_.Channel(slice)];
  const AddressMap::DramPlace place = map_.Dram(slice, local);
  Bank& bank = channel.banks[place.bank];
  double ready = now;
  ++channel.requests;
  Row* row = bank.rows.data();
  for (Row& other : bank.rows) {
    if (other.number == place.row || (row->number != place.row && other.last < row->last)) {
      row = &other;
    }
  }
  if (row->number != place.row || channel.requests - row->last > dram_queue_) {
    const double opens = std::max(now, bank.free);
    bank.free = opens + dram_row_cycles_;
    row->number = place.row;
    ready = opens + dram_open_cycles_;
  }
  row->last = channel.requests;
  return channel.bus.Serve(ready, sectors * dram_sector_cycles_);
}

}  // namespace flagstone::replay
