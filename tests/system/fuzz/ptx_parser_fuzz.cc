// libFuzzer target for the PTX parser: any bytes either parse or throw flagstone::Error.
//
// `tools/fuzz SECONDS` builds and runs it.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/error.h"
#include "kernels/ptx/parser.h"
#include "kernels/ptx/printer.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  static const std::string kFile = "fuzz.ptx";
  try {
    const auto module = flagstone::ptx::Parse(text, kFile);
    flagstone::ptx::PrintModuleHeader(*module);
    for (const auto& kernel : module->kernels) flagstone::ptx::Print(*kernel);
  } catch (const flagstone::Error& error) {
    // A message is one line that names the place.
    const std::string_view message = error.what();
    if (error.kind() != flagstone::ErrorKind::kBadInput) std::abort();
    if (!message.starts_with(kFile + ":")) std::abort();
    if (message.find('\n') != std::string_view::npos) std::abort();
  }
  return 0;
}
