#include "systemc/cosim/tb_scheduler_ports.h"

#include "gpu_model/blocks/sm_mask.h"

namespace flagstone {
namespace {

template <class Storage>
Storage* Port(std::span<const BlockPort> ports, const char* name, const char* suffix,
              uint32_t bits) {
  return static_cast<Storage*>(FindPort(ports, name, suffix, bits).data);
}

}  // namespace

TbSchedulerPorts::TbSchedulerPorts(const BlockType<TbSchedulerIn, TbSchedulerOut>& type,
                                   std::span<const BlockPort> ports)
    : num_sms_(type.Parameter("NumSm")),
      id_bits_(type.Parameter("IdWidth")),
      all_sms_(FirstSms(num_sms_)),
      tb_ready_(FindPort(ports, "tb_ready", "_i", num_sms_)),
      tb_done_(FindPort(ports, "tb_done", "_i", num_sms_)),
      tb_valid_(FindPort(ports, "tb_valid", "_o", num_sms_)),
      wants_context_(FindPort(ports, "wants_context", "_o", num_sms_)),
      tb_id_(FindPort(ports, "tb_id", "_o", num_sms_ * id_bits_)),
      start_(Port<uint8_t>(ports, "start", "_i", 1)),
      abort_(Port<uint8_t>(ports, "abort", "_i", 1)),
      busy_(Port<uint8_t>(ports, "busy", "_o", 1)),
      quiescent_(Port<uint8_t>(ports, "quiescent", "_o", 1)),
      id_words_count_((num_sms_ * id_bits_ + 31) / 32) {
  for (const Field<TbSchedulerIn>& field : type.inputs) {
    if (field.name == "mem_rsp_data") BindMemory(type.outputs, ports, field.width * field.lanes);
    if (field.valid != "start") continue;
    start_inputs_.emplace_back(field, FindPort(ports, field.name, "_i", field.width));
  }
}

void TbSchedulerPorts::BindMemory(const FieldTable<TbSchedulerOut>& outputs,
                                  std::span<const BlockPort> ports, uint32_t answer_bits) {
  mem_req_ready_ = Port<uint8_t>(ports, "mem_req_ready", "_i", 1);
  mem_rsp_valid_ = Port<uint8_t>(ports, "mem_rsp_valid", "_i", 1);
  answer_bytes_ = answer_bits / 8;
  mem_rsp_data_ = Port<uint32_t>(ports, "mem_rsp_data", "_i", answer_bits);
  mem_req_valid_ = Port<uint8_t>(ports, "mem_req_valid", "_o", 1);
  mem_req_addr_ = Port<uint64_t>(ports, "mem_req_addr", "_o", 64);
  mem_req_size_ = Port<uint8_t>(ports, "mem_req_size", "_o", outputs["mem_req_size"].width);
  steal_valid_ = Port<uint8_t>(ports, "steal_valid", "_o", 1);
  steal_count_ = Port<uint16_t>(ports, "steal_count", "_o", 16);
  steal_donor_ = Port<uint8_t>(ports, "steal_donor", "_o", 8);
  steal_thief_ = Port<uint8_t>(ports, "steal_thief", "_o", 8);
}

void TbSchedulerPorts::Drive(const TbSchedulerIn& in) {
  *start_ = in.start;
  *abort_ = in.abort;
  if (in.start) {
    for (const auto& [field, port] : start_inputs_) {
      StorePort(port, field.get(in, 0)[0] & LowBits(field.width));
    }
  }
  StoreMask(tb_ready_, in.tb_ready);
  StoreMask(tb_done_, in.tb_done);
  if (mem_req_ready_ == nullptr) return;
  *mem_req_ready_ = in.mem_req_ready;
  *mem_rsp_valid_ = in.mem_rsp_valid;
  std::memcpy(mem_rsp_data_, in.mem_rsp_data.data(), answer_bytes_);
}

void TbSchedulerPorts::Read(TbSchedulerOut* out) {
  LoadMask(tb_valid_, &out->tb_valid);
  // Few of the ids change from one cycle to the next.
  if (tb_id_.bits <= 64) {
    const uint64_t bits = LoadPort(tb_id_);
    for (uint32_t word = 0; word < id_words_count_; ++word) {
      UnpackIds(word, static_cast<uint32_t>(bits >> (32 * word)), out);
    }
  } else {
    const auto* words = static_cast<const uint32_t*>(tb_id_.data);
    for (uint32_t word = 0; word < id_words_count_; ++word) {
      if (words[word] != id_words_[word]) UnpackIds(word, words[word], out);
    }
  }
  out->busy = *busy_ != 0;
  out->quiescent = *quiescent_ != 0;
  LoadMask(wants_context_, &out->wants_context);
  if (mem_req_ready_ == nullptr) return;
  out->mem_req_valid = *mem_req_valid_ != 0;
  out->mem_req_addr = *mem_req_addr_;
  out->mem_req_size = *mem_req_size_;
  out->steal_valid = *steal_valid_ != 0;
  out->steal_count = *steal_count_;
  out->steal_donor = *steal_donor_;
  out->steal_thief = *steal_thief_;
}

void TbSchedulerPorts::StoreMask(const BlockPort& port, const SmMask& mask) const {
  const SmMask value = And(mask, all_sms_);
  if (num_sms_ <= 64) {
    StorePort(port, value[0]);
  } else {
    std::memcpy(port.data, value.data(), MaskBytes());
  }
}

void TbSchedulerPorts::LoadMask(const BlockPort& port, SmMask* mask) const {
  if (num_sms_ <= 64) {
    (*mask)[0] = LoadPort(port);
  } else {
    std::memcpy(mask->data(), port.data, MaskBytes());
  }
}

void TbSchedulerPorts::UnpackIds(uint32_t word, uint32_t bits, TbSchedulerOut* out) {
  id_words_[word] = bits;
  const uint32_t ids = 32 / id_bits_;
  for (uint32_t i = 0; i < ids && word * ids + i < num_sms_; ++i) {
    out->tb_id[word * ids + i] = id_bits_ == 32 ? bits : (bits >> (16 * i)) & 0xffffu;
  }
}

}  // namespace flagstone
