// A simulator in C++: two GPUs on two threads, each with a TB scheduler of its own, whose body the
// caller names. Ports are moved lane by lane, and ticks that would change nothing are skipped.
// usage: cpp_client KERNEL.ptx model|rtl|lockstep
#include <flagstone/blocks.h>

#include <array>
#include <cstdio>
#include <cstring>
#include <deque>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr uint32_t kSms = 4, kTbsPerSm = 2, kTbs = 16;
constexpr uint64_t kBase = 0x40000, kLatency = 25;

void Check(flagstone_status status) {
  if (status != FLAGSTONE_OK) throw std::runtime_error(flagstone_error());
}

template <auto kDestroy>
struct With {
  template <class T>
  void operator()(T* object) const {
    kDestroy(object);
  }
};
using Block = std::unique_ptr<flagstone_block, With<flagstone_destroy>>;
using Groups = std::unique_ptr<flagstone_groups, With<flagstone_groups_destroy>>;

// C += A * A^T of 64 x 64, k = 40: 2 x 8 TBs.
Groups GroupsOf(const std::string& ptx) {
  const uint64_t a = 0x200000000, c = 0x200100000;
  const float alpha = 1.5F, beta = 0.5F;
  const uint32_t n = 64, m = 40;
  const void* arguments[] = {&a, &c, &alpha, &beta, &n, &m};
  const flagstone_launch launch = {ptx.c_str(), nullptr, {2, 8, 1}, {32, 8, 1}, 0, arguments, 6};
  flagstone_groups* groups = nullptr;
  Check(flagstone_group(&launch, "rb", kSms, kTbsPerSm, &groups));
  return Groups(groups);
}

class Gpu {
 public:
  Gpu(const flagstone_groups* groups, flagstone_body body)
      : groups_(groups),
        image_(flagstone_image_bytes(groups, 32, FLAGSTONE_SECTORS)),
        block_(Make(body)) {
    Check(flagstone_image(groups, kBase, 32, FLAGSTONE_SECTORS, image_.data(), image_.size()));
  }

  // How often each TB was issued, by its id.
  std::map<uint64_t, int> Run() {
    Set(base_, kBase);
    Set(count_, flagstone_groups_count(groups_));
    Set(rule_, flagstone_groups_steal_rule(groups_));
    Set(request_ready_, 1);
    Set(start_, 1);
    do {
      if (++cycle_ > 100000) throw std::runtime_error("the kernel does not end");
      DriveSms();
      DriveMemory();
      if (flagstone_idle(block_.get()) == 0) {
        Check(flagstone_tick(block_.get()));
      } else {
        ++skipped_;
      }
      Set(start_, 0);
    } while (Get(busy_) != 0);
    return issued_;
  }
  uint64_t cycles() const { return cycle_; }
  uint64_t skipped() const { return skipped_; }

 private:
  static Block Make(flagstone_body body) {
    flagstone_block* block = nullptr;
    Check(flagstone_create("paver_wide_tb_scheduler", "NumSm=4 IdWidth=32 Descriptors=4", body,
                           &block));
    return Block(block);
  }
  // Ports are looked up once.
  int In(const char* name) const { return flagstone_input(block_.get(), name); }
  int Out(const char* name) const { return flagstone_output(block_.get(), name); }
  void Set(int port, uint64_t value, uint32_t lane = 0) {
    Check(flagstone_set_lane(block_.get(), port, lane, value));
  }
  uint64_t Get(int port, uint32_t lane = 0) const {
    return flagstone_lane(block_.get(), port, lane);
  }

  void DriveSms() {
    for (uint32_t sm = 0; sm < kSms; ++sm) {
      std::deque<uint64_t>& ends = ends_[sm];  // of TBs, all of one length
      const bool done = !ends.empty() && ends.front() <= cycle_;
      if (done) ends.pop_front();
      const bool ready = ends.size() < kTbsPerSm;
      Set(done_, done, sm);
      Set(ready_, ready, sm);
      if (!ready || Get(valid_, sm) == 0) continue;
      ++issued_[Get(id_, sm)];
      ends.push_back(cycle_ + 60);
    }
  }

  void DriveMemory() {
    const bool answered = !reads_.empty() && reads_.front().second <= cycle_;
    Set(reply_, answered);
    if (answered) {
      std::array<uint64_t, 4> sector = {};
      const uint64_t offset = reads_.front().first - kBase;
      std::memcpy(sector.data(), &image_.at(offset), std::min<size_t>(32, image_.size() - offset));
      for (uint32_t lane = 0; lane < 4; ++lane) Set(reply_data_, sector[lane], lane);
      reads_.pop_front();
    }
    if (Get(request_) != 0) reads_.push_back({Get(request_address_), cycle_ + kLatency});
  }

  const flagstone_groups* groups_;
  std::vector<unsigned char> image_;
  Block block_;
  int base_ = In("queue_base_i");
  int count_ = In("queue_count_i");
  int rule_ = In("steal_rule_i");
  int request_ready_ = In("mem_req_ready_i");
  int start_ = In("start_i");
  int done_ = In("tb_done_i");
  int ready_ = In("tb_ready_i");
  int reply_ = In("mem_rsp_valid_i");
  int reply_data_ = In("mem_rsp_data_i");
  int valid_ = Out("tb_valid_o");
  int id_ = Out("tb_id_o");
  int busy_ = Out("busy_o");
  int request_ = Out("mem_req_valid_o");
  int request_address_ = Out("mem_req_addr_o");
  uint64_t cycle_ = 0, skipped_ = 0;
  std::array<std::deque<uint64_t>, kSms> ends_;
  std::deque<std::pair<uint64_t, uint64_t>> reads_;  // address, cycle of the answer
  std::map<uint64_t, int> issued_;
};

int Run(const std::string& ptx, const std::string& body) {
  const Groups groups = GroupsOf(ptx);
  std::vector<Gpu> gpus;
  gpus.reserve(2);
  for (int i = 0; i < 2; ++i) {
    gpus.emplace_back(groups.get(), body == "rtl"        ? FLAGSTONE_RTL
                                    : body == "lockstep" ? FLAGSTONE_LOCKSTEP
                                                         : FLAGSTONE_MODEL);
  }
  std::array<std::map<uint64_t, int>, 2> issued;
  std::array<std::string, 2> errors;
  std::vector<std::thread> threads;
  for (size_t i = 0; i < 2; ++i) {
    threads.emplace_back([&, i] {
      try {
        issued[i] = gpus[i].Run();
      } catch (const std::exception& error) {
        errors[i] = error.what();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::map<uint64_t, int> expected;
  for (uint64_t tb = 0; tb < kTbs; ++tb) expected[tb] = 1;
  for (size_t i = 0; i < 2; ++i) {
    if (errors[i].empty() && issued[i] != expected) errors[i] = "not each TB was issued once";
    // The model is never gated in lockstep.
    if (errors[i].empty() && gpus[i].skipped() == 0 && body != "lockstep")
      errors[i] = "no tick was idle";
    if (!errors[i].empty()) throw std::runtime_error(errors[i]);
    std::printf("16 TBs, each once, in %llu cycles\n",
                static_cast<unsigned long long>(gpus[i].cycles()));
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3 || flagstone_abi() != FLAGSTONE_BLOCKS_ABI) return 2;
  std::ostringstream ptx;
  ptx << std::ifstream(argv[1]).rdbuf();
  try {
    return Run(ptx.str(), argv[2]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
