#include "tests/blocks/stimuli/part_environment.h"

#include <array>
#include <deque>
#include <string_view>
#include <vector>

#include "gpu_model/blocks/tb_root/node_map_settings.h"

namespace flagstone {
namespace {

bool Chance(SplitMix64* random, uint32_t percent) { return random->Below(100) < percent; }

// A phase of random length with its own habits, so that full, empty and both alike are reached.
class Phases {
 public:
  uint32_t Percent(SplitMix64* random) {
    if (left_-- == 0) {
      left_ = random->Below(60);
      percent_ = static_cast<uint32_t>(random->Below(101));
    }
    return percent_;
  }

 private:
  uint64_t left_ = 0;
  uint32_t percent_ = 50;
};

class FifoEnvironment final : public PartEnvironment {
 public:
  explicit FifoEnvironment(uint32_t width, uint32_t depth) : mask_(LowBits(width)), depth_(depth) {}
  void Drive(SplitMix64* random, Ports* ports) override {
    const uint32_t percent = phases_.Percent(random);
    const bool push = used_ < depth_ && Chance(random, percent);
    const bool pop = Chance(random, 100 - percent);  // of an empty one as well
    ports->Set("push", push);
    ports->Set("data", random->Next() & mask_);
    ports->Set("pop", pop);
    if (pop && used_ != 0) --used_;
    if (push) ++used_;
  }

 private:
  static uint64_t LowBits(uint32_t count) { return ~uint64_t{0} >> (64 - count); }
  uint64_t mask_;
  uint32_t depth_;
  uint32_t used_ = 0;
  Phases phases_;
};

class RoundRobinEnvironment final : public PartEnvironment {
 public:
  explicit RoundRobinEnvironment(uint32_t count) : count_(count) {}
  void Drive(SplitMix64* random, Ports* ports) override {
    const uint32_t percent = phases_.Percent(random);
    for (uint32_t i = 0; i < count_; ++i) ports->Set("request", Chance(random, percent), i);
    ports->Set("first", random->Below(count_));
  }

 private:
  uint32_t count_;
  Phases phases_;
};

class OutstandingEnvironment final : public PartEnvironment {
 public:
  // All that 16 bits count, or 32 TBs in an SM.
  OutstandingEnvironment(uint32_t sms, KernelSize size)
      : most_(size == KernelSize::kLarge ? 0xffff / sms : 32), running_(sms) {}
  void Drive(SplitMix64* random, Ports* ports) override {
    if (rest_ != 0) {
      --rest_;
      return;
    }
    const bool climbs = next_rest_ <= most_ * running_.size();
    const uint32_t percent = climbs ? 100 : phases_.Percent(random);
    for (uint32_t sm = 0; sm < running_.size(); ++sm) {
      const bool issue =
          running_[sm] < most_ && !(climbs && total_ == next_rest_) && Chance(random, percent);
      const bool done = running_[sm] != 0 && Chance(random, 100 - percent);
      ports->Set("issue", issue, sm);
      ports->Set("done", done, sm);
      running_[sm] += issue ? 1 : 0;
      running_[sm] -= done ? 1 : 0;
      total_ += issue ? 1 : 0;
      total_ -= done ? 1 : 0;
    }
    if (climbs && total_ == next_rest_) {
      next_rest_ *= 2;
      rest_ = 5;
    }
  }

