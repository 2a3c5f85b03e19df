// CAPS's prefetcher without time: what each load leads to, rule by rule (CAPS paper, sections V.A
// to V.C). It shares no code with the cycle-by-cycle model, which tests hold against it.
#ifndef FLAGSTONE_TESTS_BLOCKS_CONTRACT_CAPS_REFERENCE_H_
#define FLAGSTONE_TESTS_BLOCKS_CONTRACT_CAPS_REFERENCE_H_

#include <array>
#include <cstdint>
#include <list>
#include <vector>

#include "gpu_model/blocks/prefetcher/caps/caps_config.h"

namespace flagstone {

struct CapsPrefetch {
  uint64_t addr = 0;
  uint32_t warp = 0;
  uint32_t slot = 0;
  uint64_t pc = 0;
  auto operator<=>(const CapsPrefetch&) const = default;
};

struct CapsLoad {
  uint64_t pc = 0;
  uint32_t slot = 0;
  uint32_t warp = 0;
  bool indirect = false;
  std::vector<uint64_t> addrs;  // byte address of the lowest lane of each coalesced request
};

class CapsReference {
 public:
  using LiveWarps = std::array<uint64_t, kMaxCtaSlots>;

  explicit CapsReference(const CapsConfig& config) : config_(config), percta_(config.cta_slots) {}

  // A load executes. The prefetches that follow, in order, as if all were sent before the next
  // load; those whose line is in the L1 or in flight are still among them.
  std::vector<CapsPrefetch> Load(const CapsLoad& load, const LiveWarps& live);
  void EndCta(uint32_t slot);
  void EndKernel();
  bool Throttled(uint64_t pc) const;

 private:
  struct Base {
    uint64_t pc;
    uint32_t lead;
    std::vector<uint64_t> addrs;
  };
  struct Distance {
    uint64_t pc;
    uint64_t stride;
    uint32_t wrong;
    uint32_t leads;  // the slot whose warps gave the stride, until its CTA ends
  };
  // A table of four, in the order of writing: the oldest first. Which entry an invalid place is
  // does not show.
  template <class Entry>
  static Entry* Find(std::list<Entry>* table, uint64_t pc) {
    for (Entry& entry : *table) {
      if (entry.pc == pc) return &entry;
    }
    return nullptr;
  }
  template <class Entry>
  static void Put(std::list<Entry>* table, const Entry& entry) {
    if (table->size() == 4) table->pop_front();
    table->push_back(entry);
  }

  // `only`: the distance from the leading warp that is wanted; 0: all.
  void Job(uint32_t slot, const Base& base, const Distance& distance, const LiveWarps& live,
           uint64_t only, std::vector<CapsPrefetch>* prefetches) const;
  void Leads(const CapsLoad& load, const LiveWarps& live, std::vector<CapsPrefetch>* prefetches);
  bool MayPrefetch(const Distance& distance) const { return distance.wrong <= config_.threshold; }
  void Judge(bool right, Distance* distance) const;
  // A stride that has not been proven until now is.
  void Proven(const Distance& distance, const LiveWarps& live,
              std::vector<CapsPrefetch>* prefetches) {
    CaseA(distance, kMaxCtaSlots, 0, live, prefetches);
  }
  // `but`: a slot that is left out.
  void CaseA(const Distance& distance, uint32_t but, uint64_t only, const LiveWarps& live,
             std::vector<CapsPrefetch>* prefetches);
  uint64_t Wrap(uint64_t address) const {
    return config_.addr_bits == 64 ? address : address % (uint64_t{1} << config_.addr_bits);
  }

  const CapsConfig config_;
  std::vector<std::list<Base>> percta_;
  std::list<Distance> dist_;
};

}  // namespace flagstone

#endif  // FLAGSTONE_TESTS_BLOCKS_CONTRACT_CAPS_REFERENCE_H_
