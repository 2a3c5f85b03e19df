// What the C interface of libflagstone_blocks costs: the model of paver_wide_tb_scheduler is given
// what it is given while it runs a kernel's TBs, by calls inside and by those of
// flagstone/blocks.h. Prints the nanoseconds of a cycle, the least of many runs, and their ratio.
#include <flagstone/blocks.h>
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cstring>
#include <memory>
#include <vector>

#include "base/ring.h"
#include "gpu_model/blocks/tb_scheduler/descriptor.h"
#include "kernels/launch/tb_queue_image.h"

namespace flagstone {
namespace {

constexpr uint32_t kSms = 15, kTbs = 4096, kGroup = 6, kContexts = 6;
constexpr uint64_t kBase = 0x10000, kLatency = 100, kRun = 400;  // cycles

TbGroups Groups() {
  TbGroups groups;
  groups.steal_enable = true;
  for (uint32_t tb = 0; tb < kTbs; ++tb) {
    if (tb % kGroup == 0) groups.groups.emplace_back();
    groups.groups.back().push_back(tb);
  }
  return groups;
}

// What one cycle brings the scheduler, and what it says. SMs are bits of a word.
struct Wires {
  uint64_t ready = 0, done = 0, valid = 0;
  bool request = false, answered = false, busy = true;
  uint64_t address = 0;
  std::array<uint64_t, 4> sector = {};
};

class Inside {
 public:
  explicit Inside(uint32_t groups)
      : block_(FindTbScheduler("paver_wide")->model({.num_sms = kSms, .id_bytes = 2})) {
    block_->Reset();
    in_.start = true;
    in_.queue_base = kBase;
    in_.queue_count = groups;
    in_.steal_rule = StealRule::kWhenFree;
    in_.mem_req_ready = true;
  }
  void Read(Wires* wires) const {
    const TbSchedulerOut& out = block_->Outputs();
    wires->valid = out.tb_valid[0];
    wires->busy = out.busy;
    wires->request = out.mem_req_valid;
    wires->address = out.mem_req_addr;
  }
  uint32_t Id(uint32_t sm) const { return block_->Outputs().tb_id[sm]; }
  bool IsBusy() const { return block_->Outputs().busy; }
  void Tick(const Wires& wires) {
    in_.tb_ready[0] = wires.ready;
    in_.tb_done[0] = wires.done;
    in_.mem_rsp_valid = wires.answered;
    if (wires.answered) in_.mem_rsp_data = wires.sector;
    block_->Tick(in_);
    in_.start = false;
  }

 private:
  std::unique_ptr<TbScheduler> block_;
  TbSchedulerIn in_;
};

class Outside {
 public:
  explicit Outside(uint32_t groups) {
    flagstone_block* block = nullptr;
    if (flagstone_create("paver_wide_tb_scheduler", "NumSm=15 IdWidth=16", FLAGSTONE_MODEL,
                         &block) != FLAGSTONE_OK) {
      ThrowInternal("{}", flagstone_error());
    }
    block_.reset(block);
    Set("start_i", 1);
    Set("queue_base_i", kBase);
    Set("queue_count_i", groups);
    Set("steal_rule_i", 1);
    Set("mem_req_ready_i", 1);
    ready_ = In("tb_ready_i"), done_ = In("tb_done_i"), start_ = In("start_i");
    answered_ = In("mem_rsp_valid_i"), sector_ = In("mem_rsp_data_i");
    valid_ = Out("tb_valid_o"), id_ = Out("tb_id_o"), busy_ = Out("busy_o");
    request_ = Out("mem_req_valid_o"), address_ = Out("mem_req_addr_o");
  }
  void Read(Wires* wires) const {
    flagstone_get(block_.get(), valid_, &wires->valid);
    wires->busy = flagstone_lane(block_.get(), busy_, 0) != 0;
    wires->request = flagstone_lane(block_.get(), request_, 0) != 0;
    wires->address = flagstone_lane(block_.get(), address_, 0);
  }
  uint32_t Id(uint32_t sm) const {
    return static_cast<uint32_t>(flagstone_lane(block_.get(), id_, sm));
  }
  void Tick(const Wires& wires) {
    flagstone_set(block_.get(), ready_, &wires.ready);
    flagstone_set(block_.get(), done_, &wires.done);
    flagstone_set_lane(block_.get(), answered_, 0, wires.answered ? 1 : 0);
    if (wires.answered) flagstone_set(block_.get(), sector_, wires.sector.data());
    flagstone_tick(block_.get());
    if (starts_) flagstone_set_lane(block_.get(), start_, 0, 0);
    starts_ = false;
  }

