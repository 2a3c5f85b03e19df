// The end of a launch where the L2 keeps nothing for the next one.
#include "gpu_model/memory/l2_slice.h"

namespace flagstone {

void L2Slice::Flush() {
  flushing_ = true;
  const uint32_t ways = tags_.sets() * tags_.associativity();
  // From the back, since they are taken from there.
  for (uint32_t index = ways; index > 0; --index) {
    if (!tags_.free(index - 1) && tags_.way(index - 1).dirty != 0) dirty_.push_back(index - 1);
  }
  Wake();
}

void L2Slice::FlushNext() {
  if (misses_.full()) return;
  if (dirty_.empty()) {
    tags_.Clear();
    flushing_ = false;
    return;
  }
  const uint32_t index = dirty_.back();
  dirty_.pop_back();
  const SectorMask sectors = tags_.way(index).dirty;
  flushed_ += SectorCount(sectors);
  statistics_.write_backs += SectorCount(sectors);
  misses_.Push({map_->DramLine(slice_, tags_.line(index)), 0, sectors, true});
}

}  // namespace flagstone
