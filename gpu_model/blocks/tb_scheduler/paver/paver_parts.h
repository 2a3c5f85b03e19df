// The parts of PAVER's TB scheduler with the ports of their RTL, each to be driven alone. The
// behaviour is that of the classes which the whole model is made of.
#ifndef FLAGSTONE_GPU_MODEL_BLOCKS_TB_SCHEDULER_PAVER_PAVER_PARTS_H_
#define FLAGSTONE_GPU_MODEL_BLOCKS_TB_SCHEDULER_PAVER_PAVER_PARTS_H_

#include <cstdint>

#include "gpu_model/blocks/block.h"
#include "gpu_model/blocks/field.h"
#include "gpu_model/blocks/tb_scheduler/paver/fetch_port.h"
#include "gpu_model/blocks/tb_scheduler/paver/group_dispatcher.h"
#include "gpu_model/blocks/tb_scheduler/paver/task_stealer.h"
#include "gpu_model/blocks/tb_scheduler/paver/tb_queue.h"

namespace flagstone {

// rtl/paver/paver_tb_queue.sv
struct TbQueueIn {
  bool stop = false;
  bool load = false;
  uint64_t load_next = 0, load_tail = 0;
  bool cut = false;
  uint64_t cut_tail = 0;
  bool cut_all = false;
  bool fetch_grant = false, fetch_read = false, fetch_rsp = false;
  uint32_t fetch_id = 0;
  bool tb_ready = false;
  bool read = false;
};
struct TbQueueOut {
  bool fetch_wanted = false;
  uint64_t fetch_addr = 0;
  bool tb_valid = false;
  uint32_t tb_id = 0;
  bool held = false;
  uint64_t read_tail = 0;
  uint32_t read_next = 0;
  bool read_issue = false;
};

class TbQueueBlock final : public Block<TbQueueIn, TbQueueOut> {
 public:
  explicit TbQueueBlock(uint32_t id_bytes) : id_bytes_(id_bytes), queue_(id_bytes) {}
  void Reset() override { queue_.Reset(); }
  const TbQueueOut& Outputs() const override { return out_; }
  const TbQueueOut& Settle(const TbQueueIn& in) override;
  void Tick(const TbQueueIn& in) override;
  bool Idle(const TbQueueIn& /*in*/) const override { return false; }

 private:
  uint32_t id_bytes_;
  TbQueue queue_;
  TbQueueOut out_;
};

FieldTable<TbQueueIn> TbQueueInputs(uint32_t id_bytes);
FieldTable<TbQueueOut> TbQueueOutputs(uint32_t id_bytes);

// rtl/paver/paver_group_dispatcher.sv
struct GroupDispatcherIn {
  bool stop = false;
  bool start = false;
  uint64_t queue_base = 0;
  uint32_t queue_count = 0;
  bool fetch_grant = false, fetch_rsp = false;
  FieldValue fetch_data = {};
  SmMask held = {};
};
struct GroupDispatcherOut {
  bool fetch_wanted = false;
  uint64_t fetch_addr = 0;
  SmMask load = {};
  uint64_t load_next = 0, load_tail = 0;  // where any bit of load is set
  bool moves = false;
  bool exhausted = true;
};

class GroupDispatcherBlock final : public Block<GroupDispatcherIn, GroupDispatcherOut> {
 public:
  GroupDispatcherBlock(uint32_t num_sms, uint32_t depth) : dispatcher_(num_sms, depth) {}
  void Reset() override { dispatcher_.Reset(); }
  const GroupDispatcherOut& Outputs() const override { return out_; }
  const GroupDispatcherOut& Settle(const GroupDispatcherIn& in) override;
  void Tick(const GroupDispatcherIn& in) override;
  bool Idle(const GroupDispatcherIn& /*in*/) const override { return false; }

