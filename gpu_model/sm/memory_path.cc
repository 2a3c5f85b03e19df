#include "gpu_model/sm/memory_path.h"

#include <cassert>

#include "gpu_model/sm/leading_marks.h"
#include "gpu_model/sm/read_only_cache.h"
#include "gpu_model/sm/victim_tags.h"

namespace flagstone {
namespace {

constexpr size_t kReplyQueue = 8;  // assumption

}  // namespace

MemoryPath::MemoryPath(const SmSetup& setup, uint32_t sm, ResultSink* results)
    : replies_(kReplyQueue),
      blocking_(setup.machine->sm.lsu_blocking != 0),
      request_sectors_(setup.machine->sm.request_sectors),
      delay_(setup.machine->sm.l1.miss_latency, L1Cache::MissPlaces(setup.machine->sm.l1)),
      acknowledged_(setup.machine->l2.write_reply == WriteReply::kAcknowledge),
      results_(results),
      translation_(setup.pages, setup.node, setup.machine->numa.page_fault_cycles),
      data_(setup.machine->sm, results),
      fetch_(setup.machine->sm, setup.code_offset, results) {
  const SmConfig& config = setup.machine->sm;
  if (config.instruction_cache.size_kib > 0 || config.fetch_warps > 0) {
    Add(&fetch_, ClientId::kInstructions, Unit::kControl);
  }
  MakeUnit(config, config.const_cache, config.const_latency, ClientId::kConstants, Unit::kConst);
  MakeUnit(config, config.texture_cache, config.texture_latency, ClientId::kTextures,
           Unit::kTexture);
  AddUnit(&data_, ClientId::kData, Unit::kLoadStore);
  if (setup.make_prefetcher) {
    prefetch_ = std::make_unique<PrefetchUnit>(
        setup.prefetch, setup.make_prefetcher(sm), setup.tbs_per_sm,
        setup.program->launch().WarpsPerTb(), config, setup.force_every_tick, &data_.l1());
    watchers_.push_back(prefetch_.get());
  }
  if (setup.victim_tags) {
    auto tags = std::make_unique<VictimTags>(config.scheduling,
                                             config.l1.size_kib * 1024 / config.l1.line_bytes);
    data_.l1().Connect(tags.get());
    watchers_.push_back(tags.get());
    victim_tags_ = std::move(tags);
  }
  if (setup.leading_mark != LeadingMark::kPermanent) {
    leading_marks_ =
        std::make_unique<LeadingMarks>(setup.leading_mark, setup.prefetch.indirect, config);
    watchers_.push_back(leading_marks_.get());
  }
  for (LoadWatcher* watcher : watchers_) data_.Connect(watcher);
  if (setup.miss_classes) data_.l1().ClassifyMisses();
}

void MemoryPath::Add(MemoryClient* part, ClientId id, Unit unit) {
  clients_[client_count_++] = {part, id, unit};
  by_id_[static_cast<size_t>(id)] = part;
}

void MemoryPath::AddUnit(LoadStoreUnit* part, ClientId id, Unit unit) {
  Add(part, id, unit);
  units_[static_cast<uint32_t>(unit)] = part;
}

// The load/store unit in front of a read-only cache, if the machine has the cache.
void MemoryPath::MakeUnit(const SmConfig& sm, const ReadOnlyCacheConfig& cache, uint32_t latency,
                          ClientId id, Unit unit) {
  if (cache.size_kib == 0) return;
  SmConfig part = sm;
  part.l1 = ReadOnlyL1(cache);
  part.l1.hit_latency = latency;
  read_only_.push_back(std::make_unique<LoadStoreUnit>(part, results_));
  AddUnit(read_only_.back().get(), id, unit);
}

std::vector<TagArray> MemoryPath::ReadOnly() const {
  std::vector<TagArray> held;
  for (const Client& client : clients()) {
    if (client.id != ClientId::kData) held.push_back(client.part->cache().tags());
  }
  return held;
}

void MemoryPath::Keep(const std::vector<TagArray>& read_only) {
  auto kept = read_only.begin();
  for (const Client& client : clients()) {
    if (client.id != ClientId::kData) client.part->Keep(*kept++);
  }
}

void MemoryPath::TakeNext(uint64_t now) {
  Packet reply = replies_.front();
  replies_.Pop();
  MemoryClient* client = by_id_[static_cast<size_t>(ClientOf(reply.tag))];
  assert(client != nullptr);  // it has asked
  reply.tag = OwnTag(reply.tag);
  client->TakeReply(reply, now);
}

void MemoryPath::Issued(Unit unit, uint64_t now) {
  LoadStoreUnit& part = *units_[static_cast<uint32_t>(unit)];
  part.Issued(now);
  NoteFull({&part, &part == &data_ ? ClientId::kData : ClientId::kConstants, unit});
}

void MemoryPath::EndTb(uint32_t tb_slot) {
  for (LoadWatcher* watcher : watchers_) watcher->EndTb(tb_slot);
}

void MemoryPath::Send(uint64_t now) {
  for (const Client& client : clients()) {
    if (!MayLeave(client, now)) continue;
    Ring<Packet>& misses = client.part->misses();
    if (!requests_->CanSend()) return;
    Packet packet = FirstPart(misses.front(), request_sectors_);
    if (!translation_.Translate(&packet, now)) return;
    const uint16_t own_tag = packet.tag;
    packet.tag = ClientTag(client.id, own_tag);
    requests_->Send(packet, RequestBytes(packet));
    if (packet.kind == PacketKind::kWrite && !acknowledged_) {
      results_->StoreDone(own_tag, SectorCount(packet.sectors));
    }
    misses.front().sectors ^= packet.sectors;
    if (misses.front().sectors == 0) {
      misses.Pop();
      if (client.id == ClientId::kData) delay_.Left();
    }
    return;
  }
}

void MemoryPath::PreloadCommit() const {
  __builtin_prefetch(&replies_);
  data_.misses().PreloadFront();
}

uint64_t MemoryPath::NextWork(uint64_t now) const {
  if (!replies_.empty()) return now + 1;
  uint64_t next = kNever;
  for (const Client& client : clients()) {
    if (client.part->Active()) next = std::min(next, client.part->NextUse());
    if (!client.part->misses().empty()) next = std::min(next, NextSend(client, now));
    if (next <= now + 1) return now + 1;
  }
  const bool watched = std::any_of(watchers_.begin(), watchers_.end(),
                                   [](const LoadWatcher* watcher) { return watcher->Active(); });
  return watched ? now + 1 : next;
}

// When one of the client's misses may leave, or a request that found no place among them is tried
// again. What watches loads may do something as long as there is a miss.
uint64_t MemoryPath::NextSend(const Client& client, uint64_t now) const {
  const MemoryClient& part = *client.part;
  const bool blocked = part.HasWork() && !part.Active();
  if (blocked && !part.misses().full()) return now + 1;
  const bool timed = client.id == ClientId::kData && delay_.KnowsAll(part.misses());
  return timed && watchers_.empty() ? delay_.Next() : now + 1;
}

bool MemoryPath::Drained() const {
  const std::span<const Client> all = clients();
  return replies_.empty() && std::all_of(all.begin(), all.end(), [](const Client& client) {
           return client.part->Drained();
         });
}

void MemoryPath::AddTo(SmStatistics* statistics) const {
  for (const Client& client : clients()) {
    const L1Statistics& cache = client.part->cache().statistics();
    const ReadOnlyCacheStatistics counts = {cache.accesses, cache.hits, cache.misses};
    switch (client.id) {
      case ClientId::kData:
        break;  // it has statistics of its own
      case ClientId::kInstructions:
        statistics->instruction_cache = counts;
        break;
      case ClientId::kConstants:
        statistics->const_cache = counts;
        break;
      case ClientId::kTextures:
        statistics->texture_cache = counts;
        break;
    }
  }
}

}  // namespace flagstone
