// The suffix tree against the text itself, and the reads that are sought in it.
#include "kernels/inputs/suffix_tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "base/random.h"
#include "kernels/launch/fill.h"

namespace flagstone {
namespace suffix_tree_test {

std::string Text(std::span<const uint8_t> letters) {
  std::string text;
  for (const uint8_t letter : letters) text += "acgt"[letter];
  return text;
}

// The letters on the path to each node, by node; also checks depths, children and edges.
std::vector<std::string> Paths(const std::vector<SuffixTreeNode>& tree, const std::string& text) {
  std::vector<std::string> paths(tree.size());
  std::vector<size_t> order = {0};
  for (size_t i = 0; i < order.size(); ++i) {
    for (size_t letter = 0; letter < 4; ++letter) {
      const auto child = static_cast<size_t>(tree[order[i]].children[letter]);
      if (child == 0) continue;
      const auto begin = static_cast<size_t>(tree[child].begin);
      const auto length = static_cast<size_t>(tree[child].end - tree[child].begin);
      EXPECT_GT(length, 0U);
      EXPECT_EQ(text[begin], "acgt"[letter]);
      paths[child] = paths[order[i]] + text.substr(begin, length);
      EXPECT_EQ(paths[child].size(), static_cast<size_t>(tree[child].depth));
      // The edge's letters are those of the path's first place in the text.
      EXPECT_EQ(text.find(paths[child]) + paths[child].size(),
                static_cast<size_t>(tree[child].end));
      order.push_back(child);
    }
  }
  EXPECT_EQ(order.size(), tree.size()) << "nodes that no path leads to";
  return paths;
}

class SuffixTrees : public testing::TestWithParam<std::string> {};

TEST_P(SuffixTrees, HoldExactlyTheSubstringsOfTheText) {
  const std::string text = GetParam();
  std::vector<uint8_t> letters;
  for (const char c : text) letters.push_back(static_cast<uint8_t>(std::string("acgt").find(c)));
  const std::vector<SuffixTreeNode> tree = SuffixTree(letters);
  EXPECT_LE(tree.size(), 2 * text.size());
  const std::vector<std::string> paths = Paths(tree, text);
  std::set<std::string> found;
  for (const std::string& path : paths) {
    for (size_t length = 1; length <= path.size(); ++length) found.insert(path.substr(0, length));
  }
  std::set<std::string> expected;
  for (size_t begin = 0; begin < text.size(); ++begin) {
    for (size_t length = 1; begin + length <= text.size(); ++length) {
      expected.insert(text.substr(begin, length));
    }
  }
  EXPECT_EQ(found, expected);
  for (size_t node = 1; node < tree.size(); ++node) {
    const auto children =
        std::count_if(std::begin(tree[node].children), std::end(tree[node].children),
                      [](int c) { return c != 0; });
    EXPECT_NE(children, 1) << "an inner node that does not branch";
    if (children > 1) {
      EXPECT_EQ(paths[static_cast<size_t>(tree[node].link)], paths[node].substr(1));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Texts, SuffixTrees,
                         testing::Values("a", "aaaa", "acgt", "acacac", "gattacagattaca",
                                         "aacaacaaacaaaac", Text(RandomLetters(60, 1)),
                                         Text(RandomLetters(61, 2))));

TEST(SuffixTree, FillIsItsNodesThenZeros) {
  const std::vector<SuffixTreeNode> tree = SuffixTree(RandomLetters(20, 5));
  const BufferSpec spec = {.name = "t",
                           .type = ElementType::kS32,
                           .count = 320,
                           .fill = {.kind = Fill::Kind::kSuffixTree, .seed = 5, .letters = 20}};
  std::vector<int32_t> words(320, 9);
  FillBuffer(spec, std::as_writable_bytes(std::span(words)));
  ASSERT_GT(tree.size(), 20U);
  EXPECT_EQ(words[0], tree[0].children[0]);
  EXPECT_EQ(words[8 * 3 + 5], tree[3].end);
  EXPECT_EQ(words[8 * 3 + 7], tree[3].depth);
  for (size_t i = 8 * tree.size(); i < 320; ++i) EXPECT_EQ(words[i], 0);
}

TEST(RandomLetters, AreTheUniformFill) {
  const BufferSpec spec = {.name = "t",
                           .type = ElementType::kU8,
                           .count = 50,
                           .fill = {.kind = Fill::Kind::kUniform, .seed = 9, .min = 0, .max = 3}};
  std::vector<uint8_t> letters(50);
  FillBuffer(spec, std::as_writable_bytes(std::span(letters)));
  EXPECT_EQ(RandomLetters(50, 9), letters);
}

TEST(Reads, StandInTheTextButForSomeLetters) {
  const std::vector<uint8_t> text = RandomLetters(3000, 2);
  const std::vector<uint8_t> reads = Reads(text, 30, 6000, 2);
  const std::string genome = Text(text);
  size_t exact = 0;
  size_t with_an_exact_third = 0;
  for (size_t begin = 0; begin < reads.size(); begin += 30) {
    const std::string read = Text(std::span(reads).subspan(begin, 30));
    if (genome.find(read) != std::string::npos) ++exact;
    for (size_t third = 0; third < 30; third += 10) {
      if (genome.find(read.substr(third, 10)) == std::string::npos) continue;
      ++with_an_exact_third;
      break;
    }
  }
  // A letter changes with probability 3/4 / 32: half of the reads stay as they are.
  EXPECT_GT(exact, 70U);
  EXPECT_LT(exact, 130U);
  EXPECT_GT(with_an_exact_third, 195U);
}

TEST(Reads, DrawAPlaceForEachReadAndThenALetterInThirtyTwoAsOneOfFour) {
  const std::vector<uint8_t> text = RandomLetters(40, 3);
  for (const uint64_t length : {7U, 39U, 40U}) {
    SplitMix64 random(~uint64_t{8});
    std::vector<uint8_t> expected;
    uint64_t place = 0;
    for (uint64_t i = 0; i < 300; ++i) {
      if (i % length == 0) place = random.Below(40 - length + 1);
      const uint64_t draw = random.Below(128);
      expected.push_back(draw < 4 ? static_cast<uint8_t>(draw) : text[place + i % length]);
    }
    EXPECT_EQ(Reads(text, length, 300, 8), expected) << length;
  }
}

}  // namespace suffix_tree_test
}  // namespace flagstone
