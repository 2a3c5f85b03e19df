// The analysis behind the C interface: PTX text and launch -> TB groups and their queue image.
#include <array>
#include <cstring>
#include <limits>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "analyzer/address/address_analysis.h"
#include "analyzer/locality/footprints.h"
#include "analyzer/locality/locality_graph.h"
#include "app/library/status.h"
#include "app/policy/policies.h"
#include "kernels/launch/extras.h"
#include "kernels/launch/kernel_launch.h"
#include "kernels/launch/tb_queue_image.h"
#include "kernels/launch/workload.h"
#include "kernels/ptx/parser.h"

struct flagstone_groups {
  flagstone::TbGroups groups;
  uint64_t tbs = 0;
  flagstone::StealRule steal_rule = flagstone::StealRule::kOff;
  std::string left_out;
};

namespace flagstone {
namespace {

// What CUDA allows (its guide, table of technical specifications).
constexpr std::array<uint32_t, 3> kMostTbs = {std::numeric_limits<int32_t>::max(), 65535, 65535};
constexpr std::array<uint32_t, 3> kMostThreads = {1024, 1024, 64};
constexpr uint64_t kMostThreadsOfTb = 1024;

Dim3 Extents(const uint32_t (&given)[3], const std::array<uint32_t, 3>& most, const char* what) {
  for (size_t axis = 0; axis < 3; ++axis) {
    if (given[axis] >= 1 && given[axis] <= most[axis]) continue;
    ThrowBadInput("{}.{} is {}: expected 1 to {}", what, "xyz"[axis], given[axis], most[axis]);
  }
  return {given[0], given[1], given[2]};
}

const ptx::Kernel& EntryOf(const ptx::Module& module, const char* entry) {
  if (entry != nullptr) return module.FindKernel(entry);
  if (module.kernels.size() == 1) return *module.kernels[0];
  ThrowBadInput("{} has {} entries: expected the name of one", module.file, module.kernels.size());
}

std::vector<std::byte> ParameterBlock(const flagstone_launch& launch, const ptx::Kernel& kernel) {
  if (launch.argument_count != kernel.parameters.size()) {
    ThrowBadInput("'{}' is given {} arguments: expected {}", kernel.name, launch.argument_count,
                  kernel.parameters.size());
  }
  std::vector<std::byte> block(kernel.parameter_bytes);
  for (size_t i = 0; i < launch.argument_count; ++i) {
    const ptx::Variable& parameter = *kernel.parameters[i];
    std::memcpy(block.data() + parameter.offset, launch.arguments[i], parameter.SizeInBytes());
  }
  return block;
}

// Of a module's variables alone: where its buffers are, the caller knows. They lie where no
// allocation of a GPU does.
DeviceMemory MemoryOf(const ptx::Module& module) {
  MemoryLayout layout = MemoryLayout::For(module.address_size);
  if (module.address_size == 64) layout.base = uint64_t{1} << 60;
  return DeviceMemory(module.address_size, layout);
}

KernelLaunch LaunchOf(const flagstone_launch& given, const ptx::Module& module,
                      DeviceMemory* memory) {
  KernelLaunch launch;
  launch.kernel = &EntryOf(module, given.entry);
  launch.module = &module;
  module.CheckAnalyzable(*launch.kernel);
  launch.grid = Extents(given.grid, kMostTbs, "grid");
  launch.block = Extents(given.block, kMostThreads, "block");
  if (launch.block.Count() > kMostThreadsOfTb) {
    ThrowBadInput("block has {} threads: expected at most {}", launch.block.Count(),
                  kMostThreadsOfTb);
  }
  launch.dynamic_shared_bytes = given.shared_bytes;
  launch.parameters = ParameterBlock(given, *launch.kernel);
  launch.cluster = ClusterOf(*launch.kernel);
  for (const auto& variable : module.globals) {
    if (variable->is_extern || ptx::IsOpaque(variable->type)) continue;
    const bool writable = variable->space != ptx::Space::kConst;
    launch.symbols[variable->name] =
        memory->Allocate(variable->name, variable->SizeInBytes(), writable);
  }
  InitializeVariables(module, launch.symbols, memory);
  return launch;
}

const Policy& QueuePolicy(const char* name) {
  const Policy& policy = FindPolicy(name);
  if (policy.RunsGroups() && !policy.may_fall_back && !policy.TimedWeights()) return policy;
  ThrowBadInput(
      "policy '{}': expected one whose groups wait in a queue and follow from addresses alone, "
      "such as rb, kway, mst or tile",
      name);
}

std::string LeftOut(const Footprints& footprints) {
  std::string text;
  for (const SkippedLoad& load : footprints.skipped) {
    text += fmt::format("line {}: {}\n", load.line, load.reason);
  }
  return text;
}

std::unique_ptr<flagstone_groups> Group(const flagstone_launch& given, const char* policy_name,
                                        const PartitionRequest& request) {
  Require(given.ptx, "the text of a PTX module");
  Require(policy_name, "the name of a policy");
  if (given.argument_count != 0) Require(given.arguments, "the launch's arguments");
  if (request.sms == 0 || request.tbs_per_sm == 0) {
    ThrowBadInput("{} SMs of {} TBs: expected at least 1 of each", request.sms, request.tbs_per_sm);
  }
  // Neither the policies nor what they call are for several threads.
  static std::mutex mutex;
  const std::lock_guard<std::mutex> lock(mutex);
  const Policy& policy = QueuePolicy(policy_name);
  const std::unique_ptr<ptx::Module> module = ptx::Parse(given.ptx, "ptx");
  DeviceMemory memory = MemoryOf(*module);
  const KernelLaunch launch = LaunchOf(given, *module, &memory);

  const AddressAnalysis addresses = AnalyzeAddresses(launch, memory);
  const Footprints footprints = FindFootprints(addresses, launch);
  const SharerSets sharers = FindSharers(footprints, Granularity::kByte);
  const LocalityGraph graph = policy.needs_graph ? BuildGraph(sharers) : LocalityGraph();
  const PartitionInput input = {
      .grid = launch.grid, .sharers = &sharers, .graph = &graph, .launch = &launch};

  auto result = std::make_unique<flagstone_groups>();
  result->groups = policy.Groups(input, request);
  result->tbs = launch.TbCount();
  CheckCoversOnce(result->groups, static_cast<uint32_t>(result->tbs));
  if (result->groups.steal_enable) result->steal_rule = policy.Stealing();
  result->left_out = LeftOut(footprints);
  return result;
}

TbQueueLayout LayoutOf(flagstone_layout layout) {
  if (layout == FLAGSTONE_SECTORS) return TbQueueLayout::kSectors;
  if (layout == FLAGSTONE_PACKED) return TbQueueLayout::kPacked;
  ThrowBadInput("layout {}: expected FLAGSTONE_PACKED or FLAGSTONE_SECTORS",
                static_cast<int>(layout));
}

bool AreIdBits(uint32_t id_bits) { return id_bits == 16 || id_bits == 32; }

void CheckImage(const flagstone_groups& groups, uint64_t base, uint32_t id_bits, uint64_t size,
                uint64_t needed) {
  constexpr uint64_t kSectorBytes = 32;
  if (!AreIdBits(id_bits)) ThrowBadInput("TB ids of {} bits: expected 16 or 32", id_bits);
  if (IdBytes(groups.tbs) > id_bits / 8) {
    ThrowBadInput("{} TBs and ids of {} bits: expected 32 bits", groups.tbs, id_bits);
  }
  if (base % kSectorBytes != 0) {
    ThrowBadInput("a TB queue at {:#x}: expected a multiple of {}", base, kSectorBytes);
  }
  if (size != needed) ThrowBadInput("{} bytes for a TB queue: expected {}", size, needed);
}

}  // namespace
}  // namespace flagstone