 private:
  struct Destroy {
    void operator()(flagstone_block* block) const { flagstone_destroy(block); }
  };
  int In(const char* name) const { return flagstone_input(block_.get(), name); }
  int Out(const char* name) const { return flagstone_output(block_.get(), name); }
  void Set(const char* name, uint64_t value) {
    flagstone_set_lane(block_.get(), In(name), 0, value);
  }

  std::unique_ptr<flagstone_block, Destroy> block_;
  bool starts_ = true;
  int ready_, done_, start_, answered_, sector_, valid_, id_, busy_, request_, address_;
};

// Runs all TBs; returns what each cycle brought.
std::vector<Wires> Record(Inside* scheduler, const std::vector<std::byte>& image) {
  struct Event {
    uint64_t cycle, address;
  };
  Ring<Event> reads(256);
  std::vector<Ring<uint64_t>> running(kSms, Ring<uint64_t>(kContexts));  // until which cycle
  std::vector<Wires> trace;
  for (Wires wires; wires.busy; trace.push_back(wires)) {
    const uint64_t cycle = trace.size();
    scheduler->Read(&wires);
    wires.done = wires.ready = 0;
    for (uint32_t sm = 0; sm < kSms; ++sm) {
      Ring<uint64_t>& tbs = running[sm];
      if (!tbs.empty() && tbs.front() <= cycle) {
        tbs.Pop();
        wires.done |= uint64_t{1} << sm;
      }
      if (tbs.full()) continue;
      wires.ready |= uint64_t{1} << sm;
      if ((wires.valid >> sm & 1) != 0) tbs.Push(cycle + kRun);
    }
    wires.answered = !reads.empty() && reads.front().cycle <= cycle;
    if (wires.answered) {
      std::memcpy(wires.sector.data(), &image[reads.front().address - kBase], 32);
      reads.Pop();
    }
    if (wires.request) reads.Push({cycle + kLatency, wires.address});
    scheduler->Tick(wires);
    wires.busy = scheduler->IsBusy();
  }
  return trace;
}

// The same cycles again; returns what stands for all that was read.
template <class Scheduler>
uint64_t Replay(Scheduler* scheduler, const std::vector<Wires>& trace) {
  uint64_t sum = 0;
  for (const Wires& given : trace) {
    Wires read;
    scheduler->Read(&read);
    sum += read.valid + read.address + (read.busy ? 1 : 0);
    for (uint64_t issued = read.valid & given.ready; issued != 0; issued &= issued - 1) {
      sum += scheduler->Id(static_cast<uint32_t>(std::countr_zero(issued)));
    }
    scheduler->Tick(given);
  }
  return sum;
}

struct Timed {
  double nanoseconds = 1e9;  // of a cycle, the least seen
  uint64_t sum = 0;

  template <class Scheduler>
  void Run(uint32_t groups, const std::vector<Wires>& trace) {
    Scheduler scheduler(groups);
    const auto begin = std::chrono::steady_clock::now();
    sum = Replay(&scheduler, trace);
    const std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - begin;
    nanoseconds = std::min(nanoseconds, taken.count() / static_cast<double>(trace.size()));
  }
};

void Measure() {
  constexpr int kRuns = 200;
  const TbGroups groups = Groups();
  const auto count = static_cast<uint32_t>(groups.groups.size());
  std::vector<std::byte> image = EncodeTbQueue(groups, kBase, 2, TbQueueLayout::kSectors).bytes;
  image.resize(image.size() + 32);
  Inside recorded(count);
  const std::vector<Wires> trace = Record(&recorded, image);
  Timed inside, outside;
  for (int run = 0; run < kRuns; ++run) {
    inside.Run<Inside>(count, trace);
    outside.Run<Outside>(count, trace);
  }
  if (inside.sum != outside.sum) ThrowInternal("the calls have not read the same");
  fmt::print("{} TBs in {} cycles\n", kTbs, trace.size());
  fmt::print("inside       {:7.1f} ns a cycle\n", inside.nanoseconds);
  fmt::print("C interface  {:7.1f} ns a cycle, {:.2f} of it\n", outside.nanoseconds,
             outside.nanoseconds / inside.nanoseconds);
}

}  // namespace
}  // namespace flagstone

int main() { flagstone::Measure(); }
