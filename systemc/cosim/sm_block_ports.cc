#include "systemc/cosim/sm_block_ports.h"

#include <string_view>

namespace flagstone {
namespace {

// The port of a field: as wide as the table says.
template <class Struct>
BlockPort PortOf(const FieldTable<Struct>& table, std::span<const BlockPort> ports,
                 std::string_view name, std::string_view suffix) {
  const Field<Struct>& field = table[name];
  return FindPort(ports, name, suffix, field.width * field.lanes);
}

}  // namespace

PrefetcherPorts::PrefetcherPorts(const BlockType<PrefetcherIn, PrefetcherOut>& type,
                                 std::span<const BlockPort> ports)
    : slots_(type.Parameter("CtaSlots")),
      warps_(type.Parameter("NumWarps")),
      addr_bits_(type.Parameter("AddrWidth")) {
  const auto in = [&](std::string_view name) { return PortOf(type.inputs, ports, name, "_i"); };
  const auto out = [&](std::string_view name) { return PortOf(type.outputs, ports, name, "_o"); };
  kernel_end_ = in("kernel_end");
  cta_end_ = in("cta_end");
  live_warps_ = in("live_warps");
  load_valid_ = in("load_valid");
  load_pc_ = in("load_pc");
  load_slot_ = in("load_slot");
  load_warp_ = in("load_warp");
  load_indirect_ = in("load_indirect");
  load_count_ = in("load_count");
  load_addr_ = in("load_addr");
  probe_done_ = in("probe_done");
  probe_present_ = in("probe_present");
  prefetch_ready_ = in("prefetch_ready");
  probe_valid_ = out("probe_valid");
  probe_addr_ = out("probe_addr");
  prefetch_valid_ = out("prefetch_valid");
  prefetch_addr_ = out("prefetch_addr");
  prefetch_warp_ = out("prefetch_warp");
  prefetch_slot_ = out("prefetch_slot");
  prefetch_pc_ = out("prefetch_pc");
  throttled_ = out("throttled");
  quiescent_ = out("quiescent");
}

void PrefetcherPorts::Drive(const PrefetcherIn& in) {
  StorePort(kernel_end_, in.kernel_end);
  StorePort(cta_end_, in.cta_end);
  for (uint32_t slot = 0; slot < slots_; ++slot) {
    if (live_[slot] == in.live_warps[slot]) continue;
    live_[slot] = in.live_warps[slot];
    StoreBits(live_warps_, slot * warps_, warps_, {live_[slot], 0});
  }
  StorePort(load_valid_, in.load_valid);
  if (in.load_valid) {  // sampled only then
    StorePort(load_pc_, in.load_pc & LowBits(load_pc_.bits));
    StorePort(load_slot_, in.load_slot);
    StorePort(load_warp_, in.load_warp);
    StorePort(load_indirect_, in.load_indirect);
    StorePort(load_count_, in.load_count);
    for (uint32_t i = 0; i < kLoadAddresses; ++i) {
      StoreBits(load_addr_, i * addr_bits_, addr_bits_, {in.load_addr[i], 0});
    }
  }
  StorePort(probe_done_, in.probe_done);
  StorePort(probe_present_, in.probe_present);
  StorePort(prefetch_ready_, in.prefetch_ready);
}

void PrefetcherPorts::Read(PrefetcherOut* out) {
  out->probe_valid = LoadPort(probe_valid_) != 0;
  out->probe_addr = LoadPort(probe_addr_);
  out->prefetch_valid = LoadPort(prefetch_valid_) != 0;
  out->prefetch_addr = LoadPort(prefetch_addr_);
  out->prefetch_warp = static_cast<uint32_t>(LoadPort(prefetch_warp_));
  out->prefetch_slot = static_cast<uint32_t>(LoadPort(prefetch_slot_));
  out->prefetch_pc = LoadPort(prefetch_pc_);
  out->throttled = static_cast<uint32_t>(LoadPort(throttled_));
  out->quiescent = LoadPort(quiescent_) != 0;
}

WarpSchedulerPorts::WarpSchedulerPorts(const BlockType<WarpSchedulerIn, WarpSchedulerOut>& type,
                                       std::span<const BlockPort> ports) {
  const auto in = [&](std::string_view name) { return PortOf(type.inputs, ports, name, "_i"); };
  const auto out = [&](std::string_view name) { return PortOf(type.outputs, ports, name, "_o"); };
  eligible_ = in("eligible");
  stalled_ = in("stalled");
  barrier_ = in("barrier");
  leading_ = in("leading");
  started_ = in("started");
  finished_ = in("finished");
  issued_valid_ = in("issued_valid");
  issued_warp_ = in("issued_warp");
  wake_valid_ = in("wake_valid");
  wake_warp_ = in("wake_warp");
  epoch_ = in("epoch");
  grant_valid_ = out("grant_valid");
  grant_warp_ = out("grant_warp");
  quiescent_ = out("quiescent");
}

void WarpSchedulerPorts::Drive(const WarpSchedulerIn& in) {
  StorePort(eligible_, in.eligible);
  StorePort(stalled_, in.stalled);
  StorePort(barrier_, in.barrier);
  StorePort(leading_, in.leading);
  StorePort(started_, in.started);
  StorePort(finished_, in.finished);
  StorePort(issued_valid_, in.issued_valid);
  StorePort(issued_warp_, in.issued_warp);
  StorePort(wake_valid_, in.wake_valid);
  StorePort(wake_warp_, in.wake_warp);
  StorePort(epoch_, in.epoch);
}

void WarpSchedulerPorts::Read(WarpSchedulerOut* out) {
  out->grant_valid = LoadPort(grant_valid_) != 0;
  out->grant_warp = static_cast<uint32_t>(LoadPort(grant_warp_));
  out->quiescent = LoadPort(quiescent_) != 0;
}

}  // namespace flagstone
