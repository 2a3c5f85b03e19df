// CUTLASS 3 on tf32, floats of 8 bits and integers of 8 bits.
#include "cutlass_gemm.h"

using namespace real_kernels;  // NOLINT
using E4m3 = cutlass::float_e4m3_t;
using E5m2 = cutlass::float_e5m2_t;
using cutlass::epilogue::TmaWarpSpecialized;
using cutlass::epilogue::TmaWarpSpecializedCooperative;

using Tf32 =
    Gemm<cutlass::tfloat32_t, Rows, cutlass::tfloat32_t, Columns, float, float,
         Shape<_128, _128, _32>, Shape<_2, _1, _1>,
         cutlass::gemm::KernelTmaWarpSpecializedCooperative, TmaWarpSpecializedCooperative>;
using Fp8 =
    Gemm<E4m3, Rows, E5m2, Columns, cutlass::bfloat16_t, float, Shape<_64, _128, _128>,
         Shape<_1, _1, _1>, cutlass::gemm::KernelTmaWarpSpecializedPingpong, TmaWarpSpecialized>;
using Fp8Fast =
    Gemm<E4m3, Rows, E4m3, Columns, cutlass::half_t, float, Shape<_128, _128, _128>,
         Shape<_1, _2, _1>, cutlass::gemm::KernelTmaWarpSpecializedCooperativeFP8FastAccum,
         TmaWarpSpecializedCooperative>;
using S8 =
    Gemm<int8_t, Rows, int8_t, Columns, int32_t, int32_t, Shape<_64, _128, _128>, Shape<_1, _1, _1>,
         cutlass::gemm::KernelTmaWarpSpecializedPingpong, TmaWarpSpecialized>;
using U8 =
    Gemm<uint8_t, Rows, int8_t, Columns, int32_t, int32_t, Shape<_128, _64, _64>, Shape<_2, _2, _1>,
         cutlass::gemm::KernelTmaWarpSpecializedCooperative, TmaWarpSpecializedCooperative>;

int main(int count, char** words) {
  const Case cases[] = {{"tf32", Tf32::Run, {}},
                        {"fp8", Fp8::Run, {}},
                        {"fp8_fast", Fp8Fast::Run, {}},
                        {"s8", S8::Run, {}},
                        {"u8", U8::Run, {}}};
  return RunCase(cases, count, words);
}
