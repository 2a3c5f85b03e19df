// One DRAM channel: banks with open rows, FR-FCFS over a bounded queue, one data bus.
#ifndef FLAGSTONE_GPU_MODEL_MEMORY_DRAM_CHANNEL_H_
#define FLAGSTONE_GPU_MODEL_MEMORY_DRAM_CHANNEL_H_

#include <cstdint>
#include <vector>

#include "base/clocked.h"
#include "base/ring.h"
#include "gpu_model/machines/machine.h"
#include "gpu_model/memory/dram_port.h"
#include "gpu_model/memory/dram_queue.h"
#include "gpu_model/stats/statistics.h"

namespace flagstone {

// Each DRAM cycle at most one column command (the oldest request whose row is open and whose timing
// allows it) and one row command (for the oldest request of a bank whose open row nobody in the
// queue wants any more). A request of n sectors holds the bus for n * 32 / bus_bytes cycles. Rows
// stay open until another is wanted. With a write queue, writes wait there until it is nearly full
// or there is nothing to read. Refresh is not modelled (assumption).
class DramChannel final : public Clocked {
 public:
  // `fixed_latency`: DRAM cycles from the end of a read's data to the L2 slice.
  DramChannel(const DramConfig& config, uint32_t clients, uint32_t fixed_latency);

  void ConnectClient(uint32_t client, DramClient* sink) { clients_[client].sink = sink; }

  bool CanRequest(uint32_t client) const { return !clients_[client].input.full(); }
  void Request(const ChannelRequest& request);

  void Sample(uint64_t now) override;
  void Commit(uint64_t now) override;
  uint64_t NextWork(uint64_t now) const override;
  bool Drained() const override;
  std::string Leftover() const override;
  const DramStatistics& statistics() const { return statistics_; }

 private:
  static constexpr uint32_t kClientQueue = 4;  // requests a slice may have waiting at the channel

  struct Client {
    Ring<ChannelRequest> input{kClientQueue};
    DramClient* sink = nullptr;
  };
  struct Bank {
    uint64_t column_ready = 0;  // first cycle for each command, as far as this bank is concerned
    uint64_t precharge_ready = 0;
    uint64_t activate_ready = 0;
  };
  struct Return {
    uint64_t cycle = 0;
    uint16_t client = 0;
    uint16_t tag = 0;
    SectorMask sectors = 0;
  };

  bool HasRoom(const ChannelRequest& request) const;
  void TakeInput(uint64_t now);
  void CountWaiting(uint64_t now);
  void ChooseDirection();
  // Whether commands are for such requests now.
  bool Considers(DramQueue::Way way) const {
    return config_.write_queue == 0 || (way == DramQueue::kWrites) == writing_;
  }
  void Schedule(uint64_t now);
  // The request that a command is for in this cycle, or DramQueue::kNone; `next` falls to the first
  // cycle in which there may be one.
  uint32_t FindColumn(uint64_t now, uint64_t* next) const;
  uint32_t FindRow(uint64_t now, uint64_t* next) const;
  void IssueColumn(uint32_t index, uint64_t now);
  void IssueRow(uint32_t index, uint64_t now);
  uint64_t ColumnReady(uint32_t bank, DramQueue::Way way) const;
  uint32_t BurstCycles(const ChannelRequest& request) const;

  DramConfig config_;
  uint32_t fixed_latency_;
  uint32_t group_distance_;  // of column commands in one bank group
  std::vector<Client> clients_;
  uint32_t next_client_ = 0;
  DramQueue queue_;
  bool writing_ = false;  // the write queue is being emptied
  std::vector<Bank> banks_;
  Ring<Return> returns_;
  uint64_t next_column_ = 0;                 // tCCD and burst length
  uint64_t bus_free_ = 0;                    // first cycle in which the data bus is free
  uint64_t read_after_write_ = 0;            // tCDLR
  std::vector<uint64_t> next_group_column_;  // per bank group: tCCDL
  uint64_t next_activate_ = 0;               // tRRD
  uint64_t next_command_ = kNever;  // when a command of the queue can be issued, as last seen
  uint64_t waiting_ = 0;            // requests that have come and have had no column command yet
  uint64_t counted_waiting_ = 0;    // as of the last Sample
  uint64_t counted_until_ = 0;
  DramStatistics statistics_;
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_MEMORY_DRAM_CHANNEL_H_
