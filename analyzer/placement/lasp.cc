// LASP, LADM's placement of arrays and its maps of TBs.
#include <algorithm>

#include "analyzer/placement/placement.h"

namespace flagstone {
namespace {

uint64_t CeilDivide(uint64_t a, uint64_t b) { return (a + b - 1) / b; }

// What LASP deals out: `elements` share a period of `bytes`.
struct Period {
  uint64_t bytes = 1;
  uint64_t elements = 1;
  TbMap::Element element = TbMap::Element::kTb;
  bool by_tb = true;  // no lines of the grid: a chiplet gets one part of what its GPU gets
};

uint32_t RowsOf(const KernelLaunch& launch) { return launch.grid.y * launch.grid.z; }

// Without a known stride that repeats, the whole array is one period.
Period PeriodOf(const PlacementInput& input, const LadmArgument& array) {
  const KernelLaunch& launch = *input.launch;
  Period period = {.bytes = std::max<uint64_t>(1, array.bytes), .elements = launch.TbCount()};
  if (array.placement == PagePlacement::kStrideAware) {
    const int64_t stride = array.stride_bytes.value_or(0);
    const auto step = static_cast<uint64_t>(stride < 0 ? -stride : stride);
    if (step != 0 && step < array.bytes) period.bytes = step;
    return period;
  }
  if (array.placement == PagePlacement::kColBased) {
    // The width of a row of data (section III.D.1).
    period.bytes =
        std::max<uint64_t>(1, uint64_t{launch.grid.x} * launch.block.x * array.element_bytes);
  }
  const bool rows = SchedulerOf(array.type) == TbPlacement::kRowBinding;
  const uint64_t lines = rows ? RowsOf(launch) : launch.grid.x;
  // Fewer lines than nodes would leave nodes idle: then it goes by TBs.
  if (lines < input.nodes.Nodes()) return period;
  period.elements = lines;
  period.element = rows ? TbMap::Element::kRow : TbMap::Element::kColumn;
  period.by_tb = false;
  return period;
}

}  // namespace

// Equation 1 for the GPUs, and of what each gets for its chiplets. Pages are whole; the elements
// follow the bytes, so that what shares a page runs beside it.
LaspDeal DealOfArray(const PlacementInput& input, const LadmArgument& array) {
  const NodeShape& nodes = input.nodes;
  if (array.placement == PagePlacement::kKernelWide) {
    return {{TbMap::Element::kTb, Parts(nodes, input.launch->TbCount())},
            Parts(nodes, array.bytes, input.page_bytes)};
  }
  const Period period = PeriodOf(input, array);
  const auto whole_pages = [&](uint64_t bytes) {
    return std::max<uint64_t>(1, CeilDivide(bytes, input.page_bytes)) * input.page_bytes;
  };
  const uint64_t elements = period.elements;
  DealUnits pages, tbs;
  pages.gpu = whole_pages(CeilDivide(period.bytes, nodes.gpus));
  // As many as begin nearest to where its pages do, where the array is no multiple of them.
  const uint64_t fair = CeilDivide(elements, nodes.gpus);
  tbs.gpu = std::max(fair, (pages.gpu * elements + period.bytes / 2) / period.bytes);
  // Less than a page for each GPU: the last ones would get nothing.
  if (tbs.gpu * (nodes.gpus - 1) >= elements) tbs.gpu = fair;
  tbs.chiplet = CeilDivide(tbs.gpu, nodes.chiplets);
  if (period.by_tb) {
    pages.chiplet = whole_pages(CeilDivide(pages.gpu, nodes.chiplets));
  } else {
    const uint64_t of_page =
        std::max<uint64_t>(1, CeilDivide(input.page_bytes * elements, period.bytes));
    tbs.chiplet = std::min(tbs.chiplet, of_page);
    pages.chiplet = whole_pages(CeilDivide(tbs.chiplet * period.bytes, elements));
  }
  return {{period.element, tbs}, pages};
}

NodePlan PlanLasp(const PlacementInput& input, RemoteCaching caching) {
  NodePlan plan;
  plan.once = caching == RemoteCaching::kOnce;
  plan.tbs.units = Parts(input.nodes, input.launch->TbCount());
  for (const LadmArgument& array : input.ladm->arguments) {
    const LaspDeal deal = DealOfArray(input, array);
    plan.pages[array.name] = deal.pages;
    if (array.name == input.ladm->decided_by) plan.tbs = deal.tbs;
  }
  return plan;
}

}  // namespace flagstone
