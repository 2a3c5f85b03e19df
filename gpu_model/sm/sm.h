// An SM as its chip has it: wires to the TB scheduler until its first TB comes, then a core.
// Launches of few TBs do not pay for the SMs that have none.
#ifndef FLAGSTONE_GPU_MODEL_SM_SM_H_
#define FLAGSTONE_GPU_MODEL_SM_SM_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gpu_model/sm/sm_core.h"

namespace flagstone {

// Its core is made in the Sample in which a TB is offered, or at once where the setup says so. What
// it counts does not tell the two apart: without a TB all of its issue slots are idle.
class Sm final : public Clocked, public PacketSink {
 public:
  // As SmCore; the setup must outlive it.
  Sm(const SmSetup& setup, uint32_t in_chip);

  // Before the launch, as SmCore's.
  void Connect(PacketPort* requests);
  void KeepLog(TbLog* log);
  void KeepLoads(LoadLog* log);
  void CountLoads(std::vector<LoadCounts>* counts);
  std::vector<TagArray> ReadOnly() const;  // none without a core
  void Keep(const std::vector<TagArray>& read_only);

  bool CanAccept() const override { return core_ == nullptr || core_->CanAccept(); }
  void Accept(const Packet& packet) override;

  void Sample(uint64_t now) override;
  void Commit(uint64_t now) override {
    if (core_ != nullptr) core_->Commit(now);
  }
  bool NothingToCommit() const override { return core_ == nullptr || core_->NothingToCommit(); }
  void PreloadSample(uint64_t now) const override {
    if (core_ != nullptr) core_->PreloadSample(now);
  }
  void PreloadCommit() const override {
    if (core_ != nullptr) core_->PreloadCommit();
  }
  void Abandon() override {
    if (core_ != nullptr) core_->Abandon();
  }
  uint64_t NextWork(uint64_t now) const override {
    if (core_ != nullptr) return core_->NextWork(now);
    return Offered() ? now + 1 : kNever;
  }
  bool Drained() const override { return core_ == nullptr || core_->Drained(); }
  std::string Leftover() const override { return core_ == nullptr ? "" : core_->Leftover(); }

  // Under a LoopSample, as SmCore's.
  bool AllWait() const { return core_ == nullptr || core_->AllWait(); }
  uint32_t waiting_warps() const { return core_ == nullptr ? 0 : core_->waiting_warps(); }
  std::vector<ThreadBlock*> WaitingTbs() {
    return core_ == nullptr ? std::vector<ThreadBlock*>() : core_->WaitingTbs();
  }
  uint64_t FirstWaiting() const { return core_ == nullptr ? kNever : core_->FirstWaiting(); }
  void ReleaseAfter(uint64_t cycles) {
    if (core_ == nullptr) return;
    core_->ReleaseAfter(cycles);
    Wake();
  }
  LoopCounts loop_counts() const { return core_ == nullptr ? LoopCounts() : core_->loop_counts(); }

  uint64_t fault_cycles() const { return core_ == nullptr ? 0 : core_->fault_cycles(); }
  uint64_t last_progress() const { return core_ == nullptr ? 0 : core_->last_progress(); }
  uint64_t warp_instructions() const { return core_ == nullptr ? 0 : core_->warp_instructions(); }
  uint64_t thread_instructions() const {
    return core_ == nullptr ? 0 : core_->thread_instructions();
  }
  uint64_t completed() const { return core_ == nullptr ? 0 : core_->completed(); }
  L1Statistics L1(uint64_t cycles) const {
    return core_ == nullptr ? L1Statistics{} : core_->L1(cycles);
  }
  // Null: there is no prefetcher, or no core yet.
  const PrefetchUnit* prefetch() const { return core_ == nullptr ? nullptr : core_->prefetch(); }
  SmStatistics Statistics(uint64_t cycles) const;
  void DescribeWaiting(size_t room, std::vector<std::string>* lines) const {
    if (core_ != nullptr) core_->DescribeWaiting(room, lines);
  }

 private:
  bool Offered() const {
    return TestBit(setup_.link->valid, in_chip_) && TestBit(setup_.link->ready, in_chip_);
  }
  void MakeCore();

  const SmSetup& setup_;
  const uint32_t in_chip_;
  PacketPort* requests_ = nullptr;
  TbLog* log_ = nullptr;
  LoadLog* load_log_ = nullptr;
  std::vector<LoadCounts>* load_counts_ = nullptr;
  std::unique_ptr<SmCore> core_;
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_SM_SM_H_
