#include "tests/blocks/contract/tb_scheduler_bench.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace flagstone {
namespace {

constexpr uint64_t kImageAlignment = 16;
constexpr uint64_t kDescriptorBytes = 16;
constexpr uint64_t kSectorBytes = 32;

}  // namespace

std::vector<uint32_t> KernelRecord::TbsOf(uint32_t sm) const {
  std::vector<uint32_t> tbs;
  for (const IssueEvent& issue : issues) {
    if (issue.sm == sm) tbs.push_back(issue.tb);
  }
  return tbs;
}

bool KernelRecord::SameTraffic(const KernelRecord& other) const {
  return issues == other.issues && steals == other.steals && reads == other.reads &&
         cycles == other.cycles && finished == other.finished;
}

TbSchedulerBench::TbSchedulerBench(TbScheduler* scheduler, const BenchConfig& config)
    : scheduler_(scheduler),
      config_(config),
      random_(config.seed),
      image_base_(config.image_base),
      running_(config.num_sms) {}

uint64_t TbSchedulerBench::IdAddress(const Groups& groups, size_t group, size_t position) const {
  size_t before = 0;
  for (size_t g = 0; g < group; ++g) before += groups[g].size();
  return image_base_ + kDescriptorBytes * groups.size() + config_.id_bytes * (before + position);
}

void TbSchedulerBench::Load(const Groups& groups) {
  // A fresh place each time, so that a stale pointer of an earlier kernel shows; as near to where
  // the lower half of addresses carries.
  image_base_ += uint64_t{1} << 32;
  const auto write = [this](uint64_t address, uint64_t value, uint32_t size) {
    for (uint32_t i = 0; i < size; ++i) {
      memory_[address + i] = static_cast<uint8_t>(value >> (8 * i));
    }
  };
  for (size_t g = 0; g < groups.size(); ++g) {
    const uint64_t first = IdAddress(groups, g, 0);
    const uint64_t descriptor = image_base_ + kDescriptorBytes * g;
    write(descriptor, first, 8);
    write(descriptor + 8, first + config_.id_bytes * groups[g].size() - config_.id_bytes, 8);
    for (size_t k = 0; k < groups[g].size(); ++k) {
      write(IdAddress(groups, g, k), groups[g][k], config_.id_bytes);
    }
  }
}

uint64_t TbSchedulerBench::ReadWord(uint64_t address, uint32_t size) const {
  uint64_t value = 0;
  for (uint32_t i = 0; i < size; ++i) {
    const auto byte = memory_.find(address + i);
    EXPECT_NE(byte, memory_.end()) << "read outside the image at " << address + i;
    if (byte != memory_.end()) value |= uint64_t{byte->second} << (8 * i);
  }
  return value;
}

// A sector may begin before the ids, and end after them.
std::array<uint64_t, 4> TbSchedulerBench::ReadSector(uint64_t address) const {
  std::array<uint64_t, 4> data = {};
  for (uint32_t i = 0; i < kSectorBytes; ++i) {
    const auto byte = memory_.find(address + i);
    const uint64_t value = byte != memory_.end() ? byte->second : 0xa5;
    data[i / 8] |= value << (8 * (i % 8));
  }
  return data;
}

KernelRecord TbSchedulerBench::RunGroups(const Groups& groups) {
  memory_.clear();
  Load(groups);
  return RunLoaded(groups);
}

KernelRecord TbSchedulerBench::RunLoaded(const Groups& groups) {
  return Run(image_base_, static_cast<uint32_t>(groups.size()), config_.max_cycles);
}

KernelRecord TbSchedulerBench::RunSequential(uint32_t count) {
  return Run(0, count, config_.max_cycles);
}

KernelRecord TbSchedulerBench::RunGroupsUntil(const Groups& groups, uint64_t cycles) {
  memory_.clear();
  Load(groups);
  KernelRecord record = Run(image_base_, static_cast<uint32_t>(groups.size()), cycles);
  for (auto& tbs : running_) tbs.clear();
  answers_.clear();
  held_tbs_ = {};
  held_request_ = false;
  return record;
}

KernelRecord TbSchedulerBench::Run(uint64_t base, uint32_t count, uint64_t max_cycles) {
  KernelRecord record;
  record.free_since.resize(config_.num_sms);
  EXPECT_FALSE(scheduler_->Outputs().busy) << "a kernel may start only while idle";
  for (uint64_t cycle = 0; cycle < max_cycles; ++cycle) {
    const TbSchedulerOut out = scheduler_->Outputs();
    if (cycle > 0 && !out.busy) {
      EXPECT_TRUE(answers_.empty()) << "not busy, and an answer is to come, cycle " << cycle;
      record.cycles = cycle;
      record.finished = true;
      return record;
    }
    TbSchedulerIn in;
    in.start = cycle == 0;
    in.queue_base = base;
    in.queue_count = count;
    in.steal_rule = config_.steal_enable ? config_.steal_rule : StealRule::kOff;
    in.settings = config_.settings;
    in.abort = config_.abort_held ? cycle >= config_.abort_at : cycle == config_.abort_at;
    DriveSms(cycle, &in, &record);
    DriveMemory(cycle, &in);
    if (disturb_) disturb_(cycle, &in);
    CheckHolds(cycle, out, in);
    Transfer(cycle, out, in, &record);
    if (observe_) observe_(cycle, out, in);
    if (gate_ && gate_(*scheduler_, in)) {
      ++record.skipped_ticks;
    } else {
      scheduler_->Tick(in);
    }
  }
  record.cycles = max_cycles;
  return record;
}