flagstone_status flagstone_group(const flagstone_launch* launch, const char* policy, uint32_t sms,
                                 uint32_t tbs_per_sm, flagstone_groups** groups) {
  return flagstone::Guarded([&] {
    *groups = flagstone::Group(*launch, policy, {.sms = sms, .tbs_per_sm = tbs_per_sm}).release();
  });
}

void flagstone_groups_destroy(flagstone_groups* groups) { delete groups; }

size_t flagstone_groups_count(const flagstone_groups* groups) {
  return groups->groups.groups.size();
}

const uint32_t* flagstone_groups_tbs(const flagstone_groups* groups, size_t index, size_t* count) {
  *count = 0;
  if (index >= groups->groups.groups.size()) return nullptr;
  *count = groups->groups.groups[index].size();
  return groups->groups.groups[index].data();
}

uint32_t flagstone_groups_steal_rule(const flagstone_groups* groups) {
  return static_cast<uint32_t>(groups->steal_rule);
}

const char* flagstone_groups_left_out(const flagstone_groups* groups) {
  return groups->left_out.c_str();
}

uint64_t flagstone_image_bytes(const flagstone_groups* groups, uint32_t id_bits,
                               flagstone_layout layout) {
  if (!flagstone::AreIdBits(id_bits)) return 0;
  if (layout != FLAGSTONE_PACKED && layout != FLAGSTONE_SECTORS) return 0;
  return flagstone::ImageSize(groups->groups, id_bits / 8, flagstone::LayoutOf(layout));
}

flagstone_status flagstone_image(const flagstone_groups* groups, uint64_t base, uint32_t id_bits,
                                 flagstone_layout layout, void* bytes, uint64_t size) {
  return flagstone::Guarded([&] {
    flagstone::CheckImage(*groups, base, id_bits, size,
                          flagstone_image_bytes(groups, id_bits, layout));
    const flagstone::TbQueueImage image =
        flagstone::EncodeTbQueue(groups->groups, base, id_bits / 8, flagstone::LayoutOf(layout));
    std::memcpy(bytes, image.bytes.data(), image.bytes.size());
  });
}
