// CUTLASS 3 on f16 and bf16: all schedules of warps, both majors, clusters.
#include "cutlass_gemm.h"

using namespace real_kernels;  // NOLINT
using Half = cutlass::half_t;
using Bf16 = cutlass::bfloat16_t;
using cutlass::epilogue::NoSmemWarpSpecialized;
using cutlass::epilogue::TmaWarpSpecialized;
using cutlass::epilogue::TmaWarpSpecializedCooperative;

using Pingpong =
    Gemm<Half, Rows, Half, Columns, Half, float, Shape<_64, _128, _64>, Shape<_1, _1, _1>,
         cutlass::gemm::KernelTmaWarpSpecializedPingpong, TmaWarpSpecialized>;
using Cooperative =
    Gemm<Half, Rows, Half, Rows, float, float, Shape<_128, _128, _64>, Shape<_2, _1, _1>,
         cutlass::gemm::KernelTmaWarpSpecializedCooperative, TmaWarpSpecializedCooperative>;
using Simple =
    Gemm<Half, Columns, Half, Columns, Half, Half, Shape<_64, _64, _64>, Shape<_1, _2, _1>,
         cutlass::gemm::KernelTmaWarpSpecialized, NoSmemWarpSpecialized>;
using Multicast =
    Gemm<Bf16, Columns, Bf16, Rows, Bf16, float, Shape<_64, _64, _32>, Shape<_2, _2, _1>,
         cutlass::gemm::KernelTmaWarpSpecializedPingpong, TmaWarpSpecialized>;
using Copying =
    Gemm<Bf16, Rows, Bf16, Columns, float, float, Shape<_64, _128, _64>, Shape<_1, _1, _1>,
         cutlass::gemm::KernelCpAsyncWarpSpecialized, NoSmemWarpSpecialized>;

int main(int count, char** words) {
  const Case cases[] = {{"pingpong", Pingpong::Run, {}},
                        {"cooperative", Cooperative::Run, {}},
                        {"simple", Simple::Run, {}},
                        {"multicast", Multicast::Run, {200, 136, 160, 2}},
                        {"copying", Copying::Run, {}}};
  return RunCase(cases, count, words);
}
