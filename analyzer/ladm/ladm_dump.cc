#include "analyzer/ladm/ladm_dump.h"

#include <fmt/core.h>

namespace flagstone {

std::string_view ToString(LocalityType type) {
  switch (type) {
    case LocalityType::kNoLocality:
      return "no-locality";
    case LocalityType::kRowHorizontal:
      return "row-horizontal";
    case LocalityType::kColHorizontal:
      return "col-horizontal";
    case LocalityType::kRowVertical:
      return "row-vertical";
    case LocalityType::kColVertical:
      return "col-vertical";
    case LocalityType::kIntraThread:
      return "intra-thread";
    case LocalityType::kUnclassified:
      return "unclassified";
  }
  return "";
}

std::string_view ToString(TbPlacement placement) {
  switch (placement) {
    case TbPlacement::kAlignAware:
      return "align-aware";
    case TbPlacement::kRowBinding:
      return "row-binding";
    case TbPlacement::kColBinding:
      return "col-binding";
    case TbPlacement::kKernelWide:
      return "kernel-wide";
  }
  return "";
}

std::string_view ToString(PagePlacement placement) {
  switch (placement) {
    case PagePlacement::kStrideAware:
      return "stride-aware";
    case PagePlacement::kRowBased:
      return "row-based";
    case PagePlacement::kColBased:
      return "col-based";
    case PagePlacement::kKernelWide:
      return "kernel-wide";
  }
  return "";
}

std::string_view ToString(RemoteCaching caching) {
  return caching == RemoteCaching::kOnce ? "ronce" : "rtwice";
}

TbPlacement SchedulerOf(LocalityType type) {
  switch (type) {
    case LocalityType::kNoLocality:
      return TbPlacement::kAlignAware;
    case LocalityType::kRowHorizontal:
    case LocalityType::kRowVertical:
      return TbPlacement::kRowBinding;
    case LocalityType::kColHorizontal:
    case LocalityType::kColVertical:
      return TbPlacement::kColBinding;
    default:
      return TbPlacement::kKernelWide;
  }
}

PagePlacement PlacementOf(LocalityType type) {
  switch (type) {
    case LocalityType::kNoLocality:
      return PagePlacement::kStrideAware;
    case LocalityType::kRowHorizontal:
    case LocalityType::kColHorizontal:
      return PagePlacement::kRowBased;
    case LocalityType::kRowVertical:
    case LocalityType::kColVertical:
      return PagePlacement::kColBased;
    default:
      return PagePlacement::kKernelWide;
  }
}

RemoteCaching CachingOf(LocalityType type) {
  return type == LocalityType::kIntraThread ? RemoteCaching::kOnce : RemoteCaching::kTwice;
}

std::string Dump(const LadmAnalysis& analysis) {
  std::string text;
  for (const LadmAccess& access : analysis.table) {
    text += fmt::format("{} pc {} line {} of {}: {}, datablock {} bytes\n",
                        access.is_store ? "store" : "load", access.pc, access.line, access.array,
                        ToString(access.type), access.datablock_bytes);
    text += fmt::format("  invariant {}\n", access.invariant);
    if (!access.variant.empty()) text += fmt::format("  variant {}\n", access.variant);
    if (!access.stride.empty()) {
      text += fmt::format("  stride {}", access.stride);
      if (access.stride_bytes) text += fmt::format(" = {} bytes", *access.stride_bytes);
      if (access.unrolled > 1) text += fmt::format(", unrolled {} times", access.unrolled);
      text += '\n';
    }
  }
  for (const LadmArgument& argument : analysis.arguments) {
    text += fmt::format("array {} at {:#x}, {} pages: {}, placement {}", argument.name,
                        argument.address, argument.pages, ToString(argument.type),
                        ToString(argument.placement));
    if (argument.interleave_bytes) text += fmt::format(" by {} bytes", *argument.interleave_bytes);
    text += '\n';
  }
  if (analysis.scheduler) {
    text += fmt::format("scheduler {} (as {} wishes)", ToString(*analysis.scheduler),
                        analysis.decided_by);
    if (*analysis.scheduler == TbPlacement::kAlignAware) {
      text += fmt::format(", batches of {} TBs", analysis.batch_tbs);
    }
    text += fmt::format(", remote lines {}\n", ToString(analysis.caching));
  }
  return text;
}

}  // namespace flagstone
