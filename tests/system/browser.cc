#include "tests/system/browser.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <regex>
#include <sstream>

#include "tests/system/command.h"

namespace flagstone {
namespace {

// Attributes of a tag, `<section class="view" data-marks="3">`.
std::map<std::string, std::string> AttributesOf(const std::string& tag) {
  static const std::regex kAttribute("([a-z-]+)=\"([^\"]*)\"");
  std::map<std::string, std::string> attributes;
  for (std::sregex_iterator it(tag.begin(), tag.end(), kAttribute), end; it != end; ++it) {
    attributes[(*it)[1]] = (*it)[2];
  }
  return attributes;
}

// All tags of the DOM that begin so, `<section`.
std::vector<std::string> Tags(const std::string& dom, const std::string& begin) {
  std::vector<std::string> tags;
  for (size_t at = dom.find(begin); at != std::string::npos; at = dom.find(begin, at + 1)) {
    tags.push_back(dom.substr(at, dom.find('>', at) - at));
  }
  return tags;
}

// Lines of the browser's log that the page caused.
std::string ConsoleOf(const std::string& log) {
  std::istringstream lines(log);
  std::string console;
  for (std::string line; std::getline(lines, line);) {
    if (line.find(":CONSOLE") != std::string::npos) console += line + "\n";
  }
  return console;
}

}  // namespace

bool HasBrowser() { return RunShell("command -v chromium").exit_code == 0; }

double OpenedPage::View::Number(const std::string& attribute) const {
  const auto found = attributes.find(attribute);
  return found == attributes.end() ? -1 : std::stod(found->second);
}

const OpenedPage::View& OpenedPage::Find(const std::string& id) const {
  static const View kNone;
  for (const View& view : views) {
    if (view.id == id) return view;
  }
  ADD_FAILURE() << "the page has no view '" << id << "'";
  return kNone;
}

bool OpenedPage::Has(const std::string& id) const {
  for (const View& view : views) {
    if (view.id == id) return true;
  }
  return false;
}

OpenedPage OpenInBrowser(const std::string& file, const std::string& more) {
  const ScratchFolder profile;
  // The page's time runs as fast as its work: the browser ends when the script rests. Any name is
  // nowhere, so that a request would fail and be logged.
  const CommandResult result = RunShell(fmt::format(
      "timeout 120 chromium --headless --no-sandbox --disable-gpu --disable-dev-shm-usage "
      "--virtual-time-budget=60000 --window-size=1280,1000 --enable-logging=stderr --v=0 "
      "--host-resolver-rules='MAP * ~NOTFOUND' --user-data-dir='{}' {} --dump-dom "
      "'file://{}'",
      profile.path().string(), more, file));
  OpenedPage page;
  page.dom = result.out;
  page.console = ConsoleOf(result.err);
  const size_t data = page.dom.find("id=\"flagstone-data\"");
  // The script's own text has tags too: what it made stands before the data.
  const std::string made = page.dom.substr(0, data);
  const std::vector<std::string> bodies = Tags(made, "<body");
  if (!bodies.empty()) page.body = AttributesOf(bodies.front());
  for (const std::string& tag : Tags(made, "<section")) {
    std::map<std::string, std::string> attributes = AttributesOf(tag);
    if (attributes.contains("data-missing")) page.missing += attributes["data-missing"] + " ";
    if (attributes.contains("data-view")) {
      page.views.push_back({attributes["data-view"], std::move(attributes)});
    }
  }
  return page;
}

}  // namespace flagstone
