#include "gpu_model/blocks/common/common_parts.h"

#include <bit>

#include "gpu_model/blocks/field_rows.h"

namespace flagstone {

void Fifo::Reset() {
  entries_.clear();
  out_ = {};
}

void Fifo::Tick(const FifoIn& in) {
  if (in.pop && !entries_.empty()) entries_.pop_front();
  if (in.push) entries_.push_back(in.data);
  out_.valid = !entries_.empty();
  if (out_.valid) out_.data = entries_.front();
}

FieldTable<FifoIn> FifoInputs(uint32_t width) {
  return {Scalar<&FifoIn::push>("push", 1), Scalar<&FifoIn::data>("data", width, "push"),
          Scalar<&FifoIn::pop>("pop", 1)};
}

FieldTable<FifoOut> FifoOutputs(uint32_t width) {
  return {Scalar<&FifoOut::valid>("valid", 1), Scalar<&FifoOut::data>("data", width, "valid")};
}

const RoundRobinOut& RoundRobinPick::Settle(const RoundRobinIn& in) {
  const uint32_t index = PickSm(in.request, in.first);
  out_ = {};
  out_.valid = index != kNoSm;
  if (!out_.valid) return out_;
  SetBit(&out_.grant, index);
  out_.index = index;
  out_.after = (index + 1) % count_;
  return out_;
}

namespace {

uint32_t IndexWidth(uint32_t count) {
  return count > 1 ? static_cast<uint32_t>(std::bit_width(count - 1)) : 1;
}

}  // namespace

FieldTable<RoundRobinIn> RoundRobinInputs(uint32_t count) {
  return {BitLanes<&RoundRobinIn::request>("request", count),
          Scalar<&RoundRobinIn::first>("first", IndexWidth(count))};
}

FieldTable<RoundRobinOut> RoundRobinOutputs(uint32_t count) {
  return {Scalar<&RoundRobinOut::valid>("valid", 1),
          BitLanes<&RoundRobinOut::grant>("grant", count),
          Scalar<&RoundRobinOut::index>("index", IndexWidth(count)),
          Scalar<&RoundRobinOut::after>("after", IndexWidth(count), "valid")};
}

void OutstandingTbs::Reset() {
  running_ = {};
  out_ = {};
}

void OutstandingTbs::Tick(const OutstandingIn& in) {
  running_.Tick(in.issue, in.done);
  out_.none = running_.None();
  out_.adding = running_.Adding();
}

FieldTable<OutstandingIn> OutstandingInputs(uint32_t num_sms) {
  return {BitLanes<&OutstandingIn::issue>("issue", num_sms),
          BitLanes<&OutstandingIn::done>("done", num_sms)};
}

FieldTable<OutstandingOut> OutstandingOutputs(uint32_t /*num_sms*/) {
  return {Scalar<&OutstandingOut::none>("none", 1), Scalar<&OutstandingOut::adding>("adding", 1)};
}

}  // namespace flagstone
