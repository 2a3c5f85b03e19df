#include "gpu_model/memory/page_table.h"

#include <algorithm>

#include "base/error.h"
#include "gpu_model/memory/physical_line.h"

namespace flagstone {
namespace {

// What lies in no buffer, which only a prefetch can ask for, uses the last lines of the node.
constexpr LineNumber kStrayLines = 1024;

}  // namespace

PageTable::PageTable(const NumaConfig& numa)
    : shape_(ShapeOf(numa)),
      page_bytes_(numa.page_bytes),
      page_lines_(numa.page_bytes / kLineBytes),
      next_frame_(numa.Nodes(), 0) {}

void PageTable::Learn(const DeviceMemory& memory) {
  for (size_t i = buffers_.size(); i < memory.regions().size(); ++i) {
    const DeviceMemory::Region& region = memory.regions()[i];
    Buffer& buffer = buffers_.emplace_back();
    buffer.name = region.name;
    buffer.bytes = region.size;
    buffer.first = LineOf(region.address);
    buffer.end =
        buffer.first + static_cast<LineNumber>((region.size + kLineBytes - 1) / kLineBytes);
    buffer.pages.assign((region.size + page_bytes_ - 1) / page_bytes_, kUnplaced);
  }
}

void PageTable::Place(const DeviceMemory& memory, const NodePlan& plan) {
  placed_ = first_touched_ = 0;
  first_touch_ = plan.first_touch;
  Learn(memory);
  for (Buffer& buffer : buffers_) {
    const auto owners = plan.owners.find(buffer.name);
    if (owners != plan.owners.end()) PlaceOwned(owners->second, &buffer);
    const auto units = plan.pages.find(buffer.name);
    if (units != plan.pages.end()) PlaceAll(units->second, &buffer);
  }
}

void PageTable::PlaceAll(const DealUnits& units, Buffer* buffer) {
  if (buffer->planned) return;
  buffer->planned = true;
  for (size_t page = 0; page < buffer->pages.size(); ++page) {
    if (buffer->pages[page] != kUnplaced) continue;
    PlaceOne(Deal(shape_, units, page * page_bytes_), &buffer->pages[page]);
  }
}

void PageTable::PlaceOwned(const std::vector<uint8_t>& owners, Buffer* buffer) {
  if (buffer->planned) return;
  for (size_t page = 0; page < owners.size(); ++page) {
    if (owners[page] == NodePlan::kNoOwner || buffer->pages[page] != kUnplaced) continue;
    PlaceOne(owners[page], &buffer->pages[page]);
  }
}

void PageTable::PlaceOne(uint32_t node, LineNumber* page) {
  LineNumber& free = next_frame_[node];
  if (free + page_lines_ > kNodeLines - kStrayLines) {
    ThrowRunFailed("node {} holds no more pages: its memory of {} MiB is full", node,
                   uint64_t{kNodeLines} * kLineBytes >> 20);
  }
  *page = PhysicalLine(node, free);
  free += page_lines_;
  ++placed_;
}

PageTable::Buffer* PageTable::Find(LineNumber line) {
  if (recent_ < buffers_.size()) {
    Buffer& recent = buffers_[recent_];
    if (line >= recent.first && line < recent.end) return &recent;
  }
  const auto above =
      std::upper_bound(buffers_.begin(), buffers_.end(), line,
                       [](LineNumber number, const Buffer& b) { return number < b.first; });
  if (above == buffers_.begin() || line >= (above - 1)->end) return nullptr;
  recent_ = static_cast<size_t>(above - 1 - buffers_.begin());
  return &buffers_[recent_];
}

PageTable::Translation PageTable::Translate(LineNumber line, uint32_t node) {
  if (IsPrivate(line)) return {line};
  Buffer* buffer = Find(line);
  if (buffer == nullptr) {
    return {PhysicalLine(node, kNodeLines - kStrayLines + line % kStrayLines)};
  }
  const LineNumber offset = line - buffer->first;
  LineNumber& page = buffer->pages[offset / page_lines_];
  Translation translation;
  if (page == kUnplaced) {
    if (first_touch_) {
      PlaceOne(node, &page);
      ++first_touched_;
      translation.fault = true;
    } else {
      PlaceAll(Parts(shape_, buffer->bytes, page_bytes_), buffer);
    }
  }
  translation.line = page + offset % page_lines_;
  return translation;
}

std::vector<uint64_t> PageTable::PagesOfNodes(std::string_view name) const {
  std::vector<uint64_t> pages(shape_.Nodes(), 0);
  for (const Buffer& buffer : buffers_) {
    if (buffer.name != name) continue;
    for (const LineNumber page : buffer.pages) {
      if (page != kUnplaced) ++pages[HomeOf(page)];
    }
  }
  return pages;
}

std::vector<uint64_t> PageTable::Save() const {
  std::vector<uint64_t> saved = {buffers_.size()};
  saved.insert(saved.end(), next_frame_.begin(), next_frame_.end());
  for (const Buffer& buffer : buffers_) {
    saved.push_back(buffer.planned ? 1 : 0);
    saved.push_back(buffer.pages.size());
    saved.insert(saved.end(), buffer.pages.begin(), buffer.pages.end());
  }
  return saved;
}

bool PageTable::Restore(const DeviceMemory& memory, const std::vector<uint64_t>& saved) {
  Learn(memory);
  size_t next = 0;
  const auto take = [&](uint64_t* value) {
    if (next == saved.size()) return false;
    *value = saved[next++];
    return true;
  };
  uint64_t value = 0;
  if (!take(&value) || value > buffers_.size()) return false;
  const uint64_t known = value;
  for (LineNumber& frame : next_frame_) {
    if (!take(&value)) return false;
    frame = static_cast<LineNumber>(value);
  }
  for (uint64_t i = 0; i < known; ++i) {
    Buffer& buffer = buffers_[i];
    if (!take(&value)) return false;
    buffer.planned = value != 0;
    if (!take(&value) || value != buffer.pages.size()) return false;
    for (LineNumber& page : buffer.pages) {
      if (!take(&value)) return false;
      page = static_cast<LineNumber>(value);
    }
  }
  return next == saved.size();
}

}  // namespace flagstone
