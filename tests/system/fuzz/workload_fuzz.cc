// libFuzzer target: any bytes as workload.toml either parse or throw kBadInput with a one-line
// message; no crash, no hang, no other exception.
// `tools/fuzz SECONDS` builds and runs it.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/error.h"
#include "kernels/launch/workload.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const std::string_view table : {"test", "medium", "ladm", "paper"}) {
    try {
      flagstone::Workload::Parse(text, "fuzz.toml", table, {},
                                 [](const auto&) { return std::string("0 1 5\n2 0 -3\n"); });
    } catch (const flagstone::Error& error) {
      const std::string_view message = error.what();
      if (error.kind() != flagstone::ErrorKind::kBadInput) std::abort();
      const bool placed = message.starts_with("fuzz.toml:") || message.find(":1: ") != message.npos;
      if (!placed || message.find('\n') != message.npos) std::abort();
    }
  }
  return 0;
}