 private:
  uint32_t most_;
  // First the count climbs, and rests at each power of two, which shows each of its bits alone.
  uint64_t total_ = 0, next_rest_ = 1;
  uint32_t rest_ = 0;
  std::vector<uint32_t> running_;
  Phases phases_;
};

// Groups of a few ids anywhere in memory; a cut leaves at least the id in, or on its way to,
// nextTB.
class TbQueueEnvironment final : public PartEnvironment {
 public:
  explicit TbQueueEnvironment(uint32_t id_bytes) : id_bytes_(id_bytes) {}
  void Drive(SplitMix64* random, Ports* ports) override {
    const uint32_t percent = phases_.Percent(random);
    const bool valid = ports->Get("tb_valid") != 0;
    const bool ready = Chance(random, percent);
    const bool stop = stopping_ || Chance(&stop_random_, 1);
    ports->Set("stop", stop);
    ports->Set("tb_ready", ready);
    ports->Set("read", Chance(random, 60));
    const uint64_t most = uint64_t{1} << random->Below(5);
    const uint64_t first = random->Next() / id_bytes_ * id_bytes_;
    const uint64_t count = 1 + random->Below(Chance(random, 10) ? 65536 : most);
    const bool load = ports->Get("held") == 0 && Chance(random, percent) && !stop;
    ports->Set("load", load);
    ports->Set("load_next", first);
    ports->Set("load_tail", first + (count - 1) * id_bytes_);
    const bool issue = valid && ready;
    const bool cut = waiting_ != 0 && Chance(random, waiting_ > 100 ? 50 : 10);
    const uint64_t given = cut ? 1 + random->Below(waiting_) : 0;
    const bool all = cut && given == waiting_;  // with an issue, the group ends
    ports->Set("cut", cut);
    ports->Set("cut_all", cut ? all : Chance(random, 50));
    ports->Set("cut_tail", cut ? tail_ - given * id_bytes_ : random->Next());
    const bool grant = ports->Get("fetch_wanted") != 0 && Chance(random, percent) && !stop;
    // A stop forgets who is picked: after its first cycle no address is read.
    const bool reads = fetching_ && Chance(random, 60) && !stopping_;
    ports->Set("fetch_grant", grant);
    ports->Set("fetch_read", reads);
    // Where its address is read in a stop, the memory is never asked.
    const bool answer = fetching_ && Chance(random, percent) && !(stop && reads);
    ports->Set("fetch_rsp", answer);
    ports->Set("fetch_id", random->Next() & (id_bytes_ == 2 ? 0xffff : 0xffffffff));
    fetching_ = grant || (fetching_ && !answer && !(stop && reads));
    if (issue && waiting_ != 0 && !all) --waiting_;
    waiting_ -= given;
    if (cut) tail_ -= given * id_bytes_;
    if (load) {
      waiting_ = count - 1;
      tail_ = first + (count - 1) * id_bytes_;
    }
    if (stop) waiting_ = 0;
    stopping_ = stop && fetching_;
  }

 private:
  uint32_t id_bytes_;
  uint64_t waiting_ = 0;
  uint64_t tail_ = 0;
  bool fetching_ = false;
  bool stopping_ = false;      // until the answer is here
  SplitMix64 stop_random_{1};  // of its own, as rising_random_ below
  Phases phases_;
};

class GroupDispatcherEnvironment final : public PartEnvironment {
 public:
  GroupDispatcherEnvironment(uint32_t sms, KernelSize size) : held_(sms), size_(size) {}
  void Drive(SplitMix64* random, Ports* ports) override {
    const uint32_t percent = phases_.Percent(random);
    const uint32_t release = releases_.Percent(random);  // descriptors wait, or SMs do
    // From a stop until nothing is left.
    stopping_ = (stopping_ || Chance(&stop_random_, 1)) && ports->Get("exhausted") == 0;
    ports->Set("stop", stopping_);
    const bool start = ports->Get("exhausted") != 0 && Chance(random, 20);
    ports->Set("start", start);
    ports->Set("queue_base", random->Next() & ~uint64_t{15});
    ports->Set("queue_count", Count(random));
    const bool grant =
        !start && !stopping_ && ports->Get("fetch_wanted") != 0 && Chance(random, percent);
    const bool answer = in_flight_ != 0 && Chance(random, 100 - percent / 2);
    ports->Set("fetch_grant", grant);
    ports->Set("fetch_rsp", answer);
    // Some groups are empty, by an id or by a lot; both addresses may be anything.
    const uint64_t head = random->Next();
    const uint64_t tail = Chance(random, 30) ? head + 2 * random->Below(3) - 2 : random->Next();
    ports->SetWide("fetch_data", {head, tail});
    in_flight_ += grant ? 1 : 0;
    in_flight_ -= answer ? 1 : 0;
    for (uint32_t sm = 0; sm < held_.size(); ++sm) {
      if (held_[sm] && Chance(random, release)) held_[sm] = false;
      ports->Set("held", held_[sm], sm);
    }
  }
  void Observe(const Ports& ports) override {
    for (uint32_t sm = 0; sm < held_.size(); ++sm) {
      if (ports.Get("load", sm) != 0) held_[sm] = true;
    }
  }

