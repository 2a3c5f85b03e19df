// What the test programs share: a result that is not as expected ends them with 1.
#ifndef FLAGSTONE_TESTS_SYSTEM_CUDA_PROGRAMS_CHECK_H_
#define FLAGSTONE_TESTS_SYSTEM_CUDA_PROGRAMS_CHECK_H_

#include <stdio.h>
#include <stdlib.h>

#define CHECK(condition)                                      \
  do {                                                        \
    if (!(condition)) {                                       \
      printf("line %d: expected %s\n", __LINE__, #condition); \
      exit(1);                                                \
    }                                                         \
  } while (0)
#define OK(call) CHECK((call) == cudaSuccess)

#endif  // FLAGSTONE_TESTS_SYSTEM_CUDA_PROGRAMS_CHECK_H_
