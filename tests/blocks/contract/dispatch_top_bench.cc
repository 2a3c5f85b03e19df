#include "tests/blocks/contract/dispatch_top_bench.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace flagstone {
namespace {

constexpr uint64_t kDescriptorBytes = 16;
constexpr uint64_t kMostCycles = 100000;  // of a transfer

bool SameTb(const DispatchTopOut& a, const DispatchTopOut& b) {
  return a.tb_valid == b.tb_valid && a.tb_id == b.tb_id && a.tb_x == b.tb_x && a.tb_y == b.tb_y &&
         a.tb_z == b.tb_z && a.tb_context == b.tb_context && a.tb_tag == b.tb_tag;
}

}  // namespace

DispatchTopBench::DispatchTopBench(DispatchTop* block, const DispatchBenchConfig& config)
    : block_(block), config_(config), random_(config.seed), running_(config.size.num_sms) {}

uint32_t DispatchTopBench::Write(uint32_t offset, uint32_t value, uint32_t strobes) {
  transfer_ = {.write = true, .sent = true, .address = offset, .data = value, .strobes = strobes};
  return Finish();
}

uint32_t DispatchTopBench::Read(uint32_t offset, uint32_t* response) {
  transfer_ = {.write = false, .sent = true, .address = offset};
  const uint32_t answer = Finish();
  if (response != nullptr) *response = answer;
  return transfer_.value;
}

uint32_t DispatchTopBench::Finish() {
  for (const uint64_t end = now_ + kMostCycles; !transfer_.response && now_ < end;) Step();
  EXPECT_TRUE(transfer_.response.has_value()) << "no response";
  return transfer_.response.value_or(3);
}

void DispatchTopBench::Load(const Groups& groups) {
  image_base_ = random_.Next() & ~uint64_t{31};  // a stale pointer shows
  const uint32_t id_bytes = config_.size.id_bits / 8;
  const auto write = [this](uint64_t address, uint64_t value, uint32_t size) {
    for (uint32_t i = 0; i < size; ++i) {
      memory_[address + i] = static_cast<uint8_t>(value >> (8 * i));
    }
  };
  uint64_t at = image_base_ + kDescriptorBytes * groups.size();
  for (size_t g = 0; g < groups.size(); ++g) {
    const uint64_t descriptor = image_base_ + kDescriptorBytes * g;
    write(descriptor, at, 8);
    for (const uint32_t id : groups[g]) {
      write(at, id, id_bytes);
      at += id_bytes;
    }
    write(descriptor + 8, at - id_bytes, 8);
  }
}

void DispatchTopBench::WaitForPlace() {
  for (const uint64_t end = now_ + kMostCycles; now_ < end && (ReadRegister(kStatus) & 2) != 0;) {
    Step();
  }
}

bool DispatchTopBench::StepUntilTaken(size_t tbs) {
  for (const uint64_t end = now_ + kMostCycles; now_ < end && taken_.size() < tbs;) Step();
  return taken_.size() >= tbs;
}

void DispatchTopBench::Describe(const DispatchLaunch& launch) {
  WaitForPlace();
  WriteRegister(kGridX, launch.grid_x);
  WriteRegister(kGridY, launch.grid_y);
  WriteRegister(kGridZ, launch.grid_z);
  WriteRegister(kTbLimit, launch.tb_limit);
  WriteRegister(kEntryLo, static_cast<uint32_t>(launch.entry));
  WriteRegister(kEntryHi, static_cast<uint32_t>(launch.entry >> 32));
  WriteRegister(kParametersLo, static_cast<uint32_t>(launch.parameters));
  WriteRegister(kParametersHi, static_cast<uint32_t>(launch.parameters >> 32));
  if (config_.size.sm.counted) {
    WriteRegister(kTbWarps, launch.warps);
    WriteRegister(kTbRegisters, launch.registers);
    WriteRegister(kTbShared, launch.shared);
  }
  if (!config_.size.HasQueue()) return;
  Load(launch.groups);
  WriteRegister(kQueueBaseLo, static_cast<uint32_t>(image_base_));
  WriteRegister(kQueueBaseHi, static_cast<uint32_t>(image_base_ >> 32));
  WriteRegister(kQueueCount, static_cast<uint32_t>(launch.groups.size()));
  WriteRegister(kStealRule, launch.steal_rule);
}

