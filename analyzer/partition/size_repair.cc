// A lazy heap of moves: an entry may be out of date, so it is valued again when it comes up.
#include "analyzer/partition/size_repair.h"

#include <numeric>
#include <queue>
#include <vector>

#include "base/error.h"

namespace flagstone::partition {
namespace {

struct Move {
  int64_t gain;  // cut weight removed by the move; negative: added
  uint32_t vertex;
  uint32_t to;

  bool operator==(const Move&) const = default;
  // std::priority_queue hands out the greatest: highest gain, then lowest vertex, then lowest part.
  bool operator<(const Move& other) const {
    if (gain != other.gain) return gain < other.gain;
    if (vertex != other.vertex) return vertex > other.vertex;
    return to > other.to;
  }
};

class Repair {
 public:
  Repair(const PartGraph& graph, std::span<const uint32_t> targets, std::span<int32_t> where)
      : graph_(graph),
        targets_(targets),
        where_(where),
        size_(targets.size()),
        link_(targets.size()) {
    const uint64_t sum = std::accumulate(targets_.begin(), targets_.end(), uint64_t{0});
    if (sum != where_.size()) {
      ThrowInternal("part sizes add up to {}, expected {} TBs", sum, where_.size());
    }
    for (const int32_t part : where_) ++size_[static_cast<size_t>(part)];
    for (size_t part = 0; part < targets_.size(); ++part) {
      if (size_[part] > targets_[part]) surplus_ += size_[part] - targets_[part];
    }
  }

  void Run() {
    if (surplus_ == 0) return;
    if (graph_.neighbour.size() / graph_.Size() > targets_.size()) FindLinks();
    for (uint32_t vertex = 0; vertex < graph_.Size(); ++vertex) Offer(vertex);
    while (surplus_ > 0) {
      const Move move = moves_.top();
      moves_.pop();
      if (!IsAbove(Part(move.vertex))) continue;
      const Move current = BestMove(move.vertex);
      if (current == move) {
        Apply(move);
      } else if (current < move) {
        moves_.push(current);  // it became worse: let it wait for its turn
      }  // else: a better entry of this vertex was pushed when it became better
    }
  }

 private:
  size_t Part(uint32_t vertex) const { return static_cast<size_t>(where_[vertex]); }
  bool IsAbove(size_t part) const { return size_[part] > targets_[part]; }
  bool IsBelow(size_t part) const { return size_[part] < targets_[part]; }

  void Offer(uint32_t vertex) {
    if (IsAbove(Part(vertex))) moves_.push(BestMove(vertex));
  }

  // Where vertices have more neighbours than there are parts, the weights that link each to each
  // part are kept: else each move would cost the neighbours of all neighbours.
  void FindLinks() {
    links_.resize(graph_.Size() * targets_.size());
    for (uint32_t vertex = 0; vertex < graph_.Size(); ++vertex) {
      const std::span<const int32_t> neighbours = graph_.Neighbours(vertex);
      const std::span<const int32_t> weights = graph_.Weights(vertex);
      for (size_t i = 0; i < neighbours.size(); ++i) {
        LinksOf(vertex)[Part(static_cast<uint32_t>(neighbours[i]))] += weights[i];
      }
    }
  }
  int64_t* LinksOf(uint32_t vertex) { return links_.data() + vertex * targets_.size(); }

  // The best part below its target for `vertex`; of equal ones, and without a neighbour in any, the
  // lowest such part.
  Move BestMove(uint32_t vertex) {
    while (!IsBelow(lowest_below_)) ++lowest_below_;  // parts are filled for good
    return links_.empty() ? BestByNeighbours(vertex) : BestByLinks(vertex);
  }

  Move BestByLinks(uint32_t vertex) {
    const int64_t* links = LinksOf(vertex);
    size_t best = lowest_below_;
    for (size_t part = best + 1; part < targets_.size(); ++part) {
      if (IsBelow(part) && links[part] > links[best]) best = part;
    }
    return {links[best] - links[Part(vertex)], vertex, static_cast<uint32_t>(best)};
  }

  Move BestByNeighbours(uint32_t vertex) {
    const std::span<const int32_t> neighbours = graph_.Neighbours(vertex);
    const std::span<const int32_t> weights = graph_.Weights(vertex);
    for (size_t i = 0; i < neighbours.size(); ++i) {
      link_[Part(static_cast<uint32_t>(neighbours[i]))] += weights[i];
    }
    const int64_t stay = link_[Part(vertex)];
    Move best = {link_[lowest_below_] - stay, vertex, static_cast<uint32_t>(lowest_below_)};
    for (const int32_t neighbour : neighbours) {
      const size_t part = Part(static_cast<uint32_t>(neighbour));
      if (!IsBelow(part)) continue;
      const Move move = {link_[part] - stay, vertex, static_cast<uint32_t>(part)};
      if (best < move) best = move;
    }
    for (const int32_t neighbour : neighbours) {
      link_[Part(static_cast<uint32_t>(neighbour))] = 0;
    }
    return best;
  }

  void Apply(const Move& move) {
    const size_t from = Part(move.vertex);
    --size_[from];
    ++size_[move.to];
    --surplus_;
    where_[move.vertex] = static_cast<int32_t>(move.to);
    if (surplus_ == 0) return;
    const std::span<const int32_t> neighbours = graph_.Neighbours(move.vertex);
    for (size_t i = 0; i < neighbours.size(); ++i) {
      const auto neighbour = static_cast<uint32_t>(neighbours[i]);
      if (!links_.empty()) {
        LinksOf(neighbour)[from] -= graph_.Weights(move.vertex)[i];
        LinksOf(neighbour)[move.to] += graph_.Weights(move.vertex)[i];
      }
      Offer(neighbour);
    }
  }

  const PartGraph& graph_;
  std::span<const uint32_t> targets_;
  std::span<int32_t> where_;
  std::vector<uint32_t> size_;  // by part
  std::vector<int64_t> link_;   // by part: scratch of BestByNeighbours, zero in between
  std::vector<int64_t> links_;  // by vertex, then part; empty where they are not kept
  std::priority_queue<Move> moves_;
  size_t lowest_below_ = 0;
  uint32_t surplus_ = 0;  // moves left to make
};

}  // namespace

void RepairSizes(const PartGraph& graph, std::span<const uint32_t> targets,
                 std::span<int32_t> where) {
  Repair(graph, targets, where).Run();
}

}  // namespace flagstone::partition
