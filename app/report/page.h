// One HTML file that shows results: it holds its data, script and style, asks the network for
// nothing, and is the same, byte by byte, for the same results.
#ifndef FLAGSTONE_APP_REPORT_PAGE_H_
#define FLAGSTONE_APP_REPORT_PAGE_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "app/report/results.h"

namespace flagstone {

// Above this many bytes of JSON, a page holds them compressed: below, a reader finds them with an
// editor.
inline constexpr size_t kMostPlainBytes = 400'000;

// The page. Script, style and views are read from DataFolder()/app/report/page, in the order of the
// file `parts` there; D3 from beside it or from Debian's package node-d3. Throws kInternal where
// one of them is missing.
std::string MakePage(const std::vector<NamedResult>& results);

// The data of a page that MakePage made. Throws kBadInput, which names `file`, for any other text.
ResultJson DataOfPage(const std::string& file, std::string_view page);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_REPORT_PAGE_H_
