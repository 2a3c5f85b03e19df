// The `lockstep` body: golden model and RTL side by side, compared every cycle.
#ifndef FLAGSTONE_SYSTEMC_COSIM_LOCKSTEP_BODY_H_
#define FLAGSTONE_SYSTEMC_COSIM_LOCKSTEP_BODY_H_

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "base/error.h"
#include "gpu_model/blocks/block.h"
#include "gpu_model/blocks/field.h"
#include "systemc/cosim/lockstep_mismatch.h"

namespace flagstone {

// What a lockstep run has checked; a run that compared nothing has shown nothing.
struct LockstepReport {
  uint64_t compared_cycles = 0;
};

// The machine follows the RTL. The RTL is gated as it would be alone; the model sees every cycle,
// so that wrong gating shows as a difference.
template <class In, class Out>
class LockstepBody final : public Block<In, Out> {
  static_assert(std::is_trivially_copyable_v<Out>);

 public:
  // `path` names the block in messages ("gpu.tb_scheduler"). `cycle`: the machine's cycle counter,
  // or null to count ticks. `report` (may be null) must outlive the body. `settles`: outputs may
  // follow inputs within a cycle, and are compared after they have.
  LockstepBody(std::string path, std::unique_ptr<Block<In, Out>> model,
               std::unique_ptr<Block<In, Out>> rtl, FieldTable<Out> outputs, const uint64_t* cycle,
               LockstepReport* report, bool settles = false)
      : path_(std::move(path)),
        model_(std::move(model)),
        rtl_(std::move(rtl)),
        outputs_(std::move(outputs)),
        cycle_(cycle),
        report_(report),
        settles_(settles) {}

  void Reset() override {
    model_->Reset();
    rtl_->Reset();
  }

  const Out& Outputs() const override { return rtl_->Outputs(); }
  const Out& Settle(const In& in) override { return rtl_->Settle(in); }

  // Throws LockstepMismatch when the outputs of the cycle that this edge ends differ.
  void Tick(const In& in) override {
    const auto difference = settles_ ? Compare(model_->Settle(in), rtl_->Settle(in))
                                     : Compare(model_->Outputs(), rtl_->Outputs());
    ++ticks_;
    if (report_ != nullptr) ++report_->compared_cycles;
    // Also on a difference, so that the wave holds the cycle that shows it.
    if (difference || !rtl_->Idle(in)) rtl_->Tick(in);
    if (difference) Report(*difference);
    model_->Tick(in);
  }

  // The model is never gated.
  bool Idle(const In&) const override { return false; }

 private:
  std::optional<FieldDifference<Out>> Compare(const Out& model, const Out& rtl) const {
    // Equal bytes are equal fields; unequal bytes may be padding or a payload without its valid.
    // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison)
    if (std::memcmp(&model, &rtl, sizeof(Out)) == 0) return std::nullopt;
    return FirstDifference(outputs_, model, rtl);
  }

  [[noreturn]] void Report(const FieldDifference<Out>& difference) const {
    const uint64_t cycle = cycle_ != nullptr ? *cycle_ : ticks_ - 1;
    const uint32_t width = difference.field->width;
    throw LockstepMismatch(
        cycle, path_,
        fmt::format("lockstep: cycle {}, {}.{}: model {}, rtl {}", cycle, path_,
                    FieldName(*difference.field, difference.lane), FieldText(difference.a, width),
                    FieldText(difference.b, width)));
  }

  std::string path_;
  std::unique_ptr<Block<In, Out>> model_;
  std::unique_ptr<Block<In, Out>> rtl_;
  FieldTable<Out> outputs_;
  const uint64_t* cycle_;
  LockstepReport* report_;
  bool settles_;
  uint64_t ticks_ = 0;
};

}  // namespace flagstone

#endif  // FLAGSTONE_SYSTEMC_COSIM_LOCKSTEP_BODY_H_
