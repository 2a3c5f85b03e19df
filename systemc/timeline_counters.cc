#include "systemc/timeline_counters.h"

namespace flagstone {
namespace {

using Bucket = TimelineCounters::Bucket;

constexpr uint64_t Bucket::*kFields[] = {
    &Bucket::l1_accesses,  &Bucket::l1_misses,  &Bucket::l2_accesses,
    &Bucket::l2_misses,    &Bucket::loads,      &Bucket::load_cycles,
    &Bucket::dram_sectors, &Bucket::active_sms, &Bucket::samples};

Bucket SumsOf(const LaunchStatistics& sums) {
  Bucket bucket;
  bucket.l1_accesses = sums.l1.accesses;
  bucket.l1_misses = sums.l1.misses;
  bucket.l2_accesses = sums.l2.accesses;
  bucket.l2_misses = sums.l2.misses;
  bucket.loads = sums.l1.load_latency.count;
  bucket.load_cycles = sums.l1.load_latency.cycles;
  bucket.dram_sectors = sums.dram.reads + sums.dram.writes;
  return bucket;
}

}  // namespace

void TimelineCounters::Add(uint64_t cycle, const LaunchStatistics& sums, uint32_t active_sms) {
  while (cycle / width_ >= kMaxBuckets) HalveTheNumber();
  if (cycle / width_ >= buckets_.size()) buckets_.resize(cycle / width_ + 1);
  Bucket& bucket = buckets_[cycle / width_];
  const Bucket now = SumsOf(sums);
  for (const auto field : kFields) bucket.*field += now.*field - last_.*field;
  bucket.active_sms += active_sms;
  ++bucket.samples;
  last_ = now;
}

void TimelineCounters::HalveTheNumber() {
  width_ *= 2;
  for (size_t i = 0; i < buckets_.size(); ++i) {
    const Bucket bucket = buckets_[i];
    if (i % 2 == 0) buckets_[i / 2] = {};
    for (const auto field : kFields) buckets_[i / 2].*field += bucket.*field;
  }
  buckets_.resize((buckets_.size() + 1) / 2);
}

}  // namespace flagstone
