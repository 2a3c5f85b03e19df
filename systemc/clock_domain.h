// A clock domain: one self-notifying SC_METHOD that ticks all cores of the domain which have work.
#ifndef FLAGSTONE_SYSTEMC_CLOCK_DOMAIN_H_
#define FLAGSTONE_SYSTEMC_CLOCK_DOMAIN_H_

#include <cstdint>
#include <systemc>
#include <vector>

#include "gpu_model/memory/clocked.h"

namespace flagstone {

// What the domains of a run have in common: when to stop, and what has gone wrong. Exceptions do
// not travel through the SystemC kernel; they are kept here and thrown again after sc_start().
class RunControl {
 public:
  virtual ~RunControl() = default;
  // Before the cores of the core clock sample cycle `now`. Returns the next cycle at which it wants
  // to be asked again, work or no work.
  virtual uint64_t Watch(uint64_t now) = 0;
  // After a domain has committed; true when nothing is left to do.
  virtual bool Finished() = 0;
  virtual void Fail(std::exception_ptr error) = 0;
  bool stopped() const { return stopped_; }

 protected:
  bool stopped_ = false;
};

// Edges are multiples of an integer period. Sample() runs in the evaluation phase and Commit() in
// the update phase of the same delta cycle, so where edges of domains coincide all sample before
// any commits. The next edge is the earliest at which any core has work: time in between is
// skipped.
class ClockDomain : public sc_core::sc_module, public Waker {
 public:
  SC_HAS_PROCESS(ClockDomain);

  // `every_tick`: skip neither idle cores nor time.
  ClockDomain(sc_core::sc_module_name name, uint64_t period, bool every_tick, RunControl* control);

  // In elaboration order, which is the order of sampling and committing.
  void Add(Clocked* core);
  // Makes `control->Watch` run in this domain; `cycle`, if given, always holds the current cycle.
  void SetWatched(uint64_t* cycle) {
    watched_ = true;
    watch_at_ = 0;
    cycle_ = cycle;
  }
  void Wake(uint32_t index) override;

  uint64_t edges() const { return edges_; }  // not skipped

 private:
  class CommitPhase : public sc_core::sc_prim_channel {
   public:
    explicit CommitPhase(ClockDomain* domain)
        : sc_core::sc_prim_channel("commit"), domain_(domain) {}
    void Request() { request_update(); }

   protected:
    void update() override { domain_->Commit(); }

   private:
    ClockDomain* domain_;
  };

  void Edge();
  void Commit();
  void NotifyAt(uint64_t cycle);

  const uint64_t period_;
  const bool every_tick_;
  RunControl* const control_;
  CommitPhase commit_phase_;
  sc_core::sc_event edge_;
  std::vector<Clocked*> cores_;
  std::vector<uint64_t> next_;    // per core: the cycle it must be ticked in
  std::vector<uint32_t> active_;  // cores that have sampled in this cycle
  uint64_t now_ = 0;
  uint64_t notified_ = kNever;  // cycle of the pending notification
  bool watched_ = false;
  uint64_t watch_at_ = kNever;
  uint64_t* cycle_ = nullptr;
  uint64_t edges_ = 0;
};

}  // namespace flagstone

#endif  // FLAGSTONE_SYSTEMC_CLOCK_DOMAIN_H_