uint32_t DispatchTopBench::Launch(const DispatchLaunch& launch) {
  Describe(launch);
  return WriteRegister(kControl, 1);
}

DispatchReason DispatchTopBench::Reason() {
  return static_cast<DispatchReason>(ReadRegister(kStatus) >> 16 & 15);
}

bool DispatchTopBench::RunToEnd(uint64_t cycles) {
  for (const uint64_t end = now_ + cycles; now_ < end;) {
    if ((ReadRegister(kStatus) & 3) == 0) return true;
    for (int wait = 0; wait < 20; ++wait) Step();
  }
  return false;
}

void DispatchTopBench::Step() {
  DispatchTopIn in;
  DriveRegisters(&in);
  DriveMemory(&in);
  DriveSms(&in);
  if (disturb_) disturb_(&in);
  CheckHolds(in);
  SeeMemory(in);
  SeeSms(in);
  block_->Tick(in);
  ++now_;
}

// Address and data may come apart.
void DispatchTopBench::DriveRegisters(DispatchTopIn* in) {
  const DispatchTopOut& out = block_->Outputs();
  in->s_axil_bready = !Stalls();
  in->s_axil_rready = !Stalls();
  if (transfer_.sent && transfer_.write) {
    if (!transfer_.partly && Stalls()) return;
    in->s_axil_awvalid = true;
    in->s_axil_awaddr = transfer_.address;
    if (!transfer_.partly && Stalls()) {
      transfer_.partly = true;
      return;
    }
    transfer_.partly = true;
    in->s_axil_wvalid = true;
    in->s_axil_wdata = transfer_.data;
    in->s_axil_wstrb = transfer_.strobes;
    if (out.s_axil_awready) transfer_.sent = false;
  } else if (transfer_.sent) {
    in->s_axil_arvalid = true;
    in->s_axil_araddr = transfer_.address;
    if (out.s_axil_arready) transfer_.sent = false;
  }
  if (out.s_axil_bvalid && in->s_axil_bready) transfer_.response = out.s_axil_bresp;
  if (out.s_axil_rvalid && in->s_axil_rready) {
    transfer_.response = out.s_axil_rresp;
    transfer_.value = out.s_axil_rdata;
  }
}

// What nobody wrote is an address of an id, and an id.
uint64_t DispatchTopBench::Word(uint64_t address) const {
  uint64_t word = 0;
  for (uint32_t i = 0; i < 8; ++i) {
    const auto byte = memory_.find(address + i);
    word |= uint64_t{byte != memory_.end() ? byte->second : 0xa4u} << (8 * i);
  }
  return word;
}

void DispatchTopBench::DriveMemory(DispatchTopIn* in) {
  in->m_axi_arready = !Stalls();
  if (Stalls() || !block_->Outputs().m_axi_rready) return;
  std::vector<size_t> due;
  for (size_t i = 0; i < pending_.size(); ++i) {
    if (pending_[i].due <= now_) due.push_back(i);
    if (config_.in_order) break;
  }
  if (due.empty()) return;
  PendingRead& read = pending_[due[random_.Below(due.size())]];
  const uint64_t address = read.address + 8 * read.beat;
  in->m_axi_rvalid = true;
  in->m_axi_rid = read.id;
  in->m_axi_rdata = Word(address);
  in->m_axi_rlast = read.beat + 1 == read.beats;
  in->m_axi_rresp = failing_ && *failing_ / 8 == address / 8 ? 2 : 0;
}

