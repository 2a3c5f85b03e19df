// A clock domain: one self-notifying SC_METHOD that ticks all cores of the domain which have work.
#ifndef FLAGSTONE_SYSTEMC_CLOCK_DOMAIN_H_
#define FLAGSTONE_SYSTEMC_CLOCK_DOMAIN_H_

#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <systemc>
#include <vector>

#include "base/clocked.h"
#include "systemc/worker_threads.h"

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
//
// With workers, the Samples of the first cores run on several threads, beside those of the other
// domains; Commits, and all else, on the caller's thread. Nothing depends on the order of Samples,
// so the results are those of one thread. Of several errors in a cycle, that of the first core
// counts.
class ClockDomain : public sc_core::sc_module, public Waker, private WorkerThreads::Work {
 public:
  SC_HAS_PROCESS(ClockDomain);

  struct Options {
    bool every_tick = false;           // skip neither idle cores nor time
    bool reverse_samples = false;      // the last core samples first
    WorkerThreads* workers = nullptr;  // of all domains; null: one thread
  };
  ClockDomain(sc_core::sc_module_name name, uint64_t period);

  // After elaboration: the present time is cycle 0 of a launch, which has no cores yet. `control`
  // must outlive it.
  void Begin(const Options& options, RunControl* control);
  // Time since then.
  uint64_t Elapsed() const { return sc_core::sc_time_stamp().value() - begin_; }

  // In elaboration order, which is the order of sampling and committing.
  void Add(Clocked* core);
  // The cores added so far may sample on any thread, at the same time.
  void ShareAmongWorkers();
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
  void SampleAll();
  void MoveShares();
  // Calls `act(core)` for the cores of [first, end) that `pick(core)` names, and `ahead(core)` for
  // each of them but the first, before that of its predecessor.
  template <class Pick, class Act, class Ahead>
  static void ForEach(uint32_t first, uint32_t end, const Pick& pick, const Act& act,
                      const Ahead& ahead);
  // Samples those of the cores [first, end) that have work at cycle `now`.
  void Run(uint32_t first, uint32_t end, uint64_t now) override;
  void Sample(uint32_t core, uint64_t now);
  void Commit();
  bool Failed();
  void NotifyAt(uint64_t cycle);
  void SetNext(uint32_t core, uint64_t next, uint64_t now);
  uint32_t count() const { return static_cast<uint32_t>(cores_.size()); }

  static constexpr uint64_t kAwake = 0;    // due at every edge
  static constexpr uint64_t kCommits = 1;  // no core says 1: it is the cycle after 0, so kAwake

  const uint64_t period_;
  Options options_;
  RunControl* control_ = nullptr;
  uint64_t begin_ = 0;  // time
  CommitPhase commit_phase_;
  sc_core::sc_event edge_;
  // Read by all threads, written at the start. With workers, what one thread writes and another
  // reads at every edge is kept to few cache lines: on some hosts each costs a third of a
  // microsecond.
  std::vector<Clocked*> cores_;
  // Per core: the cycle it must be ticked in, or kAwake; between Sample and Commit kCommits, where
  // there is something to commit.
  std::vector<uint64_t> next_;
  std::vector<std::exception_ptr> errors_;  // per core: what its Sample has thrown
  std::atomic<bool> failed_ = false;        // one of them has

  // The caller's own.
  uint64_t now_ = 0;
  std::vector<uint32_t> share_ends_;  // of the shared cores: where the part of each thread ends
  std::vector<std::chrono::nanoseconds> busy_;  // of each thread, when the ends were last moved
  uint32_t shared_edges_ = 0;                   // since then
  uint32_t due_ = 0;                            // shared cores known to have work at the next edge
  bool shared_edge_ = false;                    // the workers take part in this one
  uint64_t notified_ = kNever;                  // cycle of the pending notification
  bool watched_ = false;
  uint64_t watch_at_ = kNever;
  uint64_t* cycle_ = nullptr;
  uint64_t edges_ = 0;
};

}  // namespace flagstone

#endif  // FLAGSTONE_SYSTEMC_CLOCK_DOMAIN_H_
