// What an action throws, as one string: tests compare whole messages.
#ifndef FLAGSTONE_TESTS_UNIT_BASE_ERROR_MESSAGE_H_
#define FLAGSTONE_TESTS_UNIT_BASE_ERROR_MESSAGE_H_

#include <gtest/gtest.h>

#include <string>

#include "base/error.h"

namespace flagstone {

// The message of the kBadInput error that `action` throws; a test failure if it throws none.
template <class Action>
std::string BadInputMessage(Action&& action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kBadInput) << error.what();
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << "not one line";
    return error.what();
  }
  ADD_FAILURE() << "no error was thrown";
  return "";
}

}  // namespace flagstone

#endif  // FLAGSTONE_TESTS_UNIT_BASE_ERROR_MESSAGE_H_
