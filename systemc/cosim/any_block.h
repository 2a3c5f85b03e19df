// A block's body with ports known by name: for stimuli and responses in files, and for tests that
// treat all blocks alike.
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
  virtual void Settle() = 0;  // Output() is then that of this cycle, with these inputs
  virtual FieldValue Output(uint32_t port, uint32_t lane) const = 0;
  // Whether the output means something: false for a payload whose valid is low.
  virtual bool Governed(uint32_t port, uint32_t lane) const = 0;
  virtual void Tick() = 0;

 protected:
  std::vector<AnyPort> inputs_;
  std::vector<AnyPort> outputs_;
};

template <class In, class Out>
class TypedBlock final : public AnyBlock {
 public:
  TypedBlock(const BlockType<In, Out>& type, std::unique_ptr<Block<In, Out>> body)
      : input_fields_(type.inputs), output_fields_(type.outputs), body_(std::move(body)) {
    for (const auto& field : input_fields_) {
      inputs_.push_back({field.name, field.width, field.lanes});
    }
    for (const auto& field : output_fields_) {
      outputs_.push_back({field.name, field.width, field.lanes});
    }
  }

  void Reset() override { body_->Reset(); }
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
  void Settle() override { out_ = &body_->Settle(in_); }
  FieldValue Output(uint32_t port, uint32_t lane) const override {
    return output_fields_[port].get(*out_, lane);
  }
  bool Governed(uint32_t port, uint32_t lane) const override {
    return IsGoverned(output_fields_, output_fields_[port], *out_, lane);
  }
  void Tick() override { body_->Tick(in_); }

 private:
  FieldTable<In> input_fields_;
  FieldTable<Out> output_fields_;
  std::unique_ptr<Block<In, Out>> body_;
  In in_ = {};
  const Out* out_ = nullptr;
};

}  // namespace flagstone

#endif  // FLAGSTONE_SYSTEMC_COSIM_ANY_BLOCK_H_