 private:
  // Large: any number, but seldom more than can be handed out here; also each bit alone.
  uint64_t Count(SplitMix64* random) const {
    if (size_ == KernelSize::kSmall) return random->Below(Chance(random, 5) ? 300 : 12);
    if (Chance(random, 2)) return random->Next() & 0xffffffff;
    const uint64_t power = uint64_t{1} << random->Below(17);
    return Chance(random, 50) ? power : random->Below(power);
  }

  std::vector<bool> held_;
  KernelSize size_;
  bool stopping_ = false;
  SplitMix64 stop_random_{1};  // of its own, as rising_random_ below
  uint32_t in_flight_ = 0;
  Phases phases_, releases_;
};

class FetchPortEnvironment final : public PartEnvironment {
 public:
  FetchPortEnvironment(uint32_t sms, uint32_t most_descriptors)
      : wants_(sms), waits_(sms), most_descriptors_(most_descriptors) {}
  void Drive(SplitMix64* random, Ports* ports) override {
    const uint32_t percent = phases_.Percent(random);
    ports->Set("clear", Chance(random, 3));
    stop_ = Chance(&stop_random_, 1);
    ports->Set("stop", stop_);
    for (uint32_t sm = 0; sm < wants_.size(); ++sm) {
      if (!waits_[sm] && Chance(random, percent)) wants_[sm] = true;
      ports->Set("id_wanted", wants_[sm], sm);
    }
    ports->Set("id_addr", random->Next());
    ports->Set("desc_wanted", descriptors_ < most_descriptors_ && Chance(random, percent / 2));
    ports->Set("desc_addr", random->Next());
    const bool ready = Chance(random, 100 - percent / 2);
    ports->Set("mem_req_ready", ready);
    taken_ = ready && ports->Get("mem_req_valid") != 0;
    // Also an answer that nobody waits for, which is ignored.
    ports->Set("mem_rsp_valid",
               in_memory_ != 0 ? Chance(random, percent) : requests_ == 0 && Chance(random, 2));
  }
  void Observe(const Ports& ports) override {
    for (uint32_t sm = 0; sm < wants_.size(); ++sm) {
      const bool grant = ports.Get("id_grant", sm) != 0;
      Count(grant, ports.Get("id_rsp", sm) != 0);
      if (grant) wants_[sm] = false;
      waits_[sm] = grant || (waits_[sm] && ports.Get("id_rsp", sm) == 0);
      if (!stop_ || ports.Get("id_read", sm) == 0) continue;
      waits_[sm] = false;  // picked, and forgotten
      --requests_;
    }
    const bool grant = ports.Get("desc_grant") != 0;
    const bool answer = ports.Get("desc_rsp") != 0;
    Count(grant, answer);
    descriptors_ += grant ? 1 : 0;
    descriptors_ -= answer ? 1 : 0;
    in_memory_ += taken_ ? 1 : 0;
  }

