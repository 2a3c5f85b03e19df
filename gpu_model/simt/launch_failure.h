// A launch that failed, with what a program on the device would be told of it.
#ifndef FLAGSTONE_GPU_MODEL_SIMT_LAUNCH_FAILURE_H_
#define FLAGSTONE_GPU_MODEL_SIMT_LAUNCH_FAILURE_H_

#include <fmt/core.h>

#include <cstdint>
#include <string>
#include <utility>

#include "base/error.h"

namespace flagstone {

enum class FailureCause : uint8_t {
  kOther,       // a trap, a barrier that diverges, a malformed operand, ...
  kAddress,     // out of bounds, or a write to read-only memory
  kMisaligned,  // an address that is no multiple of the access's size
  kAssertion,   // the kernel's own assert()
  kTimeout,     // no progress, a deadlock, or a limit of cycles or instructions
};

class LaunchFailure : public Error {
 public:
  LaunchFailure(FailureCause cause, const std::string& message)
      : Error(ErrorKind::kRunFailed, message), cause_(cause) {}
  FailureCause cause() const { return cause_; }

 private:
  FailureCause cause_;
};

template <class... Args>
[[noreturn]] void ThrowLaunchFailure(FailureCause cause, fmt::format_string<Args...> format,
                                     Args&&... args) {
  throw LaunchFailure(cause, fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_SIMT_LAUNCH_FAILURE_H_
