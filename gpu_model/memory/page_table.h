// Which node each page of the buffers lies on, in a run on a machine of several nodes.
#ifndef FLAGSTONE_GPU_MODEL_MEMORY_PAGE_TABLE_H_
#define FLAGSTONE_GPU_MODEL_MEMORY_PAGE_TABLE_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gpu_model/machines/machine.h"
#include "gpu_model/memory/packet.h"
#include "kernels/launch/device_memory.h"
#include "kernels/launch/node_plan.h"

namespace flagstone {

inline NodeShape ShapeOf(const NumaConfig& numa) { return {numa.gpus, numa.chiplets}; }

// Pages are counted from the start of each buffer. It lives as long as the run: the first plan that
// names a buffer fixes where its pages lie. Each node hands out its frames in order. There is no
// TLB and no page walk (assumption).
class PageTable {
 public:
  explicit PageTable(const NumaConfig& numa);

  // Before a launch: places the buffers that the plan names and no plan before has.
  void Place(const DeviceMemory& memory, const NodePlan& plan);

  struct Translation {
    LineNumber line = 0;  // physical
    bool fault = false;   // the first touch of its page has placed it
  };
  // Of a line that a node asks for. Places its page where no plan has: on that node under a
  // first-touch plan, else with all of its buffer, a contiguous part for each node.
  Translation Translate(LineNumber line, uint32_t node);

  // Since Place: placed in all, and of these, by a first touch.
  uint64_t placed() const { return placed_; }
  uint64_t first_touched() const { return first_touched_; }
  // Of a buffer's placed pages, those of each node.
  std::vector<uint64_t> PagesOfNodes(std::string_view buffer) const;

  // All pages, buffer after buffer, for a checkpoint: Restore takes what Save gave, with the
  // buffers of the same run. False: it is not of these buffers.
  std::vector<uint64_t> Save() const;
  bool Restore(const DeviceMemory& memory, const std::vector<uint64_t>& saved);

 private:
  static constexpr uint32_t kUnplaced = ~uint32_t{0};

  struct Buffer {
    std::string name;
    uint64_t bytes = 0;
    LineNumber first = 0, end = 0;  // lines
    std::vector<LineNumber> pages;  // the physical number of their first lines, or kUnplaced
    bool planned = false;
  };

  void Learn(const DeviceMemory& memory);
  void PlaceAll(const DealUnits& units, Buffer* buffer);
  void PlaceOwned(const std::vector<uint8_t>& owners, Buffer* buffer);
  void PlaceOne(uint32_t node, LineNumber* page);
  Buffer* Find(LineNumber line);

  NodeShape shape_;
  uint32_t page_bytes_;
  uint32_t page_lines_;
  std::vector<Buffer> buffers_;         // by address
  size_t recent_ = 0;                   // the buffer found last
  std::vector<LineNumber> next_frame_;  // by node: the first line that is free
  bool first_touch_ = false;
  uint64_t placed_ = 0, first_touched_ = 0;
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_MEMORY_PAGE_TABLE_H_
