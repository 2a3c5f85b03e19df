// The texts of the fills suffix-tree and reads: letters 0 to 3, as a genome's.
#ifndef FLAGSTONE_KERNELS_INPUTS_SUFFIX_TREE_H_
#define FLAGSTONE_KERNELS_INPUTS_SUFFIX_TREE_H_

#include <cstdint>
#include <span>
#include <vector>

namespace flagstone {

// What the fill uniform with min 0 and max 3 gives for this seed.
std::vector<uint8_t> RandomLetters(uint64_t count, uint64_t seed);

// A node of the suffix tree of a text, and the edge that leads to it.
struct SuffixTreeNode {
  int32_t children[4] = {};  // by the first letter of their edges; 0: none
  int32_t begin = 0;         // the edge's letters are text[begin, end), where the whole path from
  int32_t end = 0;           //   the root stands in the text for the first time
  int32_t link = 0;          // suffix link of an inner node: its path without the first letter
  int32_t depth = 0;         // letters on the path from the root
};

// All suffixes of `text`, the root first. No end mark is added: a suffix that also stands elsewhere
// in the text may end on an edge. At most 2 * text.size() nodes (Ukkonen, Algorithmica 14, 1995).
std::vector<SuffixTreeNode> SuffixTree(std::span<const uint8_t> text);

// `count` letters: reads of `length` letters from random places of `text`, of whose letters one in
// 32, on average, is replaced by any letter.
std::vector<uint8_t> Reads(std::span<const uint8_t> text, uint64_t length, uint64_t count,
                           uint64_t seed);

}  // namespace flagstone

#endif  // FLAGSTONE_KERNELS_INPUTS_SUFFIX_TREE_H_
