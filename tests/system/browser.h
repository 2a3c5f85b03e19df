// Opens a page in Debian's chromium, without a screen or a network, and says what the page's script
// has made of it.
#ifndef FLAGSTONE_TESTS_SYSTEM_BROWSER_H_
#define FLAGSTONE_TESTS_SYSTEM_BROWSER_H_

#include <map>
#include <string>
#include <vector>

namespace flagstone {

bool HasBrowser();

// What a page says of itself once its script is done.
struct OpenedPage {
  std::string dom;                          // as HTML
  std::string console;                      // what the script or the browser complained of
  std::map<std::string, std::string> body;  // attributes of <body>
  struct View {
    std::string id;
    std::map<std::string, std::string> attributes;
    // Of an attribute; -1 where it is not there.
    double Number(const std::string& attribute) const;
    double marks() const { return Number("data-marks"); }
    double painted() const { return Number("data-painted"); }
  };
  std::vector<View> views;  // of all tabs, in order
  std::string missing;      // ids of views for which a result lacks data

  // The first of this name; fails the test where there is none.
  const View& Find(const std::string& id) const;
  bool Has(const std::string& id) const;
};

// `more`: options of the browser.
OpenedPage OpenInBrowser(const std::string& file, const std::string& more = "");

}  // namespace flagstone

#endif  // FLAGSTONE_TESTS_SYSTEM_BROWSER_H_
