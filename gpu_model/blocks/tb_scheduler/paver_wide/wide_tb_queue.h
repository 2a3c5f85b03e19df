// One SM's part of PAVER's wide TB scheduler: the TB group that it works through, and the sector of
// memory that its next ids stand in. The model of rtl/paver_wide/paver_wide_tb_queue.sv.
#ifndef FLAGSTONE_GPU_MODEL_BLOCKS_TB_SCHEDULER_PAVER_WIDE_WIDE_TB_QUEUE_H_
#define FLAGSTONE_GPU_MODEL_BLOCKS_TB_SCHEDULER_PAVER_WIDE_WIDE_TB_QUEUE_H_

#include <array>
#include <cstdint>

#include "gpu_model/blocks/tb_scheduler/paver/tb_queue.h"

namespace flagstone {

inline constexpr uint32_t kIdSectorBytes = 32;
using IdSector = std::array<uint64_t, kIdSectorBytes / 8>;  // low word first

// The id moves from the sector to nextTB, and from there to the SM. A group is gone with the move
// of its last id, so that the next group's ids come while nextTB still waits for a context.
class WideTbQueue {
 public:
  explicit WideTbQueue(uint32_t id_bytes) : id_bytes_(id_bytes) {}

  bool held() const { return held_; }
  bool valid() const { return valid_; }
  uint32_t tb_id() const { return tb_id_; }  // while valid
  uint64_t next() const { return next_; }    // while held: of the id that moves next
  uint64_t tail() const { return tail_; }    // while held: of the group's last id
  uint64_t sector_address() const { return next_ / kIdSectorBytes * kIdSectorBytes; }
  bool WantsFetch() const { return held_ && !buffered_ && !fetching_; }
  bool WantsId() const { return held_ && buffered_ && !valid_; }

  // TBs that a thief may take: all but the one that is, or comes into, nextTB. An id whose sector
  // is in flight stays as well.
  uint16_t Waiting() const;
  // Waiting() will rise by itself.
  bool Rising() const { return held_ && valid_ && !buffered_; }
  // With the move of the next id Waiting() falls by one.
  bool MoveCrosses() const { return (next_ + id_bytes_) % kIdSectorBytes == 0; }

  void Reset();
  // Of one cycle, in this order. KeepUpTo: the rest, after `last`, goes to a thief; `all`: all that
  // waits.
  void KeepUpTo(uint64_t last, bool all);
  void MoveId();
  void Issue() { valid_ = false; }
  void Load(const TbGroup& group);  // only while no group is held
  void TakeSector(const IdSector& sector);
  void GrantFetch() { fetching_ = true; }
  // The kernel is given up; `answered`: no answer is to come for the fetch, if there is one.
  void Stop(bool answered);

 private:
  uint32_t id_bytes_;
  uint64_t next_ = 0;
  uint64_t tail_ = 0;
  uint32_t tb_id_ = 0;
  IdSector sector_ = {};
  bool held_ = false;      // G
  bool valid_ = false;     // V
  bool fetching_ = false;  // F: the sector of `next` is in flight
  bool buffered_ = false;  // B: it is here
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_BLOCKS_TB_SCHEDULER_PAVER_WIDE_WIDE_TB_QUEUE_H_
