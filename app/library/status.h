// What stands between C++ and C: exceptions become statuses, and their texts wait for
// flagstone_error().
#ifndef FLAGSTONE_APP_LIBRARY_STATUS_H_
#define FLAGSTONE_APP_LIBRARY_STATUS_H_

#include <exception>
#include <new>

#include "base/error.h"
#include "flagstone/blocks.h"

namespace flagstone {

// Keeps the text for this thread, and returns the status.
flagstone_status Fail(flagstone_status status, const char* text) noexcept;

// Throws kBadInput for an argument that is null: `what` says what was expected.
void Require(const void* argument, const char* what);

// The status of what `call` does.
template <class Call>
flagstone_status Guarded(const Call& call) noexcept {
  try {
    call();
    return FLAGSTONE_OK;
  } catch (const Error& error) {
    return Fail(static_cast<flagstone_status>(error.kind()), error.what());
  } catch (const std::bad_alloc&) {
    return Fail(FLAGSTONE_INTERNAL, "out of memory");
  } catch (const std::exception& error) {
    return Fail(FLAGSTONE_INTERNAL, error.what());
  } catch (...) {
    return Fail(FLAGSTONE_INTERNAL, "an exception of no known kind");
  }
}

}  // namespace flagstone

#endif  // FLAGSTONE_APP_LIBRARY_STATUS_H_
