// The fast way between a TB scheduler's structs and its RTL's ports: it is ticked in most cycles of
// a simulation, with up to 128 SMs a port.
#ifndef FLAGSTONE_SYSTEMC_BODIES_TB_SCHEDULER_PORTS_H_
#define FLAGSTONE_SYSTEMC_BODIES_TB_SCHEDULER_PORTS_H_

#include <array>
#include <cstdint>
#include <span>

#include "gpu_model/blocks/tb_scheduler/ports.h"
#include "systemc/bodies/block_type.h"
#include "systemc/bodies/port_access.h"
#include "systemc/bodies/rtl_body.h"

namespace flagstone {

class TbSchedulerPorts {
 public:
  TbSchedulerPorts(const BlockType<TbSchedulerIn, TbSchedulerOut>& type,
                   std::span<const BlockPort> ports);

  void Drive(const TbSchedulerIn& in);
  void Read(TbSchedulerOut* out);

 private:
  // Of a port with one bit per SM.
  void StoreMask(const BlockPort& port, const SmMask& mask) const;
  void LoadMask(const BlockPort& port, SmMask* mask) const;
  void UnpackIds(uint32_t word, uint32_t bits, TbSchedulerOut* out);

  uint32_t num_sms_;
  uint32_t id_bits_;
  SmMask all_sms_ = {};
  BlockPort tb_ready_, tb_done_, tb_valid_, wants_context_, tb_id_;
  uint8_t *start_, *steal_enable_, *mem_req_ready_, *mem_rsp_valid_;
  uint64_t* queue_base_;
  uint32_t *queue_count_, *settings_, *mem_rsp_data_;
  const uint8_t *busy_, *quiescent_, *mem_req_valid_, *mem_req_size_, *steal_valid_, *steal_donor_,
      *steal_thief_;
  const uint64_t* mem_req_addr_;
  const uint16_t* steal_count_;
  uint32_t id_words_count_;
  std::array<uint32_t, kMaxSms> id_words_ = {};  // tb_id as last read
};

using RtlTbScheduler = RtlBody<TbSchedulerIn, TbSchedulerOut, TbSchedulerPorts>;

}  // namespace flagstone

#endif  // FLAGSTONE_SYSTEMC_BODIES_TB_SCHEDULER_PORTS_H_
