// The way of an SM's packets through the page table, in a machine of several nodes.
#ifndef FLAGSTONE_GPU_MODEL_MEMORY_PAGE_TRANSLATION_H_
#define FLAGSTONE_GPU_MODEL_MEMORY_PAGE_TRANSLATION_H_

#include <cstdint>

#include "gpu_model/memory/packet.h"
#include "gpu_model/memory/page_table.h"

namespace flagstone {

// Gives packets their physical lines. A first touch holds back the packet that meets it, and what
// comes after it, for the time of a page fault (numa.page_fault_cycles).
class PageTranslation {
 public:
  // `pages`: null where there is one node, whose lines keep their numbers.
  PageTranslation(PageTable* pages, uint32_t node, uint32_t fault_latency)
      : pages_(pages), node_(node), fault_latency_(fault_latency) {}

  // False: the packet's page is not there yet; ask again.
  bool Translate(Packet* packet, uint64_t now) {
    return pages_ == nullptr || TranslateLine(packet, now);
  }
  uint64_t fault_cycles() const { return fault_cycles_; }  // that faults have held packets back

 private:
  bool TranslateLine(Packet* packet, uint64_t now);

  PageTable* pages_;
  uint32_t node_;
  uint32_t fault_latency_;
  uint64_t held_until_ = 0;
  uint64_t fault_cycles_ = 0;
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_MEMORY_PAGE_TRANSLATION_H_
