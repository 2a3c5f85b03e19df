#include "tests/blocks/contract/random_kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <numeric>

#include "gpu_model/blocks/tb_scheduler/tb_settings.h"

namespace flagstone {
namespace {

uint32_t Below(SplitMix64* random, uint64_t bound) {
  return static_cast<uint32_t>(random->Below(bound));
}

// Ids in random order, cut in groups of one style: all small, one big, or anything; some empty.
Groups RandomGroups(SplitMix64* random, uint32_t tbs, uint32_t id_bytes) {
  std::vector<uint32_t> ids(tbs);
  const uint32_t most = id_bytes == 4 ? 0xffffffffu : 0xffffu;
  const uint32_t base = Below(random, uint64_t{most} + 2 - tbs);
  for (uint32_t i = 0; i < tbs; ++i) ids[i] = base + i;
  for (uint32_t i = tbs; i > 1; --i) std::swap(ids[i - 1], ids[random->Below(i)]);
  const std::vector<uint32_t> sizes = {1, 2, 3, 8, tbs / 2 + 1, tbs + 1};
  const uint32_t largest = sizes[random->Below(sizes.size())];
  Groups groups;
  for (uint32_t taken = 0; taken < tbs;) {
    if (random->Below(6) == 0) groups.emplace_back();
    const uint32_t size = std::min(tbs - taken, 1 + Below(random, largest));
    groups.emplace_back(ids.begin() + taken, ids.begin() + taken + size);
    taken += size;
  }
  if (random->Below(4) == 0) groups.emplace_back();
  return groups;
}

BenchConfig RandomConfig(SplitMix64* random, uint32_t num_sms, uint32_t id_bytes) {
  BenchConfig config;
  config.num_sms = num_sms;
  config.id_bytes = id_bytes;
  config.contexts = 1 + Below(random, 8);
  const std::vector<uint32_t> latencies = {1, 2, 5, 20, 100, 1000};
  config.memory_latency = 1 + Below(random, latencies[random->Below(latencies.size())]);
  config.stall_percent = random->Below(2) == 0 ? 0 : Below(random, 90);
  config.seed = random->Next();
  config.steal_enable = random->Below(4) != 0;
  config.steal_rule = static_cast<StealRule>(1 + config.seed % 3);
  // Half of the images lie across a place where addresses carry: out of the low bits that positions
  // in a group are compared in, or out of the lower half.
  config.image_base = random->Next() & ~uint64_t{15};
  if (random->Below(2) == 0) {
    const uint64_t low = config.seed % 2 == 0 ? 0x3ffff : 0xffffffff;
    config.image_base = (config.image_base & ~low) - 16 * (1 + random->Below(60));
  }
  // One kernel in four is given up: half of them at any time, half while the first ids are under
  // way and no TB runs yet; in half of them the memory takes a request in ten cycles, so that one
  // waits. Randomness of its own: the others are as without.
  SplitMix64 abort(config.seed);
  if (abort.Below(4) == 0) {
    if (abort.Below(2) == 0) config.stall_percent = 90;
    const uint64_t early =
        uint64_t{3} * config.memory_latency + (config.stall_percent != 0 ? 150 : 16);
    const uint64_t span = abort.Below(2) == 0 ? early : uint64_t{1} << abort.Below(12);
    config.abort_at = 1 + abort.Below(span);
  }
  const uint64_t longest = uint64_t{1} << random->Below(11);
  const uint64_t salt = random->Next();
  config.run_cycles = [longest, salt](uint32_t sm, uint32_t tb) {
    return 1 + SplitMix64(salt ^ (uint64_t{sm} << 32) ^ tb).Below(longest);
  };
  return config;
}

// What a kind is to ignore: a start while it is busy, and an abort in the cycle of its start.
void DriveIgnored(uint64_t cycle, SplitMix64* random, TbSchedulerIn* in) {
  if (cycle == 0) in->abort = true;
  if (cycle == 0 || random->Below(10) != 0) return;
  in->start = true;
  in->queue_base = random->Next();
  in->queue_count = static_cast<uint32_t>(random->Next());
  in->steal_rule = static_cast<StealRule>(random->Below(4));
  for (uint32_t& word : in->settings) word = static_cast<uint32_t>(random->Next());
}

// Contexts that come and go at random, on top of the TBs that hold them, and noise at inputs that
// mean nothing.
void Disturb(TbSchedulerBench* bench, uint64_t seed, uint32_t percent) {
  bench->SetDisturbance(
      [random = SplitMix64(seed), percent](uint64_t cycle, TbSchedulerIn* in) mutable {
        for (uint64_t& word : in->tb_ready) {
          for (uint64_t left = word; left != 0; left &= left - 1) {
            if (random.Below(100) < percent) word &= ~(left & -left);
          }
        }
        DriveIgnored(cycle, &random, in);
      });
}

// Some cycles in which no kernel runs and none starts.
void Rest(uint32_t num_sms, SplitMix64* random, TbScheduler* scheduler) {
  for (uint32_t cycles = Below(random, 4); cycles != 0; --cycles) {
    TbSchedulerIn in;
    for (uint32_t sm = 0; sm < num_sms; ++sm) {
      if (random->Below(2) != 0) SetBit(&in.tb_ready, sm);
    }
    in.abort = TestBit(in.tb_ready, 0);
    scheduler->Tick(in);
  }
}

// Settings that the scheduler has no port for may be anything.
TbSettings RandomSettings(const TbSchedulerDescriptor& kind, const TbLaunchShape& shape,
                          SplitMix64* random) {
  TbSettings settings = {};
  if (kind.random_settings != nullptr) settings = kind.random_settings(shape, random);
  for (size_t word = 0; word < settings.size(); ++word) {
    const auto noise = static_cast<uint32_t>(random->Next());
    if (word >= kind.settings.size()) settings[word] = noise;
  }
  return settings;
}

void ExpectEachOnce(const KernelRecord& record, uint32_t tbs) {
  std::vector<uint32_t> ids;
  for (const IssueEvent& issue : record.issues) ids.push_back(issue.tb);
  std::sort(ids.begin(), ids.end());
  ASSERT_EQ(ids.size(), tbs);
  for (uint32_t i = 0; i < tbs; ++i) ASSERT_EQ(ids[i], i);
}

// Ids 0 to `tbs` - 1 in groups of any size.
Groups LargeGroups(uint64_t tbs, SplitMix64* random) {
  Groups groups;
  for (uint32_t next = 0; next < tbs;) {
    const uint32_t size = 1 + Below(random, uint64_t{1} << Below(random, 18));
    groups.emplace_back();
    for (; next < tbs && groups.back().size() < size; ++next) groups.back().push_back(next);
  }
  return groups;
}

// Up to 2^16 TBs, all that two bytes count; or, of ids of four bytes, up to 2^32, and the kernel
// does not come far.
KernelRecord RunLargeGrid(const TbSchedulerDescriptor* kind, BenchConfig config, SplitMix64* random,
                          TbScheduler* scheduler) {
  const bool all = random->Below(2) == 0 && config.id_bytes == 4;
  const uint64_t most = all ? 0xffffffff : 0x10000;
  TbLaunchShape shape;
  shape.sms = config.num_sms;
  shape.tbs_per_sm = config.contexts;
  shape.columns = 1 + Below(random, most >> Below(random, most > 0x10000 ? 32 : 16));
  shape.rows = static_cast<uint32_t>(most / shape.columns);
  if (random->Below(2) == 0) {
    shape.rows = 1 + Below(random, std::max(1u, shape.rows >> Below(random, 8)));
  }
  // A power of two TBs shows each bit of a count alone.
  if (random->Below(2) == 0) {
    shape.columns = static_cast<uint32_t>(
        std::min<uint64_t>(uint64_t{1} << Below(random, most > 0x10000 ? 32 : 17), most));
    shape.rows = 1;
  }
  if (kind->stretch != nullptr) kind->stretch(&shape, most, random);
  if (random->Below(2) == 0) std::swap(shape.columns, shape.rows);
  config.settings = RandomSettings(*kind, shape, random);
  TbSchedulerBench bench(scheduler, config);
  Disturb(&bench, random->Next(), 0);
  return bench.RunSequential(shape.Tbs());
}

// A kernel may end before it would be given up.
bool AbortedAt(const BenchConfig& config, const KernelRecord& record) {
  return config.abort_at < record.cycles;
}

}  // namespace

KernelRecord RunRandomKernel(const TbSchedulerDescriptor* kind, uint32_t num_sms, uint32_t id_bytes,
                             uint32_t most_tbs, SplitMix64* random, TbScheduler* scheduler) {
  Rest(num_sms, random, scheduler);
  BenchConfig config = RandomConfig(random, num_sms, id_bytes);
  if (random->Below(4) == 0) most_tbs = 1 + Below(random, 3);
  TbLaunchShape shape;
  shape.sms = num_sms;
  shape.tbs_per_sm = config.contexts;
  shape.columns = 1 + Below(random, 1 + Below(random, most_tbs));
  shape.rows = 1 + Below(random, most_tbs / shape.columns);
  config.settings = RandomSettings(*kind, shape, random);
  TbSchedulerBench bench(scheduler, config);
  if (random->Below(2) == 0) Disturb(&bench, random->Next(), Below(random, 95));
  if (!kind->has_queue) {
    const KernelRecord record = bench.RunSequential(shape.Tbs());
    std::vector<uint32_t> tbs(shape.Tbs());
    std::iota(tbs.begin(), tbs.end(), 0U);
    if (AbortedAt(config, record)) {
      ExpectAborted(record, tbs, config.abort_at);
    } else {
      ExpectEachOnce(record, shape.Tbs());
    }
    return record;
  }
  const Groups groups = RandomGroups(random, Below(random, most_tbs + 1), id_bytes);
  const KernelRecord record = bench.RunGroups(groups);
  std::vector<uint32_t> tbs;
  for (const auto& group : groups) tbs.insert(tbs.end(), group.begin(), group.end());
  if (AbortedAt(config, record)) {
    ExpectAborted(record, tbs, config.abort_at);
  } else {
    ExpectIssuedOnceInOrder(groups, record, num_sms);
  }
  EXPECT_TRUE(record.finished);
  return record;
}

void RunLargeKernels(const TbSchedulerDescriptor* kind, uint32_t num_sms, uint32_t id_bytes,
                     uint64_t cycles, SplitMix64* random, TbScheduler* scheduler) {
  BenchConfig config = RandomConfig(random, num_sms, id_bytes);
  // Few TBs at once, or so many that the count of running TBs shows its bits.
  const bool few = random->Below(4) != 0;
  config.contexts = few ? 4 : 4096;
  config.run_cycles = [few](uint32_t, uint32_t) { return uint64_t{few ? 1u : 3000u}; };
  config.memory_latency = 1;
  config.stall_percent = 0;
  config.abort_at = kNever;
  while (cycles != 0) {
    config.max_cycles = cycles;
    const KernelRecord record =
        kind->has_queue
            ? TbSchedulerBench(scheduler, config)
                  .RunGroups(LargeGroups(std::min<uint64_t>(0x10000, num_sms * cycles), random))
            : RunLargeGrid(kind, config, random, scheduler);
    if (!record.finished) return;
    cycles -= record.cycles;
  }
}

}  // namespace flagstone
