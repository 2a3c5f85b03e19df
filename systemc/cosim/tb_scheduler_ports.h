// The fast way between a TB scheduler's structs and its RTL's ports: it is ticked in most cycles of
// a simulation, with up to 256 SMs a port. What is sampled at start takes the way of the field
// tables; ports of memory and steals are PAVER's alone.
#ifndef FLAGSTONE_SYSTEMC_COSIM_TB_SCHEDULER_PORTS_H_
#define FLAGSTONE_SYSTEMC_COSIM_TB_SCHEDULER_PORTS_H_

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "gpu_model/blocks/block_type.h"
#include "gpu_model/blocks/tb_scheduler/ports.h"
#include "systemc/cosim/port_access.h"
#include "systemc/cosim/rtl_body.h"

namespace flagstone {

class TbSchedulerPorts {
 public:
  TbSchedulerPorts(const BlockType<TbSchedulerIn, TbSchedulerOut>& type,
                   std::span<const BlockPort> ports);

  void Drive(const TbSchedulerIn& in);
  void Read(TbSchedulerOut* out);

 private:
  void BindMemory(const FieldTable<TbSchedulerOut>& outputs, std::span<const BlockPort> ports,
                  uint32_t answer_bits);
  // Of a port with one bit per SM; of more than 64 it has words of 32 bits.
  size_t MaskBytes() const { return 4 * ((size_t{num_sms_} + 31) / 32); }
  void StoreMask(const BlockPort& port, const SmMask& mask) const;
  void LoadMask(const BlockPort& port, SmMask* mask) const;
  void UnpackIds(uint32_t word, uint32_t bits, TbSchedulerOut* out);

  uint32_t num_sms_;
  uint32_t id_bits_;
  SmMask all_sms_ = {};
  BlockPort tb_ready_, tb_done_, tb_valid_, wants_context_, tb_id_;
  uint8_t *start_, *abort_;
  std::vector<std::pair<Field<TbSchedulerIn>, BlockPort>> start_inputs_;  // they count under start
  const uint8_t *busy_, *quiescent_;
  uint32_t answer_bytes_ = 0;  // of the memory
  // Null without a memory.
  uint8_t *mem_req_ready_ = nullptr, *mem_rsp_valid_ = nullptr;
  uint32_t* mem_rsp_data_ = nullptr;
  const uint8_t *mem_req_valid_ = nullptr, *mem_req_size_ = nullptr;
  const uint64_t* mem_req_addr_ = nullptr;
  const uint8_t *steal_valid_ = nullptr, *steal_donor_ = nullptr, *steal_thief_ = nullptr;
  const uint16_t* steal_count_ = nullptr;
  uint32_t id_words_count_;
  std::array<uint32_t, kMaxSms> id_words_ = {};  // tb_id as last read
};

using RtlTbScheduler = RtlBody<TbSchedulerIn, TbSchedulerOut, TbSchedulerPorts>;

}  // namespace flagstone

#endif  // FLAGSTONE_SYSTEMC_COSIM_TB_SCHEDULER_PORTS_H_
