// Orders in which a kernel's TBs do their work: TB i of the launch does the work of TB order(i). An
// order is a bijection on the grid, in closed form but for the two curves and groups of TBs.
#ifndef FLAGSTONE_APP_ORDER_TB_ORDER_H_
#define FLAGSTONE_APP_ORDER_TB_ORDER_H_

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/launch/kernel_launch.h"

namespace flagstone {

// What of the machine an order may depend on.
struct OrderMachine {
  uint32_t sms = 1;
  uint32_t tbs_per_sm = 1;  // of the launch
  uint32_t chiplets = 1;    // among which the hardware deals TBs out one by one
  bool in_turn = true;      // TB i starts on SM i % sms, so an order can choose a TB's SM
  // Of a grid of one axis: the grid of tiles that its ids go through, row by row, or so many rows
  // at a time, column by column; none: 0 tiles.
  Dim3 tiles = {0, 0, 0};
  uint32_t tile_band = 1;

  uint32_t Window() const { return sms * tbs_per_sm; }  // TBs in flight
  bool HasTiles(const Dim3& grid) const { return tiles.x != 0 && tiles.Count() == grid.Count(); }
  // What orders go over.
  const Dim3& Over(const Dim3& grid) const { return HasTiles(grid) ? tiles : grid; }
};

// How neighbours of the base order are dealt to what runs them, since plain hardware gives TB i to
// SM i % SMs. SM: each SM gets one contiguous part of the whole order. Wave: the same among the TBs
// that start together. Chiplet: each chiplet gets one contiguous part.
enum class OrderDeal : uint8_t { kNone, kSm, kWave, kChiplet };

struct TbOrder {
  enum class Base : uint8_t { kTiles, kHilbert, kMorton, kGroups, kLongest };
  // The TBs of a grid, group after group as the analyzer has found them, or the longest first.
  struct Grouped {
    Dim3 grid;
    std::vector<uint32_t> tbs;
  };

  std::string name = "identity";
  Base base = Base::kTiles;
  // Of kTiles: the extents of a tile along x, y, z (0: the whole axis). Tiles follow one another
  // along x, then y, then z; `inner` names the axes within a tile, the fastest first. Tiles at the
  // end of an axis are as small as what is left.
  std::array<uint32_t, 3> tile = {0, 1, 1};
  std::array<uint8_t, 3> inner = {0, 1, 2};
  bool reverse = false;  // from the last TB on
  bool snake = false;    // every second row backwards
  OrderDeal deal = OrderDeal::kNone;
  // Of kGroups and kLongest, of which the parser knows the name alone; other grids keep their
  // order.
  std::vector<Grouped> groups;

  std::string_view BaseName() const { return std::string_view(name).substr(0, name.find('+')); }
  bool HasClosedForm() const { return base == Base::kTiles; }
  // It goes through the ids as they are, or from the last one on, whatever tiles they stand for.
  bool IsOfIds() const;
  // order(0), order(1), ... as linear TB ids: all of the grid's, or the first `most`.
  std::vector<uint32_t> Table(const Dim3& grid, const OrderMachine& machine,
                              uint64_t most = UINT64_MAX) const;
};

// order(i) of a closed form: what Table holds, and what the emitted code computes.
uint64_t OrderAt(const TbOrder& order, const Dim3& grid, const OrderMachine& machine, uint64_t i);
// The place in the base order of the i-th of `count` TBs that are dealt to `parts` in turn, of
// which each shall have a contiguous part.
uint64_t DealtPlace(uint64_t i, uint64_t count, uint64_t parts);

// "identity", "column", "band:8" (rows), "band-x:8" (columns), "tile:4x8", "tile:4x8x2",
// "axes:zxy" (the fastest first), "reverse", "snake", "longest" (TBs that do more come first),
// "hilbert", "morton", "rb" and "traffic" (groups, by policy); each also with "+sm", "+wave",
// "+xcd".
// Throws kBadInput that says what is expected.
TbOrder ParseTbOrder(std::string_view name);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_ORDER_TB_ORDER_H_
