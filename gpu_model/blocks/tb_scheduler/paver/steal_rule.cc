#include "gpu_model/blocks/tb_scheduler/paver/steal_rule.h"

namespace flagstone {

void StealRuleKeeper::Reset() {
  rule_ = StealRule::kOff;
  ended_ = {};
  idle_ = all_sms_;
  running_ = {};
  events_ = 0;
}

void StealRuleKeeper::Start(StealRule rule) {
  rule_ = rule;
  ended_ = {};
}

void StealRuleKeeper::Tick(const SmMask& issue, const SmMask& done) {
  events_ = (events_ << 1 | (Any(issue) || Any(done) ? 1U : 0U)) & 3;
  const auto add = [this](uint32_t sm, int change) {
    running_[sm] = static_cast<uint8_t>((running_[sm] + change) & 0x7f);  // 7 bits in hardware
  };
  ForEachSm(issue, [&add](uint32_t sm) { add(sm, 1); });
  ForEachSm(done, [this, &add](uint32_t sm) {
    SetBit(&ended_, sm);
    add(sm, -1);
  });
  for (const SmMask& changed : {issue, done}) {
    ForEachSm(changed, [this](uint32_t sm) {
      ClearBit(&idle_, sm);
      if (running_[sm] == 0) SetBit(&idle_, sm);
    });
  }
}

const SmMask& StealRuleKeeper::Allowed() const {
  static constexpr SmMask kNone = {};
  switch (rule_) {
    case StealRule::kOff:
      return kNone;
    case StealRule::kWhenFree:
      return all_sms_;
    case StealRule::kNeverFirst:
      return ended_;
    case StealRule::kWhenIdle:
      return idle_;
  }
  return kNone;
}

}  // namespace flagstone
