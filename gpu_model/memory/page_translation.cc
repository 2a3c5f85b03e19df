#include "gpu_model/memory/page_translation.h"

namespace flagstone {

bool PageTranslation::TranslateLine(Packet* packet, uint64_t now) {
  if (now < held_until_) return false;
  const PageTable::Translation translation = pages_->Translate(packet->line, node_);
  if (translation.fault && fault_latency_ != 0) {
    held_until_ = now + fault_latency_;
    fault_cycles_ += fault_latency_;
    return false;
  }
  packet->line = translation.line;
  packet->origin = static_cast<uint8_t>(node_);
  return true;
}

}  // namespace flagstone
