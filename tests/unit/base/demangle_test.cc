#include "base/demangle.h"

#include <gtest/gtest.h>

namespace flagstone {
namespace demangle_test {

TEST(KernelName, IsThatOfTheSource) {
  EXPECT_EQ(KernelName("_Z4blurPKfPfi"), "blur");
  EXPECT_EQ(KernelName("_Z5scaleIfEvPT_"), "scale<float>");
  EXPECT_EQ(KernelName("_ZN3gpu4core6kernelEPi"), "gpu::core::kernel");
  EXPECT_EQ(KernelName("_ZN12_GLOBAL__N_16hiddenEv"), "(anonymous namespace)::hidden");
  EXPECT_EQ(KernelName("_Z4sortILi4EfEvPT0_PFbS0_S0_E"), "sort<4, float>");
}

TEST(KernelName, WhatIsNotMangledStays) {
  for (const char* name : {"matmul", "", "_Z", "_Znonsense", "_Z4blu", "foo(int)"}) {
    EXPECT_EQ(KernelName(name), name);
  }
}

}  // namespace demangle_test
}  // namespace flagstone
