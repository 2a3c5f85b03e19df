// Bytes as text that is safe inside HTML.
#ifndef FLAGSTONE_APP_REPORT_PACKING_H_
#define FLAGSTONE_APP_REPORT_PACKING_H_

#include <optional>
#include <string>
#include <string_view>

namespace flagstone {

// gzip, then base64. The same bytes give the same text.
std::string Pack(std::string_view bytes);
// The reverse; nothing for a text that Pack did not make.
std::optional<std::string> Unpack(std::string_view text);

// Text between tags, and in attributes.
std::string EscapeHtml(std::string_view text);
// JSON within a script element: "<", which could end it, as an escape.
std::string EscapeJson(std::string_view json);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_REPORT_PACKING_H_