void DispatchTopBench::SeeMemory(const DispatchTopIn& in) {
  const DispatchTopOut& out = block_->Outputs();
  if (in.m_axi_rvalid && out.m_axi_rready) {
    const auto read = std::find_if(pending_.begin(), pending_.end(),
                                   [&](const PendingRead& r) { return r.id == in.m_axi_rid; });
    if (read != pending_.end() && ++read->beat == read->beats) pending_.erase(read);
  }
  if (!out.m_axi_arvalid || !in.m_axi_arready) return;
  const uint32_t beats = out.m_axi_arlen + 1;
  EXPECT_EQ(out.m_axi_araddr % (8 * beats), 0u);
  for (const PendingRead& read : pending_) EXPECT_NE(read.id, out.m_axi_arid);
  EXPECT_LT(out.m_axi_arid, config_.size.reads);
  const uint64_t late = config_.in_order ? 0 : random_.Below(config_.memory_latency + 1);
  pending_.push_back(
      {now_ + config_.memory_latency + late, out.m_axi_araddr, out.m_axi_arid, beats, 0});
  read_log_.push_back({now_, out.m_axi_araddr, 8 * beats});
}

void DispatchTopBench::DriveSms(DispatchTopIn* in) {
  for (uint32_t sm = 0; sm < config_.size.num_sms; ++sm) {
    if (!Stalls()) SetBit(&in->tb_ready, sm);
    auto& tbs = running_[sm];
    const auto ended =
        std::find_if(tbs.begin(), tbs.end(), [&](const RunningTb& tb) { return tb.end <= now_; });
    if (ended == tbs.end()) continue;
    SetBit(&in->done_valid, sm);
    in->done_context[sm] = static_cast<uint8_t>(ended->context);
    in->done_tag[sm] = static_cast<uint8_t>(ended->tag);
    tbs.erase(ended);
    last_done_ = now_;
  }
}

void DispatchTopBench::SeeSms(const DispatchTopIn& in) {
  const DispatchTopOut& out = block_->Outputs();
  EXPECT_LE(CountSms(out.tb_valid), 1u);
  ForEachSm(And(out.tb_valid, in.tb_ready), [&](uint32_t sm) {
    auto& tbs = running_[sm];
    for (const RunningTb& tb : tbs) {
      EXPECT_NE(tb.context, out.tb_context) << "SM " << sm << ", cycle " << now_;
    }
    const uint64_t cycles = std::max<uint64_t>(1, config_.run_cycles(sm, out.tb_id));
    tbs.push_back({now_ + cycles, out.tb_context, out.tb_tag});
    most_running_ = std::max(most_running_, static_cast<uint32_t>(tbs.size()));
    taken_.push_back(
        {now_, sm, {out.tb_id, out.tb_x, out.tb_y, out.tb_z}, out.tb_context, out.tb_tag});
  });
}

// What is valid stays, as it is, until it is taken.
void DispatchTopBench::CheckHolds(const DispatchTopIn& in) {
  const DispatchTopOut& out = block_->Outputs();
  if (held_tb_) {
    EXPECT_TRUE(SameTb(out, before_)) << "cycle " << now_;
  }
  if (held_address_) {
    EXPECT_TRUE(out.m_axi_arvalid) << "cycle " << now_;
    EXPECT_EQ(out.m_axi_araddr, before_.m_axi_araddr) << "cycle " << now_;
    EXPECT_EQ(out.m_axi_arid, before_.m_axi_arid) << "cycle " << now_;
  }
  held_tb_ = Any(out.tb_valid) && !Any(And(out.tb_valid, in.tb_ready));
  held_address_ = out.m_axi_arvalid && !in.m_axi_arready;
  before_ = out;
}

void ExpectEachTbOnce(const DispatchLaunch& launch, uint32_t tag,
                      const std::vector<TakenTb>& taken) {
  std::set<uint32_t> ids;
  for (const TakenTb& tb : taken) {
    const uint32_t id = tb.index.id;
    EXPECT_TRUE(ids.insert(id).second) << "TB " << id << " twice";
    EXPECT_EQ(tb.tag, tag);
    EXPECT_EQ(tb.index.x, id % launch.grid_x) << "TB " << id;
    EXPECT_EQ(tb.index.y, id / launch.grid_x % launch.grid_y) << "TB " << id;
    EXPECT_EQ(tb.index.z, id / launch.grid_x / launch.grid_y) << "TB " << id;
  }
  const uint64_t tbs = uint64_t{launch.grid_x} * launch.grid_y * launch.grid_z;
  EXPECT_EQ(ids.size(), tbs);
  EXPECT_TRUE(ids.empty() || *ids.rbegin() == tbs - 1);
}

}  // namespace flagstone
