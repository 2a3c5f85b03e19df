#include "gpu_model/memory/miss_classes.h"

namespace flagstone {

void MissClasses::Load(LineNumber line, SectorMask sectors, SectorMask missed) {
  Entry& entry = lines_[line];
  const auto count = [&](int mask) { return SectorCount(static_cast<SectorMask>(mask)); };
  const auto again = static_cast<SectorMask>(missed & entry.seen);
  const auto lost = static_cast<SectorMask>(again & ~entry.written);
  counts_.cold += count(missed & ~entry.seen);
  counts_.written += count(again & entry.written);
  counts_.conflict += count(lost & entry.held);
  counts_.capacity += count(lost & ~entry.held);

  entry.seen |= sectors;
  entry.written = static_cast<SectorMask>(entry.written & ~sectors);
  entry.held |= sectors;
  if (entry.resident) {
    recent_.splice(recent_.begin(), recent_, entry.place);
    return;
  }
  if (recent_.size() == capacity_) {
    Entry& oldest = lines_[recent_.back()];
    oldest.resident = false;
    oldest.held = 0;
    recent_.pop_back();
  }
  recent_.push_front(line);
  entry.place = recent_.begin();
  entry.resident = true;
}

void MissClasses::Evict(LineNumber line) {
  const auto found = lines_.find(line);
  if (found == lines_.end()) return;
  Entry& entry = found->second;
  entry.written |= entry.held;
  entry.held = 0;
  if (!entry.resident) return;
  recent_.erase(entry.place);
  entry.resident = false;
}

}  // namespace flagstone
