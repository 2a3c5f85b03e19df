#include "app/order/tb_order.h"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <utility>

#include "analyzer/partition/grid_order.h"
#include "base/error.h"

namespace flagstone {
namespace {

constexpr uint32_t kMostTile = 65535;

// The bits of a Morton number at even places, or at every third one.
uint32_t Compact(uint64_t number, int axis, int axes) {
  uint32_t value = 0;
  int bit = 0;
  for (uint64_t left = number >> axis; left != 0; left >>= axes) {
    value |= static_cast<uint32_t>(left & 1) << bit++;
  }
  return value;
}

// The curve of the smallest power of two around a plane, without the places outside.
std::vector<uint32_t> MortonOrder(const Dim3& grid) {
  uint64_t side = 1;
  while (side < grid.x || side < grid.y) side *= 2;
  std::vector<uint32_t> plane;
  plane.reserve(size_t{grid.x} * grid.y);
  // Squares of the shorter side follow one another: the rest of the curve would be empty.
  uint64_t square = 1;
  while (square < std::min(grid.x, grid.y)) square *= 2;
  const bool wide = grid.x >= grid.y;
  for (uint64_t first = 0; first < side; first += square) {
    for (uint64_t i = 0; i < square * square; ++i) {
      const uint64_t x = Compact(i, 0, 2) + (wide ? first : 0);
      const uint64_t y = Compact(i, 1, 2) + (wide ? 0 : first);
      if (x < grid.x && y < grid.y) plane.push_back(static_cast<uint32_t>(y * grid.x + x));
    }
  }
  std::vector<uint32_t> order;
  order.reserve(grid.Count());
  for (uint32_t z = 0; z < grid.z; ++z) {
    for (const uint32_t tb : plane) order.push_back(z * grid.x * grid.y + tb);
  }
  return order;
}

uint64_t TileAt(const TbOrder& order, const Dim3& grid, uint64_t i) {
  const std::array<uint64_t, 3> extent = {grid.x, grid.y, grid.z};
  if (order.reverse) i = grid.Count() - 1 - i;
  std::array<uint64_t, 3> at = {0, 0, 0}, size = {1, 1, 1};
  // Slabs of the slowest axis, rows of tiles in a slab, tiles in a row: what is left of an axis may
  // be less than a tile. `cells`: TBs behind one step along the axis.
  uint64_t cells = extent[0] * extent[1];
  for (const size_t axis : {2U, 1U, 0U}) {
    const uint64_t tile = order.tile[axis] == 0 ? extent[axis] : order.tile[axis];
    at[axis] = i / (cells * tile) * tile;
    i -= at[axis] * cells;
    size[axis] = std::min(tile, extent[axis] - at[axis]);
    cells = axis == 2 ? extent[0] * size[2] : size[1] * size[2];
  }
  for (const uint8_t axis : order.inner) {
    at[axis] += i % size[axis];
    i /= size[axis];
  }
  if (order.snake && at[1] % 2 == 1) at[0] = extent[0] - 1 - at[0];
  return (at[2] * extent[1] + at[1]) * extent[0] + at[0];
}

// The id that does the work of the `place`-th tile, row after row.
uint64_t IdOfTile(const OrderMachine& machine, uint64_t place) {
  if (machine.tile_band <= 1) return place;
  const uint64_t width = machine.tiles.x, plane = width * machine.tiles.y;
  const uint64_t x = place % width, y = place / width % machine.tiles.y;
  const uint64_t first = y / machine.tile_band * machine.tile_band;
  const uint64_t rows = std::min<uint64_t>(machine.tile_band, machine.tiles.y - first);
  return place / plane * plane + first * width + x * rows + (y - first);
}

uint64_t BasePlace(const TbOrder& order, uint64_t count, const OrderMachine& machine, uint64_t i) {
  switch (order.deal) {
    case OrderDeal::kNone:
      return i;
    case OrderDeal::kSm:
      return DealtPlace(i, count, machine.sms);
    case OrderDeal::kChiplet:
      return DealtPlace(i, count, machine.chiplets);
    case OrderDeal::kWave:
      break;
  }
  const uint64_t window = machine.Window();
  const uint64_t first = i / window * window;
  return first + DealtPlace(i - first, std::min(window, count - first), machine.sms);
}

[[noreturn]] void ThrowUnknown(std::string_view name) {
  ThrowBadInput(
      "order '{}' is unknown: expected identity, column, band:N, band-x:N, tile:WxH, tile:WxHxD, "
      "axes:XYZ (such as axes:zxy), reverse, snake, longest, hilbert, morton, rb or traffic, "
      "each also with +sm, +wave or +xcd",
      name);
}

// "8", "4x8": numbers from 1 on.
std::vector<uint32_t> Numbers(std::string_view text, std::string_view name) {
  std::vector<uint32_t> numbers;
  while (true) {
    uint32_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || value == 0 || value > kMostTile) ThrowUnknown(name);
    numbers.push_back(value);
    text.remove_prefix(static_cast<size_t>(end - text.data()));
    if (text.empty()) return numbers;
    if (text.front() != 'x') ThrowUnknown(name);
    text.remove_prefix(1);
  }
}

std::array<uint8_t, 3> Axes(std::string_view text, std::string_view name) {
  std::array<uint8_t, 3> axes = {};
  uint32_t seen = 0;
  if (text.size() != axes.size()) ThrowUnknown(name);
  for (size_t i = 0; i < axes.size(); ++i) {
    if (text[i] < 'x' || text[i] > 'z') ThrowUnknown(name);
    axes[i] = static_cast<uint8_t>(text[i] - 'x');
    seen |= 1U << axes[i];
  }
  if (seen != 7) ThrowUnknown(name);
  return axes;
}

void ParseBase(std::string_view base, std::string_view name, TbOrder& order) {
  const size_t colon = base.find(':');
  const std::string_view kind = base.substr(0, colon);
  if (colon == std::string_view::npos) {
    if (kind == "column") {
      order.tile = {0, 0, 1};
      order.inner = {1, 0, 2};
    } else if (kind == "reverse") {
      order.reverse = true;
    } else if (kind == "snake") {
      order.snake = true;
    } else if (kind == "hilbert") {
      order.base = TbOrder::Base::kHilbert;
    } else if (kind == "morton") {
      order.base = TbOrder::Base::kMorton;
    } else if (kind == "longest") {
      order.base = TbOrder::Base::kLongest;
    } else if (kind == "rb" || kind == "traffic") {
      order.base = TbOrder::Base::kGroups;
    } else if (kind != "identity") {
      ThrowUnknown(name);
    }
    return;
  }
  const std::string_view rest = base.substr(colon + 1);
  if (kind == "axes") {
    order.tile = {0, 0, 0};
    order.inner = Axes(rest, name);
    return;
  }
  const std::vector<uint32_t> numbers = Numbers(rest, name);
  if (kind == "band" && numbers.size() == 1) {
    order.tile = {0, numbers[0], 1};
    order.inner = {1, 0, 2};
  } else if (kind == "band-x" && numbers.size() == 1) {
    order.tile = {numbers[0], 0, 1};
  } else if (kind == "tile" && (numbers.size() == 2 || numbers.size() == 3)) {
    order.tile = {numbers[0], numbers[1], numbers.size() == 3 ? numbers[2] : 1};
  } else {
    ThrowUnknown(name);
  }
}

}  // namespace

