// libFuzzer target: any bytes as workload.toml either parse or throw kBadInput with a one-line
// message; no crash, no hang, no other exception. Build and run from the project's root:
//   clang++-14 -std=c++20 -g -O1 -fsanitize=fuzzer,address,undefined -I. \
//     -DTOML_HEADER_ONLY=0 -DTOML_SHARED_LIB=1 -DFLAGSTONE_SOURCE_DIR='"."' \
//     tests/fuzz/workload_fuzz.cc base/*.cc launch/*.cc ptx/*.cc -ltomlplusplus -lfmt \
//     -o /tmp/workload_fuzz
//   mkdir -p /tmp/workload_corpus && for w in workloads/*/; do
//     cp $w/workload.toml /tmp/workload_corpus/$(basename $w).toml; done
//   /tmp/workload_fuzz -max_total_time=60 -max_len=4096 /tmp/workload_corpus
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/error.h"
#include "launch/workload.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const std::string_view table : {"test", "paper"}) {
    try {
      flagstone::Workload::Parse(text, "fuzz.toml", table);
    } catch (const flagstone::Error& error) {
      const std::string_view message = error.what();
      if (error.kind() != flagstone::ErrorKind::kBadInput) std::abort();
      if (!message.starts_with("fuzz.toml:") || message.find('\n') != message.npos) std::abort();
    }
  }
  return 0;
}
