// The TBs of a launch in the order in which they are issued, wave by wave: what runs on the machine
// at once, if all TBs take the same time.
#ifndef FLAGSTONE_APP_FLOW_SAMPLE_WAVE_SEQUENCE_H_
#define FLAGSTONE_APP_FLOW_SAMPLE_WAVE_SEQUENCE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/launch/tb_groups.h"
#include "systemc/simulation.h"

namespace flagstone {

// TBs that run at once on a machine of `sms`.
struct Wave {
  uint32_t sms = 1, tbs_per_sm = 1;
  uint64_t Tbs() const { return uint64_t{sms} * tbs_per_sm; }
};

// Why only a whole launch shows what the request asks for; empty: a part does.
std::string WhyOnlyWhole(const LaunchRequest& request, bool several_nodes);

// Of a request that a part can stand for.
class WaveSequence {
 public:
  WaveSequence(const LaunchRequest& request, const Wave& wave);

  // Of a wave as it is counted here: whole TBs, or groups, of each list.
  uint64_t wave_tbs() const { return wave_tbs_; }
  uint64_t tbs() const { return tbs_; }
  double waves() const { return static_cast<double>(tbs_) / static_cast<double>(wave_tbs_); }

  // The TBs of the waves [from, to), counted in halves of waves, as the lists that a TB scheduler
  // goes through side by side. The last half wave, and what the launch has beyond whole waves, is
  // not among them; with `tail` it follows them.
  using Lists = std::vector<std::vector<uint32_t>>;
  Lists Part(uint64_t from, uint64_t to, bool tail) const;

 private:
  // Of the elements of a list.
  struct Range {
    size_t from = 0, to = 0, tail = 0;
  };
  // `unit`: elements of a wave; `rest`: those beyond whole waves.
  static Range RangeOf(size_t size, uint64_t unit, uint64_t rest, uint64_t from, uint64_t to);
  uint64_t RestOf(size_t list) const;

  uint64_t wave_tbs_ = 0, tbs_;
  Lists lists_;
  bool by_parts_;                // an SM each, of almost the same length
  bool by_lists_;                // whole lists are left out
  std::vector<uint64_t> units_;  // of each list: its TBs of a wave; by_lists_: lists of a wave
};

}  // namespace flagstone

#endif  // FLAGSTONE_APP_FLOW_SAMPLE_WAVE_SEQUENCE_H_
