#include "gpu_model/blocks/tb_scheduler/fields.h"

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

#include "gpu_model/blocks/field_rows.h"

namespace flagstone {
namespace {

constexpr const char* kStart = "start";  // what all those below count under

// Of mem_rsp_data, of 64 bits each: two pointers, or a sector.
uint32_t AnswerWords(const TbSchedulerDescriptor& scheduler) { return scheduler.by_sector ? 4 : 2; }

uint32_t MemReqSizeBits(const TbSchedulerDescriptor& scheduler) {
  return static_cast<uint32_t>(std::bit_width(8 * AnswerWords(scheduler)));
}

// Rows of the words of `settings`, less what the scheduler says of them.
template <size_t... kWords>
std::vector<Field<TbSchedulerIn>> Words(std::index_sequence<kWords...>) {
  return {Element<&TbSchedulerIn::settings, kWords>("", 32, kStart)...};
}

// What a scheduler samples at start. Ids are modulo 2^id_bits; a count also has the bit above.
std::vector<Field<TbSchedulerIn>> StartInputs(const TbSchedulerDescriptor& scheduler,
                                              uint32_t id_bits) {
  if (scheduler.has_queue) {
    return {Scalar<&TbSchedulerIn::queue_base>("queue_base", 64, kStart),
            Scalar<&TbSchedulerIn::queue_count>("queue_count", 32, kStart),
            Scalar<&TbSchedulerIn::steal_rule>("steal_rule", 2, kStart)};
  }
  const uint32_t count_bits = std::min(id_bits + 1, 32u);
  std::vector<Field<TbSchedulerIn>> table;
  if (scheduler.takes_tb_count) {
    table.push_back(Scalar<&TbSchedulerIn::queue_count>("tb_count", count_bits, kStart));
  }
  static const std::vector<Field<TbSchedulerIn>> kWords =
      Words(std::make_index_sequence<std::tuple_size_v<TbSettings>>());
  for (size_t word = 0; word < scheduler.settings.size(); ++word) {
    const TbSettingPort& port = scheduler.settings[word];
    Field<TbSchedulerIn> field = kWords.at(word);
    field.name = port.name;
    field.width = port.bits == TbSettingPort::kId      ? id_bits
                  : port.bits == TbSettingPort::kCount ? count_bits
                                                       : port.bits;
    table.push_back(field);
  }
  return table;
}

}  // namespace

FieldTable<TbSchedulerIn> TbSchedulerInputs(const TbSchedulerDescriptor& scheduler,
                                            uint32_t num_sms, uint32_t id_bits) {
  FieldTable<TbSchedulerIn> table = {Scalar<&TbSchedulerIn::start>("start", 1)};
  for (const Field<TbSchedulerIn>& field : StartInputs(scheduler, id_bits)) table.push_back(field);
  table.push_back(Scalar<&TbSchedulerIn::abort>("abort", 1));
  table.push_back(BitLanes<&TbSchedulerIn::tb_ready>("tb_ready", num_sms));
  table.push_back(BitLanes<&TbSchedulerIn::tb_done>("tb_done", num_sms));
  if (scheduler.has_queue) {
    table.push_back(Scalar<&TbSchedulerIn::mem_req_ready>("mem_req_ready", 1));
    table.push_back(Scalar<&TbSchedulerIn::mem_rsp_valid>("mem_rsp_valid", 1));
    table.push_back(scheduler.by_sector
                        ? Lanes<&TbSchedulerIn::mem_rsp_data>(
                              "mem_rsp_data", 64, AnswerWords(scheduler), "mem_rsp_valid")
                        : Pair<&TbSchedulerIn::mem_rsp_data>("mem_rsp_data", "mem_rsp_valid"));
  }
  return table;
}

FieldTable<TbSchedulerOut> TbSchedulerOutputs(const TbSchedulerDescriptor& scheduler,
                                              uint32_t num_sms, uint32_t id_bits) {
  FieldTable<TbSchedulerOut> table = {
      BitLanes<&TbSchedulerOut::tb_valid>("tb_valid", num_sms),
      Lanes<&TbSchedulerOut::tb_id>("tb_id", id_bits, num_sms, "tb_valid"),
      Scalar<&TbSchedulerOut::busy>("busy", 1),
      Scalar<&TbSchedulerOut::quiescent>("quiescent", 1),
      BitLanes<&TbSchedulerOut::wants_context>("wants_context", num_sms),
  };
  if (!scheduler.has_queue) return table;
  for (const Field<TbSchedulerOut>& field : {
           Scalar<&TbSchedulerOut::mem_req_valid>("mem_req_valid", 1),
           Scalar<&TbSchedulerOut::mem_req_addr>("mem_req_addr", 64, "mem_req_valid"),
           Scalar<&TbSchedulerOut::mem_req_size>("mem_req_size", MemReqSizeBits(scheduler),
                                                 "mem_req_valid"),
           Scalar<&TbSchedulerOut::steal_valid>("steal_valid", 1),
           Scalar<&TbSchedulerOut::steal_count>("steal_count", 16, "steal_valid"),
           Scalar<&TbSchedulerOut::steal_donor>("steal_donor", 8, "steal_valid"),
           Scalar<&TbSchedulerOut::steal_thief>("steal_thief", 8, "steal_valid"),
       }) {
    table.push_back(field);
  }
  return table;
}

}  // namespace flagstone