void TbSchedulerBench::DriveSms(uint64_t cycle, TbSchedulerIn* in, KernelRecord* record) {
  for (uint32_t sm = 0; sm < config_.num_sms; ++sm) {
    auto& tbs = running_[sm];
    // A context is free from the cycle after its TB's completion.
    if (tbs.size() < config_.contexts) SetBit(&in->tb_ready, sm);
    // At most one completion a cycle, whichever is due.
    const auto due = std::find_if(tbs.begin(), tbs.end(),
                                  [&](const RunningTb& tb) { return tb.done_cycle <= cycle; });
    if (due != tbs.end()) {
      SetBit(&in->tb_done, sm);
      tbs.erase(due);
      record->free_since[sm].push_back(cycle + 1);
    }
  }
}

void TbSchedulerBench::DriveMemory(uint64_t cycle, TbSchedulerIn* in) {
  in->mem_req_ready = !Stalls();
  if (answers_.empty() || answers_.front().cycle > cycle || Stalls()) return;
  in->mem_rsp_valid = true;
  in->mem_rsp_data = answers_.front().data;
  answers_.pop_front();
}

void TbSchedulerBench::Transfer(uint64_t cycle, const TbSchedulerOut& out, const TbSchedulerIn& in,
                                KernelRecord* record) {
  if (out.steal_valid) {
    record->steals.push_back({cycle, out.steal_count, out.steal_donor, out.steal_thief});
  }
  for (uint32_t sm = 0; sm < config_.num_sms; ++sm) {
    if (!TestBit(out.tb_valid, sm) || !TestBit(in.tb_ready, sm)) continue;
    const uint32_t tb = out.tb_id[sm];
    record->issues.push_back({cycle, sm, tb});
    running_[sm].push_back({cycle + std::max<uint64_t>(1, config_.run_cycles(sm, tb)), tb});
  }
  if (out.mem_req_valid && in.mem_req_ready) {
    record->reads.push_back({cycle, out.mem_req_addr, out.mem_req_size});
    Answer answer = {cycle + config_.memory_latency, {}};
    if (out.mem_req_size == kDescriptorBytes) {
      answer.data = {ReadWord(out.mem_req_addr, 8), ReadWord(out.mem_req_addr + 8, 8)};
    } else if (out.mem_req_size == kSectorBytes) {
      answer.data = ReadSector(out.mem_req_addr);
    } else {
      EXPECT_EQ(out.mem_req_size, config_.id_bytes);
      // The bytes above the addressed ones are whatever the memory holds there.
      answer.data = {ReadWord(out.mem_req_addr, out.mem_req_size) |
                         (0xa5a5a5a5a5a5a5a5u << (8 * out.mem_req_size)),
                     0x5a5a5a5a5a5a5a5au};
    }
    EXPECT_EQ(out.mem_req_addr % out.mem_req_size, 0u);
    answers_.push_back(answer);
  }
}

// Valid and payload hold until taken. After an abort offers go, and no request comes.
void TbSchedulerBench::CheckHolds(uint64_t cycle, const TbSchedulerOut& out,
                                  const TbSchedulerIn& in) {
  const bool given_up = config_.abort_at != kNever && cycle >= config_.abort_at + 2;
  if (given_up) {
    EXPECT_EQ(out.tb_valid, SmMask{}) << "offered after an abort, cycle " << cycle;
    EXPECT_TRUE(held_request_ || !out.mem_req_valid) << "asked after an abort, cycle " << cycle;
    held_tbs_ = {};
  }
  for (uint32_t sm = 0; sm < config_.num_sms; ++sm) {
    if (TestBit(held_tbs_, sm)) {
      EXPECT_TRUE(TestBit(out.tb_valid, sm)) << "offer to SM " << sm << " fell, cycle " << cycle;
      EXPECT_EQ(out.tb_id[sm], previous_.tb_id[sm]) << "SM " << sm << ", cycle " << cycle;
    }
    if (TestBit(out.tb_valid, sm) && !TestBit(in.tb_ready, sm)) {
      SetBit(&held_tbs_, sm);
    } else {
      ClearBit(&held_tbs_, sm);
    }
  }
  if (held_request_) {
    EXPECT_TRUE(out.mem_req_valid) << "cycle " << cycle;
    EXPECT_EQ(out.mem_req_addr, previous_.mem_req_addr) << "cycle " << cycle;
    EXPECT_EQ(out.mem_req_size, previous_.mem_req_size) << "cycle " << cycle;
  }
  held_request_ = out.mem_req_valid && !in.mem_req_ready;
  previous_ = out;
}

