#include "systemc/dram_socket.h"

#include <array>
#include <bit>

#include "base/error.h"

namespace flagstone {
namespace {

// Data is in the device memory of the run; a target may copy to and from here.
std::array<unsigned char, kLineBytes> scratch;

}  // namespace

tlm::tlm_generic_payload* DramPayloadPool::Get() {
  if (free_.empty()) {
    all_.push_back(std::make_unique<tlm::tlm_generic_payload>(this));
    all_.back()->set_extension(new DramExtension);  // the payload's own
    free_.reserve(all_.size());
    free_.push_back(all_.back().get());
  }
  tlm::tlm_generic_payload* payload = free_.back();
  free_.pop_back();
  payload->acquire();
  return payload;
}

DramSocket::DramSocket(sc_core::sc_module_name name)
    : sc_core::sc_module(name), update_phase_(this) {
  socket.bind(*this);
}

void DramSocket::Request(const DramRequest& request) {
  tlm::tlm_generic_payload* payload = pool_.Get();
  const auto first = static_cast<uint32_t>(std::countr_zero(request.sectors));
  const auto end = static_cast<uint32_t>(std::bit_width(request.sectors));
  DramExtension* extension = nullptr;
  payload->get_extension(extension);
  extension->tag = request.tag;
  extension->sectors = request.sectors;
  payload->set_command(request.write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
  payload->set_address(uint64_t{request.line} * kLineBytes + uint64_t{first} * kSectorBytes);
  payload->set_data_length((end - first) * kSectorBytes);
  payload->set_streaming_width((end - first) * kSectorBytes);
  payload->set_data_ptr(scratch.data());
  payload->set_byte_enable_ptr(nullptr);
  payload->set_dmi_allowed(false);
  payload->set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);

  requesting_ = payload;
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay;
  const tlm::tlm_sync_enum state = socket->nb_transport_fw(*payload, phase, delay);
  if (state == tlm::TLM_COMPLETED) {
    phase = tlm::BEGIN_RESP;
  } else if (state == tlm::TLM_ACCEPTED) {
    return;
  }
  nb_transport_bw(*payload, phase, delay);
}

tlm::tlm_sync_enum DramSocket::nb_transport_bw(tlm::tlm_generic_payload& payload,
                                               tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  if (delay != sc_core::SC_ZERO_TIME) {
    ThrowRunFailed("{}: a DRAM body annotates a delay of {}: expected none", name(),
                   delay.to_string());
  }
  if (phase != tlm::END_REQ && phase != tlm::BEGIN_RESP) {
    ThrowRunFailed("{}: a DRAM body sends phase {}: expected END_REQ or BEGIN_RESP", name(),
                   phase.get_name());
  }
  if (requesting_ == &payload) requesting_ = nullptr;  // BEGIN_RESP says END_REQ too
  if (phase == tlm::END_REQ) return tlm::TLM_ACCEPTED;
  if (payload.is_response_error()) {
    ThrowRunFailed("{}: a DRAM body answers {}", name(), payload.get_response_string());
  }
  if (sc_core::sc_get_curr_simcontext()->evaluation_phase()) {
    deferred_.push_back(&payload);
    update_phase_.Request();
  } else {
    Complete(&payload);
  }
  return tlm::TLM_COMPLETED;
}

void DramSocket::TakeDeferred() {
  for (tlm::tlm_generic_payload* payload : deferred_) Complete(payload);
  deferred_.clear();
}

void DramSocket::Complete(tlm::tlm_generic_payload* payload) {
  DramExtension* extension = nullptr;
  payload->get_extension(extension);
  if (payload->is_read()) client_->DramReply(extension->tag, extension->sectors);
  payload->release();
  owner_->Wake();
}

}  // namespace flagstone
