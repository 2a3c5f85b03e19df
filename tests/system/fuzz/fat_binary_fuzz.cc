// libFuzzer target: any bytes as a fat binary either give PTX or throw kBadInput with a one-line
// message; no crash, no hang, no other exception. The ELF file of a program likewise.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/error.h"
#include "kernels/cuda/fatbin/reader.h"
#include "kernels/cuda/server/program_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    flagstone::cuda::ReadFatBinary(bytes);
  } catch (const flagstone::Error& error) {
    if (error.kind() != flagstone::ErrorKind::kBadInput) std::abort();
    if (std::string_view(error.what()).find('\n') != std::string_view::npos) std::abort();
  }
  flagstone::cuda::ReadProgram(bytes);
  return 0;
}