uint64_t DealtPlace(uint64_t i, uint64_t count, uint64_t parts) {
  const uint64_t part = i % parts;
  return part * (count / parts) + std::min(part, count % parts) + i / parts;
}

bool TbOrder::IsOfIds() const {
  const bool in_turn = tile == std::array<uint32_t, 3>{0, 1, 1} &&
                       inner == std::array<uint8_t, 3>{0, 1, 2} && !snake;
  return base == Base::kTiles ? in_turn : base == Base::kGroups || base == Base::kLongest;
}

uint64_t OrderAt(const TbOrder& order, const Dim3& grid, const OrderMachine& machine, uint64_t i) {
  const uint64_t place = BasePlace(order, grid.Count(), machine, i);
  const uint64_t tile = TileAt(order, machine.Over(grid), place);
  return order.IsOfIds() || !machine.HasTiles(grid) ? tile : IdOfTile(machine, tile);
}

std::vector<uint32_t> TbOrder::Table(const Dim3& grid, const OrderMachine& machine,
                                     uint64_t most) const {
  std::vector<uint32_t> curve;
  const Dim3& over = machine.Over(grid);
  if (base == Base::kHilbert) curve = partition::HilbertOrder(over);
  if (base == Base::kMorton) curve = MortonOrder(over);
  const uint64_t count = grid.Count();
  const bool by_ids = IsOfIds() || !machine.HasTiles(grid);
  for (const Grouped& known : groups) {
    const Dim3& g = known.grid;
    if (curve.empty() && g.x == grid.x && g.y == grid.y && g.z == grid.z) curve = known.tbs;
  }
  if (curve.empty() && !HasClosedForm()) {
    curve.resize(count);
    std::iota(curve.begin(), curve.end(), 0);
  }
  std::vector<uint32_t> table(std::min(count, most));
  for (uint64_t i = 0; i < table.size(); ++i) {
    const uint64_t place = BasePlace(*this, count, machine, i);
    const uint64_t at = HasClosedForm() ? TileAt(*this, over, place) : curve[place];
    table[i] = static_cast<uint32_t>(by_ids ? at : IdOfTile(machine, at));
  }
  return table;
}

TbOrder ParseTbOrder(std::string_view name) {
  TbOrder order;
  order.name = name;
  std::string_view base = name;
  const size_t plus = name.find('+');
  if (plus != std::string_view::npos) {
    const std::string_view deal = name.substr(plus + 1);
    base = name.substr(0, plus);
    if (deal == "sm") {
      order.deal = OrderDeal::kSm;
    } else if (deal == "wave") {
      order.deal = OrderDeal::kWave;
    } else if (deal == "xcd") {
      order.deal = OrderDeal::kChiplet;
    } else {
      ThrowUnknown(name);
    }
  }
  ParseBase(base, name, order);
  return order;
}

}  // namespace flagstone
