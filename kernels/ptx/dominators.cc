// Immediate dominators. Inside, a node is its number in depth-first order.
#include "kernels/ptx/dominators.h"

#include <algorithm>
#include <numeric>

namespace flagstone::ptx {
namespace {

struct DepthFirstTree {
  std::vector<uint32_t> node;    // by number
  std::vector<uint32_t> number;  // by node; kNoDominator where the root does not lead
  std::vector<uint32_t> parent;  // by number, a number
};

DepthFirstTree Search(uint32_t root, const Edges& next) {
  struct Frame {
    uint32_t number;
    size_t edge;
  };
  DepthFirstTree tree;
  tree.number.assign(next.size(), kNoDominator);
  std::vector<Frame> stack;
  const auto visit = [&](uint32_t node, uint32_t parent) {
    const auto number = static_cast<uint32_t>(tree.node.size());
    tree.number[node] = number;
    tree.node.push_back(node);
    tree.parent.push_back(parent);
    stack.push_back({number, 0});
  };
  visit(root, kNoDominator);
  while (!stack.empty()) {
    Frame& frame = stack.back();
    const std::vector<uint32_t>& edges = next[tree.node[frame.number]];
    if (frame.edge == edges.size()) {
      stack.pop_back();
      continue;
    }
    const uint32_t to = edges[frame.edge++];
    if (tree.number[to] == kNoDominator) visit(to, frame.number);
  }
  return tree;
}

// The forest of the nodes handled so far: for each, the best (lowest) semidominator on its way up.
class Forest {
 public:
  explicit Forest(size_t count) : ancestor_(count, kNoDominator), best_(count), semi_(count) {
    std::iota(best_.begin(), best_.end(), 0U);
    std::iota(semi_.begin(), semi_.end(), 0U);
  }
  uint32_t& semi(uint32_t node) { return semi_[node]; }
  void Link(uint32_t parent, uint32_t child) { ancestor_[child] = parent; }

  // The node of lowest semidominator between `node` and its root, the root left out.
  uint32_t Best(uint32_t node) {
    if (ancestor_[node] == kNoDominator) return node;
    path_.clear();
    for (uint32_t at = node; ancestor_[ancestor_[at]] != kNoDominator; at = ancestor_[at]) {
      path_.push_back(at);
    }
    for (; !path_.empty(); path_.pop_back()) {
      const uint32_t at = path_.back();
      const uint32_t up = ancestor_[at];
      if (semi_[best_[up]] < semi_[best_[at]]) best_[at] = best_[up];
      ancestor_[at] = ancestor_[up];
    }
    return best_[node];
  }

 private:
  std::vector<uint32_t> ancestor_;
  std::vector<uint32_t> best_;
  std::vector<uint32_t> semi_;
  std::vector<uint32_t> path_;
};

}  // namespace

std::vector<uint32_t> ImmediateDominators(uint32_t root, const Edges& next, const Edges& previous) {
  const DepthFirstTree tree = Search(root, next);
  const auto count = static_cast<uint32_t>(tree.node.size());
  Forest forest(count);
  std::vector<uint32_t> dominator(count, 0);
  std::vector<std::vector<uint32_t>> waiting(count);  // by semidominator
  for (uint32_t at = count; at-- > 1;) {
    for (const uint32_t from : previous[tree.node[at]]) {
      const uint32_t number = tree.number[from];
      if (number == kNoDominator) continue;
      forest.semi(at) = std::min(forest.semi(at), forest.semi(forest.Best(number)));
    }
    waiting[forest.semi(at)].push_back(at);
    const uint32_t parent = tree.parent[at];
    forest.Link(parent, at);
    for (const uint32_t node : waiting[parent]) {
      const uint32_t best = forest.Best(node);
      dominator[node] = forest.semi(best) < forest.semi(node) ? best : parent;
    }
    waiting[parent].clear();
  }
  std::vector<uint32_t> result(next.size(), kNoDominator);
  for (uint32_t at = 1; at < count; ++at) {
    if (dominator[at] != forest.semi(at)) dominator[at] = dominator[dominator[at]];
    result[tree.node[at]] = tree.node[dominator[at]];
  }
  return result;
}

}  // namespace flagstone::ptx
