// One SM's part of PAVER's TB scheduler (section 5.1): the TB group that it works through.
// The model of rtl/paver/paver_tb_queue.sv.
#ifndef FLAGSTONE_GPU_MODEL_BLOCKS_TB_SCHEDULER_PAVER_TB_QUEUE_H_
#define FLAGSTONE_GPU_MODEL_BLOCKS_TB_SCHEDULER_PAVER_TB_QUEUE_H_

#include <cstdint>

namespace flagstone {

// A TB group in memory: the byte addresses of its first and last id, which lie in a row.
struct TbGroup {
  uint64_t first = 0;
  uint64_t last = 0;
};

// A group is loaded, its ids are fetched and issued one after the other, and with the last one the
// group is gone. The fetch of the next id is asked for as soon as nextTB is free.
class TbQueue {
 public:
  explicit TbQueue(uint32_t id_bytes) : id_bytes_(id_bytes) {}

  bool held() const { return held_; }
  bool valid() const { return valid_; }
  uint32_t tb_id() const { return tb_id_; }  // while valid
  uint64_t next() const { return next_; }    // while held: of the id that is, or comes into, nextTB
  uint64_t tail() const { return tail_; }    // while held: of the group's last id
  bool WantsFetch() const { return held_ && !valid_ && !fetching_; }

  // TBs of the group after nextTB: Algorithm 2's WaitingTB. A group holds at most 65,536 ids.
  uint16_t Waiting() const;

  void Reset();
  void Load(const TbGroup& group);  // only while no group is held
  void GrantFetch();                // of next()
  void TakeId(uint32_t id);         // the fetched id arrives
  void Issue();                     // nextTB goes to the SM
  void KeepUpTo(uint64_t last);     // the rest, after `last`, goes to a thief
  void Drop() { held_ = false; }    // nothing is left of the group
  // The kernel is given up; `answered`: no answer is to come for the fetch, if there is one.
  void Stop(bool answered);

 private:
  uint32_t id_bytes_;
  uint64_t next_ = 0;
  uint64_t tail_ = 0;
  uint32_t tb_id_ = 0;
  bool held_ = false;      // G
  bool valid_ = false;     // V
  bool fetching_ = false;  // F
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_BLOCKS_TB_SCHEDULER_PAVER_TB_QUEUE_H_
