// A block's body with ports known by name: for stimuli and responses in files, for other programs
// (app/library), and for tests that treat all blocks alike.
#ifndef FLAGSTONE_SYSTEMC_COSIM_ANY_BLOCK_H_
#define FLAGSTONE_SYSTEMC_COSIM_ANY_BLOCK_H_

#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "gpu_model/blocks/block.h"
#include "gpu_model/blocks/block_type.h"
#include "gpu_model/blocks/field.h"
#include "systemc/cosim/port_place.h"

namespace flagstone {

struct AnyPort {
  std::string_view name;  // the RTL's, less `_i` or `_o`
  uint32_t width = 1;     // bits of one lane
  uint32_t lanes = 1;
};

class AnyBlock {
 public:
  AnyBlock() = default;
  AnyBlock(const AnyBlock&) = delete;
  AnyBlock& operator=(const AnyBlock&) = delete;
  virtual ~AnyBlock() = default;

  const std::vector<AnyPort>& inputs() const { return inputs_; }  // indices are positions here
  const std::vector<AnyPort>& outputs() const { return outputs_; }

  virtual void Reset() = 0;
  virtual void ClearInputs() = 0;  // all zero
  virtual void SetInput(uint32_t port, uint32_t lane, FieldValue value) = 0;
  virtual FieldValue Input(uint32_t port, uint32_t lane) const = 0;
  // Whether the input means something: false for a payload whose valid is low.
  virtual bool InputGoverned(uint32_t port, uint32_t lane) const = 0;
  // Output() is then that of this cycle, with these inputs. Without it, it is what the registers
  // say, which is all that a whole block has.
  virtual void Settle() = 0;
  virtual FieldValue Output(uint32_t port, uint32_t lane) const = 0;
  // Whether the output means something: false for a payload whose valid is low.
  virtual bool Governed(uint32_t port, uint32_t lane) const = 0;
  virtual void Tick() = 0;
  virtual bool Idle() const = 0;  // as Block::Idle

  // The quick ways: a lane as a number of up to 64 bits, which must fit; a whole port with its
  // lanes one behind the other, in words of 64 bits, the lowest first.
  void SetInputLane(uint32_t port, uint32_t lane, uint64_t value) {
    StoreLane(input_places_[port], value, lane, in_bytes_);
  }
  uint64_t OutputLane(uint32_t port, uint32_t lane) const {
    return LoadLane(output_places_[port], out_bytes_, lane);
  }
  void SetInputWords(uint32_t port, const uint64_t* words) {
    StoreWords(input_places_[port], words, in_bytes_);
  }
  void OutputWords(uint32_t port, uint64_t* words) const {
    LoadWords(output_places_[port], out_bytes_, words);
  }

 protected:
  std::vector<AnyPort> inputs_;
  std::vector<AnyPort> outputs_;
  std::vector<PortPlace> input_places_, output_places_;
  std::byte* in_bytes_ = nullptr;  // the structs of the ports
  const std::byte* out_bytes_ = nullptr;
};

template <class In, class Out>
class TypedBlock final : public AnyBlock {
 public:
  TypedBlock(const BlockType<In, Out>& type, std::unique_ptr<Block<In, Out>> body)
      : input_fields_(type.inputs), output_fields_(type.outputs), body_(std::move(body)) {
    Show(body_->Outputs());
    in_bytes_ = reinterpret_cast<std::byte*>(&in_);
    for (const auto& field : input_fields_) {
      inputs_.push_back({field.name, field.width, field.lanes});
      input_places_.push_back(PlaceOf(field, in_));
    }
    for (const auto& field : output_fields_) {
      outputs_.push_back({field.name, field.width, field.lanes});
      output_places_.push_back(PlaceOf(field, *out_));
    }
  }

  void Reset() override {
    body_->Reset();
    Show(body_->Outputs());
  }
  void ClearInputs() override { in_ = In{}; }
  void SetInput(uint32_t port, uint32_t lane, FieldValue value) override {
    input_fields_[port].set(&in_, lane, value);
  }
  FieldValue Input(uint32_t port, uint32_t lane) const override {
    return input_fields_[port].get(in_, lane);
  }
  bool InputGoverned(uint32_t port, uint32_t lane) const override {
    return IsGoverned(input_fields_, input_fields_[port], in_, lane);
  }
  void Settle() override { Show(body_->Settle(in_)); }
  FieldValue Output(uint32_t port, uint32_t lane) const override {
    return output_fields_[port].get(*out_, lane);
  }
  bool Governed(uint32_t port, uint32_t lane) const override {
    return IsGoverned(output_fields_, output_fields_[port], *out_, lane);
  }
  void Tick() override {
    body_->Tick(in_);
    Show(body_->Outputs());
  }
  bool Idle() const override { return body_->Idle(in_); }

 private:
  void Show(const Out& out) {
    out_ = &out;
    out_bytes_ = reinterpret_cast<const std::byte*>(out_);
  }

  FieldTable<In> input_fields_;
  FieldTable<Out> output_fields_;
  std::unique_ptr<Block<In, Out>> body_;
  In in_ = {};
  const Out* out_ = nullptr;
};

}  // namespace flagstone

#endif  // FLAGSTONE_SYSTEMC_COSIM_ANY_BLOCK_H_
