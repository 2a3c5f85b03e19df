// Which ticks of a block's RTL may be skipped: data that each block type must state.
#ifndef FLAGSTONE_GPU_MODEL_BLOCKS_EVENT_RULE_H_
#define FLAGSTONE_GPU_MODEL_BLOCKS_EVENT_RULE_H_

namespace flagstone {

// There is no default: a block that leaves its rule out, or takes another's by accident, would be
// silently wrong. A rule that skips too much is caught in lockstep, where the model is ticked in
// every cycle.
template <class In, class Out>
struct EventRule {
  // Whether a tick with `in` would change no register of a block that shows `out`; `last`: the
  // inputs of the last tick that was not skipped, zeros after reset.
  using IdleFunction = bool (*)(const Out& out, const In& in, const In& last);

  // `compares_last`: the function looks at `last`, which is kept for it only then.
  constexpr EventRule(IdleFunction is_idle, bool compares_last)
      : idle(is_idle), needs_last(compares_last) {}

  IdleFunction idle;
  bool needs_last;
};

// A part of a block has no quiescent_o: each of its ticks counts.
template <class In, class Out>
constexpr EventRule<In, Out> EveryTickCounts() {
  return {[](const Out&, const In&, const In&) { return false; }, false};
}

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_BLOCKS_EVENT_RULE_H_
