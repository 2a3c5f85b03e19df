// Sentences of README.md and the guides are short enough to be read once.
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "tests/unit/house/pages.h"

namespace flagstone {
namespace sentences_test {

namespace fs = std::filesystem;

constexpr size_t kMostWords = 40;

// Programs write docs/reproduced.md and docs/results.
std::vector<fs::path> Pages() {
  std::vector<fs::path> pages = PagesAnd({"waves"});
  pages.emplace_back("rtl/README.md");
  std::erase(pages, fs::path("docs/reproduced.md"));
  return pages;
}

// "- item", "12. item": where the item's text begins, else 0.
size_t ItemText(std::string_view line) {
  size_t at = 0;
  while (at < line.size() && std::isdigit(static_cast<unsigned char>(line[at])) != 0) ++at;
  const bool marked =
      at < line.size() && (at == 0 ? line[0] == '-' || line[0] == '*' : line[at] == '.');
  return marked && at + 1 < line.size() && line[at + 1] == ' ' ? at + 2 : 0;
}

// Each code span is a word, and the target of a link is none.
std::string Plain(std::string_view paragraph) {
  std::string plain;
  for (size_t i = 0; i < paragraph.size(); ++i) {
    if (paragraph[i] == '`') {
      i = std::min(paragraph.find('`', i + 1), paragraph.size());
      plain += "code";
    } else if (paragraph.substr(i).starts_with("](")) {
      i = std::min(paragraph.find(')', i), paragraph.size());
    } else {
      plain += paragraph[i];
    }
  }
  return plain;
}

bool HasLetter(const std::string& word) {
  return std::ranges::any_of(word, [](unsigned char c) { return std::isalnum(c) != 0; });
}

// "e.g." and the like stand within a sentence.
bool EndsSentence(std::string word) {
  while (!word.empty() && std::string_view("(\"*_[").find(word.front()) != std::string_view::npos) {
    word.erase(0, 1);
  }
  if (word == "e.g." || word == "i.e." || word == "cf." || word == "vs." || word == "Fig.") {
    return false;
  }
  while (!word.empty() && std::string_view(")\"*_]").find(word.back()) != std::string_view::npos) {
    word.pop_back();
  }
  return !word.empty() && std::string_view(".?!").find(word.back()) != std::string_view::npos;
}

// "41 words: its first words ..." for each sentence of a paragraph with more words than there may
// be.
void AddLong(std::string* paragraph, std::vector<std::string>* found) {
  std::istringstream words(Plain(*paragraph));
  paragraph->clear();
  size_t count = 0;
  std::string begin;
  const auto end = [&] {
    if (count > kMostWords) found->push_back(fmt::format("{} words:{} ...", count, begin));
    count = 0;
    begin.clear();
  };
  for (std::string word; words >> word;) {
    if (HasLetter(word)) ++count;
    if (count < 12) begin += " " + word;
    if (EndsSentence(word)) end();
  }
  end();
}

// Of a page in Markdown, without code, tables, headings and comments.
std::vector<std::string> LongSentences(const std::string& page) {
  std::vector<std::string> found;
  std::istringstream lines(page);
  std::string paragraph;
  bool code = false;
  for (std::string line; std::getline(lines, line);) {
    line.erase(0, std::min(line.find_first_not_of(' '), line.size()));
    const bool fence = line.starts_with("```");
    const bool text = !fence && !code && !line.empty() && line[0] != '|' && line[0] != '#' &&
                      !line.starts_with("<!--");
    const size_t item = text ? ItemText(line) : 0;
    if (!text || item != 0) AddLong(&paragraph, &found);
    if (text) paragraph += " " + line.substr(item);
    if (fence) code = !code;
  }
  AddLong(&paragraph, &found);
  return found;
}

TEST(Sentences, HaveFortyWordsAtMost) {
  for (const fs::path& page : Pages()) {
    const std::string text = ReadText(page);
    EXPECT_THAT(text, testing::Not(testing::IsEmpty())) << page;
    EXPECT_THAT(LongSentences(text), testing::IsEmpty()) << page;
  }
}

TEST(Sentences, AreCountedWithoutCodeTablesAndTargetsOfLinks) {
  std::string words;
  for (int i = 0; i < 39; ++i) words += "word ";
  EXPECT_THAT(LongSentences(words + "end. Short.\n"), testing::IsEmpty());
  EXPECT_THAT(LongSentences(words + "the end. Short.\n"),
              testing::ElementsAre(testing::StartsWith("41 words: word")));
  EXPECT_THAT(LongSentences(words + "\nand the end.\n"), testing::SizeIs(1));
  EXPECT_THAT(LongSentences(words + "(e.g. this) and the end.\n"), testing::SizeIs(1));
  EXPECT_THAT(LongSentences("- " + words + "\n- another item\n"), testing::IsEmpty());
  EXPECT_THAT(LongSentences("| " + words + words + "|\n"), testing::IsEmpty());
  EXPECT_THAT(LongSentences("```\n" + words + words + "\n```\n"), testing::IsEmpty());
  EXPECT_THAT(LongSentences(words + "`a b c d`.\n"), testing::IsEmpty());
  EXPECT_THAT(LongSentences(words + "[end](a b c d).\n"), testing::IsEmpty());
  EXPECT_THAT(LongSentences(words + "(end.)\nmore words\n"), testing::IsEmpty());
}

}  // namespace sentences_test
}  // namespace flagstone
