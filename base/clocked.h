// What every timed part of the GPU is: a core that samples, then commits, once a clock edge.
#ifndef FLAGSTONE_BASE_CLOCKED_H_
#define FLAGSTONE_BASE_CLOCKED_H_

#include <cstdint>
#include <string>

namespace flagstone {

inline constexpr uint64_t kNever = ~uint64_t{0};

// Told by a core that something has been put into it, so that its next edge may not be skipped.
class Waker {
 public:
  virtual ~Waker() = default;
  virtual void Wake(uint32_t index) = 0;
};

// The rule that makes results independent of the order of cores: Sample() reads and changes the
// core's own state only (it may pop its own input queues and read, not write, device memory);
// Commit() pushes into the queues of others. All cores of all clock domains whose edges coincide
// sample before any of them commits, so a push is seen at the receiver's next edge.
class Clocked {
 public:
  Clocked() = default;
  Clocked(const Clocked&) = delete;
  Clocked& operator=(const Clocked&) = delete;
  virtual ~Clocked() = default;

  // `now` counts the cycles of the core's own clock, from 0.
  virtual void Sample(uint64_t now) = 0;
  virtual void Commit(uint64_t now) = 0;
  // Between Sample and Commit: this Commit would change nothing, here or elsewhere, and may be left
  // out. Together with NextWork it is then asked beside the Samples of other cores, on any thread.
  virtual bool NothingToCommit() const { return false; }
  // Fetches what Sample(now) will touch into the host's caches, a core before its turn.
  virtual void PreloadSample(uint64_t /*now*/) const {}
  // Fetches what Commit will touch into the caches of this thread: another may have sampled.
  virtual void PreloadCommit() const {}
  // In place of Commit, for the core whose Sample has thrown: lets out what it knows.
  virtual void Abandon() {}
  // The first cycle after `now` in which Sample or Commit would change anything, given what is in
  // the core now. A push from outside wakes the core (Wake) whatever it said here.
  virtual uint64_t NextWork(uint64_t now) const = 0;
  // Nothing is held or in flight inside: no request, MSHR, credit or warp.
  virtual bool Drained() const = 0;
  // What is still inside, in a few words, for the conservation check's message.
  virtual std::string Leftover() const = 0;

  // Makes sure that the core's next edge is not skipped.
  void Wake() {
    if (waker_ != nullptr) waker_->Wake(index_);
  }
  void ConnectWaker(Waker* waker, uint32_t index) {
    waker_ = waker;
    index_ = index;
  }

 private:
  Waker* waker_ = nullptr;  // none in unit tests, which tick by hand
  uint32_t index_ = 0;
};

}  // namespace flagstone

#endif  // FLAGSTONE_BASE_CLOCKED_H_
