#include "synth/treemap.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace flagstone {
namespace {

constexpr double kWidth = 960, kHeight = 600, kTitle = 30;

struct Box {
  double x = 0, y = 0, width = 0, height = 0;
};

std::string Text(const std::string& raw) {
  std::string text;
  for (const char c : raw) {
    if (c == '<') {
      text += "&lt;";
    } else if (c == '&') {
      text += "&amp;";
    } else {
      text += c;
    }
  }
  return text;
}

std::string Rectangle(const Box& box, const TreemapTile& tile, size_t index) {
  // Hues far apart for neighbours in the order of area.
  const size_t hue = index * 137 % 360;
  std::string svg = fmt::format(
      "<g><title>{0}: {1:.1f} um2</title><rect x=\"{2:.2f}\" y=\"{3:.2f}\" width=\"{4:.2f}\" "
      "height=\"{5:.2f}\" fill=\"hsl({6},45%,75%)\" stroke=\"white\"/>",
      Text(tile.label), tile.area, box.x, box.y, box.width, box.height, hue);
  const double letters = (box.width - 8) / 6.2;
  if (box.height > 30 && letters > 4) {
    svg += fmt::format(
        "<text x=\"{:.2f}\" y=\"{:.2f}\">{}</text><text x=\"{:.2f}\" y=\"{:.2f}\">{:.0f} "
        "um2</text>",
        box.x + 4, box.y + 13, Text(tile.label.substr(0, static_cast<size_t>(letters))), box.x + 4,
        box.y + 26, tile.area);
  }
  return svg + "</g>\n";
}

// The worst ratio of sides in a row of tiles that together have `sum`, along a side of `length`.
double Worst(double least, double most, double sum, double length) {
  const double square = length * length, sum2 = sum * sum;
  return std::max(square * most / sum2, sum2 / (square * least));
}

}  // namespace

std::string TreemapSvg(const std::string& title, std::vector<TreemapTile> tiles) {
  std::erase_if(tiles, [](const TreemapTile& tile) { return tile.area <= 0; });
  std::stable_sort(tiles.begin(), tiles.end(),
                   [](const TreemapTile& a, const TreemapTile& b) { return a.area > b.area; });
  double total = 0;
  for (const TreemapTile& tile : tiles) total += tile.area;
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" "
      "font-family=\"sans-serif\" "
      "font-size=\"11\">\n<text x=\"4\" y=\"20\" font-size=\"15\">{2}: {3:.0f} um2</text>\n",
      kWidth, kHeight + kTitle, Text(title), total);
  const double scale = total > 0 ? kWidth * kHeight / total : 0;
  Box rest = {0, kTitle, kWidth, kHeight};
  for (size_t begin = 0; begin < tiles.size();) {
    const double length = std::min(rest.width, rest.height);
    const double most = tiles[begin].area * scale;
    double sum = most;
    size_t end = begin + 1;
    while (end < tiles.size()) {
      const double next = tiles[end].area * scale;
      const double least = tiles[end - 1].area * scale;
      if (Worst(next, most, sum + next, length) > Worst(least, most, sum, length)) break;
      sum += next;
      ++end;
    }
    const bool upright = rest.width >= rest.height;  // the row stands at the left
    const double thickness = sum / length;
    double along = 0;
    for (size_t i = begin; i < end; ++i) {
      const double extent = tiles[i].area * scale / thickness;
      svg += Rectangle(upright ? Box{rest.x, rest.y + along, thickness, extent}
                               : Box{rest.x + along, rest.y, extent, thickness},
                       tiles[i], i);
      along += extent;
    }
    if (upright) {
      rest.x += thickness;
      rest.width -= thickness;
    } else {
      rest.y += thickness;
      rest.height -= thickness;
    }
    begin = end;
  }
  return svg + "</svg>\n";
}

std::vector<TreemapTile> AreaByInstance(const MappedBlock& mapped, const std::string& top) {
  std::map<std::string, TreemapTile> tiles_by_label;
  for (const NetlistCell& cell : mapped.netlist.cells) {
    double area = cell.type == nullptr ? 0 : cell.type->area_um2;
    for (const RamMacro& macro : mapped.macros) {
      if (macro.cell_name() == cell.type_name) area = macro.area_um2();
    }
    const bool logic = cell.type != nullptr && cell.type->kind == CellKind::kCombinational;
    const bool gate = cell.type != nullptr && cell.type->kind == CellKind::kClockGate;
    const size_t dot = cell.name.rfind('.');
    const std::string owner = dot == std::string::npos ? top : cell.name.substr(0, dot);
    TreemapTile& tile = tiles_by_label[logic ? "logic" : gate ? "clock gates" : owner];
    tile.area += area;
    if (cell.type != nullptr && cell.type->kind == CellKind::kFlipFlop) ++tile.flip_flops;
  }
  std::vector<TreemapTile> tiles;
  tiles.reserve(tiles_by_label.size());
  for (const auto& [label, tile] : tiles_by_label) {
    tiles.push_back({label, tile.area, tile.flip_flops});
  }
  return tiles;
}

}  // namespace flagstone
