#include "app/flow/analyse/json_detail.h"

#include <algorithm>
#include <bit>
#include <map>
#include <span>
#include <vector>

namespace flagstone {
namespace {

// A picture may leave out what a partitioner needs: a quarter of the graph's limit.
constexpr uint64_t kMostPairs = kMaxGraphPairs / 4;

// Weights between cells, for TBs placed in some order.
class CellMatrix {
 public:
  CellMatrix(std::vector<uint32_t> cell_of_tb, uint32_t cells)
      : cell_of_tb_(std::move(cell_of_tb)), cells_(cells), counts_(cells) {
    weights_.resize(size_t{cells} * cells);
  }

  // `tbs` share `weight` units.
  void Add(std::span<const uint32_t> tbs, uint64_t weight) {
    std::vector<uint32_t> touched;
    for (const uint32_t tb : tbs) {
      const uint32_t cell = cell_of_tb_[tb];
      if (counts_[cell]++ == 0) touched.push_back(cell);
    }
    std::sort(touched.begin(), touched.end());
    for (size_t i = 0; i < touched.size(); ++i) {
      const uint64_t here = counts_[touched[i]];
      At(touched[i], touched[i]) += weight * (here * (here - 1) / 2);
      for (size_t j = i + 1; j < touched.size(); ++j) {
        At(touched[i], touched[j]) += weight * here * counts_[touched[j]];
      }
    }
    for (const uint32_t cell : touched) counts_[cell] = 0;
  }

  Json ToJson() {
    Json row = Json::array(), column = Json::array(), weight = Json::array();
    for (uint32_t i = 0; i < cells_; ++i) {
      for (uint32_t j = i; j < cells_; ++j) {
        if (At(i, j) == 0) continue;
        row.push_back(i);
        column.push_back(j);
        weight.push_back(At(i, j));
      }
    }
    return {{"row", std::move(row)}, {"column", std::move(column)}, {"weight", std::move(weight)}};
  }

 private:
  uint64_t& At(uint32_t row, uint32_t column) { return weights_[size_t{row} * cells_ + column]; }

  std::vector<uint32_t> cell_of_tb_;
  uint32_t cells_;
  std::vector<uint64_t> weights_, counts_;
};

// The place of each TB where groups follow each other. TBs that are in none come last.
std::vector<uint32_t> PlacesByGroup(const TbGroups& groups, uint32_t tb_count) {
  constexpr uint32_t kNone = ~uint32_t{0};
  std::vector<uint32_t> places(tb_count, kNone);
  uint32_t next = 0;
  for (const auto& group : groups.groups) {
    for (const auto tb : group) {
      if (tb < tb_count && places[tb] == kNone) places[tb] = next++;
    }
  }
  for (uint32_t& place : places) {
    if (place == kNone) place = next++;
  }
  return places;
}

}  // namespace

Json MatrixJson(const SharerSets& sharers, const TbGroups& groups) {
  if (sharers.tb_count == 0 || sharers.PairCount() > kMostPairs) return nullptr;
  const uint32_t per_cell = (sharers.tb_count + kMatrixCells - 1) / kMatrixCells;
  const uint32_t cells = (sharers.tb_count + per_cell - 1) / per_cell;
  const auto matrix = [&](std::vector<uint32_t> places) {
    for (uint32_t& place : places) place /= per_cell;
    CellMatrix weights(std::move(places), cells);
    sharers.ForEachSet([&](std::span<const uint32_t> tbs, uint64_t weight) {
      if (tbs.size() > 1) weights.Add(tbs, weight);
    });
    return weights.ToJson();
  };
  std::vector<uint32_t> by_id(sharers.tb_count);
  for (uint32_t tb = 0; tb < sharers.tb_count; ++tb) by_id[tb] = tb;
  Json json = {{"cells", cells},
               {"tbs_per_cell", per_cell},
               {"universal", sharers.shared_by_all},
               {"by_id", matrix(by_id)},
               {"by_group", nullptr}};
  if (!groups.groups.empty()) {
    json["by_group"] = matrix(PlacesByGroup(groups, sharers.tb_count));
  }
  return json;
}

Json SharersJson(const SharerSets& sharers) {
  std::vector<uint64_t> buckets;
  const auto add = [&](uint64_t tbs, uint64_t units) {
    if (tbs == 0 || units == 0) return;
    const auto bucket = static_cast<size_t>(std::bit_width(tbs)) - 1;
    if (buckets.size() <= bucket) buckets.resize(bucket + 1);
    buckets[bucket] += units;
  };
  for (const SharerFamily& family : sharers.families) {
    add(family.size, family.weight * family.Sets());
  }
  add(sharers.tb_count, sharers.shared_by_all);
  return buckets;
}

Json EdgesJson(const SharerSets& sharers) {
  if (sharers.PairCount() > kMostPairs) return nullptr;
  std::map<std::pair<uint32_t, uint32_t>, uint64_t> edges;
  bool too_many = false;
  sharers.ForEachSet([&](std::span<const uint32_t> tbs, uint64_t weight) {
    for (size_t i = 0; i < tbs.size() && !too_many; ++i) {
      for (size_t j = i + 1; j < tbs.size(); ++j) edges[{tbs[i], tbs[j]}] += weight;
      too_many = edges.size() > kMostListedEdges;
    }
  });
  if (too_many) return nullptr;
  Json json = Json::array();
  for (const auto& [pair, weight] : edges) json.push_back({pair.first, pair.second, weight});
  return json;
}

Json InstructionsJson(const ptx::Kernel& kernel) {
  Json line = Json::array(), text = Json::array();
  for (const ptx::Instruction& instruction : kernel.instructions) {
    line.push_back(instruction.location.line);
    text.push_back(instruction.text);
  }
  return {{"line", std::move(line)}, {"text", std::move(text)}};
}

}  // namespace flagstone
