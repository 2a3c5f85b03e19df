#include "systemc/sm_blocks.h"

#include <fmt/core.h>

#include "base/error.h"
#include "kernels/ptx/kernel.h"
#include "systemc/cosim/sm_blocks_factory.h"

namespace flagstone {
namespace {

// CAPS keeps addresses of 32 bits: the low ones, where all buffers lie in one window of 4 GiB. Else
// its parameter is widened to all that a line's number can hold.
constexpr uint32_t kPaperBits = 32;
constexpr uint32_t kWideBits = 40;

void ChooseAddressBits(const DeviceMemory& memory, PrefetcherConfig* config, PrefetchSetup* setup) {
  config->addr_bits = kPaperBits;
  if (!memory.regions().empty()) {
    const DeviceMemory::Region& first = memory.regions().front();
    const DeviceMemory::Region& last = memory.regions().back();
    const uint64_t window = first.address >> kPaperBits;
    setup->address_window = window << kPaperBits;
    if ((last.address + last.size) >> kPaperBits != window) {
      config->addr_bits = kWideBits;
      setup->address_window = 0;
    }
  }
  setup->addr_bits = config->addr_bits;
}

// By TB: the number of its group, as the TB scheduling policy or the warp scheduler says. What an
// SM's part of the grid is made of is one group; without groups each TB is one.
std::vector<uint32_t> NumbersOfGroups(const LaunchRequest& request, TbGrouping grouping) {
  const auto tbs = static_cast<uint32_t>(request.Tbs());
  uint32_t size = grouping == TbGrouping::kPairs ? 2 : 1;
  if (grouping == TbGrouping::kPolicy) {
    TbGroups groups;
    if (request.tb_scheduler->has_queue) groups = request.groups;
    for (const TbGroups& queue : request.plan.queues) {
      groups.groups.insert(groups.groups.end(), queue.groups.begin(), queue.groups.end());
    }
    if (!groups.groups.empty()) return GroupOfTb(groups, tbs);
    if (request.tb_scheduler->Sequence() == TbSequence::kParts) size = tbs;
  }
  std::vector<uint32_t> numbers(tbs);
  for (uint32_t tb = 0; tb < tbs; ++tb) numbers[tb] = tb / size;
  return numbers;
}

}  // namespace

SmBlocks::SmBlocks(const SimulateOptions& options, const LaunchRequest& request,
                   const Occupancy& occupancy, const uint64_t* core_cycle)
    : options_(options),
      request_(request),
      paths_(options.machine),
      warp_scheduler_(options.machine.sm.warp_scheduler),
      prefetcher_(options.machine.sm.prefetcher),
      scheduling_(options.machine.sm.scheduling),
      prefetching_(options.machine.sm.prefetching),
      core_cycle_(core_cycle) {
  const SmConfig& sm = options.machine.sm;
  scheduling_.num_warps = prefetching_.num_warps = sm.max_warps;
  scheduling_.tb_slots = prefetching_.cta_slots = sm.max_tbs;
  // A bad name or parameter is bad input before anything is built.
  MakeWarpSchedulerBody(warp_scheduler_, scheduling_, Engine::kModel);
  MakePrefetcherBody(prefetcher_, prefetching_, Engine::kModel);
  if (!HasPrefetcher()) return;
  if (sm.l1.global == L1Global::kBypass) {
    ThrowBadInput("prefetcher {} on {}: its L1 is off for global memory (sm.l1.global)",
                  prefetcher_, options.machine.name);
  }
  if (prefetching_.mshr_reserve >= sm.l1.mshrs) {
    ThrowBadInput(
        "prefetcher {} on {}: sm.prefetching.mshr_reserve is {}: expected less than "
        "sm.l1.mshrs ({})",
        prefetcher_, options.machine.name, prefetching_.mshr_reserve, sm.l1.mshrs);
  }
  if (occupancy.tbs_per_sm > kMaxCtaSlots) {
    ThrowBadInput("prefetcher {} on {}: {} TBs on an SM at once: expected at most {}", prefetcher_,
                  options.machine.name, occupancy.tbs_per_sm, kMaxCtaSlots);
  }
}

std::string SmBlocks::PrefetcherPath(uint32_t sm) const { return paths_.OfSm(sm, "prefetcher"); }

std::string SmBlocks::WarpSchedulerPath(uint32_t sm, uint32_t index) const {
  return paths_.OfSm(sm, fmt::format("warp_scheduler{}", index));
}

void SmBlocks::AddPaths(std::vector<std::string>* paths) const {
  const SmConfig& config = options_.machine.sm;
  const uint32_t schedulers = FindWarpScheduler(warp_scheduler_).HasRtl() ? config.schedulers : 0;
  for (uint32_t sm = 0; sm < config.count; ++sm) {
    if (FindPrefetcher(prefetcher_).HasRtl()) paths->push_back(PrefetcherPath(sm));
    for (uint32_t i = 0; i < schedulers; ++i) paths->push_back(WarpSchedulerPath(sm, i));
  }
}

BodyOptions SmBlocks::Options(const std::string& path) {
  BodyOptions options;
  options.rtl.wave = options_.wave.OfBlock(path);
  options.rtl.path = path;
  options.rtl.cycle = core_cycle_;
  options.lockstep = &reports_.emplace_back();
  return options;
}

void SmBlocks::Plug(SmSetup* setup) {
  setup->make_warp_scheduler = [this](uint32_t sm, uint32_t index) {
    return MakeWarpSchedulerBody(warp_scheduler_, scheduling_, options_.engine,
                                 Options(WarpSchedulerPath(sm, index)));
  };
  const WarpSchedulerDescriptor& scheduler = FindWarpScheduler(warp_scheduler_);
  setup->victim_tags = scheduler.hears_lost_locality;
  if (scheduler.compares_epochs) {
    setup->epoch = scheduling_.duel_epoch;
    setup->cores_at_once = true;
  }
  if (scheduler.grouping != TbGrouping::kNone) {
    setup->tb_groups = tb_groups_ = NumbersOfGroups(request_, scheduler.grouping);
  }
  if (scheduler.takes_group_sizes) {
    setup->group_sizes = request_.group_sizes;
    setup->cores_at_once = true;
  }
  if (scheduler.knows_leading) setup->leading_mark = scheduling_.pas_leading_mark;
  if (!HasPrefetcher() && setup->leading_mark == LeadingMark::kPermanent) return;
  if (request_.indirect_loads.size() != request_.launch->kernel->instructions.size()) {
    ThrowInternal(
        "a prefetcher, or marks of leading warps, without the indirect loads of kernel {}",
        request_.launch->kernel->name);
  }
  setup->prefetch.indirect = request_.indirect_loads;
  if (!HasPrefetcher()) return;
  setup->prefetch.mshr_reserve = prefetching_.mshr_reserve;
  setup->prefetch.own_port = prefetching_.own_port != 0;
  setup->prefetch.wake_up = prefetching_.wake_up != 0;
  const bool plus = prefetcher_ == "caps+";
  setup->prefetch.trailing_only =
      (plus || prefetcher_ == "caps") && prefetching_.caps_trailing_only != 0;
  setup->prefetch.keep_awaited = plus && prefetching_.caps_plus_keep != 0;
  ChooseAddressBits(*request_.memory, &prefetching_, &setup->prefetch);
  setup->make_prefetcher = [this](uint32_t sm) {
    return MakePrefetcherBody(prefetcher_, prefetching_, options_.engine,
                              Options(PrefetcherPath(sm)));
  };
}

uint64_t SmBlocks::LockstepCycles() const {
  uint64_t cycles = 0;
  for (const LockstepReport& report : reports_) cycles += report.compared_cycles;
  return cycles;
}

}  // namespace flagstone