 private:
  void Count(bool grant, bool answer) {
    requests_ += grant ? 1 : 0;
    requests_ -= answer ? 1 : 0;
    in_memory_ -= answer ? 1 : 0;
  }
  std::vector<bool> wants_, waits_;
  uint32_t most_descriptors_;
  uint32_t descriptors_ = 0;  // under way
  uint32_t requests_ = 0;     // granted and not answered
  uint32_t in_memory_ = 0;    // of these, taken by the memory
  bool taken_ = false;
  bool stop_ = false;
  SplitMix64 stop_random_{1};  // of its own, as rising_random_ below
  Phases phases_;
};

// Queues that issue and give as the stealer says.
class TaskStealerEnvironment final : public PartEnvironment {
 public:
  TaskStealerEnvironment(uint32_t sms, uint32_t id_bytes) : id_bytes_(id_bytes), queues_(sms) {}
  void Drive(SplitMix64* random, Ports* ports) override {
    if (left_in_kernel_-- == 0) NewKernel(random, ports);
    const uint32_t percent = phases_.Percent(random);
    ports->Set("enable", enabled_);
    ports->Set("more_to_come", Chance(&rising_random_, rising_percent_));
    for (uint32_t sm = 0; sm < queues_.size(); ++sm) {
      Queue& queue = queues_[sm];
      // Groups also come and go otherwise, which is all the same to the stealer; but a donor's,
      // which it reads, stands.
      const bool read = ports->Get("read", sm) != 0;
      if (!read && Chance(random, 1)) FillQueue(random, &queue);
      if (!read && Chance(random, 1)) queue.held = false;
      queue.issues = queue.held && Chance(random, issue_percent_);
      ports->Set("candidate", !queue.held && Chance(random, percent), sm);
      if (!read) continue;
      if (queue.held) {
        ports->Set("read_tail", queue.tail);
        ports->Set("read_next", (queue.next / id_bytes_) & 0xffff);
      }
      ports->Set("read_issue", queue.issues);
    }
  }
  void Observe(const Ports& ports) override {
    for (uint32_t sm = 0; sm < queues_.size(); ++sm) {
      Queue& queue = queues_[sm];
      if (queue.issues) {
        if (queue.next == queue.tail) queue.held = false;
        queue.next += id_bytes_;
      }
      if (ports.Get("cut", sm) != 0) {
        queue.tail = ports.Get("cut_tail");
        if (ports.Get("cut_all") != 0 && queue.issues) queue.held = false;
      }
      if (ports.Get("load", sm) != 0) {
        queue = {true, false, ports.Get("load_next"), ports.Get("load_tail")};
      }
    }
  }

 private:
  struct Queue {
    bool held = false, issues = false;
    uint64_t next = 0, tail = 0;
  };

  // Also in mid-scan, as an abort would.
  void NewKernel(SplitMix64* random, Ports* ports) {
    ports->Set("clear", 1);
    left_in_kernel_ = random->Below(1000);
    enabled_ = Chance(random, 90);
    full_ = Chance(random, 15);
    large_ = Chance(random, 25);
    issue_percent_ = Chance(random, 50) ? 0 : static_cast<uint32_t>(random->Below(30));
    rising_percent_ = Chance(&rising_random_, 50) ? 0 : 50;
    for (uint32_t sm = 0; sm < queues_.size(); ++sm) {
      if (ports->Get("read", sm) != 0) continue;
      FillQueue(random, &queues_[sm]);
      queues_[sm].held = Chance(random, 60);
    }
  }

  // Often a few ids across the place where the low bits of addresses carry, also far up.
  void FillQueue(SplitMix64* random, Queue* queue) {
    const uint64_t share = 65535 / queues_.size();  // all counts together fit in 16 bits
    const uint64_t high = random->Next() << (18 + random->Below(46));
    queue->held = true;
    queue->next = Chance(random, 50) ? high - id_bytes_ * random->Below(30)
                                     : random->Next() / id_bytes_ * id_bytes_;
    const uint64_t waiting = full_    ? share - 1 - random->Below(30)
                             : large_ ? random->Below(share)
                                      : random->Below(20);
    queue->tail = queue->next + waiting * id_bytes_;
  }

