// CAPS's two tables (section V.B, Table I): the models of rtl/caps/caps_percta_table.sv and
// caps_dist_table.sv.
#ifndef FLAGSTONE_GPU_MODEL_BLOCKS_PREFETCHER_CAPS_CAPS_TABLES_H_
#define FLAGSTONE_GPU_MODEL_BLOCKS_PREFETCHER_CAPS_CAPS_TABLES_H_

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "gpu_model/blocks/prefetcher/caps/caps_config.h"

namespace flagstone {

inline constexpr uint32_t kCapsEntries = 4;
inline constexpr uint32_t kNoEntry = kCapsEntries;

// A four-entry table's order of writing: the lowest invalid entry is taken first, else the one that
// was written longest ago.
template <class Entry>
uint32_t EntryToFill(const std::array<Entry, kCapsEntries>& entries) {
  uint32_t oldest = 0;
  for (uint32_t e = 0; e < kCapsEntries; ++e) {
    if (!entries[e].valid) return e;
    if (entries[e].written < entries[oldest].written) oldest = e;
  }
  return oldest;
}

template <class Entry>
uint32_t FindEntry(const std::array<Entry, kCapsEntries>& entries, uint64_t pc) {
  for (uint32_t e = 0; e < kCapsEntries; ++e) {
    if (entries[e].valid && entries[e].pc == pc) return e;
  }
  return kNoEntry;
}

struct PerCtaEntry {
  bool valid = false;
  uint64_t pc = 0;
  uint32_t lead = 0;  // leading warp
  uint32_t count = 0;
  std::array<uint64_t, kCapsBases> bases = {};
  uint64_t written = 0;
};

class PerCtaTable {
 public:
  explicit PerCtaTable(uint32_t cta_slots) : slots_(cta_slots) {}

  std::array<PerCtaEntry, kCapsEntries>& operator[](uint32_t slot) { return slots_[slot]; }
  const std::array<PerCtaEntry, kCapsEntries>& operator[](uint32_t slot) const {
    return slots_[slot];
  }
  void Touch(PerCtaEntry* entry) { entry->written = ++writes_; }
  void ClearSlot(uint32_t slot) {
    for (PerCtaEntry& entry : slots_[slot]) entry.valid = false;
  }
  void Clear() {
    for (uint32_t slot = 0; slot < slots_.size(); ++slot) ClearSlot(slot);
  }

 private:
  std::vector<std::array<PerCtaEntry, kCapsEntries>> slots_;
  uint64_t writes_ = 0;
};

struct DistEntry {
  bool valid = false;
  uint64_t pc = 0;
  uint64_t stride = 0;
  uint32_t count = 0;  // mispredictions, saturating
  uint64_t written = 0;
};

class DistTable {
 public:
  static constexpr uint32_t kMaxCount = 255;
  // Of `confidence` (assumptions): a new stride begins so far above the threshold that one right
  // prediction lets it prefetch, and four right ones make up for a wrong one.
  static constexpr uint32_t kRight = 8;
  static constexpr uint32_t kWrong = 32;

  explicit DistTable(const CapsConfig& config)
      : threshold_(config.threshold), confidence_(config.confidence) {}

  uint32_t Find(uint64_t pc) const { return FindEntry(entries_, pc); }
  const DistEntry& operator[](uint32_t entry) const { return entries_[entry]; }
  bool Throttled(uint32_t entry) const {
    return entries_[entry].valid && entries_[entry].count > threshold_;
  }
  uint32_t ToFill() const { return EntryToFill(entries_); }
  void Train(uint64_t pc, uint64_t stride) {
    const uint32_t count = confidence_ ? std::min(kMaxCount, threshold_ + kRight) : 0;
    entries_[ToFill()] = {
        .valid = true, .pc = pc, .stride = stride, .count = count, .written = ++writes_};
  }
  void Predicted(uint32_t entry, bool right) {
    uint32_t& count = entries_[entry].count;
    if (!right) count = std::min(kMaxCount, count + (confidence_ ? kWrong : 1));
    if (right && confidence_) count -= std::min(count, kRight);
  }
  void Clear() {
    for (DistEntry& entry : entries_) entry.valid = false;
  }

 private:
  const uint32_t threshold_;
  const bool confidence_;
  std::array<DistEntry, kCapsEntries> entries_;
  uint64_t writes_ = 0;
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_BLOCKS_PREFETCHER_CAPS_CAPS_TABLES_H_
