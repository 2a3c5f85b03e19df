#include "tests/system/audit.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/file.h"
#include "tests/system/browser.h"

namespace flagstone {
namespace {

constexpr int kWidths[] = {1400, 900};

// Puts the audit before the first script of a page, with the word that lets the page's own run.
std::string WithAudit(std::string page, const std::string& audit) {
  const std::string first = "<script nonce=\"";
  const size_t at = page.find(first);
  if (at == std::string::npos) ADD_FAILURE() << "the page has no script";
  const size_t word = at + first.size();
  const std::string nonce = page.substr(word, page.find('"', word) - word);
  return page.insert(at, first + nonce + "\">\n" + audit + "</script>\n");
}

// Frames of all pages and widths, and a script that keeps what they say.
std::string FramesOf(const std::vector<std::string>& pages) {
  std::string html = "<!DOCTYPE html><meta charset=\"utf-8\"><body>\n<pre id=\"found\"></pre>\n";
  for (const std::string& page : pages) {
    for (const int width : kWidths) {
      html += fmt::format(
          "<iframe name=\"{0} at {1}\" src=\"audited-{0}\" width=\"{1}\" height=\"1000\" "
          "style=\"border:0\"></iframe>\n",
          page, width);
    }
  }
  return html +
         "<script>addEventListener(\"message\", ({data}) => {\n"
         "  document.getElementById(\"found\").textContent += JSON.stringify(data) + \"\\n\";\n"
         "});</script>\n";
}

// As the DOM writes a text.
std::string Unescaped(std::string text) {
  const std::pair<std::string, std::string> names[] = {
      {"&lt;", "<"}, {"&gt;", ">"}, {"&nbsp;", "\u00a0"}, {"&amp;", "&"}};
  for (const auto& [name, letter] : names) {
    for (size_t at = 0; (at = text.find(name, at)) != std::string::npos; at += letter.size()) {
      text.replace(at, name.size(), letter);
    }
  }
  return text;
}

}  // namespace

std::vector<AuditedPage> AuditPages(const std::string& folder,
                                    const std::vector<std::string>& pages) {
  const std::string audit = ReadFile("tests/system/audit.js");
  for (const std::string& page : pages) {
    WriteFileAtomically(folder + "/audited-" + page,
                        WithAudit(ReadFile(folder + "/" + page), audit));
  }
  WriteFileAtomically(folder + "/frames.html", FramesOf(pages));
  const std::string dom = OpenInBrowser(folder + "/frames.html").dom;
  const std::string start = "<pre id=\"found\">";
  const size_t begin = dom.find(start) + start.size();
  std::string found = Unescaped(dom.substr(begin, dom.find("</pre>", begin) - begin));
  std::vector<AuditedPage> audited;
  for (size_t at = 0, end = 0; (end = found.find('\n', at)) != std::string::npos; at = end + 1) {
    const nlohmann::json said = nlohmann::json::parse(found.substr(at, end - at));
    audited.push_back({said["page"], said["texts"], said["faults"]});
  }
  return audited;
}

}  // namespace flagstone
