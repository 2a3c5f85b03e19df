// The log line by line: the text before the dash goes to the end of the pages, the digits after it
// make the number of views.
#include "workloads/reference.h"

#include <algorithm>
#include <string_view>

namespace flagstone {

void ComputePageviewrank(ReferenceData& data) {
  constexpr size_t kSlot = 64;
  const size_t lines = data.Extent(3, 5);
  const auto log = data.Buffer<uint8_t>(3, 0, kSlot * lines);
  const auto views = data.Buffer<uint32_t>(3, 3, lines);
  const auto pages = data.Buffer<uint8_t>(3, 4, 52 * lines);
  auto page = pages.begin();
  for (size_t line = 0; line < lines; ++line) {
    std::string_view text(reinterpret_cast<const char*>(&log[kSlot * line]), kSlot);
    const std::string_view address = text.substr(0, std::min<size_t>(text.find('-'), 52));
    page = std::copy(address.begin(), address.end(), page);
    text = text.substr(address.size() + 1, 8);
    text = text.substr(0, text.find_first_not_of("0123456789"));
    views[line] = 0;
    for (const char digit : text) {
      views[line] = 10 * views[line] + static_cast<uint32_t>(digit - '0');
    }
  }
}

}  // namespace flagstone