  uint32_t id_bytes_;
  std::vector<Queue> queues_;
  uint64_t left_in_kernel_ = 0;
  bool enabled_ = true;
  bool full_ = false, large_ = false;  // nearly as many TBs wait as may, or many, or few
  uint32_t issue_percent_ = 0;
  uint32_t rising_percent_ = 0;
  SplitMix64 rising_random_{1};  // of its own: the other inputs' randomness is as without this one
  Phases phases_;
};

// Requests of all kinds for lines of any home; other nodes ask for what is at home here alone. The
// policy is told anew now and then, in the first cycle in any case.
class L2PolicyEnvironment final : public PartEnvironment {
 public:
  L2PolicyEnvironment(uint32_t lanes, uint32_t node_bits)
      : lanes_(lanes), nodes_(1U << node_bits) {}
  void Drive(SplitMix64* random, Ports* ports) override {
    const bool configures = first_ || Chance(random, 2);
    first_ = false;
    const uint32_t percent = phases_.Percent(random);
    for (uint32_t lane = 0; lane < lanes_ && !configures; ++lane) {
      const bool from_fabric = Chance(random, 50);
      const bool here = from_fabric || Chance(random, 40);
      ports->Set("req_valid", Chance(random, percent), lane);
      ports->Set("req_from_fabric", from_fabric, lane);
      ports->Set("req_kind", random->Below(4), lane);
      ports->Set("req_home", here && !Chance(random, 3) ? node_ : random->Below(nodes_), lane);
    }
    if (configures) node_ = random->Below(nodes_);
    ports->Set("cfg_valid", configures);
    ports->Set("cfg_node", configures ? node_ : random->Below(nodes_));
    ports->Set("cfg_once", random->Below(2));
    ports->Set("cfg_remote_caching", Chance(random, 70));
  }

 private:
  uint32_t lanes_;
  uint64_t nodes_;
  uint64_t node_ = 0;
  bool first_ = true;
  Phases phases_;
};

// Kernels one after another, with settings of a random map of a random grid, or of any value, which
// the root only adds and compares; nodes that are busy from some cycles after their start on, for
// some time. Starts also come while the root is busy.
class TbRootEnvironment final : public PartEnvironment {
 public:
  TbRootEnvironment(const NodeShape& shape, uint32_t id_bits, KernelSize size)
      : shape_(shape),
        id_bits_(id_bits),
        large_(size == KernelSize::kLarge),
        nodes_(shape.Nodes()) {}
  void Drive(SplitMix64* random, Ports* ports) override {
    const bool start = Chance(random, ports->Get("busy") != 0 ? 3 : 60);
    ports->Set("start", start);
    const TbRootSettings settings = Chance(random, 30) ? AnySettings(random) : Settings(random);
    for (uint32_t word = 0; word < kTbRootWords; ++word) ports->Set(kNames[word], settings[word]);
    for (uint32_t n = 0; n < nodes_.size(); ++n) {
      Node& node = nodes_[n];
      if (node.way != 0 && --node.way == 0)
        node.busy = 1 + random->Below(Chance(random, 80) ? 9 : 90);
      ports->Set("node_busy", node.busy != 0, n);
      if (node.busy != 0) --node.busy;
      if (ports->Get("node_start", n) != 0)
        node.way = 1 + random->Below(Chance(random, 50) ? 1 : 40);
    }
  }

 private:
  struct Node {
    uint64_t way = 0;   // cycles until it hears of its start
    uint64_t busy = 0;  // cycles
  };
  static constexpr std::array<std::string_view, kTbRootWords> kNames = {
      "gpu_step",   "chiplet_step", "run_tbs",      "step",       "line_tbs",   "line_jump",
      "run_jump",   "gpu_rank",     "chiplet_rank", "last_gpu",   "full_tbs",   "full_extra",
      "full_short", "full_lack",    "last_tbs",     "last_extra", "last_short", "last_lack"};