 private:
  GroupDispatcher dispatcher_;
  GroupDispatcherOut out_;
};

FieldTable<GroupDispatcherIn> GroupDispatcherInputs(uint32_t num_sms);
FieldTable<GroupDispatcherOut> GroupDispatcherOutputs(uint32_t num_sms);

// rtl/paver/paver_fetch_port.sv
struct FetchPortIn {
  bool clear = false, stop = false;
  SmMask id_wanted = {};
  uint64_t id_addr = 0;
  bool desc_wanted = false;
  uint64_t desc_addr = 0;
  bool mem_req_ready = false, mem_rsp_valid = false;
};
struct FetchPortOut {
  SmMask id_grant = {}, id_read = {}, id_rsp = {};
  bool desc_grant = false, desc_rsp = false;
  bool mem_req_valid = false;
  uint64_t mem_req_addr = 0;
  uint32_t mem_req_size = 0;
  bool pending = false;
  bool waiting = false;
};

class FetchPortBlock final : public Block<FetchPortIn, FetchPortOut> {
 public:
  FetchPortBlock(uint32_t num_sms, uint32_t id_bytes, uint32_t descriptors)
      : id_bytes_(id_bytes), port_(num_sms, num_sms + descriptors) {}
  void Reset() override;
  const FetchPortOut& Outputs() const override { return out_; }
  const FetchPortOut& Settle(const FetchPortIn& in) override;
  void Tick(const FetchPortIn& in) override;
  bool Idle(const FetchPortIn& /*in*/) const override { return false; }

 private:
  // Whose request is placed in this cycle, or kNoOwner.
  uint32_t Requester(const FetchPortIn& in) const;

  uint32_t id_bytes_;
  FetchPort port_;
  FetchPortOut out_;
};

FieldTable<FetchPortIn> FetchPortInputs(uint32_t num_sms);
FieldTable<FetchPortOut> FetchPortOutputs(uint32_t num_sms);

// rtl/paver/paver_task_stealer.sv
struct TaskStealerIn {
  bool clear = false;
  bool enable = false;
  SmMask candidate = {};
  uint64_t read_tail = 0;
  uint32_t read_next = 0;
  bool read_issue = false;
  bool more_to_come = false;
};
struct TaskStealerOut {
  SmMask read = {};
  SmMask load = {};
  uint64_t load_next = 0, load_tail = 0;
  SmMask cut = {};
  uint64_t cut_tail = 0;
  bool cut_all = false;
  bool armed = false, idle = true;
  bool steal_valid = false;
  uint32_t steal_count = 0, steal_donor = 0, steal_thief = 0;
  // No port: a queue is looked at. Only the model knows; the RTL shows some queue in every cycle.
  bool reads = true;
};

class TaskStealerBlock final : public Block<TaskStealerIn, TaskStealerOut> {
 public:
  TaskStealerBlock(uint32_t num_sms, uint32_t id_bytes)
      : id_bytes_(id_bytes), stealer_(num_sms, id_bytes) {}
  void Reset() override;
  const TaskStealerOut& Outputs() const override { return out_; }
  const TaskStealerOut& Settle(const TaskStealerIn& in) override;
  void Tick(const TaskStealerIn& in) override;
  bool Idle(const TaskStealerIn& /*in*/) const override { return false; }

 private:
  // Algorithm 2's WaitingTB of the queue that is read.
  uint16_t Waiting(const TaskStealerIn& in) const {
    return static_cast<uint16_t>(in.read_tail / id_bytes_ - in.read_next);
  }

  // The tail that was read last. Its bits above a position in a group are those shown now: the
  // donor's tail stands from its reading to the commit.
  uint64_t Tail(const TaskStealerIn& in) const {
    const uint64_t low = uint64_t{id_bytes_} * 0x10000 - 1;
    return (in.read_tail & ~low) | (tail_ & low);
  }

  uint32_t id_bytes_;
  TaskStealer stealer_;
  uint64_t tail_ = 0;  // that was read last
  Steal last_;         // reported a cycle later
  TaskStealerOut out_;
};

FieldTable<TaskStealerIn> TaskStealerInputs(uint32_t num_sms);
FieldTable<TaskStealerOut> TaskStealerOutputs(uint32_t num_sms);

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_BLOCKS_TB_SCHEDULER_PAVER_PAVER_PARTS_H_