std::vector<uint64_t> CyclesBefore(uint64_t cycles) {
  std::vector<uint64_t> result;
  for (uint64_t cycle = 1; cycle + 2 < cycles; cycle += 1 + cycle / 60) result.push_back(cycle);
  result.insert(result.end(), {cycles - 2, cycles - 1});
  return result;
}

void ExpectAborted(const KernelRecord& record, const std::vector<uint32_t>& tbs,
                   uint64_t abort_at) {
  EXPECT_TRUE(record.finished);
  std::vector<uint32_t> left = tbs;
  for (const IssueEvent& issue : record.issues) {
    EXPECT_LE(issue.cycle, abort_at + 1) << "TB " << issue.tb << " was issued after an abort";
    const auto tb = std::find(left.begin(), left.end(), issue.tb);
    ASSERT_NE(tb, left.end()) << "TB " << issue.tb << " is issued twice, or none of the kernel";
    left.erase(tb);
  }
}

namespace {

// Each SM's ids still to be issued, as the events so far tell.
class Ownership {
 public:
  Ownership(const Groups& groups, const KernelRecord& record, uint32_t num_sms)
      : record_(record), queues_(num_sms) {
    for (const auto& group : groups) {
      if (!group.empty()) by_first_id_[group.front()] = &group;
      for (const uint32_t id : group) group_of_[id] = &group;
    }
  }

  void Steal(const SeenSteal& steal) {
    std::deque<uint32_t>& donor = queues_[steal.donor];
    std::deque<uint32_t>& thief = queues_[steal.thief];
    // A donor that has issued nothing of its group yet keeps its first id, which names the group.
    if (donor.empty()) TakeGroupOf(NextIssue(steal.donor, steal.cycle), &donor);
    // A donor may have a group behind the last TB of the one before, and give all of it.
    const uint32_t stolen = NextIssue(steal.thief, steal.cycle);
    if (std::find(donor.begin(), donor.end(), stolen) == donor.end()) {
      ASSERT_TRUE(group_of_.contains(stolen));
      std::deque<uint32_t> behind;
      TakeGroupOf(group_of_[stolen]->front(), &behind);
      donor.insert(donor.end(), behind.begin(), behind.end());
    }
    EXPECT_TRUE(thief.empty()) << "a thief with a group, cycle " << steal.cycle;
    ASSERT_GE(steal.count, 1u);
    // The donor keeps its fetched id, which it may have issued in the commit's cycle.
    ASSERT_GE(donor.size(), steal.count) << "more than the donor has, cycle " << steal.cycle;
    const auto tail = donor.end() - static_cast<std::ptrdiff_t>(steal.count);
    EXPECT_EQ(*tail, stolen) << "cycle " << steal.cycle;
    thief.assign(tail, donor.end());
    donor.erase(tail, donor.end());
  }

  void Issue(const IssueEvent& issue) {
    std::deque<uint32_t>& queue = queues_[issue.sm];
    if (queue.empty()) TakeGroupOf(issue.tb, &queue);
    ASSERT_FALSE(queue.empty()) << "TB " << issue.tb << " begins no group, cycle " << issue.cycle;
    EXPECT_EQ(issue.tb, queue.front()) << "SM " << issue.sm << ", cycle " << issue.cycle;
    queue.pop_front();
  }

 private:
  uint32_t NextIssue(uint32_t sm, uint64_t cycle) const {
    for (const IssueEvent& issue : record_.issues) {
      if (issue.sm == sm && issue.cycle >= cycle) return issue.tb;
    }
    ADD_FAILURE() << "SM " << sm << " was robbed of all it had";
    return 0;
  }

  void TakeGroupOf(uint32_t first_id, std::deque<uint32_t>* queue) {
    const auto group = by_first_id_.find(first_id);
    if (group == by_first_id_.end()) return;
    queue->assign(group->second->begin(), group->second->end());
    by_first_id_.erase(group);
  }

  const KernelRecord& record_;
  std::map<uint32_t, const std::vector<uint32_t>*> by_first_id_;
  std::map<uint32_t, const std::vector<uint32_t>*> group_of_;
  std::vector<std::deque<uint32_t>> queues_;
};

}  // namespace

void ExpectIssuedOnceInOrder(const Groups& groups, const KernelRecord& record, uint32_t num_sms) {
  EXPECT_TRUE(record.finished);
  std::vector<uint32_t> expected;
  for (const auto& group : groups) expected.insert(expected.end(), group.begin(), group.end());
  std::vector<uint32_t> issued;
  for (const IssueEvent& issue : record.issues) issued.push_back(issue.tb);
  std::sort(expected.begin(), expected.end());
  std::sort(issued.begin(), issued.end());
  EXPECT_EQ(issued, expected);

  Ownership ownership(groups, record, num_sms);
  size_t stolen = 0;
  for (const IssueEvent& issue : record.issues) {
    // A steal is told one cycle after it happened, so before the issues of its cycle.
    while (stolen < record.steals.size() && record.steals[stolen].cycle <= issue.cycle) {
      ownership.Steal(record.steals[stolen++]);
    }
    ownership.Issue(issue);
    if (testing::Test::HasFatalFailure()) return;
  }
}

}  // namespace flagstone
