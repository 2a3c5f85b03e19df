#include "systemc/tb_queues.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>

namespace flagstone {
namespace {

constexpr const char* kQueueName = "tb_queue";

void WriteImage(const TbGroups& groups, uint64_t base, const TbQueueForm& form,
                DeviceMemory* memory) {
  const TbQueueImage image = EncodeTbQueue(groups, base, form.id_bytes, form.layout);
  if (!image.bytes.empty()) {
    std::memcpy(memory->At(base), image.bytes.data(), image.bytes.size());
  }
}

void Announce(const TbGroups& groups, uint64_t base, StealRule steal_rule,
              TbDispatchSetup* dispatch) {
  dispatch->queue_base = base;
  dispatch->queue_count = static_cast<uint32_t>(groups.groups.size());
  dispatch->steal_rule = groups.steal_enable ? steal_rule : StealRule::kOff;
}

}  // namespace

std::span<const TbGroups> QueuesOf(const LaunchRequest& request, uint32_t nodes) {
  if (nodes > 1) return request.plan.queues;
  if (!request.tb_scheduler->has_queue) return {};
  return {&request.groups, 1};
}

TbQueues::~TbQueues() {
  for (const uint64_t address : freed_) memory_->Free(address);
}

void TbQueues::Place(std::span<const TbGroups> queues, const TbQueueForm& form,
                     std::deque<NodeSetup>* nodes) {
  for (uint32_t n = 0; n < queues.size(); ++n) {
    TbDispatchSetup* dispatch = &(*nodes)[n].dispatch;
    if (nodes->size() == 1) {
      PlaceOfOnlyNode(queues[n], form, dispatch);
    } else {
      PlaceOfNode(n, queues[n], form, dispatch);
    }
  }
}

void TbQueues::PlaceOfOnlyNode(const TbGroups& groups, const TbQueueForm& form,
                               TbDispatchSetup* dispatch) {
  const uint64_t size = ImageSize(groups, form.id_bytes, form.layout);
  uint64_t base = 0;
  for (const DeviceMemory::Region& region : memory_->regions()) {
    if (region.name == kQueueName && region.size >= size) base = region.address;
  }
  if (base == 0) base = memory_->AllocateQueue(kQueueName, size);
  WriteImage(groups, base, form, memory_);
  Announce(groups, base, form.steal_rule, dispatch);
}

void TbQueues::PlaceOfNode(uint32_t node, const TbGroups& groups, const TbQueueForm& form,
                           TbDispatchSetup* dispatch) {
  const uint64_t size = std::max<uint64_t>(1, ImageSize(groups, form.id_bytes, form.layout));
  const uint64_t base = memory_->AllocateQueue(fmt::format("{}{}", kQueueName, node), size);
  freed_.push_back(base);
  WriteImage(groups, base, form, memory_);
  dispatch->node = node;
  Announce(groups, base, form.steal_rule, dispatch);
  for (const std::vector<uint32_t>& group : groups.groups) dispatch->tb_count += group.size();
}

}  // namespace flagstone
