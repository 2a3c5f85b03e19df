// What crosses the ports of gpu_dispatch_top: the RTL's names less `_i` and `_o`.
#ifndef FLAGSTONE_GPU_MODEL_BLOCKS_DISPATCH_TOP_PORTS_H_
#define FLAGSTONE_GPU_MODEL_BLOCKS_DISPATCH_TOP_PORTS_H_

#include <array>
#include <cstdint>

#include "gpu_model/blocks/block.h"
#include "gpu_model/blocks/event_rule.h"
#include "gpu_model/blocks/sm_mask.h"

namespace flagstone {

struct DispatchTopIn {
  bool s_axil_awvalid = false;
  uint32_t s_axil_awaddr = 0;
  bool s_axil_wvalid = false;
  uint32_t s_axil_wdata = 0;
  uint32_t s_axil_wstrb = 0;
  bool s_axil_bready = false;
  bool s_axil_arvalid = false;
  uint32_t s_axil_araddr = 0;
  bool s_axil_rready = false;
  bool m_axi_arready = false;
  bool m_axi_rvalid = false;
  uint32_t m_axi_rid = 0;
  uint64_t m_axi_rdata = 0;
  uint32_t m_axi_rresp = 0;
  bool m_axi_rlast = false;
  SmMask tb_ready = {};
  SmMask done_valid = {};
  std::array<uint8_t, kMaxSms> done_context = {};
  std::array<uint8_t, kMaxSms> done_tag = {};
};

struct DispatchTopOut {
  bool s_axil_awready = false;
  bool s_axil_wready = false;
  bool s_axil_bvalid = false;
  uint32_t s_axil_bresp = 0;
  bool s_axil_arready = false;
  bool s_axil_rvalid = false;
  uint32_t s_axil_rdata = 0;
  uint32_t s_axil_rresp = 0;
  bool irq = false;
  bool m_axi_arvalid = false;
  uint64_t m_axi_araddr = 0;
  uint32_t m_axi_arlen = 0;
  uint32_t m_axi_arid = 0;
  bool m_axi_rready = false;
  uint64_t launch_entry = 0;
  uint64_t launch_parameters = 0;
  SmMask tb_valid = {};  // one SM at most; the seven below are under it
  uint32_t tb_id = 0;
  uint32_t tb_x = 0;
  uint32_t tb_y = 0;
  uint32_t tb_z = 0;
  uint32_t tb_context = 0;
  uint32_t tb_tag = 0;
  bool quiescent = true;
};

inline constexpr EventRule<DispatchTopIn, DispatchTopOut> kDispatchTopEvents = {
    [](const DispatchTopOut& out, const DispatchTopIn& in, const DispatchTopIn&) {
      return out.quiescent && !in.s_axil_awvalid && !in.s_axil_wvalid && !in.s_axil_arvalid &&
             !in.m_axi_rvalid && !Any(in.done_valid);
    },
    /*compares_last=*/false};

using DispatchTop = Block<DispatchTopIn, DispatchTopOut>;

// Why a launch failed or something was refused: bits 19 to 16 of register status.
enum class DispatchReason : uint8_t {
  kNone,
  kNoTbs,
  kTooManyTbs,
  kDoesNotFit,
  kUnalignedBase,
  kNoGroups,
  kReadError,
  kIdBeyondGrid,
  kLaunchWaits,
  kNoSuchRegister,
  kValueDoesNotFit,
  kStrayCompletion,
  kStopped
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_BLOCKS_DISPATCH_TOP_PORTS_H_
