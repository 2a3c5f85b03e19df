#include "gpu_model/blocks/tb_scheduler/fields.h"

#include "gpu_model/blocks/field_rows.h"

namespace flagstone {
FieldTable<TbSchedulerIn> TbSchedulerInputs(uint32_t num_sms, uint32_t id_bits) {
  (void)id_bits;  // no input is as wide as an id
  using In = TbSchedulerIn;
  constexpr int32_t kStart = 0;
  constexpr int32_t kMemRspValid = 8;
  return {
      Scalar<&In::start>("start", 1),
      Scalar<&In::queue_base>("queue_base", 64, kStart),
      Scalar<&In::queue_count>("queue_count", 32, kStart),
      Scalar<&In::steal_enable>("steal_enable", 1, kStart),
      Lanes<&In::settings>("settings", 32, std::tuple_size_v<TbSettings>, kStart),
      BitLanes<&In::tb_ready>("tb_ready", num_sms),
      BitLanes<&In::tb_done>("tb_done", num_sms),
      Scalar<&In::mem_req_ready>("mem_req_ready", 1),
      Scalar<&In::mem_rsp_valid>("mem_rsp_valid", 1),
      Scalar<&In::mem_rsp_data>("mem_rsp_data", 128, kMemRspValid),
  };
}

FieldTable<TbSchedulerOut> TbSchedulerOutputs(uint32_t num_sms, uint32_t id_bits) {
  using Out = TbSchedulerOut;
  constexpr int32_t kTbValid = 0;
  constexpr int32_t kMemReqValid = 5;
  constexpr int32_t kStealValid = 8;
  return {
      BitLanes<&Out::tb_valid>("tb_valid", num_sms),
      Lanes<&Out::tb_id>("tb_id", id_bits, num_sms, kTbValid),
      Scalar<&Out::busy>("busy", 1),
      Scalar<&Out::quiescent>("quiescent", 1),
      BitLanes<&Out::wants_context>("wants_context", num_sms),
      Scalar<&Out::mem_req_valid>("mem_req_valid", 1),
      Scalar<&Out::mem_req_addr>("mem_req_addr", 64, kMemReqValid),
      Scalar<&Out::mem_req_size>("mem_req_size", 5, kMemReqValid),
      Scalar<&Out::steal_valid>("steal_valid", 1),
      Scalar<&Out::steal_count>("steal_count", 16, kStealValid),
      Scalar<&Out::steal_donor>("steal_donor", 8, kStealValid),
      Scalar<&Out::steal_thief>("steal_thief", 8, kStealValid),
  };
}

}  // namespace flagstone