  TbRootSettings AnySettings(SplitMix64* random) const {
    TbRootSettings settings;
    for (uint32_t word = 0; word < kTbRootWords; ++word) {
      uint32_t bits = 5;  // of a rank, or of a GPU's number
      if (word <= kRunJump) bits = id_bits_;
      if (word == kRunTbs || word == kLineTbs || word == kFullTbs || word == kFullLack ||
          word == kLastTbs || word == kLastLack) {
        bits = std::min(id_bits_ + 1, 32U);
      }
      settings[word] = static_cast<uint32_t>(random->Next() >> (64 - bits));
      if (word == kLastGpu) settings[word] %= shape_.gpus + 1;
    }
    return settings;
  }

  TbRootSettings Settings(SplitMix64* random) const {
    const uint64_t most = large_ && Chance(random, 50) ? (uint64_t{1} << (id_bits_ / 2)) : 40;
    const auto below = [&](uint64_t bound) { return static_cast<uint32_t>(random->Below(bound)); };
    const TbLaunchShape grid = {.columns = 1 + below(most), .rows = 1 + below(most)};
    TbMap map;
    map.element = static_cast<TbMap::Element>(below(3));
    const uint64_t elements = map.element == TbMap::Element::kRow      ? grid.rows
                              : map.element == TbMap::Element::kColumn ? grid.columns
                                                                       : grid.Tbs();
    const uint64_t unit = 1 + random->Below(Chance(random, 70) ? elements / nodes_.size() + 2 : 9);
    switch (below(3)) {
      case 0:
        map.units = ChipletFirst(shape_, unit);
        break;
      case 1:
        map.units = GpuFirst(unit);
        break;
      default:
        map.units = {(elements + shape_.gpus - 1) / shape_.gpus, unit};
        // Also one that leaves GPUs without a TB.
        if (Chance(random, 30)) map.units.gpu = elements;
    }
    TbRootSettings settings = NodeMapSettings(shape_, map, grid);
    const auto ids = static_cast<uint32_t>(~uint64_t{0} >> (64 - id_bits_));
    for (const TbRootWord word : {kGpuStep, kChipletStep, kStep, kLineJump, kRunJump}) {
      settings[word] &= ids;
    }
    return settings;
  }

  NodeShape shape_;
  uint32_t id_bits_;
  bool large_;
  std::vector<Node> nodes_;
};

}  // namespace

std::unique_ptr<PartEnvironment> MakePartEnvironment(std::string_view name,
                                                     const RtlParameters& values, KernelSize size) {
  const uint32_t first = values.at(0).value;
  if (name == "fifo") return std::make_unique<FifoEnvironment>(first, values.at(1).value);
  if (name == "round_robin_pick") return std::make_unique<RoundRobinEnvironment>(first);
  if (name == "outstanding_tbs") return std::make_unique<OutstandingEnvironment>(first, size);
  if (name == "paver_tb_queue") return std::make_unique<TbQueueEnvironment>(first / 8);
  if (name == "paver_group_dispatcher")
    return std::make_unique<GroupDispatcherEnvironment>(first, size);
  if (name == "paver_fetch_port") {
    return std::make_unique<FetchPortEnvironment>(first, values.at(2).value);
  }
  if (name == "paver_task_stealer") {
    return std::make_unique<TaskStealerEnvironment>(first, values.at(1).value);
  }
  if (name == "l2_remote_policy") {
    return std::make_unique<L2PolicyEnvironment>(first, values.at(1).value);
  }
  if (name == "numa_tb_root") {
    return std::make_unique<TbRootEnvironment>(NodeShape{first, values.at(1).value},
                                               values.at(2).value, size);
  }
  ThrowInternal("no random stimuli for {}", name);
}

}  // namespace flagstone
