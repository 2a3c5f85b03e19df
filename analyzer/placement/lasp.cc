// LASP, LADM's placement of arrays and its maps of TBs.
#include <algorithm>
#include <optional>

#include "analyzer/placement/by_position.h"
#include "analyzer/placement/placement.h"

namespace flagstone {
namespace {

uint64_t CeilDivide(uint64_t a, uint64_t b) { return (a + b - 1) / b; }

// What LASP deals out: `elements` share a period of `bytes`.
struct Period {
  uint64_t bytes = 1;
  uint64_t elements = 1;
  TbMap::Element element = TbMap::Element::kTb;
  bool by_tb = true;     // no lines of the grid: a chiplet gets one part of what its GPU gets
  bool repeats = false;  // it is shorter than the array
  std::optional<uint64_t> step;  // bytes from one element to the next; empty: bytes / elements
};

uint32_t RowsOf(const KernelLaunch& launch) { return launch.grid.y * launch.grid.z; }

// Without a known stride that repeats over the grid, the whole array is one period.
Period PeriodOf(const PlacementInput& input, const LadmArgument& array) {
  const KernelLaunch& launch = *input.launch;
  Period period = {.bytes = std::max<uint64_t>(1, array.bytes), .elements = launch.TbCount()};
  if (array.placement == PagePlacement::kStrideAware) {
    const int64_t stride = array.stride_bytes.value_or(0);
    const auto step = static_cast<uint64_t>(stride < 0 ? -stride : stride);
    const bool over_grid = CoversTheGrid(stride, array.extents.turn_bytes);
    if (step != 0 && step < array.bytes && over_grid) {
      period.bytes = step;
      period.repeats = true;
      period.step = array.extents.tb_bytes;
    }
    return period;
  }
  if (array.placement == PagePlacement::kColBased) {
    // The width of a row of data (section III.D.1), which may be less than the grid's.
    const uint64_t of_grid = uint64_t{launch.grid.x} * launch.block.x * array.element_bytes;
    period.bytes = std::max<uint64_t>(1, array.extents.pitch_bytes.value_or(of_grid));
    period.repeats = period.bytes < array.bytes;
  }
  const bool rows = SchedulerOf(array.type) == TbPlacement::kRowBinding;
  const uint64_t lines = rows ? RowsOf(launch) : launch.grid.x;
  // Fewer lines than nodes would leave nodes idle: then it goes by TBs.
  if (lines < input.nodes.Nodes()) return period;
  period.elements = lines;
  period.element = rows ? TbMap::Element::kRow : TbMap::Element::kColumn;
  period.by_tb = false;
  if (!rows || launch.grid.z == 1) {
    period.step = rows ? array.extents.row_bytes : array.extents.column_bytes;
  }
  // Further than the period would go: neighbours along it are no neighbours in memory.
  if (period.step && *period.step > period.bytes) period.step.reset();
  return period;
}

// Equation 1 for the GPUs, and of what each gets for its chiplets. Pages are whole; the elements
// follow the bytes, so that what shares a page runs beside it.
LaspDeal DealInWholePages(const PlacementInput& input, const Period& period) {
  const NodeShape& nodes = input.nodes;
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
  return {{period.element, tbs}, pages, {}};
}

// Whether each turn of that deal begins where a period does, and each element's pages where its
// node's do. Else they would drift apart, further with each period.
bool KeepsInStep(const PlacementInput& input, const Period& period, const LaspDeal& deal) {
  const NodeShape& nodes = input.nodes;
  const DealUnits& pages = deal.pages;
  const DealUnits& tbs = deal.tbs.units;
  if (period.by_tb && !period.repeats) return true;
  const uint64_t step = period.step.value_or(period.bytes / period.elements);
  if (step * period.elements != period.bytes || pages.gpu != tbs.gpu * step) return false;
  if (period.repeats && pages.gpu * nodes.gpus != period.bytes) return false;
  if (period.by_tb) return pages.gpu == pages.chiplet * nodes.chiplets;
  // A page that all chiplets of a GPU share goes to each in turn.
  return pages.chiplet == tbs.chiplet * step || pages.gpu == input.page_bytes;
}

// Elements in equal parts, and each page where most of it is its elements'.
LaspDeal DealByPosition(const PlacementInput& input, const Period& period, uint64_t array_bytes) {
  const NodeShape& nodes = input.nodes;
  BytesOfElements of = {period.bytes, period.elements, period.bytes};
  if (period.step) of = {period.bytes, 1, *period.step};
  DealUnits tbs;
  if (period.by_tb) {
    // Those that a grid has too many run where the first ones do.
    const uint64_t elements = CeilDivide(period.bytes * of.elements, of.bytes);
    tbs = Parts(nodes, std::min(elements, period.elements));
  } else {
    tbs.gpu = CeilDivide(period.elements, nodes.gpus);
    const uint64_t of_page =
        std::max<uint64_t>(1, CeilDivide(input.page_bytes * of.elements, of.bytes));
    tbs.chiplet = std::min(CeilDivide(tbs.gpu, nodes.chiplets), of_page);
  }
  return {{period.element, tbs},
          Parts(nodes, array_bytes, input.page_bytes),
          OwnersByPosition(nodes, of, tbs, array_bytes, input.page_bytes)};
}

// TBs go down where the array goes along, as those of a transposed matrix do: neighbours in a row
// of the grid are further apart than rows. No part of it is one node's, and where each node has a
// part all write into the same one at once.
bool GoesAcross(const PlacementInput& input, const LadmArgument& array) {
  const Extents& extents = array.extents;
  return input.launch->grid.x > 1 && RowsOf(*input.launch) > 1 && extents.column_bytes &&
         extents.row_bytes && *extents.row_bytes < *extents.column_bytes;
}

}  // namespace

LaspDeal DealOfArray(const PlacementInput& input, const LadmArgument& array) {
  const NodeShape& nodes = input.nodes;
  if (array.placement == PagePlacement::kKernelWide) {
    return {{TbMap::Element::kTb, Parts(nodes, input.launch->TbCount())},
            Parts(nodes, array.bytes, input.page_bytes),
            {}};
  }
  const Period period = PeriodOf(input, array);
  LaspDeal deal = DealInWholePages(input, period);
  if (period.by_tb && !period.repeats && GoesAcross(input, array)) {
    deal.pages = GpuFirst(input.page_bytes);
    return deal;
  }
  if (KeepsInStep(input, period, deal)) return deal;
  return DealByPosition(input, period, array.bytes);
}

NodePlan PlanLasp(const PlacementInput& input, const LadmDecision& decision,
                  RemoteCaching caching) {
  NodePlan plan;
  plan.once = caching == RemoteCaching::kOnce;
  plan.tbs.units = Parts(input.nodes, input.launch->TbCount());
  for (const LadmArgument& array : input.ladm->arguments) {
    const LaspDeal deal = DealOfArray(input, array);
    plan.pages[array.name] = deal.pages;
    if (!deal.owners.empty()) plan.owners[array.name] = deal.owners;
    if (array.name == decision.decided_by) plan.tbs = deal.tbs;
  }
  return plan;
}

NodePlan PlanLasp(const PlacementInput& input) {
  return PlanLasp(input, *input.ladm, input.ladm->caching);
}

}  // namespace flagstone
