// What the documents name is there: files behind links, headings behind anchors, and the files that
// docs/architecture.md follows a launch, a TB, a load and a prefetch through.
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cctype>
#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

#include "tests/unit/house/pages.h"

namespace flagstone {
namespace docs_links_test {

namespace fs = std::filesystem;

// As GitHub makes it of a heading: lower case, blanks as hyphens, no punctuation.
std::string AnchorOf(std::string_view heading) {
  std::string anchor;
  for (const char c : heading) {
    if (c == ' ') anchor += '-';
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_') {
      anchor += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
  }
  return anchor;
}

bool HasAnchor(const fs::path& page, const std::string& anchor) {
  std::ifstream file(page);
  for (std::string line; std::getline(file, line);) {
    const size_t text = line.find_first_not_of('#');
    if (text == 0 || text == std::string::npos || line[text] != ' ') continue;
    if (AnchorOf(line.substr(text + 1)) == anchor) return true;
  }
  return false;
}

// "page.md: (target)" for each link into the tree that leads nowhere.
std::vector<std::string> BrokenLinks(const fs::path& page, const std::string& text) {
  static const std::regex kLink(R"(\]\(([^)#\s]*)(?:#([^)\s]*))?\))");
  std::vector<std::string> broken;
  for (std::sregex_iterator it(text.begin(), text.end(), kLink), end; it != end; ++it) {
    const std::string target = (*it)[1], anchor = (*it)[2];
    if (target.find("://") != std::string::npos) continue;
    const fs::path path = target.empty() ? page : page.parent_path() / target;
    if (fs::exists(path) && (anchor.empty() || HasAnchor(path, anchor))) continue;
    broken.push_back(fmt::format("{}: {}", page.string(), it->str()));
  }
  return broken;
}

// The source files that a text names from the project's root, but for those with "..." in front.
std::vector<std::string> MissingFiles(const std::string& text) {
  static const std::regex kFile(R"((?:^|[^.\w/])((?:\w+/)+\w+\.(?:cc|h|sv)))");
  std::vector<std::string> missing;
  for (std::sregex_iterator it(text.begin(), text.end(), kFile), end; it != end; ++it) {
    if (!fs::exists((*it)[1].str())) missing.push_back((*it)[1]);
  }
  return missing;
}

TEST(DocsLinks, LeadToFilesAndHeadings) {
  for (const fs::path& page : PagesAnd({"rtl", "waves"})) {
    const std::string text = ReadText(page);
    EXPECT_THAT(text, testing::Not(testing::IsEmpty())) << page;
    EXPECT_THAT(BrokenLinks(page, text), testing::IsEmpty());
  }
}

TEST(DocsLinks, FindsALinkThatLeadsNowhere) {
  const std::string text = "[a](install.md) [b](gone.md) [c](install.md#gone) [d](#gone)";
  EXPECT_THAT(BrokenLinks("docs/command.md", text), testing::SizeIs(3));
}

TEST(DocsLinks, TheWalksOfTheArchitectureMeetFilesThatAreThere) {
  EXPECT_THAT(MissingFiles(ReadText("docs/architecture.md")), testing::IsEmpty());
  EXPECT_THAT(MissingFiles(" app/cli/run.cc\n app/cli/gone.cc"),
              testing::ElementsAre("app/cli/gone.cc"));
}

}  // namespace docs_links_test
}  // namespace flagstone
