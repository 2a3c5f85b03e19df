// libFuzzer target: any bytes as the CSV of `flagstone block` either parse, into values that fit
// their ports, or throw kBadInput with a one-line message that begins with file:line:column.
// `tools/fuzz SECONDS` builds and runs it.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "systemc/cosim/stimulus.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::vector<flagstone::AnyPort> ports = {
      {"start", 1, 1}, {"ready", 1, 3}, {"settings", 32, 10}, {"base", 64, 1}, {"data", 128, 1}};
  try {
    const flagstone::Stimulus stimulus = flagstone::ParseStimulus(text, "fuzz.csv", ports);
    if (stimulus.columns.empty()) std::abort();
    if (stimulus.values.size() != stimulus.rows * stimulus.columns.size()) std::abort();
    for (size_t i = 0; i < stimulus.values.size(); ++i) {
      const auto& column = stimulus.columns[i % stimulus.columns.size()];
      const uint32_t bits = ports[column.port].width;
      const flagstone::FieldValue& value = stimulus.values[i];
      if (bits <= 64 && value[1] != 0) std::abort();
      if (bits < 64 && value[0] >> bits != 0) std::abort();
    }
  } catch (const flagstone::Error& error) {
    const std::string_view message = error.what();
    if (error.kind() != flagstone::ErrorKind::kBadInput) std::abort();
    if (!message.starts_with("fuzz.csv:") || message.find('\n') != message.npos) std::abort();
  }
  return 0;
}
