// Reads for a scheduler over AXI4: the model of rtl/dispatch_top/axi_read_master.sv.
#ifndef FLAGSTONE_GPU_MODEL_BLOCKS_DISPATCH_TOP_AXI_READ_MASTER_H_
#define FLAGSTONE_GPU_MODEL_BLOCKS_DISPATCH_TOP_AXI_READ_MASTER_H_

#include <array>
#include <cstdint>

#include "gpu_model/blocks/dispatch_top/ports.h"
#include "gpu_model/blocks/tb_scheduler/ports.h"

namespace flagstone {

class AxiReadMaster {
 public:
  static constexpr uint32_t kMostReads = 16;

  explicit AxiReadMaster(uint32_t reads) : count_(reads) {}

  void Reset() { *this = AxiReadMaster(count_); }
  bool Idle() const { return busy_ == 0; }
  bool Failed() const { return failed_; }
  // Whether an address may be shown.
  bool Open() const { return !reads_[next_].busy; }
  bool Answers() const { return reads_[first_].busy && reads_[first_].whole && !fresh_; }
  const std::array<uint64_t, 4>& answer() const { return reads_[first_].data; }
  void Show(const TbSchedulerOut& scheduler, DispatchTopOut* out) const;

  void Tick(const TbSchedulerOut& scheduler, const DispatchTopIn& in);

 private:
  struct Read {
    bool busy = false, whole = false;
    uint32_t last = 0, beat = 0;
    uint32_t place = 0;  // of the first byte in its word
    std::array<uint64_t, 4> data = {};
  };

  void TakeBeat(const DispatchTopIn& in);
  void TakeRequest(uint64_t address, uint32_t size);

  uint32_t count_;
  std::array<Read, kMostReads> reads_ = {};
  uint32_t first_ = 0, next_ = 0, busy_ = 0;
  bool failed_ = false;
  bool fresh_ = false;  // the first one's last beat was written as its storage was read
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_BLOCKS_DISPATCH_TOP_AXI_READ_MASTER_H_
