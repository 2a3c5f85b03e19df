#include "gpu_model/blocks/tb_scheduler/fields.h"

namespace flagstone {
namespace {

void AssignBit(SmMask* mask, uint32_t sm, bool value) {
  if (value) {
    SetBit(mask, sm);
  } else {
    ClearBit(mask, sm);
  }
}

// A table row for a scalar member: the accessors convert between its type and FieldValue.
template <auto kMember, class Ports>
Field<Ports> Scalar(std::string_view name, uint32_t width, int32_t valid = kAlwaysValid) {
  Field<Ports> field;
  field.name = name;
  field.width = width;
  field.valid = valid;
  field.get = [](const Ports& ports, uint32_t) {
    return FieldValue{static_cast<uint64_t>(ports.*kMember), 0};
  };
  field.set = [](Ports* ports, uint32_t, FieldValue value) {
    using Member = std::remove_reference_t<decltype(ports->*kMember)>;
    ports->*kMember = static_cast<Member>(value[0]);
  };
  return field;
}

// A table row for one bit per SM.
template <auto kMember, class Ports>
Field<Ports> PerSmBit(std::string_view name, uint32_t num_sms) {
  Field<Ports> field;
  field.name = name;
  field.lanes = num_sms;
  field.get = [](const Ports& ports, uint32_t sm) {
    return FieldValue{TestBit(ports.*kMember, sm) ? uint64_t{1} : uint64_t{0}, 0};
  };
  field.set = [](Ports* ports, uint32_t sm, FieldValue value) {
    AssignBit(&(ports->*kMember), sm, value[0] != 0);
  };
  return field;
}

// The dispatcher's registers, one lane per word.
Field<TbSchedulerIn> Settings(int32_t valid) {
  Field<TbSchedulerIn> field;
  field.name = "settings";
  field.width = 32;
  field.lanes = std::tuple_size_v<TbSettings>;
  field.valid = valid;
  field.get = [](const TbSchedulerIn& in, uint32_t word) {
    return FieldValue{in.settings[word], 0};
  };
  field.set = [](TbSchedulerIn* in, uint32_t word, FieldValue value) {
    in->settings[word] = static_cast<uint32_t>(value[0]);
  };
  return field;
}

}  // namespace

FieldTable<TbSchedulerIn> TbSchedulerInputs(uint32_t num_sms, uint32_t id_bits) {
  (void)id_bits;  // no input is as wide as an id
  using In = TbSchedulerIn;
  constexpr int32_t kStart = 0;
  constexpr int32_t kMemRspValid = 8;
  FieldTable<In> table = {
      Scalar<&In::start, In>("start", 1),
      Scalar<&In::queue_base, In>("queue_base", 64, kStart),
      Scalar<&In::queue_count, In>("queue_count", 32, kStart),
      Scalar<&In::steal_enable, In>("steal_enable", 1, kStart),
      Settings(kStart),
      PerSmBit<&In::tb_ready, In>("tb_ready", num_sms),
      PerSmBit<&In::tb_done, In>("tb_done", num_sms),
      Scalar<&In::mem_req_ready, In>("mem_req_ready", 1),
      Scalar<&In::mem_rsp_valid, In>("mem_rsp_valid", 1),
  };
  Field<In> data;
  data.name = "mem_rsp_data";
  data.width = 128;
  data.valid = kMemRspValid;
  data.get = [](const In& in, uint32_t) -> FieldValue { return in.mem_rsp_data; };
  data.set = [](In* in, uint32_t, FieldValue value) { in->mem_rsp_data = value; };
  table.push_back(data);
  return table;
}

FieldTable<TbSchedulerOut> TbSchedulerOutputs(uint32_t num_sms, uint32_t id_bits) {
  using Out = TbSchedulerOut;
  constexpr int32_t kTbValid = 0;
  constexpr int32_t kMemReqValid = 5;
  constexpr int32_t kStealValid = 8;
  Field<Out> id;
  id.name = "tb_id";
  id.width = id_bits;
  id.lanes = num_sms;
  id.valid = kTbValid;
  id.get = [](const Out& out, uint32_t sm) { return FieldValue{out.tb_id[sm], 0}; };
  id.set = [](Out* out, uint32_t sm, FieldValue value) {
    out->tb_id[sm] = static_cast<uint32_t>(value[0]);
  };
  return {
      PerSmBit<&Out::tb_valid, Out>("tb_valid", num_sms),
      id,
      Scalar<&Out::busy, Out>("busy", 1),
      Scalar<&Out::quiescent, Out>("quiescent", 1),
      PerSmBit<&Out::wants_context, Out>("wants_context", num_sms),
      Scalar<&Out::mem_req_valid, Out>("mem_req_valid", 1),
      Scalar<&Out::mem_req_addr, Out>("mem_req_addr", 64, kMemReqValid),
      Scalar<&Out::mem_req_size, Out>("mem_req_size", 5, kMemReqValid),
      Scalar<&Out::steal_valid, Out>("steal_valid", 1),
      Scalar<&Out::steal_count, Out>("steal_count", 16, kStealValid),
      Scalar<&Out::steal_donor, Out>("steal_donor", 8, kStealValid),
      Scalar<&Out::steal_thief, Out>("steal_thief", 8, kStealValid),
  };
}

}  // namespace flagstone
