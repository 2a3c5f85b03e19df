// Bad input in a workload's file, with the place in it.
#ifndef FLAGSTONE_KERNELS_LAUNCH_FAIL_AT_H_
#define FLAGSTONE_KERNELS_LAUNCH_FAIL_AT_H_

#include <fmt/format.h>

#include <utility>

#include "base/error.h"
#include "kernels/launch/workload.h"

namespace flagstone {

template <class... Args>
[[noreturn]] void FailAt(const Workload& workload, const ptx::Location& at,
                         fmt::format_string<Args...> format, Args&&... args) {
  ThrowBadInput("{}:{}:{}: {}", workload.path.string(), at.line, at.column,
                fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace flagstone

#endif  // FLAGSTONE_KERNELS_LAUNCH_FAIL_AT_H_
