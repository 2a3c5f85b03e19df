#include "kernels/inputs/suffix_tree.h"

#include <algorithm>
#include <utility>

#include "base/random.h"

namespace flagstone {
namespace {

// Ukkonen's construction: after Add(i) the tree holds all suffixes of text[0, i]. Edges of leaves
// end at the text's end, wherever that is by then.
class Builder {
 public:
  explicit Builder(std::span<const uint8_t> text) : text_(text) {
    nodes_.reserve(2 * text.size());
    nodes_.emplace_back();
  }

  std::vector<SuffixTreeNode> Build() {
    for (size_t i = 0; i < text_.size(); ++i) Add(static_cast<int32_t>(i));
    SetDepths();
    return std::move(nodes_);
  }

 private:
  SuffixTreeNode& At(int32_t node) { return nodes_[static_cast<size_t>(node)]; }
  uint8_t Letter(int32_t i) const { return text_[static_cast<size_t>(i)]; }

  int32_t AddNode(int32_t begin, int32_t end) {
    nodes_.emplace_back();
    nodes_.back().begin = begin;
    nodes_.back().end = end;
    return static_cast<int32_t>(nodes_.size()) - 1;
  }

  void Add(int32_t i) {
    const auto text_end = static_cast<int32_t>(text_.size());
    int32_t unlinked = 0;  // the inner node made last: its link is the next place
    const auto link_to = [&](int32_t node) {
      if (unlinked != 0) At(unlinked).link = node;
      unlinked = node;
    };
    ++pending_;
    while (pending_ > 0) {
      if (length_ == 0) edge_ = i;
      const int32_t child = At(active_).children[Letter(edge_)];
      if (child == 0) {
        const int32_t leaf = AddNode(i, text_end);
        At(active_).children[Letter(edge_)] = leaf;
        link_to(active_);
      } else {
        const int32_t edge_length = std::min(At(child).end, i + 1) - At(child).begin;
        if (length_ >= edge_length) {
          active_ = child;
          edge_ += edge_length;
          length_ -= edge_length;
          continue;
        }
        if (Letter(At(child).begin + length_) == Letter(i)) {
          ++length_;
          link_to(active_);
          break;
        }
        const int32_t split = AddNode(At(child).begin, At(child).begin + length_);
        At(active_).children[Letter(edge_)] = split;
        const int32_t leaf = AddNode(i, text_end);
        At(split).children[Letter(i)] = leaf;
        At(child).begin += length_;
        At(split).children[Letter(At(child).begin)] = child;
        link_to(split);
      }
      --pending_;
      if (active_ == 0 && length_ > 0) {
        --length_;
        edge_ = i - pending_ + 1;
      } else if (active_ != 0) {
        active_ = At(active_).link;
      }
    }
  }

  // Depths, top down, then the first places of all paths, bottom up.
  void SetDepths() {
    std::vector<int32_t> order = {0};  // parents before children
    for (size_t i = 0; i < order.size(); ++i) {
      for (const int32_t child : At(order[i]).children) {
        if (child == 0) continue;
        At(child).depth = At(order[i]).depth + At(child).end - At(child).begin;
        order.push_back(child);
      }
    }
    const auto text_end = static_cast<int32_t>(text_.size());
    std::vector<int32_t> first(nodes_.size(), text_end);
    std::for_each(order.rbegin(), order.rend(), [&](int32_t node) {
      int32_t& place = first[static_cast<size_t>(node)];
      bool is_leaf = true;
      for (const int32_t child : At(node).children) {
        if (child == 0) continue;
        is_leaf = false;
        place = std::min(place, first[static_cast<size_t>(child)]);
      }
      if (is_leaf) place = text_end - At(node).depth;
      const int32_t length = At(node).end - At(node).begin;
      if (node == 0) return;
      At(node).end = place + At(node).depth;
      At(node).begin = At(node).end - length;
    });
  }

  std::span<const uint8_t> text_;
  std::vector<SuffixTreeNode> nodes_;
  int32_t active_ = 0;   // the active point: from this node
  int32_t edge_ = 0;     // along the edge of the letter at this place
  int32_t length_ = 0;   // by so many letters
  int32_t pending_ = 0;  // suffixes not yet in the tree as leaves
};

}  // namespace

std::vector<uint8_t> RandomLetters(uint64_t count, uint64_t seed) {
  SplitMix64 random(seed);
  std::vector<uint8_t> letters(count);
  for (uint8_t& letter : letters) letter = static_cast<uint8_t>(random.Below(4));
  return letters;
}

std::vector<SuffixTreeNode> SuffixTree(std::span<const uint8_t> text) {
  return Builder(text).Build();
}

std::vector<uint8_t> Reads(std::span<const uint8_t> text, uint64_t length, uint64_t count,
                           uint64_t seed) {
  SplitMix64 random(~seed);  // another sequence than the text's of the same seed
  std::vector<uint8_t> letters(count);
  uint64_t place = 0;
  for (uint64_t i = 0; i < count; ++i) {
    if (i % length == 0) place = random.Below(text.size() - length + 1);
    letters[i] = text[place + i % length];
    const uint64_t draw = random.Below(128);
    if (draw < 4) letters[i] = static_cast<uint8_t>(draw);
  }
  return letters;
}

}  // namespace flagstone
