#include "gpu_model/blocks/dispatch_top/axi_read_master.h"

namespace flagstone {
namespace {

constexpr uint32_t kBeatBytes = 8;

uint32_t BeatsOf(uint32_t bytes) { return bytes > kBeatBytes ? bytes / kBeatBytes : 1; }

}  // namespace

void AxiReadMaster::Show(const TbSchedulerOut& scheduler, DispatchTopOut* out) const {
  const uint32_t beats = BeatsOf(scheduler.mem_req_size);
  out->m_axi_arvalid = scheduler.mem_req_valid && Open();
  out->m_axi_araddr = scheduler.mem_req_addr & ~uint64_t{beats * kBeatBytes - 1};
  out->m_axi_arlen = beats - 1;
  out->m_axi_arid = next_;
  out->m_axi_rready = busy_ != 0;
}

void AxiReadMaster::Tick(const TbSchedulerOut& scheduler, const DispatchTopIn& in) {
  const bool shows = scheduler.mem_req_valid && Open();
  const bool gives = Answers();
  failed_ = false;
  const bool was_whole = reads_[(first_ + (gives ? 1 : 0)) % count_].whole;
  if (in.m_axi_rvalid) TakeBeat(in);
  if (gives) {
    reads_[first_].busy = reads_[first_].whole = false;
    first_ = (first_ + 1) % count_;
    --busy_;
  }
  fresh_ = reads_[first_].whole && !was_whole;
  if (shows && in.m_axi_arready) TakeRequest(scheduler.mem_req_addr, scheduler.mem_req_size);
}

void AxiReadMaster::TakeBeat(const DispatchTopIn& in) {
  if (in.m_axi_rid >= count_) return;
  Read& read = reads_[in.m_axi_rid];
  if (!read.busy || read.whole) return;
  failed_ = in.m_axi_rresp >= 2;
  read.data[read.beat] = in.m_axi_rdata >> (8 * read.place);
  read.whole = read.beat++ == read.last;
}

void AxiReadMaster::TakeRequest(uint64_t address, uint32_t size) {
  const uint32_t beats = BeatsOf(size);
  const auto place = static_cast<uint32_t>(beats == 1 ? address % kBeatBytes : 0);
  reads_[next_] = {.busy = true, .last = beats - 1, .place = place & ~1U};
  next_ = (next_ + 1) % count_;
  ++busy_;
}

}  // namespace flagstone
