#include "app/cli/placement_table.h"

#include <fmt/core.h>

#include <algorithm>

#include "app/cli/table.h"

namespace flagstone {
namespace {

// "12", or "10 to 12" where nodes differ.
std::string Span(const std::vector<uint64_t>& of_nodes) {
  const auto [least, most] = std::minmax_element(of_nodes.begin(), of_nodes.end());
  if (*least == *most) return Grouped(*most);
  return fmt::format("{} to {}", Grouped(*least), Grouped(*most));
}

}  // namespace

std::string PlacementTable(const Placed& placed, const std::string& machine) {
  constexpr const char* kElements[] = {"TBs", "rows of TBs", "columns of TBs"};
  Table table;
  table.AddColumn("what", Table::Align::kLeft);
  table.AddColumn("to a GPU at a time", Table::Align::kRight);
  table.AddColumn("to a chiplet", Table::Align::kRight);
  table.AddColumn("of each node", Table::Align::kRight);
  const char* element = kElements[static_cast<size_t>(placed.tbs.element)];
  const std::string tbs = Span(placed.tbs_of_node) + " TBs";
  if (placed.by_queue) {
    table.AddRow({"TBs", "one by one", "", tbs});
  } else {
    table.AddRow({element, Grouped(placed.tbs.units.gpu), Grouped(placed.tbs.units.chiplet), tbs});
  }
  table.AddRule();
  for (const PlacedArray& array : placed.arrays) {
    const std::string name = array.name.substr(0, 20);
    if (!array.units) {
      table.AddRow({name, "first touch", "", ""});
      continue;
    }
    const std::string pages = Span(array.pages) + " pages";
    if (array.by_owner) {
      table.AddRow({name, "page by page", "", pages});
    } else {
      table.AddRow(
          {name, Grouped(array.units->gpu) + " B", Grouped(array.units->chiplet) + " B", pages});
    }
  }
  return fmt::format("\nPlacement on {} ({} nodes), remote lines {}\n{}", machine,
                     placed.tbs_of_node.size(), placed.once ? "ronce" : "rtwice", table.ToString());
}

}  // namespace flagstone
