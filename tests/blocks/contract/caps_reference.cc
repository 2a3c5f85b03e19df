#include "tests/blocks/contract/caps_reference.h"

#include <algorithm>

namespace flagstone {
namespace {

constexpr uint64_t kLine = 128;

}  // namespace

// Live warps but the leading one, ascending, and for each the bases in order.
void CapsReference::Job(uint32_t slot, const Base& base, const Distance& distance,
                        const LiveWarps& live, uint64_t only,
                        std::vector<CapsPrefetch>* prefetches) const {
  for (uint32_t warp = 0; warp < config_.num_warps; ++warp) {
    if (((live[slot] >> warp) & 1) == 0 || warp == base.lead) continue;
    const uint64_t steps = uint64_t{warp} - uint64_t{base.lead};
    if (only != 0 && steps != only) continue;
    for (const uint64_t address : base.addrs) {
      prefetches->push_back({Wrap(address + steps * distance.stride), warp, slot, base.pc});
    }
  }
}

// The CTA's first warp at this load. Case B: the stride is known already.
void CapsReference::Leads(const CapsLoad& load, const LiveWarps& live,
                          std::vector<CapsPrefetch>* prefetches) {
  const Base* base = Find(&percta_[load.slot], load.pc);
  Distance* distance = Find(&dist_, load.pc);
  if (base != nullptr && !config_.refresh_base) return;
  percta_[load.slot].remove_if([&](const Base& entry) { return entry.pc == load.pc; });
  Put(&percta_[load.slot], {load.pc, load.warp, load.addrs});
  if (distance == nullptr || !MayPrefetch(*distance)) return;
  Job(load.slot, percta_[load.slot].back(), *distance, live, 0, prefetches);
}

void CapsReference::Judge(bool right, Distance* distance) const {
  if (!right) distance->wrong = std::min(distance->wrong + (config_.confidence ? 32U : 1U), 255U);
  if (right && config_.confidence) distance->wrong -= std::min(distance->wrong, 8U);
}

std::vector<CapsPrefetch> CapsReference::Load(const CapsLoad& load, const LiveWarps& live) {
  std::vector<CapsPrefetch> prefetches;
  const size_t n = load.addrs.size();
  if (load.indirect || n == 0 || n > 4) return prefetches;
  Base* base = Find(&percta_[load.slot], load.pc);
  Distance* distance = Find(&dist_, load.pc);
  if (base == nullptr || load.warp == base->lead) {
    Leads(load, live, &prefetches);
    return prefetches;
  }
  const uint64_t delta = uint64_t{load.warp} - uint64_t{base->lead};
  if (distance != nullptr) {
    // Verification: each predicted line is one of the load's.
    const auto is_right = [&](uint64_t address) {
      const uint64_t line = Wrap(address + delta * distance->stride) / kLine;
      return std::any_of(load.addrs.begin(), load.addrs.end(),
                         [&](uint64_t own) { return own / kLine == line; });
    };
    const bool might = MayPrefetch(*distance);
    const bool all = std::all_of(base->addrs.begin(), base->addrs.end(), is_right);
    // The first address alone tells a right one, before others may tell a wrong one.
    if (is_right(base->addrs[0])) Judge(true, distance);
    if (!all) Judge(false, distance);
    if (!might && MayPrefetch(*distance)) Proven(*distance, live, &prefetches);
    if (config_.case_a_paced && distance->leads == load.slot && MayPrefetch(*distance)) {
      CaseA(*distance, load.slot, delta, live, &prefetches);
    }
    return prefetches;
  }
  // Training, from consecutive warps only.
  if (delta != 1 && delta != ~uint64_t{0}) return prefetches;
  std::vector<uint64_t> strides;
  for (size_t k = 0; k < std::min(n, base->addrs.size()); ++k) {
    const uint64_t difference = load.addrs[k] - base->addrs[k];
    strides.push_back(Wrap(delta == 1 ? difference : -difference));
  }
  if (std::any_of(strides.begin(), strides.end(), [&](uint64_t s) { return s != strides[0]; })) {
    percta_[load.slot].remove_if([&](const Base& entry) { return entry.pc == load.pc; });
    return prefetches;
  }
  const uint32_t unproven = std::min(255U, config_.threshold + 8);
  Put(&dist_, {load.pc, strides[0], config_.confidence ? unproven : 0, load.slot});
  if (MayPrefetch(dist_.back())) {
    CaseA(dist_.back(), load.slot, config_.case_a_paced ? delta : 0, live, &prefetches);
  }
  return prefetches;
}

// Case A: the CTAs whose bases are known already.
void CapsReference::CaseA(const Distance& distance, uint32_t but, uint64_t only,
                          const LiveWarps& live, std::vector<CapsPrefetch>* prefetches) {
  for (uint32_t slot = 0; slot < percta_.size(); ++slot) {
    const Base* other = Find(&percta_[slot], distance.pc);
    if (slot != but && other != nullptr) Job(slot, *other, distance, live, only, prefetches);
  }
}

void CapsReference::EndCta(uint32_t slot) {
  percta_[slot].clear();
  for (Distance& distance : dist_) {
    if (distance.leads == slot) distance.leads = kMaxCtaSlots;
  }
}

void CapsReference::EndKernel() {
  for (auto& slot : percta_) slot.clear();
  dist_.clear();
}

bool CapsReference::Throttled(uint64_t pc) const {
  return std::any_of(dist_.begin(), dist_.end(), [&](const Distance& distance) {
    return distance.pc == pc && distance.wrong > config_.threshold;
  });
}

}  // namespace flagstone
