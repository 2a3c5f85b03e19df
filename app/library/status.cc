#include "app/library/status.h"

#include <array>
#include <cstdio>

namespace flagstone {
namespace {

// Of one size, since keeping the text of a failure may not fail.
using ErrorText = std::array<char, 4096>;
thread_local ErrorText error_text = {};

static_assert(static_cast<int>(ErrorKind::kRunFailed) == FLAGSTONE_RUN_FAILED);
static_assert(static_cast<int>(ErrorKind::kBadInput) == FLAGSTONE_BAD_INPUT);
static_assert(static_cast<int>(ErrorKind::kInternal) == FLAGSTONE_INTERNAL);

}  // namespace

flagstone_status Fail(flagstone_status status, const char* text) noexcept {
  std::snprintf(error_text.data(), error_text.size(), "%s", text);
  return status;
}

void Require(const void* argument, const char* what) {
  if (argument == nullptr) ThrowBadInput("a null pointer: expected {}", what);
}

}  // namespace flagstone

const char* flagstone_error() { return flagstone::error_text.data(); }
uint32_t flagstone_abi() { return FLAGSTONE_BLOCKS_ABI; }
const char* flagstone_version() { return FLAGSTONE_VERSION; }
