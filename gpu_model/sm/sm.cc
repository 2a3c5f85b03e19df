#include "gpu_model/sm/sm.h"

#include <mutex>

namespace flagstone {

Sm::Sm(const SmSetup& setup, uint32_t in_chip) : setup_(setup), in_chip_(in_chip) {
  if (setup.cores_at_once) {
    MakeCore();
  } else {
    SetBit(&setup.link->ready, in_chip);
  }
}

void Sm::MakeCore() {
  // Several SMs may sample at once, and the bodies of their blocks come from one place.
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  core_ = std::make_unique<SmCore>(setup_, in_chip_);
  if (requests_ != nullptr) core_->Connect(requests_);
  if (log_ != nullptr) core_->KeepLog(log_);
  if (load_log_ != nullptr) core_->KeepLoads(load_log_);
  if (load_counts_ != nullptr) core_->CountLoads(load_counts_);
}

void Sm::Connect(PacketPort* requests) {
  requests_ = requests;
  if (core_ != nullptr) core_->Connect(requests);
}

void Sm::KeepLog(TbLog* log) {
  log_ = log;
  if (core_ != nullptr) core_->KeepLog(log);
}

void Sm::KeepLoads(LoadLog* log) {
  load_log_ = log;
  if (core_ != nullptr) core_->KeepLoads(log);
}

void Sm::CountLoads(std::vector<LoadCounts>* counts) {
  load_counts_ = counts;
  if (core_ != nullptr) core_->CountLoads(counts);
}

std::vector<TagArray> Sm::ReadOnly() const {
  return core_ == nullptr ? std::vector<TagArray>() : core_->ReadOnly();
}

void Sm::Keep(const std::vector<TagArray>& read_only) {
  if (core_ == nullptr) MakeCore();
  core_->Keep(read_only);
}

void Sm::Accept(const Packet& packet) {
  core_->Accept(packet);
  Wake();
}

void Sm::Sample(uint64_t now) {
  if (core_ == nullptr) {
    if (!Offered()) return;
    MakeCore();
  }
  core_->Sample(now);
}

SmStatistics Sm::Statistics(uint64_t cycles) const {
  if (core_ != nullptr) return core_->Statistics(cycles);
  const SmConfig& sm = setup_.machine->sm;
  SmStatistics idle;
  idle[IssueSlot::kIdle] = cycles * sm.schedulers;
  idle.warp_slot_cycles = cycles * sm.max_warps;
  return idle;
}

}  // namespace flagstone
