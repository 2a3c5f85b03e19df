#include "app/cli/analyze_stages.h"

#include <vector>

#include "analyzer/address/address_dump.h"
#include "analyzer/address/address_tree.h"
#include "analyzer/coalescing/coalescing_dump.h"
#include "analyzer/ladm/ladm_dump.h"
#include "analyzer/locality/locality_dump.h"
#include "base/error.h"
#include "kernels/launch/groups_file.h"
#include "kernels/launch/tb_queue_image.h"
#include "kernels/ptx/printer.h"

namespace flagstone {
namespace {

TbQueueImage ImageOf(const AnalyzedLaunch& launch) {
  return EncodeTbQueue(launch.analysis.groups, MemoryLayout().base,
                       IdBytes(launch.launch->TbCount()));
}

// In the order of the data's way.
const std::vector<AnalyzeStage>& AnalyzeStages() {
  using Depth = AnalysisRequest::Depth;
  static const std::vector<AnalyzeStage> kStages = {
      {"kernel", Depth::kAddresses, false,
       [](const AnalyzedLaunch& l, size_t) { return ptx::Print(*l.launch->kernel); }},
      {"addresses", Depth::kAddresses, false,
       [](const AnalyzedLaunch& l, size_t) { return Dump(l.analysis.addresses); }},
      {"tree", Depth::kAddresses, false,
       [](const AnalyzedLaunch& l, size_t) {
         return DumpTrees(*l.launch->kernel, l.analysis.addresses);
       }},
      {"footprints", Depth::kLocality, false,
       [](const AnalyzedLaunch& l, size_t) { return Dump(l.analysis.footprints); }},
      {"sharers", Depth::kLocality, false,
       [](const AnalyzedLaunch& l, size_t) { return Dump(l.analysis.sharers); }},
      {"graph", Depth::kLocality, false,
       [](const AnalyzedLaunch& l, size_t) { return Dump(l.analysis.graph); }},
      {"groups", Depth::kGroups, false,
       [](const AnalyzedLaunch& l, size_t number) {
         return WriteGroups(l.analysis.groups, *l.launch, number);
       }},
      {"image", Depth::kGroups, false,
       [](const AnalyzedLaunch& l, size_t) { return DumpTbQueue(ImageOf(l)); }},
      {"coalescing", Depth::kAddresses, true,
       [](const AnalyzedLaunch& l, size_t) { return Dump(l.analysis.coalescing); }},
      {"ladm", Depth::kAddresses, true,
       [](const AnalyzedLaunch& l, size_t) { return Dump(l.analysis.ladm); }},
  };
  return kStages;
}

}  // namespace

const AnalyzeStage& FindAnalyzeStage(const std::string& name) {
  std::string known;
  for (const AnalyzeStage& stage : AnalyzeStages()) {
    if (name == stage.name) return stage;
    known += (known.empty() ? "" : ", ") + std::string(stage.name);
  }
  ThrowBadInput("--dump: unknown stage '{}': expected one of {}", name, known);
}

}  // namespace flagstone
